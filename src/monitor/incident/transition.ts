/**
 * The life of incidents: what one run over a site makes of what is known of it. Pure.
 *
 * A failing run raises a suspicion, quick re-checks confirm it, and an incident opens; good runs in a row end it.
 * Runs that are about us, or that tell nothing, count for neither. Nothing opens while a site is being worked on.
 */
import { failingOf, isDown, outlooksOf, type Outlooks, failingIn, verdictOfChecks, within } from './policy.ts';
import { advance, type After } from './lifecycle.ts';
import { deployedAfter, BLIPS, isSuspected, suspect, type Suspected } from './deploy.ts';
import type {
  IncidentEvent,
  IncidentPolicy,
  Observation,
  Scope,
  SiteState,
  TransitionFunction,
  Suspicion,
  Transition,
} from './incident.ts';
import { openOf, emptyState } from './state.ts';

export const transitionOf: TransitionFunction = (before, observation, policy) => {
  const state = { ...emptyState(), ...before };
  if (observation.isProbeSide) {
    const isFull = observation.scope === 'full';
    const cut = isFull ? { lastFullAt: observation.endedAt, fullSuspicion: null } : {};
    return { state: { ...state, ...cut, lastAt: observation.endedAt, verdict: 'unknown' }, events: [], ...NO_RECHECKS };
  }
  const reported = outlooksOf(state.checks, observation, policy);
  const core = suspect('five', state, reported, observation, policy);
  const full = suspect('full', state, reported, observation, policy);
  const known: SiteState = {
    ...knownAfter(state, reported, observation, policy),
    ...deployedAfter(state, observation, reported.five === 'good' || isAsBefore(state, reported, core, observation)),
    suspicion: core.suspicion,
    fullSuspicion: full.suspicion,
    blips: blipsAfter(state, core, observation),
  };
  const confirmed = { five: core.confirmed, full: full.confirmed };
  const { isBlipping } = core;
  const after = advance({ before: state, known, reported, confirmed, isBlipping, observation, policy });
  const events = [...after.events, ...suspicionEvents(state, after, observation, policy)];
  return { state: after.state, events, ...rechecksAfter(after.state, reported, observation, policy) };
};

/** What a run tells, whatever it means for incidents. */
function knownAfter(state: SiteState, reported: Outlooks, observation: Observation, policy: IncidentPolicy): SiteState {
  const { endedAt, scope, maintenance, maintenanceUntil } = observation;
  const failing = failingOf(reported.checks, policy);
  const ids = failing.length > 0 ? failing : Object.keys(reported.checks);
  const isUnsure = failing.length === 0 && reported.five === 'unsure';
  return {
    ...state,
    lastAt: endedAt,
    lastFullAt: scope === 'full' ? endedAt : state.lastFullAt,
    lastGoodAt: reported.five === 'good' ? endedAt : state.lastGoodAt,
    lastFullGoodAt: reported.full === 'good' ? endedAt : state.lastFullGoodAt,
    lastUpAt: isUp('five', reported, policy) ? endedAt : state.lastUpAt,
    lastFullUpAt: isUp('full', reported, policy) ? endedAt : state.lastFullUpAt,
    badAt: reported.five === 'bad' ? endedAt : state.badAt,
    checks: reported.checks,
    maintainedUntil: maintenance
      ? (maintenanceUntil ?? endedAt)
      : endOf(state.maintainedUntil, endedAt, maintenanceUntil ?? endedAt),
    verdict: isUnsure ? 'unknown' : verdictOfChecks(ids, reported.checks, policy),
  };
}

/** Maintenance that ended before its time was over then, or, where that is not known, in the first run without it. */
function endOf(maintainedUntil: number | null, endedAt: number, before: number): number | null {
  return maintainedUntil !== null && maintainedUntil > endedAt ? before : maintainedUntil;
}

/** Whether a run shows that what a scope sees does not take the site down. */
function isUp(scope: Scope, reported: Outlooks, policy: IncidentPolicy): boolean {
  return (reported[scope] === 'good' || reported[scope] === 'bad') && !isDown(reported.checks, policy, scope);
}

/** Whether a site with a defect is as it was: what is live now has broken nothing more. */
function isAsBefore(state: SiteState, { five }: Outlooks, suspected: Suspected, { maintenance }: Observation): boolean {
  const { outage, degradation } = openOf(state);
  const isNew = suspected.suspicion !== null || suspected.confirmed !== null;
  return five === 'bad' && outage === null && degradation !== null && !isNew && !maintenance;
}

function blipsAfter({ blips }: SiteState, { isBlip }: Suspected, { endedAt }: Observation): readonly number[] {
  const recent = within(blips, BLIPS.withinMs, endedAt);
  return isBlip ? [...recent, endedAt] : recent;
}

