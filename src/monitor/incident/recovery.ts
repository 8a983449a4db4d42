/** How an incident ends. Pure. */
import { failingOf, isOut, type Told } from './checks.ts';
import { STABLE_MS, withChange } from './flapping.ts';
import type { GoodRounds, Incident, IncidentPolicy, Observation, SiteState } from './incident.ts';
import { isOutage } from './open.ts';
import { isApart } from './suspicion.ts';

/** What is known of the end of an incident: the good rounds so far, and when such incidents opened and ended lately. */
export interface Ending {
  readonly good: GoodRounds | null;
  readonly changes: readonly number[];
}

/** What a round means for the end of an incident. */
export interface Recovering extends Ending {
  /** The incident as it ended; `null`: it goes on. */
  readonly recovered: Incident | null;
}

/** What a round means for the end of an open incident; `state`: as it was before the round. */
export function recovering(
  incident: Incident,
  before: Ending,
  state: Pick<SiteState, 'lastAt'>,
  told: Told,
  observation: Observation,
  policy: IncidentPolicy,
): Recovering {
  const { endedAt } = observation;
  const good = goodAfter(incident, before.good, state, told, observation, policy);
  if (good === null) return { ...relapsed(before, endedAt, policy), recovered: null };
  // A round that tells nothing ends nothing, however long the site has been well.
  const isOver =
    good !== before.good &&
    good.times >= policy.recover.times &&
    (!incident.flapping || endedAt - good.since >= STABLE_MS);
  if (!isOver) return { good, changes: before.changes, recovered: null };
  return {
    good: null,
    changes: withChange(before.changes, endedAt),
    recovered: { ...incident, recoveredAt: Math.max(good.since, incident.detectedAt) },
  };
}

/** The good rounds in a row after a round, as far as an incident goes; it need not be its turn to end. */
export function goodAfter(
  incident: Incident,
  good: GoodRounds | null,
  state: Pick<SiteState, 'lastAt'>,
  told: Told,
  observation: Observation,
  policy: IncidentPolicy,
): GoodRounds | null {
  if (isBad(incident, told, policy)) return null;
  return isGood(incident, told, observation) ? more(good, state, observation, policy) : good;
}

/** An outage goes on while the site is down; a defect while anything of its own, or of the five, fails. */
function isBad(incident: Incident, { checks, five }: Told, policy: IncidentPolicy): boolean {
  if (isOutage(incident)) return isOut(checks, policy);
  return five === 'bad' || failingOf(checks, policy).some((id) => incident.checks.includes(id));
}

/** Whether a round tells that nothing is bad. Once all that failed was seen well again, rounds of the five are enough. */
function isGood(incident: Incident, { five, full }: Told, { report }: Observation): boolean {
  const isTold = (outlook: Told['five']): boolean => outlook === 'good' || (outlook === 'bad' && isOutage(incident));
  // A long round may leave the five to those that came meanwhile.
  return isTold(five) || (five === 'untold' && isTold(full) && report.verdict !== 'unknown');
}

/** A site that flaps was well for so long that others would have been told so: that is one more time up, and down. */
function relapsed({ good, changes }: Ending, endedAt: number, { recover }: IncidentPolicy): Ending {
  const wasUp = good !== null && good.times >= recover.times;
  return { good: null, changes: wasUp ? withChange(withChange(changes, endedAt), endedAt) : changes };
}

/** The good rounds in a row with one more. */
function more(
  good: GoodRounds | null,
  { lastAt }: Pick<SiteState, 'lastAt'>,
  observation: Observation,
  policy: IncidentPolicy,
): GoodRounds {
  const isInRow =
    good !== null &&
    (good.times >= policy.recover.times || lastAt === null || !isApart(lastAt, observation, 'five', policy));
  return isInRow ? { ...good, times: good.times + 1 } : { times: 1, since: observation.endedAt };
}
