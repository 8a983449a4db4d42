/**
 * What a run makes of the incidents of a site: the only place where they open and end. Pure.
 *
 * An outage and a degradation are two incidents. A site that goes down while it is degraded has both: the degradation is
 * suspended until the site is up again. A degradation that is first seen when an outage ends opens with that end.
 */
import { repairedBy, suspectedDeploy } from './deploy.ts';
import type { Incident, IncidentEvent, IncidentPolicy, Observation, Scope, Transition } from './incident.ts';
import {
  failingBeside,
  failingOf,
  isApart,
  isOut,
  isWorse,
  verdictOfFailing,
  within,
  type Outlooks,
} from './policy.ts';
import {
  DEEP_SCOPES,
  isOutage,
  lastRunAt,
  ofEachScope,
  type GoodRuns,
  type IncidentState,
  type SiteState,
  type Suspicion,
} from './state.ts';

/** A run, and what was made of it so far. */
export interface RunContext {
  readonly before: SiteState;
  /** What is known now, except of incidents. */
  readonly known: SiteState;
  readonly reported: Outlooks;
  readonly confirmed: Confirmed;
  /** Confirmed by earlier failures that were not. */
  readonly isBlipping: boolean;
  readonly observation: Observation;
  readonly policy: IncidentPolicy;
}

/** The suspicions that a run confirmed. */
type Confirmed = Readonly<Record<Scope, Suspicion | null>>;

type After = Pick<Transition, 'state' | 'events'>;

/** Opens, changes and ends incidents. */
export function advance(run: RunContext): After {
  const { outage, degradation } = run.before;
  if (outage.incident !== null) return inOutage(run, outage.incident);
  if (degradation.incident === null) return opened(run, run.confirmed);
  const down = ofEachScope((scope) => (run.confirmed[scope]?.outage === true ? run.confirmed[scope] : null));
  return isAny(down) ? opened(run, down, degradation.incident) : inDegradation(run, degradation.incident);
}

const isAny = (confirmed: Confirmed): boolean => Object.values(confirmed).some((one) => one !== null);

/** An incident opens, if something is confirmed. `beside`: the degradation of a site that goes down. */
function opened(run: RunContext, confirmed: Confirmed, beside: Incident | null = null): After {
  const { known, isBlipping, observation, policy } = run;
  if (!isAny(confirmed)) return { state: known, events: [] };
  const at = observation.endedAt;
  const first = newIncident(known, confirmed, at, policy, beside);
  const kind = isOutage(first) ? 'outage' : 'degradation';
  const changes = withChange(known[kind].changes, at);
  const incident: Incident = { ...first, flapping: isBlipping || changes.length >= FLAPPING_CHANGES };
  const degradation = { ...known.degradation, good: null };
  return {
    state: { ...known, degradation, [kind]: { incident, good: null, changes }, blips: [] },
    events: [{ kind: 'opened', incident, at }],
  };
}

/** A degradation ends, changes, or continues. */
function inDegradation(run: RunContext, open: Incident): After {
  const { known, reported, confirmed, observation, policy } = run;
  const ended = ending(run, 'degradation', open);
  if (ended.recovered !== null) {
    const deployments = repairedBy(known.deployments, open.detectedAt);
    const events: IncidentEvent[] = [{ kind: 'recovered', incident: ended.recovered, at: observation.endedAt }];
    return { state: { ...known, degradation: ended.state, deployments }, events };
  }
  // What fails during maintenance, or in an outage, does not belong to the degradation.
  const isSame = observation.maintenance || isOut(reported.checks, policy);
  const incident = isSame ? open : updated(open, known, confirmed, policy);
  return {
    state: { ...known, degradation: { ...ended.state, incident } },
    events: changeOf(open, incident, observation.endedAt),
  };
}

/** An outage ends, includes more, or continues. */
function inOutage(run: RunContext, open: Incident): After {
  const { before, known, reported, confirmed, observation, policy } = run;
  const { recovered, state: outage } = ending(run, 'outage', open);
  if (recovered !== null) return afterOutage(run, recovered, outage);
  const { incident: beside, good } = before.degradation;
  const isSame = observation.maintenance || !isOut(reported.checks, policy);
  const incident = isSame ? open : updated(open, known, confirmed, policy, beside);
  const degradation = {
    ...known.degradation,
    good: beside === null ? null : goodAfter(beside, good, before, reported, observation, policy),
  };
  return {
    state: { ...known, outage: { ...outage, incident }, degradation },
    events: changeOf(open, incident, observation.endedAt),
  };
}

