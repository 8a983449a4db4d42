/**
 * The life of incidents: what one round over a site makes of what is known of it. Pure.
 *
 * A failing round raises a suspicion, quick re-checks confirm it, and an incident opens; good rounds in a row end it.
 * Rounds that are about us, or that tell nothing, count for neither. Nothing opens while a site is being worked on.
 */
import { failingOf, isDown, toldBy, type Told } from './checks.ts';
import { goOn, type After } from './course.ts';
import { deployedAfter } from './deploy.ts';
import { verdictOfChecks } from './gravity.ts';
import type { IncidentEvent, IncidentPolicy, Observation, Scope, SiteState, Transit } from './incident.ts';
import { openOf } from './open.ts';
import { NO_RECHECKS, rechecksAfter } from './recheck.ts';
import { emptyState } from './state.ts';
import { BLIPS, isSuspected, suspect, type Suspected } from './suspicion.ts';
import { within } from './window.ts';

export const transit: Transit = (before, observation, policy) => {
  const state = { ...emptyState(), ...before };
  if (observation.ours) {
    const isFull = observation.scope === 'full';
    const cut = isFull ? { lastFullAt: observation.endedAt, fullSuspicion: null } : {};
    return { state: { ...state, ...cut, lastAt: observation.endedAt, verdict: 'unknown' }, events: [], ...NO_RECHECKS };
  }
  const told = toldBy(state.checks, observation, policy);
  const five = suspect('five', state, told, observation, policy);
  const full = suspect('full', state, told, observation, policy);
  const known: SiteState = {
    ...knownAfter(state, told, observation, policy),
    ...deployedAfter(state, observation, told.five === 'good' || isAsBefore(state, told, five, observation)),
    suspicion: five.suspicion,
    fullSuspicion: full.suspicion,
    blips: blipsAfter(state, five, observation),
  };
  const confirmed = { five: five.confirmed, full: full.confirmed };
  const { isBlipping } = five;
  const after = goOn({ before: state, known, told, confirmed, isBlipping, observation, policy });
  const events = [...after.events, ...suspicionEvents(state, after, observation, policy)];
  return { state: after.state, events, ...rechecksAfter(after.state, told, observation, policy) };
};

/** What a round tells, whatever it means for incidents. */
function knownAfter(state: SiteState, told: Told, observation: Observation, policy: IncidentPolicy): SiteState {
  const { endedAt, scope, maintenance, maintenanceUntil } = observation;
  const failing = failingOf(told.checks, policy);
  const ids = failing.length > 0 ? failing : Object.keys(told.checks);
  const isUnsure = failing.length === 0 && told.five === 'unsure';
  return {
    ...state,
    lastAt: endedAt,
    lastFullAt: scope === 'full' ? endedAt : state.lastFullAt,
    lastGoodAt: told.five === 'good' ? endedAt : state.lastGoodAt,
    lastFullGoodAt: told.full === 'good' ? endedAt : state.lastFullGoodAt,
    lastUpAt: isUp('five', told, policy) ? endedAt : state.lastUpAt,
    lastFullUpAt: isUp('full', told, policy) ? endedAt : state.lastFullUpAt,
    badAt: told.five === 'bad' ? endedAt : state.badAt,
    checks: told.checks,
    maintainedUntil: maintenance
      ? (maintenanceUntil ?? endedAt)
      : endOf(state.maintainedUntil, endedAt, maintenanceUntil ?? endedAt),
    verdict: isUnsure ? 'unknown' : verdictOfChecks(ids, told.checks, policy),
  };
}

/** Maintenance that ended before its time was over then, or, where that is not known, in the first round without it. */
function endOf(maintainedUntil: number | null, endedAt: number, before: number): number | null {
  return maintainedUntil !== null && maintainedUntil > endedAt ? before : maintainedUntil;
}

/** Whether a round tells that what a scope sees does not take the site down. */
function isUp(scope: Scope, told: Told, policy: IncidentPolicy): boolean {
  return (told[scope] === 'good' || told[scope] === 'bad') && !isDown(told.checks, policy, scope);
}

/** Whether a site with a defect is as it was: what is live now has broken nothing more. */
function isAsBefore(state: SiteState, { five }: Told, suspected: Suspected, { maintenance }: Observation): boolean {
  const { outage, defect } = openOf(state);
  const isNew = suspected.suspicion !== null || suspected.confirmed !== null;
  return five === 'bad' && outage === null && defect !== null && !isNew && !maintenance;
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