/** That a failure is being confirmed, and that it came to nothing. */
function suspicionEvents(
  before: SiteState,
  { state, events }: After,
  { endedAt: at }: Observation,
  { site }: IncidentPolicy,
): readonly IncidentEvent[] {
  const [was, is] = [isSuspected(before), isSuspected(state)];
  if (is && !was) return [{ kind: 'suspected', site, at }];
  return was && !is && !events.some(({ kind }) => kind === 'opened') ? [{ kind: 'dismissed', site, at }] : [];
}

/* When a site has to be checked again before its time. Pure. */

type Rechecks = Pick<Transition, 'recheckAfterMs' | 'recheckScope' | 'fullRecheckAfterMs' | 'openRecheckAfterMs'>;

/** What fails in the whole site is checked this often, where its schedule would be slower. */
const FULL_RECHECK_MS = 5 * 60_000;
const HOUR_MS = 60 * 60_000;
/** An open incident is checked this often at first, then ever more rarely: within a thirtieth of the time it takes. */
const OPEN_RECHECK_MS = 10_000;
const OPEN_SHARE = 1 / 30;
/** So much oftener than the schedule says at most: a thousand sites may be down at once. */
const OPEN_FACTOR = 3;

const NO_RECHECKS: Rechecks = {
  recheckAfterMs: null,
  recheckScope: 'five',
  fullRecheckAfterMs: null,
  openRecheckAfterMs: null,
};

/** When the next looks are due, as known after a run, counted from its end. */
function rechecksAfter(
  state: SiteState,
  reported: Outlooks,
  observation: Observation,
  policy: IncidentPolicy,
): Rechecks {
  const { endedAt } = observation;
  return {
    ...quick(state, reported, observation, policy),
    fullRecheckAfterMs: fullAfter(state, endedAt, policy),
    openRecheckAfterMs: openAfter(state, endedAt, policy),
  };
}

/** Confirmations, of failures and of recoveries, over fresh connections. A run that shows nothing calls for none. */
function quick(
  { suspicion, fullSuspicion, good, checks }: SiteState,
  reported: Outlooks,
  { scope, endedAt }: Observation,
  policy: IncidentPolicy,
): Pick<Rechecks, 'recheckAfterMs' | 'recheckScope'> {
  const { afterMs } = policy.confirm;
  // A run of the other scope that came meanwhile does not put it off.
  const left = ({ lastAt }: Suspicion): number => Math.min(afterMs, Math.max(0, lastAt + afterMs - endedAt));
  // What is confirmed waits for the end of an outage.
  const isPending = (one: Suspicion | null): one is Suspicion => one !== null && one.times <= policy.confirm.times;
  if (isPending(suspicion) && (suspicion.lastAt === endedAt || scope === 'full')) {
    return { recheckAfterMs: left(suspicion), recheckScope: 'five' };
  }
  const isReported = reported.five === 'good' || reported.five === 'bad';
  if (good !== null && good.times < policy.recover.times && (isReported || scope === 'full')) {
    return { recheckAfterMs: afterMs, recheckScope: 'five' };
  }
  if (isPending(fullSuspicion) && !isDown(checks, policy)) {
    return { recheckAfterMs: left(fullSuspicion), recheckScope: 'full' };
  }
  return { recheckAfterMs: null, recheckScope: 'five' };
}

function openAfter({ incident }: SiteState, now: number, { everyMs }: IncidentPolicy): number | null {
  if (incident === null) return null;
  const share = (now - incident.detectedAt) * OPEN_SHARE;
  return Math.round(Math.max(OPEN_RECHECK_MS, (everyMs ?? 0) / OPEN_FACTOR, share));
}

/** What fails in the whole site is checked again before its time, though not before the core checks are well. */
function fullAfter({ checks, badAt, lastFullAt }: SiteState, now: number, policy: IncidentPolicy): number | null {
  const failing = failingIn('full', checks, policy);
  if (failing.length === 0 || isDown(checks, policy)) return null;
  const checkedAt = Math.max(lastFullAt ?? 0, ...failing.map((id) => checks[id]?.at ?? 0));
  // It was seen while the core checks failed as well: with those repaired it may be gone.
  const isOutdated = badAt !== null && checkedAt <= badAt && failingIn('five', checks, policy).length === 0;
  const everyMs = isOutdated ? policy.confirm.afterMs : Math.min(policy.fullEveryMs ?? HOUR_MS, FULL_RECHECK_MS);
  return Math.min(everyMs, Math.max(0, checkedAt + everyMs - now));
}
