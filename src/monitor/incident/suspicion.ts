/** Failures that have not been confirmed yet. Pure. */
import { failingIn, type Outlook, type Told } from './checks.ts';
import { isGraver, verdictOfFailing } from './gravity.ts';
import type { Incident, IncidentPolicy, Observation, Scope, SiteState, Suspicion } from './incident.ts';
import { within } from './window.ts';

/** What a round makes of the suspicion that there was. */
export interface Suspected {
  /** `null`: there is none, or it has been confirmed. */
  readonly suspicion: Suspicion | null;
  /** What opens an incident, or makes it graver. */
  readonly confirmed: Suspicion | null;
  /** It came to nothing: the site was well again. */
  readonly isBlip: boolean;
}

/** Rounds that are further apart are not in a row: the monitor was away meanwhile. Rounds of the whole site may queue. */
const APART_MS = { five: 60_000, full: 15 * 60_000 } as const satisfies Record<Scope, number>;

/** A site whose failures vanish so many times within so long is not well, though none of them lasts. */
export const BLIPS = { times: 5, withinMs: 10 * 60_000 } as const;

/** Whether two rounds are too far apart to confirm one another. */
export function isApart(
  lastAt: number,
  { startedAt }: Observation,
  scope: Scope,
  { confirm, apartMs }: IncidentPolicy,
): boolean {
  return startedAt - lastAt > (apartMs ?? Math.max(APART_MS[scope], 10 * confirm.afterMs));
}

/** What a round makes of the suspicion about the checks of a scope. */
export function suspect(
  scope: Scope,
  state: SiteState,
  told: Told,
  observation: Observation,
  policy: IncidentPolicy,
): Suspected {
  const before = scope === 'five' ? state.suspicion : state.fullSuspicion;
  if (observation.maintenance) return { suspicion: null, confirmed: null, isBlip: false };
  const outlook: Outlook = told[scope];
  if (outlook === 'untold' || outlook === 'unsure') {
    const isKept =
      failingIn(scope, told.checks, policy).length > 0 && (scope === 'five' || observation.scope === 'five');
    return { suspicion: isKept ? before : null, confirmed: null, isBlip: false };
  }
  if (outlook === 'good' || !isNews(scope, state.incident, told, policy)) {
    return { suspicion: null, confirmed: null, isBlip: before !== null && outlook === 'good' };
  }
  const suspicion = more(scope, before, state, observation, policy);
  return suspicion.times > policy.confirm.times || isOneBlipTooMany(scope, suspicion, state, observation)
    ? { suspicion: null, confirmed: suspicion, isBlip: false }
    : { suspicion, confirmed: null, isBlip: false };
}

/** Whether what fails is more, or graver, than what the open incident tells already. */
function isNews(scope: Scope, incident: Incident | null, { checks }: Told, policy: IncidentPolicy): boolean {
  if (incident === null) return true;
  const failing = failingIn(scope, checks, policy);
  if (failing.some((id) => !incident.checks.includes(id))) return true;
  const verdict = verdictOfFailing(failing, checks, policy);
  return verdict !== null && isGraver(verdict, incident.verdict);
}

function more(
  scope: Scope,
  before: Suspicion | null,
  { lastGoodAt, lastFullGoodAt }: SiteState,
  observation: Observation,
  policy: IncidentPolicy,
): Suspicion {
  const { endedAt } = observation;
  if (before !== null && !isApart(before.lastAt, observation, scope, policy)) {
    return { ...before, times: before.times + 1, lastAt: endedAt };
  }
  return { since: endedAt, times: 1, lastAt: endedAt, lastGoodAt: scope === 'five' ? lastGoodAt : lastFullGoodAt };
}

function isOneBlipTooMany(scope: Scope, { times }: Suspicion, { blips }: SiteState, { endedAt }: Observation): boolean {
  return scope === 'five' && times === 1 && within(blips, BLIPS.withinMs, endedAt).length >= BLIPS.times - 1;
}
