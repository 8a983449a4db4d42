/**
 * What one run makes of what is known of a site. Pure.
 *
 * A failed run raises a suspicion, quick rechecks confirm it, and an incident opens; good runs in a row end it.
 * Probe-side runs, and those that show nothing, count for neither. Nothing opens during maintenance.
 */
import type { Verdict } from '../../check.ts';
import { deployedAfter } from './deploy.ts';
import type { DeepScope, IncidentEvent, IncidentPolicy, Observation, Scope, Transition } from './incident.ts';
import { advance } from './lifecycle.ts';
import {
  failingIn,
  failingOf,
  isApart,
  isDown,
  isNewFailure,
  outlooksOf,
  verdictOfChecks,
  within,
  type Outlooks,
} from './policy.ts';
import { currentOf, emptyState, ofEachScope, type ScopeState, type SiteState, type Suspicion } from './state.ts';

/** `before`: `null`: the site was never checked. */
export function transitionOf(before: SiteState | null, observation: Observation, policy: IncidentPolicy): Transition {
  const state = before ?? emptyState();
  const { endedAt, scope } = observation;
  if (observation.isProbeSide) return { state: cutOff(state, scope, endedAt), events: [], ...NO_RECHECKS };
  const reported = outlooksOf(state.checks, observation, policy);
  const suspected = ofEachScope((one) => suspect(one, state, reported, observation, policy));
  const { five } = suspected;
  const blips = within(state.blips, BLIPS.withinMs, endedAt);
  const isGood = reported.five === 'good' || isAsBefore(state, reported, five, observation);
  const known: SiteState = {
    ...state,
    verdict: withLocations(verdictAfter(reported, policy), observation),
    failingFrom: scope === 'five' ? (observation.failingFrom ?? []) : (state.failingFrom ?? []),
    checks: reported.checks,
    scopes: ofEachScope((one) => scopeAfter(one, state, reported, suspected[one], observation, policy)),
    blips: five.isBlip ? [...blips, endedAt] : blips,
    maintainedUntil: maintainedUntil(state, observation),
    deployments: deployedAfter(state.deployments, observation, isGood),
  };
  const confirmed = ofEachScope((one) => suspected[one].confirmed);
  const after = advance({
    before: state,
    known,
    reported,
    confirmed,
    isBlipping: five.isBlipping,
    observation,
    policy,
  });
  const opened = after.events.some(({ kind }) => kind === 'opened');
  const [was, is] = [isSuspected(state), isSuspected(after.state)];
  const change: IncidentEvent[] =
    was === is || (was && opened) ? [] : [{ kind: is ? 'suspected' : 'dismissed', site: policy.site, at: endedAt }];
  const events = [...after.events, ...change];
  return { state: after.state, events, ...rechecksAfter(after.state, reported, observation, policy) };
}

/** A site that fails from too few locations for an incident is degraded. */
export function withLocations(verdict: Verdict, { failingFrom = [] }: Pick<Observation, 'failingFrom'>): Verdict {
  return verdict === 'healthy' && failingFrom.length > 0 ? 'degraded' : verdict;
}

/** After a probe-side run. It breaks off a full check that would have confirmed something. */
function cutOff(state: SiteState, scope: Scope, at: number): SiteState {
  const before = state.scopes[scope];
  const suspicion = scope === 'five' ? before.suspicion : null;
  return { ...state, verdict: 'unknown', scopes: { ...state.scopes, [scope]: { ...before, at, suspicion } } };
}

function scopeAfter(
  scope: Scope,
  { scopes }: SiteState,
  reported: Outlooks,
  { suspicion }: Suspected,
  { endedAt, scope: run }: Observation,
  policy: IncidentPolicy,
): ScopeState {
  const { at, goodAt, upAt, badAt } = scopes[scope];
  const [isGood, isBad] = [reported[scope] === 'good', reported[scope] === 'bad'];
  const isUp = (isGood || isBad) && !isDown(reported.checks, policy, scope);
  return {
    at: run === scope ? endedAt : at,
    goodAt: isGood ? endedAt : goodAt,
    upAt: isUp ? endedAt : upAt,
    badAt: isBad ? endedAt : badAt,
    suspicion,
  };
}

function verdictAfter({ checks, five }: Outlooks, policy: IncidentPolicy): SiteState['verdict'] {
  const failing = failingOf(checks, policy);
  if (failing.length === 0 && five === 'unsure') return 'unknown';
  return verdictOfChecks(failing.length > 0 ? failing : Object.keys(checks), checks, policy);
}

