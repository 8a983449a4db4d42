/**
 * What one run changes in the state of a site. Pure.
 *
 * A failed run raises a suspicion, quick rechecks confirm it, and an incident opens; good runs in a row end it. Of full
 * checks and pages in the browser, only what takes the site down does so: the rest are findings (`findings.ts`).
 * Probe-side runs, and those that show nothing, count for neither. Nothing opens during maintenance.
 */
import type { Verdict } from '../../core/check.ts';
import { HOUR_MS } from '../../core/time.ts';
import { deployedAfter } from './deploy.ts';
import { findingsAfter, isFindingUnconfirmed } from './findings.ts';
import type { DeepScope, Observation, Scope, Transition } from './incident.ts';
import { advance } from './lifecycle.ts';
import { pauseAfter, refusalAfter } from './refusal.ts';
import { Run, lately, type IncidentPolicy } from './run.ts';
import { currentOf, emptyState, ofEachScope } from './state.ts';
import type { Deployments, ObservedContent, ScopeState, SiteState, Suspicion } from './state.ts';

/** `before`: `null`: the site was never checked. `causeOf`: as {@link Run.causeOf}. */
export function transitionOf(
  before: SiteState | null,
  observation: Observation,
  policy: IncidentPolicy,
  causeOf: Run['causeOf'] = () => null,
): Transition {
  const state = before ?? emptyState();
  const { endedAt, scope, failingFrom = [] } = observation;
  const refusal = refusalAfter(state, observation, policy);
  if (observation.probeSide !== null) {
    const after = { ...cutOff(state, scope, endedAt), refusal };
    const pauseMs = pauseAfter(observation, refusal);
    return { state: after, events: [], suspicion: null, ...NO_RECHECKS, pauseMs };
  }
  const run = new Run(state.checks, observation, policy, causeOf);
  const suspected = ofEachScope((one) => suspect(one, state, run));
  const { core } = suspected;
  const blips = lately(state.blips, BLIPS.withinMs, endedAt);
  const isGood = run.outlook.core === 'good' || isAsBefore(state, run, core);
  const known: SiteState = {
    ...state,
    verdict: withLocations(verdictAfter(run), observation),
    refusal,
    findings: findingsAfter(state.findings, run),
    failingFrom: scope === 'core' ? failingFrom : (state.failingFrom ?? []),
    checks: run.checks,
    scopes: ofEachScope((one) => scopeAfter(one, state, run, suspected[one].suspicion)),
    blips: core.isBlip ? [...blips, endedAt] : blips,
    maintainedUntil: maintainedUntil(state, observation),
    deployments: deployedAfter(state.deployments, observation, isGood),
  };
  const confirmed = ofEachScope((one) => suspected[one].confirmed);
  const after = advance(run, state, known, confirmed, core.isBlipping);
  const opened = after.events.some(({ kind }) => kind === 'opened');
  const [was, is] = [isSuspected(state), isSuspected(after.state)];
  const change = is ? 'suspected' : 'dismissed';
  const suspicion = was === is || (was && opened) ? null : change;
  return { ...after, suspicion, ...rechecksAfter(after.state, run, state.deployments) };
}

/** A site that fails from too few locations for an incident is degraded. */
export function withLocations(verdict: Verdict, { failingFrom = [] }: Pick<Observation, 'failingFrom'>): Verdict {
  return verdict === 'healthy' && failingFrom.length > 0 ? 'degraded' : verdict;
}

/** After a probe-side run. It breaks off a full check that would have confirmed something. */
function cutOff(state: SiteState, scope: Scope, at: number): SiteState {
  const before = state.scopes[scope];
  const suspicion = scope === 'core' ? before.suspicion : null;
  return { ...state, verdict: 'unknown', scopes: { ...state.scopes, [scope]: { ...before, at, suspicion } } };
}