/** The site is up again: with the degradation that it had, with one that was seen meanwhile, or healthy. */
function afterOutage(run: RunContext, recovered: Incident, outage: IncidentState): After {
  const { before, known, observation, policy } = run;
  const left = ofEachScope((scope) => leftBy(recovered, known.scopes[scope].suspicion, policy));
  const scopes = ofEachScope((scope) => ({ ...known.scopes[scope], suspicion: left[scope].suspicion }));
  const rest = advance({
    ...run,
    before: { ...before, outage },
    known: { ...known, outage, scopes },
    confirmed: ofEachScope((scope) => left[scope].confirmed),
    isBlipping: false,
  });
  // A deployment during an outage has ended it, unless something else has failed since.
  const isBroken = rest.events.some(({ kind }) => kind === 'opened');
  const { deployments } = rest.state;
  return {
    state: isBroken ? rest.state : { ...rest.state, deployments: repairedBy(deployments, recovered.detectedAt) },
    events: [{ kind: 'recovered', incident: recovered, at: observation.endedAt }, ...rest.events],
  };
}

/**
 * What an outage that is over leaves of a suspicion: as many runs as have ended the outage confirm a degradation, which
 * does not start before that end.
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

/* How an incident ends. */

/** Openings and endings within this time count as flapping. */
const FLAPPING_WITHIN_MS = 10 * 60_000;
/** The third opening is one too many: it is the fifth change. */
const FLAPPING_CHANGES = 5;
/** How long a flapping site has to work before its incident ends: longer than it can between such openings. */
export const STABLE_MS = 5 * 60_000;

const withChange = (changes: readonly number[], now: number): readonly number[] => [
  ...within(changes, FLAPPING_WITHIN_MS, now),
  now,
];

/** What a run means for the end of an open incident. `recovered`: the incident, if it has ended. */
function ending(
  { before, reported, observation, policy }: RunContext,
  kind: 'outage' | 'degradation',
  incident: Incident,
): { readonly state: IncidentState; readonly recovered: Incident | null } {
  const { endedAt } = observation;
  const { good: known, changes } = before[kind];
  const good = goodAfter(incident, known, before, reported, observation, policy);
  if (good === null) {
    // A flapping site worked for so long that its incident would have ended: that is one more time up, and down.
    const wasUp = known !== null && known.times >= policy.recover.times;
    const after = wasUp ? withChange(withChange(changes, endedAt), endedAt) : changes;
    return { state: { incident, good, changes: after }, recovered: null };
  }
  // A run that shows nothing ends nothing, however long the site has worked.
  const isOver =
    good !== known && good.times >= policy.recover.times && (!incident.flapping || endedAt - good.since >= STABLE_MS);
  if (!isOver) return { state: { incident, good, changes }, recovered: null };
  return {
    state: { incident: null, good: null, changes: withChange(changes, endedAt) },
    recovered: { ...incident, recoveredAt: Math.max(good.since, incident.detectedAt) },
  };
}

/** The good runs in a row after a run, as far as an incident is concerned. */
function goodAfter(
  incident: Incident,
  good: GoodRuns | null,
  state: SiteState,
  { checks, five, full, browser }: Outlooks,
  observation: Observation,
  policy: IncidentPolicy,
): GoodRuns | null {
  const isDown = isOutage(incident);
  // An outage lasts while the site is down; a degradation while any of its checks, or of the core checks, fails.
  const isBad = isDown
    ? isOut(checks, policy)
    : five === 'bad' || failingOf(checks, policy).some((id) => incident.checks.includes(id));
  if (isBad) return null;
  const isGood = (outlook: Outlooks[Scope]): boolean => outlook === 'good' || (outlook === 'bad' && isDown);
  // A long full check may leave the core checks to the runs that came meanwhile. Once all that failed has passed in a full
  // check, runs of the core checks are enough.
  const isDeep = isGood(full) || isGood(browser);
  const isShown = isGood(five) || (five === 'untold' && isDeep && observation.report.verdict !== 'unknown');
  if (!isShown) return good;
  const lastAt = lastRunAt(state);
  const isInRow =
    good !== null &&
    (good.times >= policy.recover.times || lastAt === null || !isApart(lastAt, observation, 'five', policy));
  return isInRow ? { ...good, times: good.times + 1 } : { times: 1, since: observation.endedAt };
}

