/**
 * What a run makes of the incidents of a site: the only place where they open and end. Pure.
 *
 * An outage and a defect are two incidents. A site that goes down while it has a defect has both: the defect lies still
 * until the site is up again, and goes on then. A defect that is seen first when an outage ends opens with that end.
 */
import { isOut, type Outlooks } from './checks.ts';
import { repairedBy } from './deploy.ts';
import { isFlapping, withChange } from './flapping.ts';
import type {
  Incident,
  IncidentEvent,
  IncidentPolicy,
  Observation,
  SiteState,
  Suspicion,
  Transition,
} from './incident.ts';
import { isOutage, openOf } from './open.ts';
import { isChanged, opened, updated, type Confirmed } from './opening.ts';
import { goodAfter, recovering } from './recovery.ts';

/** A run, and what was made of it so far. */
export interface RunContext {
  /** What was known before. */
  readonly before: SiteState;
  /** What is known now, but for incidents. */
  readonly known: SiteState;
  readonly reported: Outlooks;
  readonly confirmed: Confirmed;
  /** Confirmed by failures before it that came to nothing. */
  readonly isBlipping: boolean;
  readonly observation: Observation;
  readonly policy: IncidentPolicy;
}

export type After = Pick<Transition, 'state' | 'events'>;

/** Opens, changes and ends incidents. */
export function advance(run: RunContext): After {
  const { outage, degradation } = openOf(run.before);
  if (outage !== null) return inOutage(run, outage, degradation);
  if (degradation === null) return begun(run, run.confirmed, null);
  const { five, full } = run.confirmed;
  const down = { five: five?.outage === true ? five : null, full: full?.outage === true ? full : null };
  return down.five === null && down.full === null ? inDegradation(run, degradation) : begun(run, down, degradation);
}

/** An incident opens, where something is confirmed. `defect`: what an outage comes upon. */
function begun(
  { known, isBlipping, observation, policy }: RunContext,
  confirmed: Confirmed,
  degradation: Incident | null,
): After {
  if (confirmed.five === null && confirmed.full === null) return { state: known, events: [] };
  const at = observation.endedAt;
  const first = opened(known, confirmed, observation, policy, degradation);
  const kind = isOutage(first) ? 'outageChanges' : 'changes';
  const changes = withChange(known[kind], at);
  const incident: Incident = { ...first, flapping: isBlipping || isFlapping(changes) };
  return {
    state: { ...known, incident, suspended: degradation, good: null, suspendedGood: null, [kind]: changes, blips: [] },
    events: [{ kind: 'opened', incident, at }],
  };
}

/** A defect ends, becomes another, or goes on. */
function inDegradation(run: RunContext, degradation: Incident): After {
  const { before, known, reported, confirmed, observation, policy } = run;
  const at = observation.endedAt;
  const { recovered, ...ending } = recovering(degradation, before, before, reported, observation, policy);
  if (recovered !== null) {
    return {
      state: { ...known, ...ending, incident: null, deploy: repairedBy(known.deploy, degradation.detectedAt) },
      events: [{ kind: 'recovered', incident: recovered, at }],
    };
  }
  // What is being worked on is told again when that is over; and what fails in an outage is no matter of a defect.
  const isStill = observation.maintenance || isOut(reported.checks, policy);
  const incident = isStill ? degradation : updated(degradation, known, confirmed, policy);
  return { state: { ...known, ...ending, incident }, events: changeOf(degradation, incident, at) };
}

/** An outage ends, takes in more, or goes on. */
function inOutage(run: RunContext, outage: Incident, degradation: Incident | null): After {
  const { before, known, reported, confirmed, observation, policy } = run;
  const ending = { good: before.good, changes: before.outageChanges };
  const { recovered, good, changes } = recovering(outage, ending, before, reported, observation, policy);
  if (recovered !== null) return afterOutage(run, recovered, changes, degradation);
  const isStill = observation.maintenance || !isOut(reported.checks, policy);
  const incident = isStill ? outage : updated(outage, known, confirmed, policy, degradation);
  const suspendedGood =
    degradation === null ? null : goodAfter(degradation, before.suspendedGood, before, reported, observation, policy);
  return {
    state: { ...known, incident, good, suspendedGood, outageChanges: changes },
    events: changeOf(outage, incident, observation.endedAt),
  };
}

/** The site is up again: with the defect that it had, with one that was seen meanwhile, or well. */
function afterOutage(
  run: RunContext,
  outage: Incident,
  outageChanges: readonly number[],
  degradation: Incident | null,
): After {
  const { before, known, observation, policy } = run;
  const core = leftBy(outage, known.suspicion, policy);
  const full = leftBy(outage, known.fullSuspicion, policy);
  const up = { incident: degradation, suspended: null, good: before.suspendedGood, suspendedGood: null, outageChanges };
  const rest = advance({
    ...run,
    before: { ...before, ...up },
    known: { ...known, ...up, suspicion: core.suspicion, fullSuspicion: full.suspicion },
    confirmed: { five: core.confirmed, full: full.confirmed },
    isBlipping: false,
  });
  // What went live in an outage has ended it, unless something else is broken since.
  const isBroken = rest.events.some(({ kind }) => kind === 'opened');
  const deploy = isBroken ? rest.state.deploy : repairedBy(rest.state.deploy, outage.detectedAt);
  return {
    state: { ...rest.state, deploy },
    events: [{ kind: 'recovered', incident: outage, at: observation.endedAt }, ...rest.events],
  };
}

/**
 * What an outage that is over leaves of a suspicion: as many runs as have ended the outage confirm a defect, and that
 * does not begin before.
 */
function leftBy(
  { recoveredAt }: Pick<Incident, 'recoveredAt'>,
  suspicion: Suspicion | null,
  { confirm, recover }: IncidentPolicy,
): { readonly suspicion: Suspicion | null; readonly confirmed: Suspicion | null } {
  if (suspicion === null || suspicion.outage === true) return { suspicion: null, confirmed: null };
  const end = recoveredAt ?? suspicion.since;
  const wasGoodSince = suspicion.lastGoodAt !== null && suspicion.lastGoodAt >= end;
  const left: Suspicion = {
    ...suspicion,
    since: Math.max(suspicion.since, end),
    ...(wasGoodSince ? {} : { lastGoodAt: end, lastGoodBy: 'outage-end' }),
  };
  const isConfirmed = suspicion.lastAt >= end && suspicion.times >= Math.min(recover.times, confirm.times + 1);
  return isConfirmed ? { suspicion: null, confirmed: left } : { suspicion: left, confirmed: null };
}

function changeOf(before: Incident, incident: Incident, at: number): readonly IncidentEvent[] {
  return isChanged(before, incident) ? [{ kind: 'changed', incident, at }] : [];
}