function scopeAfter(
  scope: Scope,
  { scopes, deployments }: SiteState,
  run: Run,
  suspicion: Suspicion | null,
): ScopeState {
  const { endedAt } = run.observation;
  const before = scopes[scope];
  const isOfScope = run.observation.scope === scope;
  const isCompared = scope === 'full' && (isOfScope || (before.bundle === undefined && before.at !== null));
  const bundle = isCompared ? bundleOf(deployments, run)?.value : before.bundle;
  const [isGood, isBad] = [run.outlook[scope] === 'good', run.outlook[scope] === 'bad'];
  return {
    at: isOfScope ? endedAt : before.at,
    goodAt: isGood ? endedAt : before.goodAt,
    upAt: (isGood || isBad) && !run.isDown(scope) ? endedAt : before.upAt,
    badAt: isBad ? endedAt : before.badAt,
    suspicion,
    ...(bundle === undefined ? {} : { bundle }),
  };
}

/** What is known of the bundle's bytes. */
function bundleOf({ contents }: Deployments, { policy }: Run): ObservedContent | undefined {
  const id = policy.declared.find(({ role }) => role === 'bundle')?.id;
  return id === undefined ? undefined : contents[id];
}

function verdictAfter(run: Run): Verdict {
  const failing = run.failing();
  if (failing.length === 0 && run.outlook.core === 'not enough') return 'unknown';
  return run.verdict(failing.length > 0 ? failing : Object.keys(run.checks));
}

/** Maintenance that was ended early ended then, or, where that is not known, in the first run without it. */
function maintainedUntil(state: SiteState, { maintenance, maintenanceUntil, endedAt }: Observation): number | null {
  const isCurrent = maintenance || (state.maintainedUntil !== null && state.maintainedUntil > endedAt);
  return isCurrent ? (maintenanceUntil ?? endedAt) : state.maintainedUntil;
}

/** Whether a degraded site is as it was: the live deployment has broken nothing more. */
function isAsBefore({ outage, degradation }: SiteState, run: Run, { suspicion, confirmed }: Suspected): boolean {
  const isOnlyDegraded = outage.incident === null && degradation.incident !== null;
  const isNothingNew = suspicion === null && confirmed === null;
  return run.outlook.core === 'bad' && isOnlyDegraded && isNothingNew && !run.observation.maintenance;
}

/* Failures that are not confirmed yet. */

/** What a run makes of a suspicion. */
interface Suspected {
  /** `null`: none, or it has been confirmed. */
  readonly suspicion: Suspicion | null;
  /** What opens an incident, or changes one. */
  readonly confirmed: Suspicion | null;
  readonly isBlip: boolean;
  /** It is confirmed by earlier ones that were not. */
  readonly isBlipping: boolean;
}

const NOTHING: Suspected = { suspicion: null, confirmed: null, isBlip: false, isBlipping: false };

/** So many failures within so long are an incident, although each of them vanishes before it is confirmed. */
const BLIPS = { times: 5, withinMs: 10 * 60_000 } as const;

/** Whether a failure is being confirmed that would open an incident. */
export function isSuspected({ scopes, outage, degradation }: SiteState): boolean {
  if (outage.incident !== null) return false;
  return Object.values(scopes).some(
    ({ suspicion }) => suspicion !== null && (degradation.incident === null || suspicion.outage === true),
  );
}

