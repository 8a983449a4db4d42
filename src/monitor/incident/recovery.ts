/** How an incident ends. Pure. */
import { failingOf, isOut, type Outlooks } from './checks.ts';
import { STABLE_MS, withChange } from './flapping.ts';
import type { GoodRuns, Incident, IncidentPolicy, Observation, SiteState } from './incident.ts';
import { isOutage } from './open.ts';
import { isApart } from './suspicion.ts';

/** What is known of the end of an incident: the good runs so far, and when such incidents opened and ended lately. */
export interface Ending {
  readonly good: GoodRuns | null;
  readonly changes: readonly number[];
}

/** What a run means for the end of an incident. */
export interface Recovering extends Ending {
  /** The incident as it ended; `null`: it goes on. */
  readonly recovered: Incident | null;
}

/** What a run means for the end of an open incident; `state`: as it was before the run. */
export function recovering(
  incident: Incident,
  before: Ending,
  state: Pick<SiteState, 'lastAt'>,
  reported: Outlooks,
  observation: Observation,
  policy: IncidentPolicy,
): Recovering {
  const { endedAt } = observation;
  const good = goodAfter(incident, before.good, state, reported, observation, policy);
  if (good === null) return { ...relapsed(before, endedAt, policy), recovered: null };
  // A run that tells nothing ends nothing, however long the site has been well.
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

/** The good runs in a row after a run, as far as an incident goes; it need not be its turn to end. */
export function goodAfter(
  incident: Incident,
  good: GoodRuns | null,
  state: Pick<SiteState, 'lastAt'>,
  reported: Outlooks,
  observation: Observation,
  policy: IncidentPolicy,
): GoodRuns | null {
  if (isBad(incident, reported, policy)) return null;
  return isGood(incident, reported, observation) ? more(good, state, observation, policy) : good;
}

/** An outage goes on while the site is down; a defect while anything of its own, or of the core checks, fails. */
function isBad(incident: Incident, { checks, five }: Outlooks, policy: IncidentPolicy): boolean {
  if (isOutage(incident)) return isOut(checks, policy);
  return five === 'bad' || failingOf(checks, policy).some((id) => incident.checks.includes(id));
}

/** Whether a run tells that nothing is bad. Once all that failed was seen well again, runs of the core checks are enough. */
function isGood(incident: Incident, { five, full }: Outlooks, { report }: Observation): boolean {
  const isReported = (outlook: Outlooks['five']): boolean =>
    outlook === 'good' || (outlook === 'bad' && isOutage(incident));
  // A long run may leave the core checks to those that came meanwhile.
  return isReported(five) || (five === 'untold' && isReported(full) && report.verdict !== 'unknown');
}

/** A site that flaps was well for so long that others would have been told so: that is one more time up, and down. */
function relapsed({ good, changes }: Ending, endedAt: number, { recover }: IncidentPolicy): Ending {
  const wasUp = good !== null && good.times >= recover.times;
  return { good: null, changes: wasUp ? withChange(withChange(changes, endedAt), endedAt) : changes };
}

/** The good runs in a row with one more. */
function more(
  good: GoodRuns | null,
  { lastAt }: Pick<SiteState, 'lastAt'>,
  observation: Observation,
  policy: IncidentPolicy,
): GoodRuns {
  const isInRow =
    good !== null &&
    (good.times >= policy.recover.times || lastAt === null || !isApart(lastAt, observation, 'five', policy));
  return isInRow ? { ...good, times: good.times + 1 } : { times: 1, since: observation.endedAt };
}
