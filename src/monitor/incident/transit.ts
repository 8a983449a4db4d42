/**
 * The life of incidents: what one round over a site makes of what is known of it. Pure, and the only place where
 * incidents open and end.
 *
 * A failing round raises a suspicion, quick re-checks confirm it, and an incident opens; good rounds in a row end it.
 * Rounds that are about us, or that tell nothing, count for neither. Nothing opens while a site is being worked on.
 */
import { failingOf, toldBy, type Told } from './checks.ts';
import { deployedAfter, repairedBy } from './deploy.ts';
import { isFlapping, withChange } from './flapping.ts';
import { verdictOfChecks } from './gravity.ts';
import type { IncidentEvent, IncidentPolicy, Observation, SiteState, Transit } from './incident.ts';
import { isChanged, opened, updated, type Confirmed } from './opening.ts';
import { NO_RECHECKS, rechecksAfter } from './recheck.ts';
import { recovering } from './recovery.ts';
import { emptyState } from './state.ts';
import { BLIPS, suspect, type Suspected } from './suspicion.ts';
import { within } from './window.ts';

export const transit: Transit = (before, observation, policy) => {
  const state = { ...emptyState(), ...before };
  if (observation.ours) {
    const isFull = observation.scope === 'full';
    const cut = isFull ? { lastFullAt: observation.endedAt, fullSuspicion: null } : {};
    return { state: { ...state, ...cut, lastAt: observation.endedAt, verdict: 'unknown' }, events: [], ...NO_RECHECKS };
  }
  const told = toldBy(state.checks, observation, policy);
  const known = knownAfter(state, told, observation, policy);
  const five = suspect('five', state, told, observation, policy);
  const full = suspect('full', state, told, observation, policy);
  const suspected: SiteState = {
    ...known,
    suspicion: five.suspicion,
    fullSuspicion: full.suspicion,
    blips: blipsAfter(state, five, observation),
  };
  const { state: after, events } =
    state.incident === null
      ? openedAfter(state, suspected, { five: five.confirmed, full: full.confirmed }, observation, policy)
      : goneOn(state, suspected, told, { five: five.confirmed, full: full.confirmed }, observation, policy);
  return { state: after, events, ...rechecksAfter(after, told, observation, policy) };
};

type After = Pick<ReturnType<Transit>, 'state' | 'events'>;

/** What a round tells, whatever it means for incidents. */
function knownAfter(state: SiteState, told: Told, observation: Observation, policy: IncidentPolicy): SiteState {
  const { endedAt, scope, maintenance, maintenanceUntil } = observation;
  const failing = failingOf(told.checks, policy);
  const ids = failing.length > 0 ? failing : Object.keys(told.checks);
  const isUnsure = failing.length === 0 && told.five === 'unsure';
  return {
    ...state,
    ...deployedAfter(state, observation, told.five === 'good'),
    lastAt: endedAt,
    lastFullAt: scope === 'full' ? endedAt : state.lastFullAt,
    lastGoodAt: told.five === 'good' ? endedAt : state.lastGoodAt,
    lastFullGoodAt: told.full === 'good' ? endedAt : state.lastFullGoodAt,
    badAt: told.five === 'bad' ? endedAt : state.badAt,
    checks: told.checks,
    maintainedUntil: maintenance ? (maintenanceUntil ?? endedAt) : earlier(state.maintainedUntil, endedAt),
    verdict: isUnsure ? 'unknown' : verdictOfChecks(ids, told.checks, policy),
  };
}

/** Maintenance that ends before its time is over in the first round without it. */
function earlier(maintainedUntil: number | null, endedAt: number): number | null {
  return maintainedUntil === null ? null : Math.min(maintainedUntil, endedAt);
}

function blipsAfter(
  { blips, incident }: SiteState,
  { isBlip }: Suspected,
  { endedAt }: Observation,
): readonly number[] {
  const recent = within(blips, BLIPS.withinMs, endedAt);
  return isBlip && incident === null ? [...recent, endedAt] : recent;
}

/** While no incident is open: one opens, or is suspected. */
function openedAfter(
  before: SiteState,
  state: SiteState,
  confirmed: Confirmed,
  observation: Observation,
  policy: IncidentPolicy,
): After {
  const { site } = policy;
  const at = observation.endedAt;
  if (confirmed.five === null && confirmed.full === null) {
    const [was, is] = [before, state].map(
      ({ suspicion, fullSuspicion }) => suspicion !== null || fullSuspicion !== null,
    );
    const suspected: readonly IncidentEvent[] = is && !was ? [{ kind: 'suspected', site, at }] : [];
    return { state, events: was && !is ? [{ kind: 'dismissed', site, at }] : suspected };
  }
  const changes = withChange(state.changes, at);
  const isBlipping = confirmed.five !== null && confirmed.five.times <= policy.confirm.times;
  const incident = opened(state, confirmed, observation, policy, isBlipping || isFlapping(changes));
  return {
    state: { ...state, incident, good: null, changes, blips: [] },
    events: [{ kind: 'opened', incident, at }],
  };
}

/** While an incident is open: it ends, becomes graver, or goes on. */
function goneOn(
  before: SiteState,
  state: SiteState,
  told: Told,
  confirmed: Confirmed,
  observation: Observation,
  policy: IncidentPolicy,
): After {
  const { incident } = before;
  if (incident === null) return { state, events: [] };
  const at = observation.endedAt;
  const { recovered, ...counted } = recovering(incident, before, told, observation, policy);
  if (recovered !== null) {
    return {
      state: { ...state, ...counted, incident: null, deploy: repairedBy(state.deploy, incident.detectedAt) },
      events: [{ kind: 'recovered', incident: recovered, at }],
    };
  }
  // What is being worked on is told again when that is over.
  const current = observation.maintenance ? incident : updated(incident, state, confirmed, policy);
  return {
    state: { ...state, ...counted, incident: current },
    events: isChanged(incident, current) ? [{ kind: 'changed', incident: current, at }] : [],
  };
}