function suspect(scope: Scope, state: SiteState, run: Run): Suspected {
  const { observation, policy } = run;
  if (observation.maintenance) return NOTHING;
  const before = state.scopes[scope].suspicion;
  const outlook = run.outlook[scope];
  if (outlook === 'nothing' || outlook === 'not enough') {
    // A run that shows nothing of a scope keeps its suspicion.
    const isKept = run.failing(scope).length > 0 && (scope === 'core' || observation.scope !== scope);
    return { ...NOTHING, suspicion: isKept ? before : null };
  }
  const { isGood, isDown } = shownIn(scope, run);
  const isBlip = isGone(state, before, isGood, isDown);
  if (isGood || !run.isNewFailure(scope, state)) return { ...NOTHING, isBlip };
  const suspicion = suspicionAfter(scope, isDown, state, run);
  // During an outage nothing else opens: what fails meanwhile is kept until it is over.
  if (state.outage.incident !== null && !isDown) return { ...NOTHING, suspicion };
  const isBlipping = scope === 'core' && isOneBlipTooMany(state, suspicion, isDown);
  const isConfirmed = isBlipping || suspicion.times >= policy.confirm.times;
  const [left, confirmed] = isConfirmed ? [null, suspicion] : [suspicion, null];
  return { suspicion: left, confirmed, isBlip, isBlipping };
}

/** What a run shows of a scope. Beyond the core checks, nothing but an outage is bad. */
function shownIn(scope: Scope, run: Run): Readonly<Record<'isGood' | 'isDown', boolean>> {
  const isBad = run.outlook[scope] === 'bad';
  const isDown = isBad && run.isDown(scope);
  return { isDown, isGood: scope === 'core' ? !isBad : !isDown };
}

/** Whether a failure is gone that would have opened an incident. */
function isGone(state: SiteState, before: Suspicion | null, isGood: boolean, isDown: boolean): boolean {
  if (before === null || state.outage.incident !== null) return false;
  return state.degradation.incident === null ? isGood : before.outage === true && !isDown;
}

function isOneBlipTooMany(state: SiteState, { times, lastAt }: Suspicion, isDown: boolean): boolean {
  const isNews = isDown || state.degradation.incident === null;
  return isNews && times === 1 && lately(state.blips, BLIPS.withinMs, lastAt).length >= BLIPS.times - 1;
}

/**
 * `isDown`: by the run. Where an incident is open, an outage is confirmed by such runs only. Full checks may have findings
 * for months: what they see starts after the last run that was not down.
 */
function suspicionAfter(scope: Scope, isDown: boolean, state: SiteState, run: Run): Suspicion {
  const { goodAt, upAt, suspicion: before } = state.scopes[scope];
  const { endedAt } = run.observation;
  const isOpen = currentOf(state).incident !== null;
  const isAlike = !isOpen || (before?.outage === true) === isDown;
  if (before !== null && isAlike && !run.isApart(before.lastAt, scope)) {
    return { ...before, times: before.times + 1, lastAt: endedAt };
  }
  const first = { since: endedAt, times: 1, lastAt: endedAt };
  if (scope === 'core' && (!isOpen || !isDown)) return { ...first, lastGoodAt: goodAt };
  // With nothing known of a time before, not even maintenance of long ago is one.
  const unknownAt = isOpen ? endedAt : null;
  const by = upAt === null || upAt === goodAt ? {} : { lastGoodBy: 'up-round' as const };
  return { ...first, lastGoodAt: upAt ?? unknownAt, ...by, outage: true };
}

/* When a site has to be checked again before its time. */

type Rechecks = Omit<Transition, 'state' | 'events' | 'suspicion'>;

/** While their checks fail these run this often, where their schedule would be slower. */
const FAILING_RECHECK_MS = { full: 5 * 60_000, browser: 60_000 } as const satisfies Record<DeepScope, number>;
/** An open incident is rechecked this often at first, then ever more rarely: within a thirtieth of its duration. */
const OPEN_RECHECK_MS = 10_000;
const OPEN_SHARE = 1 / 30;
/** So much more often than scheduled at most: a thousand sites may be down at once. */
const OPEN_FACTOR = 3;

const NO_RECHECKS: Rechecks = { recheck: null, dueWithinMs: ofEachScope(() => null), pauseMs: null };

