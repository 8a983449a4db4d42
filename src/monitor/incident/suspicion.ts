/** Failures that have not been confirmed yet. Pure. */
import { failingIn, isDown, type Outlooks } from './checks.ts';
import type { IncidentPolicy, Observation, Scope, SiteState, Suspicion } from './incident.ts';
import { isNewFailure } from './new-failures.ts';
import { openOf, type Open } from './open.ts';
import { within } from './window.ts';

/** What a run makes of the suspicion that there was. */
export interface Suspected {
  /** `null`: there is none, or it has been confirmed. */
  readonly suspicion: Suspicion | null;
  /** What opens an incident, or changes one. */
  readonly confirmed: Suspicion | null;
  /** It came to nothing: the site was well again, or as it had been. */
  readonly isBlip: boolean;
  /** It is confirmed by those before it that came to nothing. */
  readonly isBlipping: boolean;
}

const NOTHING: Suspected = { suspicion: null, confirmed: null, isBlip: false, isBlipping: false };

/** Runs that are further apart are not in a row: the monitor was away meanwhile. Runs of the whole site may queue. */
const APART_MS = { five: 60_000, full: 15 * 60_000 } as const satisfies Record<Scope, number>;

/** A site whose failures vanish so many times within so long is not well, though none of them lasts. */
export const BLIPS = { times: 5, withinMs: 10 * 60_000 } as const;

/** Whether two runs are too far apart to confirm one another. */
export function isApart(
  lastAt: number,
  { startedAt }: Observation,
  scope: Scope,
  { confirm, apartMs }: IncidentPolicy,
): boolean {
  return startedAt - lastAt > (apartMs ?? Math.max(APART_MS[scope], 10 * confirm.afterMs));
}

/** Whether a failure is being confirmed that would open an incident. */
export function isSuspected(state: Pick<SiteState, 'suspicion' | 'fullSuspicion' | 'incident' | 'suspended'>): boolean {
  const { outage, degradation } = openOf(state);
  if (outage !== null) return false;
  const suspicions = [state.suspicion, state.fullSuspicion].filter((suspicion) => suspicion !== null);
  return suspicions.some((suspicion) => degradation === null || suspicion.outage === true);
}

/** What a run makes of the suspicion about the checks of a scope. */
export function suspect(
  scope: Scope,
  state: SiteState,
  reported: Outlooks,
  observation: Observation,
  policy: IncidentPolicy,
): Suspected {
  const before = scope === 'five' ? state.suspicion : state.fullSuspicion;
  if (observation.maintenance) return NOTHING;
  const outlook = reported[scope];
  if (outlook === 'untold' || outlook === 'unsure') {
    return { ...NOTHING, suspicion: isKept(scope, reported, observation, policy) ? before : null };
  }
  const open = openOf(state);
  const isOut = outlook === 'bad' && isDown(reported.checks, policy, scope);
  const isBlip = isGone(before, open, outlook === 'good', isOut);
  if (outlook === 'good' || !isNewFailure(scope, open, reported.checks, policy)) return { ...NOTHING, isBlip };
  const suspicion = more(scope, before, isOut, state, observation, policy);
  // While a site is down nothing else opens: what is seen of it in between is kept until that is over.
  if (open.outage !== null && !isOut) return { ...NOTHING, suspicion };
  const mayBlip = scope === 'five' && (isOut || open.degradation === null);
  const isBlipping = mayBlip && isOneBlipTooMany(suspicion, state, observation);
  return isConfirmed(suspicion, isBlipping, policy)
    ? { suspicion: null, confirmed: suspicion, isBlip, isBlipping }
    : { suspicion, confirmed: null, isBlip, isBlipping };
}

function isConfirmed({ times }: Suspicion, isBlipping: boolean, { confirm }: IncidentPolicy): boolean {
  return isBlipping || times > confirm.times;
}

/** Whether a run that tells nothing of a scope leaves a suspicion of it as it is. */
function isKept(scope: Scope, { checks }: Outlooks, observation: Observation, policy: IncidentPolicy): boolean {
  return failingIn(scope, checks, policy).length > 0 && (scope === 'five' || observation.scope === 'five');
}

/** Whether a failure that would have opened an incident was not there any more. */
function isGone(before: Suspicion | null, { outage, degradation }: Open, isGood: boolean, isOut: boolean): boolean {
  if (before === null || outage !== null) return false;
  return degradation === null ? isGood : before.outage === true && !isOut;
}

/** `isOut`: the run saw the site down. Where an incident is open, that is confirmed by such runs only. */
function more(
  scope: Scope,
  before: Suspicion | null,
  isOut: boolean,
  state: SiteState,
  observation: Observation,
  policy: IncidentPolicy,
): Suspicion {
  const { endedAt } = observation;
  const isAlike = state.incident === null || (before?.outage === true) === isOut;
  if (before !== null && isAlike && !isApart(before.lastAt, observation, scope, policy)) {
    return { ...before, times: before.times + 1, lastAt: endedAt };
  }
  const first = { since: endedAt, times: 1, lastAt: endedAt };
  const [lastGoodAt, lastUpAt] =
    scope === 'five' ? [state.lastGoodAt, state.lastUpAt] : [state.lastFullGoodAt, state.lastFullUpAt];
  if (state.incident === null || !isOut) return { ...first, lastGoodAt };
  // With nothing known of a time before, not even maintenance of long ago is one.
  const was = lastUpAt === null || lastUpAt === lastGoodAt ? {} : { lastGoodBy: 'up-round' as const };
  return { ...first, lastGoodAt: lastUpAt ?? endedAt, ...was, outage: true };
}

function isOneBlipTooMany({ times }: Suspicion, { blips }: SiteState, { endedAt }: Observation): boolean {
  return times === 1 && within(blips, BLIPS.withinMs, endedAt).length >= BLIPS.times - 1;
}