/* How an incident begins, and how it changes while it is open. */

/** The incident that a confirmed failure is. `state`: what is known after the run. */
function newIncident(
  state: SiteState,
  confirmed: Confirmed,
  at: number,
  policy: IncidentPolicy,
  beside: Incident | null,
): Incident {
  const suspicion = confirmed.five ?? confirmed.full ?? confirmed.browser;
  const { since = at, lastGoodAt = null } = suspicion ?? {};
  const begin = beginOf(state, suspicion, since);
  const checks = checksOf(confirmed, state, policy, beside);
  return {
    id: `${policy.site}-${new Date(at).toISOString().replaceAll(/[-:.Z]/g, '')}`,
    site: policy.site,
    verdict: verdictOfFailing(checks, state.checks, policy) ?? 'degraded',
    checks,
    codes: rulesOf(checks, state),
    ...begin,
    startedAt: Math.min(begin.startedAt, since, at),
    detectedAt: at,
    notifiedAt: null,
    recoveredAt: null,
    objectiveMs: policy.rtoMs,
    ...(confirmed.five === null ? { objectiveFrom: 'detected' } : {}),
    findings: checks.flatMap((id) => state.checks[id]?.findings ?? []),
    deploy: suspectedDeploy(state.deployments, confirmed.five !== null, { since, lastGoodAt }, at),
    flapping: false,
    sameAs: null,
  };
}

/** The last good run before it; an outage that outlasts maintenance began when that ended. */
function beginOf(
  { maintainedUntil }: SiteState,
  suspicion: Suspicion | null,
  since: number,
): Pick<Incident, 'startedAt' | 'startedBy'> {
  const { lastGoodAt = null, lastGoodBy } = suspicion ?? {};
  if (maintainedUntil !== null && maintainedUntil > (lastGoodAt ?? -Infinity)) {
    return { startedAt: maintainedUntil, startedBy: 'maintenance-end' };
  }
  if (lastGoodAt === null) return { startedAt: since, startedBy: 'first-bad-round' };
  return { startedAt: lastGoodAt, ...(lastGoodBy === undefined ? {} : { startedBy: lastGoodBy }) };
}

/**
 * The open incident after a run: what fails now, and all that has failed. The same object where nothing is new. Checks
 * that have not failed in it before, and a worse verdict, count once they are confirmed.
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
  const verdict = isAny(confirmed) ? verdictOfFailing(failing, state.checks, policy) : null;
  const after: Incident = {
    ...incident,
    checks,
    verdict: verdict !== null && isWorse(verdict, incident.verdict) ? verdict : incident.verdict,
    codes: [...new Set([...incident.codes, ...rulesOf(failing, state)])],
    findings: failing.length === 0 ? incident.findings : failing.flatMap((id) => state.checks[id]?.findings ?? []),
  };
  return reportedOf(after) === reportedOf(incident) && locationsOf(after) === locationsOf(incident) ? incident : after;
}

function changeOf(before: Incident, incident: Incident, at: number): readonly IncidentEvent[] {
  return reportedOf(before) === reportedOf(incident) ? [] : [{ kind: 'changed', incident, at }];
}

/** What notifications say of an open incident, as one text that can be compared. */
const reportedOf = ({ checks, codes, verdict }: Incident): string => JSON.stringify([checks, codes, verdict]);

/** Evidence differs from run to run (times, bytes) where nothing else does. */
const locationsOf = ({ findings }: Incident): string =>
  JSON.stringify(findings.map(({ check, code, location }) => [check, code, location]));

function checksOf(
  confirmed: Confirmed,
  { checks }: SiteState,
  policy: IncidentPolicy,
  beside: Incident | null,
): readonly string[] {
  const scopes = (['five', ...DEEP_SCOPES] as const).filter((scope) => confirmed[scope] !== null);
  return inOrder(
    scopes.flatMap((scope) => failingBeside(beside, scope, checks, policy)),
    policy,
  );
}

/** Each once, in the report's order; those that are not run any more come last. */
function inOrder(ids: readonly string[], { declared }: IncidentPolicy): readonly string[] {
  const order = declared.map(({ id }) => id);
  const known = new Set(ids);
  return [...order.filter((id) => known.has(id)), ...[...known].filter((id) => !order.includes(id))];
}

const rulesOf = (ids: readonly string[], { checks }: SiteState): readonly string[] => [
  ...new Set(ids.flatMap((id) => (checks[id]?.findings ?? []).map(({ code }) => code))),
];