/** When the next runs are due, counted from the end of a run. */
function rechecksAfter(state: SiteState, run: Run, before: Deployments): Rechecks {
  const { incident } = currentOf(state);
  const share = incident === null ? 0 : (run.observation.endedAt - incident.detectedAt) * OPEN_SHARE;
  const openMs = Math.max(OPEN_RECHECK_MS, (run.policy.everyMs.core ?? 0) / OPEN_FACTOR, share);
  return {
    recheck: quickRecheck(state, run),
    pauseMs: null,
    dueWithinMs: {
      core: incident === null ? null : Math.round(openMs),
      full: sooner(failingRecheckAfter('full', state, run), changedBundleAfter(before, state, run)),
      browser: failingRecheckAfter('browser', state, run),
    },
  };
}

/** Confirmations, of failures and of recoveries, over new connections. A run without failures needs none. */
function quickRecheck(state: SiteState, run: Run): Transition['recheck'] {
  const { scope, endedAt } = run.observation;
  const { afterMs, times } = run.policy.confirm;
  /** What is confirmed waits for the end of an outage. */
  const pending = (one: Scope): Suspicion | null => {
    const { suspicion } = state.scopes[one];
    return suspicion !== null && suspicion.times < times ? suspicion : null;
  };
  // A run of another scope that came meanwhile does not delay it.
  const recheck = (one: Scope, { lastAt }: Suspicion) => ({
    scope: one,
    afterMs: Math.min(afterMs, Math.max(0, lastAt + afterMs - endedAt)),
  });
  const core = pending('core');
  if (core !== null && (core.lastAt === endedAt || scope !== 'core')) return recheck('core', core);
  const { good } = currentOf(state);
  const isReported = ['good', 'bad'].includes(run.outlook.core) || scope !== 'core';
  if (good !== null && good.times < run.policy.recover.times && isReported) return { scope: 'core', afterMs };
  for (const one of ['browser', 'full'] as const) {
    const suspicion = pending(one);
    if (suspicion !== null && !run.isDown('core')) return recheck(one, suspicion);
    if (scope === one && isFindingUnconfirmed(state.findings, run)) return { scope: one, afterMs };
  }
  return null;
}

/** Failing full checks run before their time, but not before the core checks pass. */
function failingRecheckAfter(scope: DeepScope, { checks, scopes }: SiteState, run: Run): number | null {
  const failing = run.failing(scope);
  if (failing.length === 0 || run.isDown('core')) return null;
  const { confirm, everyMs: scheduled } = run.policy;
  const checkedAt = Math.max(scopes[scope].at ?? 0, ...failing.map((id) => checks[id]?.at ?? 0));
  // It failed while the core checks failed too: now that these pass, it may be gone.
  const isOutdated = checkedAt <= (scopes.core.badAt ?? -1) && run.failing('core').length === 0;
  const usualMs = Math.min(scheduled[scope] ?? HOUR_MS, FAILING_RECHECK_MS[scope]);
  const everyMs = isOutdated ? confirm.afterMs : usualMs;
  return Math.min(everyMs, Math.max(0, checkedAt + everyMs - run.observation.endedAt));
}

const sooner = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

/** A full check because of a new bundle runs no more often than this. */
const CHANGED_APART_MS = 10 * 60_000;

/**
 * When the full check is due because the bundle has other bytes than before the last one; `null`: it has not, or differs from
 * run to run, as one with nonces does. It waits for the end of an incident, which runs of their own pace confirm.
 */
function changedBundleAfter({ contents }: Deployments, state: SiteState, run: Run): number | null {
  const { scopes, deployments } = state;
  const { at, bundle } = scopes.full;
  const now = bundleOf(deployments, run);
  if (at === null || bundle === undefined || now === undefined || now.value === bundle) return null;
  if (run.isDown('core') || currentOf(state).incident !== null) return null;
  const before = bundleOf({ ...deployments, contents }, run);
  const isSettled = now.times > 1 || (before !== undefined && before.times > 1);
  return isSettled ? Math.max(0, at + CHANGED_APART_MS - run.observation.endedAt) : null;
}
