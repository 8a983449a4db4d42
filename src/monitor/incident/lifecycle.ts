/**
 * What a run makes of the incidents of a site: the only place where they open and end. Pure.
 *
 * An outage and a defect are two incidents. A site that goes down while it has a defect has both: the defect lies still
 * until the site is up again, and goes on then. A defect that is seen first when an outage ends opens with that end.
 */
import {
  isOut,
  type Outlooks,
  failingOf,
  isFlapping,
  withChange,
  STABLE_MS,
  isWorse,
  verdictOfFailing,
  failingBeside,
} from './policy.ts';
import { repairedBy, suspectedDeploy, isApart } from './deploy.ts';
import type {
  Incident,
  IncidentEvent,
  IncidentPolicy,
  Observation,
  SiteState,
  Suspicion,
  Transition,
  GoodRuns,
  Scope,
} from './incident.ts';
import { isOutage, openOf } from './state.ts';

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
  // What is being worked on is reported again when that is over; and what fails in an outage is no matter of a defect.
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

/* How an incident ends. Pure. */

/** What is known of the end of an incident: the good runs so far, and when such incidents opened and ended lately. */
interface Ending {
  readonly good: GoodRuns | null;
  readonly changes: readonly number[];
}

/** What a run means for the end of an incident. */
interface Recovering extends Ending {
  /** The incident as it ended; `null`: it goes on. */
  readonly recovered: Incident | null;
}

/** What a run means for the end of an open incident; `state`: as it was before the run. */
function recovering(
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
  // A run that shows nothing ends nothing, however long the site has been well.
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
function goodAfter(
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

/** Whether a run shows that nothing is bad. Once all that failed was seen well again, runs of the core checks are enough. */
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

/* How an incident begins, and what becomes of it while it is open. Pure. */

/** The suspicions that a run confirmed, by the scope of the checks that they are about. */
type Confirmed = Readonly<Record<Scope, Suspicion | null>>;

/**
 * The incident that a confirmed failure is; `state`: what is known after the run. `beside`: the defect that an outage
 * came upon.
 */
function opened(
  state: SiteState,
  confirmed: Confirmed,
  { endedAt }: Observation,
  policy: IncidentPolicy,
  beside: Incident | null = null,
): Incident {
  const suspicion = confirmed.five ?? confirmed.full;
  const since = suspicion?.since ?? endedAt;
  const begin = beginOf(state, suspicion, since);
  const checks = checksOf(confirmed, state, policy, beside);
  return {
    id: `${policy.site}-${new Date(endedAt).toISOString().replaceAll(/[-:.Z]/g, '')}`,
    site: policy.site,
    verdict: verdictOfFailing(checks, state.checks, policy) ?? 'degraded',
    checks,
    codes: rulesOf(checks, state),
    ...begin,
    startedAt: Math.min(begin.startedAt, since, endedAt),
    detectedAt: endedAt,
    notifiedAt: null,
    recoveredAt: null,
    objectiveMs: policy.rtoMs,
    ...(confirmed.five === null ? { objectiveFrom: 'detected' } : {}),
    findings: checks.flatMap((id) => state.checks[id]?.findings ?? []),
    deploy: suspectedDeploy(state, {
      five: confirmed.five !== null,
      suspicion: { since, lastGoodAt: suspicion?.lastGoodAt ?? null },
      detectedAt: endedAt,
    }),
    flapping: false,
    sameAs: null,
  };
}

/** The last good run before it; an outage that has outlasted maintenance began when that ended. */
function beginOf(
  { maintainedUntil }: SiteState,
  suspicion: Suspicion | null,
  since: number,
): Pick<Incident, 'startedAt' | 'startedBy'> {
  const lastGoodAt = suspicion?.lastGoodAt ?? null;
  if (maintainedUntil !== null && maintainedUntil > (lastGoodAt ?? Number.NEGATIVE_INFINITY))
    return { startedAt: maintainedUntil, startedBy: 'maintenance-end' };
  if (lastGoodAt === null) return { startedAt: since, startedBy: 'first-bad-round' };
  const startedBy = suspicion?.lastGoodBy;
  return { startedAt: lastGoodAt, ...(startedBy === undefined ? {} : { startedBy }) };
}

/**
 * The open incident after a run: what fails now, and all that failed so far. The same object where nothing is new. A
 * check that has not failed in it yet, and a graver verdict, are its matter once they are confirmed. `beside`: the defect
 * that lies under it.
 */
function updated(
  incident: Incident,
  state: SiteState,
  confirmed: Confirmed,
  policy: IncidentPolicy,
  beside: Incident | null = null,
): Incident {
  const checks = inOrder([...incident.checks, ...checksOf(confirmed, state, policy, beside)], policy);
  const failing = failingOf(state.checks, policy).filter((id) => checks.includes(id));
  const verdict =
    confirmed.five === null && confirmed.full === null ? null : verdictOfFailing(failing, state.checks, policy);
  const after: Incident = {
    ...incident,
    checks,
    verdict: verdict !== null && isWorse(verdict, incident.verdict) ? verdict : incident.verdict,
    codes: [...new Set([...incident.codes, ...rulesOf(failing, state)])],
    findings: failing.length === 0 ? incident.findings : failing.flatMap((id) => state.checks[id]?.findings ?? []),
  };
  return isReported(after) === isReported(incident) && locationsOf(after) === locationsOf(incident) ? incident : after;
}

/** Whether an incident is about more, or graver, than it was. */
function isChanged(before: Incident, after: Incident): boolean {
  return isReported(before) !== isReported(after);
}

/** What everybody is told of an incident while it is open, as one text that can be compared. */
const isReported = ({ checks, codes, verdict }: Incident): string => JSON.stringify([checks, codes, verdict]);

/** Evidence differs from run to run (times, bytes) where nothing else does. */
const locationsOf = ({ findings }: Incident): string =>
  JSON.stringify(findings.map(({ check, code, location }) => [check, code, location]));

function checksOf(
  confirmed: Confirmed,
  { checks }: SiteState,
  policy: IncidentPolicy,
  beside: Incident | null,
): readonly string[] {
  const scopes = (['five', 'full'] as const).filter((scope) => confirmed[scope] !== null);
  return inOrder(
    scopes.flatMap((scope) => failingBeside(beside, scope, checks, policy)),
    policy,
  );
}

/** Each once, in the report's order; those that are not run any more come last. */
function inOrder(ids: readonly string[], { declared }: IncidentPolicy): readonly string[] {
  const location = new Map(declared.map(({ id }, at) => [id, at]));
  const locationOf = (id: string): number => location.get(id) ?? declared.length;
  return [...new Set(ids)].toSorted((a, b) => locationOf(a) - locationOf(b));
}

const rulesOf = (ids: readonly string[], { checks }: SiteState): readonly string[] => [
  ...new Set(ids.flatMap((id) => (checks[id]?.findings ?? []).map(({ code }) => code))),
];
