/** How an incident ends. Pure. */
import { failingOf, type Told } from './checks.ts';
import { STABLE_MS, withChange } from './flapping.ts';
import type { GoodRounds, Incident, IncidentPolicy, Observation, SiteState } from './incident.ts';
import { isApart } from './suspicion.ts';

/** What is known of an end: the good rounds so far, and the incident as it ended; `null`: it goes on. */
export interface Recovering {
  readonly good: GoodRounds | null;
  readonly changes: readonly number[];
  readonly recovered: Incident | null;
}

/** What a round means for the end of an open incident; `state`: as it was before the round. */
export function recovering(
  incident: Incident,
  state: SiteState,
  told: Told,
  observation: Observation,
  policy: IncidentPolicy,
): Recovering {
  const { endedAt } = observation;
  const failing = failingOf(told.checks, policy).filter((id) => incident.checks.includes(id));
  if (failing.length > 0 || told.five === 'bad') return relapsed(state, observation, policy);
  const good = counted(state, told, observation, policy);
  // A round that tells nothing ends nothing, however long the site has been well.
  const isOver =
    good !== null &&
    good !== state.good &&
    good.times >= policy.recover.times &&
    (!incident.flapping || endedAt - good.since >= STABLE_MS);
  if (!isOver) return { good, changes: state.changes, recovered: null };
  return {
    good: null,
    changes: withChange(state.changes, endedAt),
    recovered: { ...incident, recoveredAt: Math.max(good.since, incident.detectedAt) },
  };
}

/** A site that flaps was well for so long that others would have been told so: that is one more time up, and down. */
function relapsed({ good, changes }: SiteState, { endedAt }: Observation, { recover }: IncidentPolicy): Recovering {
  const wasUp = good !== null && good.times >= recover.times;
  const turns = wasUp ? withChange(withChange(changes, endedAt), endedAt) : changes;
  return { good: null, changes: turns, recovered: null };
}

/**
 * The good rounds in a row, this one included where it counts. Once all that failed was seen well again, rounds of the
 * five are enough.
 */
function counted(
  { good, lastAt }: SiteState,
  told: Told,
  observation: Observation,
  policy: IncidentPolicy,
): GoodRounds | null {
  // A long round may leave the five to those that came meanwhile.
  const isWholeGood = told.five === 'untold' && told.full === 'good' && observation.report.verdict !== 'unknown';
  if (told.five !== 'good' && !isWholeGood) return good;
  const isInRow =
    good !== null &&
    (good.times >= policy.recover.times || lastAt === null || !isApart(lastAt, observation, 'five', policy));
  return isInRow ? { ...good, times: good.times + 1 } : { times: 1, since: observation.endedAt };
}
