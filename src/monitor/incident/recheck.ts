/** When a site has to be looked at again before its time. Pure. */
import { failingIn, isDown, type Outlooks } from './checks.ts';
import type { IncidentPolicy, Observation, SiteState, Suspicion, Transition } from './incident.ts';

type Rechecks = Pick<Transition, 'recheckAfterMs' | 'recheckScope' | 'fullRecheckAfterMs' | 'openRecheckAfterMs'>;

/** What fails in the whole site is looked at this often, where its schedule would be slower. */
const FULL_RECHECK_MS = 5 * 60_000;
const HOUR_MS = 60 * 60_000;
/** An open incident is looked at this often at first, then ever more rarely: within a thirtieth of the time it takes. */
const OPEN_RECHECK_MS = 10_000;
const OPEN_SHARE = 1 / 30;
/** So much oftener than the schedule says at most: a thousand sites may be down at once. */
const OPEN_FACTOR = 3;

export const NO_RECHECKS: Rechecks = {
  recheckAfterMs: null,
  recheckScope: 'five',
  fullRecheckAfterMs: null,
  openRecheckAfterMs: null,
};

/** When the next looks are due, as known after a run, counted from its end. */
export function rechecksAfter(
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

/** Confirmations, of failures and of recoveries, over fresh connections. A run that tells nothing calls for none. */
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

/** What fails in the whole site is looked at again before its time, though not before the core checks are well. */
function fullAfter({ checks, badAt, lastFullAt }: SiteState, now: number, policy: IncidentPolicy): number | null {
  const failing = failingIn('full', checks, policy);
  if (failing.length === 0 || isDown(checks, policy)) return null;
  const checkedAt = Math.max(lastFullAt ?? 0, ...failing.map((id) => checks[id]?.at ?? 0));
  // It was seen while the core checks failed as well: with those repaired it may be gone.
  const isOutdated = badAt !== null && checkedAt <= badAt && failingIn('five', checks, policy).length === 0;
  const everyMs = isOutdated ? policy.confirm.afterMs : Math.min(policy.fullEveryMs ?? HOUR_MS, FULL_RECHECK_MS);
  return Math.min(everyMs, Math.max(0, checkedAt + everyMs - now));
}