/** Maintenance that was ended early ended then, or, where that is not known, in the first run without it. */
function maintainedUntil(state: SiteState, { maintenance, maintenanceUntil, endedAt }: Observation): number | null {
  const until = maintenanceUntil ?? endedAt;
  return maintenance || (state.maintainedUntil !== null && state.maintainedUntil > endedAt)
    ? until
    : state.maintainedUntil;
}

/** Whether a degraded site is as it was: the live deployment has broken nothing more. */
function isAsBefore(
  { outage, degradation }: SiteState,
  { five }: Outlooks,
  { suspicion, confirmed }: Suspected,
  { maintenance }: Observation,
): boolean {
  const isOnlyDegraded = outage.incident === null && degradation.incident !== null;
  return five === 'bad' && isOnlyDegraded && suspicion === null && confirmed === null && !maintenance;
}

/* Failures that are not confirmed yet. */

/** What a run makes of a suspicion. */
interface Suspected {
  /** `null`: none, or it has been confirmed. */
  readonly suspicion: Suspicion | null;
  /** What opens an incident, or changes one. */
  readonly confirmed: Suspicion | null;
  /** It was not confirmed. */
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

/** What a run makes of the suspicion about the checks of a scope. */
function suspect(
  scope: Scope,
  state: SiteState,
  reported: Outlooks,
  observation: Observation,
  policy: IncidentPolicy,
): Suspected {
  if (observation.maintenance) return NOTHING;
  const before = state.scopes[scope].suspicion;
  const outlook = reported[scope];
  if (outlook === 'untold' || outlook === 'unsure') {
    return { ...NOTHING, suspicion: isKept(scope, reported, observation, policy) ? before : null };
  }
  const { outage, degradation } = state;
  const isGood = outlook === 'good';
  const isOut = !isGood && isDown(reported.checks, policy, scope);
  const isBlip = isGone(state, before, isGood, isOut);
  if (isGood || !isNewFailure(scope, state, reported.checks, policy)) return { ...NOTHING, isBlip };
  const suspicion = suspicionAfter(scope, isOut, state, observation, policy);
  // During an outage nothing else opens: what is seen meanwhile is kept until it is over.
  if (outage.incident !== null && !isOut) return { ...NOTHING, suspicion };
  const mayBlip = scope === 'five' && (isOut || degradation.incident === null);
  const isBlipping = mayBlip && isOneBlipTooMany(suspicion, state, observation);
  return isBlipping || suspicion.times > policy.confirm.times
    ? { suspicion: null, confirmed: suspicion, isBlip, isBlipping }
    : { suspicion, confirmed: null, isBlip, isBlipping };
}

function isOneBlipTooMany({ times }: Suspicion, { blips }: SiteState, { endedAt }: Observation): boolean {
  return times === 1 && within(blips, BLIPS.withinMs, endedAt).length >= BLIPS.times - 1;
}

/** Whether a run that shows nothing of a scope leaves its suspicion as it is. */
function isKept(scope: Scope, { checks }: Outlooks, observation: Observation, policy: IncidentPolicy): boolean {
  return failingIn(scope, checks, policy).length > 0 && (scope === 'five' || observation.scope !== scope);
}

/** Whether a failure is gone that would have opened an incident. */
function isGone(
  { outage, degradation }: SiteState,
  before: Suspicion | null,
  isGood: boolean,
  isOut: boolean,
): boolean {
  if (before === null || outage.incident !== null) return false;
  return degradation.incident === null ? isGood : before.outage === true && !isOut;
}

/** `isOut`: the run saw the site down. Where an incident is open, that is confirmed by such runs only. */
function suspicionAfter(
  scope: Scope,
  isOut: boolean,
  state: SiteState,
  observation: Observation,
  policy: IncidentPolicy,
): Suspicion {
  const { goodAt, upAt, suspicion: before } = state.scopes[scope];
  const { endedAt } = observation;
  const isOpen = currentOf(state).incident !== null;
  const isAlike = !isOpen || (before?.outage === true) === isOut;
  if (before !== null && isAlike && !isApart(before.lastAt, observation, scope, policy)) {
    return { ...before, times: before.times + 1, lastAt: endedAt };
  }
  const first = { since: endedAt, times: 1, lastAt: endedAt };
  if (!isOpen || !isOut) return { ...first, lastGoodAt: goodAt };
  // With nothing known of a time before, not even maintenance of long ago is one.
  const by = upAt === null || upAt === goodAt ? {} : { lastGoodBy: 'up-round' as const };
  return { ...first, lastGoodAt: upAt ?? endedAt, ...by, outage: true };
}

/* When a site has to be checked again before its time. */

type Rechecks = Omit<Transition, 'state' | 'events'>;

/** While their checks fail these run this often, where their schedule would be slower. */
const FAILING_RECHECK_MS = { full: 5 * 60_000, browser: 60_000 } as const satisfies Record<DeepScope, number>;
const HOUR_MS = 60 * 60_000;
/** An open incident is rechecked this often at first, then ever more rarely: within a thirtieth of its duration. */
const OPEN_RECHECK_MS = 10_000;
const OPEN_SHARE = 1 / 30;
/** So much more often than scheduled at most: a thousand sites may be down at once. */
const OPEN_FACTOR = 3;

const NO_RECHECKS: Rechecks = {
  recheckAfterMs: null,
  recheckScope: 'five',
  failingRecheckAfterMs: { full: null, browser: null },
  openRecheckAfterMs: null,
};

/** When the next runs are due, as known after a run, counted from its end. */
function rechecksAfter(
  state: SiteState,
  reported: Outlooks,
  observation: Observation,
  policy: IncidentPolicy,
): Rechecks {
  const { endedAt } = observation;
  const { incident } = currentOf(state);
  const share = incident === null ? 0 : (endedAt - incident.detectedAt) * OPEN_SHARE;
  const openMs = Math.max(OPEN_RECHECK_MS, (policy.everyMs.five ?? 0) / OPEN_FACTOR, share);
  return {
    ...quickRecheck(state, reported, observation, policy),
    failingRecheckAfterMs: {
      full: failingRecheckAfter('full', state, endedAt, policy),
      browser: failingRecheckAfter('browser', state, endedAt, policy),
    },
    openRecheckAfterMs: incident === null ? null : Math.round(openMs),
  };
}

/** Confirmations, of failures and of recoveries, over new connections. A run without failures needs none. */
function quickRecheck(
  state: SiteState,
  reported: Outlooks,
  { scope, endedAt }: Observation,
  policy: IncidentPolicy,
): Pick<Rechecks, 'recheckAfterMs' | 'recheckScope'> {
  const { afterMs, times } = policy.confirm;
  const { five, full, browser } = state.scopes;
  // A run of another scope that came meanwhile does not delay it.
  const left = ({ lastAt }: Suspicion): number => Math.min(afterMs, Math.max(0, lastAt + afterMs - endedAt));
  // What is confirmed waits for the end of an outage.
  const isPending = (one: Suspicion | null): one is Suspicion => one !== null && one.times <= times;
  if (isPending(five.suspicion) && (five.suspicion.lastAt === endedAt || scope !== 'five')) {
    return { recheckAfterMs: left(five.suspicion), recheckScope: 'five' };
  }
  const { good } = currentOf(state);
  const isReported = reported.five === 'good' || reported.five === 'bad' || scope !== 'five';
  if (good !== null && good.times < policy.recover.times && isReported) {
    return { recheckAfterMs: afterMs, recheckScope: 'five' };
  }
  if (isPending(browser.suspicion) && !isDown(state.checks, policy)) {
    return { recheckAfterMs: left(browser.suspicion), recheckScope: 'browser' };
  }
  if (isPending(full.suspicion) && !isDown(state.checks, policy)) {
    return { recheckAfterMs: left(full.suspicion), recheckScope: 'full' };
  }
  return { recheckAfterMs: null, recheckScope: 'five' };
}

/** Failing full checks run before their time, but not before the core checks pass. */
function failingRecheckAfter(
  scope: DeepScope,
  { checks, scopes }: SiteState,
  now: number,
  policy: IncidentPolicy,
): number | null {
  const failing = failingIn(scope, checks, policy);
  if (failing.length === 0 || isDown(checks, policy)) return null;
  const checkedAt = Math.max(scopes[scope].at ?? 0, ...failing.map((id) => checks[id]?.at ?? 0));
  // It was seen while the core checks failed too: now that these pass, it may be gone.
  const isOutdated = checkedAt <= (scopes.five.badAt ?? -1) && failingIn('five', checks, policy).length === 0;
  const usualMs = Math.min(policy.everyMs[scope] ?? HOUR_MS, FAILING_RECHECK_MS[scope]);
  const everyMs = isOutdated ? policy.confirm.afterMs : usualMs;
  return Math.min(everyMs, Math.max(0, checkedAt + everyMs - now));
}
