/**
 * What a run makes of the incidents of a site: the only place where they open and end. Pure.
 *
 * An outage and a degradation are two incidents. A site that goes down while it is degraded has both: the degradation is
 * suspended until the site is up again. A degradation that is first seen when an outage ends opens with that end.
 */
import { repairedBy, suspectedDeploy } from './deploy.ts';
import type { Incident, IncidentEvent, Scope, Transition } from './incident.ts';
import { isWorse, lately, type IncidentPolicy, type Run } from './run.ts';
import { isOutage, lastRunAt, ofEachScope, SCOPES } from './state.ts';
import type { GoodRuns, IncidentState, SiteState, Suspicion } from './state.ts';

type Confirmed = Readonly<Record<Scope, Suspicion | null>>;

type After = Pick<Transition, 'state' | 'events'>;

/**
 * Opens, changes and ends incidents. `known`: what is known after the run, except of incidents; `isBlipping`: confirmed by
 * earlier failures that were not.
 */
export function advance(
  run: Run,
  before: SiteState,
  known: SiteState,
  confirmed: Confirmed,
  isBlipping: boolean,
): After {
  const [outage, degradation] = [before.outage.incident, before.degradation.incident];
  if (outage !== null) return inOutage(run, before, known, confirmed, outage);
  if (degradation === null) return opened(run, known, confirmed, isBlipping, null);
  const down = ofEachScope((scope) => (confirmed[scope]?.outage === true ? confirmed[scope] : null));
  if (isAny(down)) return opened(run, known, down, isBlipping, degradation);
  return inDegradation(run, before, known, confirmed, degradation);
}

const isAny = (confirmed: Confirmed): boolean => Object.values(confirmed).some((one) => one !== null);

/** An incident opens, if something is confirmed. `beside`: the degradation of a site that goes down. */
function opened(run: Run, known: SiteState, confirmed: Confirmed, isBlipping: boolean, beside: Incident | null): After {
  const suspicion = confirmed.core ?? confirmed.full ?? confirmed.browser;
  if (suspicion === null) return { state: known, events: [] };
  const { policy } = run;
  const at = run.observation.endedAt;
  const begin = beginOf(known, suspicion);
  const checks = inOrder(checksOf(run, confirmed, beside), policy);
  const findings = run.findings(checks);
  const verdict = run.failure(checks) ?? 'degraded';
  const kind = verdict === 'down' ? 'outage' : 'degradation';
  const changes = withChange(known[kind].changes, at);
  const { causes = [] } = run.observation;
  const alone: Incident = {
    id: `${policy.site}-${new Date(at).toISOString().replaceAll(/[-:.Z]/g, '')}`,
    site: policy.site,
    verdict,
    checks,
    rules: [...new Set(findings.map(({ rule }) => rule))],
    ...begin,
    startedAt: Math.min(begin.startedAt, suspicion.since, at),
    detectedAt: at,
    notifiedAt: null,
    recoveredAt: null,
    recoveryTimeObjectiveMs: policy.rtoMs,
    findings,
    deploy: suspectedDeploy(known.deployments, confirmed.core !== null, suspicion, at),
    flapping: isBlipping || changes.length >= FLAPPING_CHANGES,
    ...(causes.length === 0 ? {} : { causes }),
    sameAs: null,
  };
  const incident = { ...alone, sameAs: run.causeOf(alone) };
  const degradation = { ...known.degradation, good: null };
  return {
    state: { ...known, degradation, [kind]: { incident, good: null, changes }, blips: [] },
    events: [{ kind: 'opened', incident, at }],
  };
}

function inDegradation(run: Run, before: SiteState, known: SiteState, confirmed: Confirmed, open: Incident): After {
  const { recovered, state: degradation } = ending(run, before, 'degradation', open);
  if (recovered !== null) {
    const deployments = repairedBy(known.deployments, open.detectedAt);
    const events: IncidentEvent[] = [{ kind: 'recovered', incident: recovered, at: run.observation.endedAt }];
    return { state: { ...known, degradation, deployments }, events };
  }
  // What fails during maintenance, or in an outage, does not belong to the degradation.
  const incident = run.observation.maintenance || run.isDown() ? open : updated(run, open, confirmed, null);
  return { state: { ...known, degradation: { ...degradation, incident } }, events: changeOf(run, open, incident) };
}

function inOutage(run: Run, before: SiteState, known: SiteState, confirmed: Confirmed, open: Incident): After {
  const { recovered, state: outage } = ending(run, before, 'outage', open);
  if (recovered !== null) return afterOutage(run, before, known, recovered, outage);
  const { incident: beside, good } = before.degradation;
  const incident = run.observation.maintenance || !run.isDown() ? open : updated(run, open, confirmed, beside);
  const degradation = { ...known.degradation, good: beside === null ? null : goodAfter(run, before, beside, good) };
  return { state: { ...known, outage: { ...outage, incident }, degradation }, events: changeOf(run, open, incident) };
}

/** The site is up again: with the degradation that it had, with one that was seen meanwhile, or healthy. */
function afterOutage(run: Run, before: SiteState, known: SiteState, recovered: Incident, outage: IncidentState): After {
  const left = ofEachScope((scope) => leftBy(recovered, known.scopes[scope].suspicion, run.policy));
  const scopes = ofEachScope((scope) => ({ ...known.scopes[scope], suspicion: left[scope].suspicion }));
  const confirmed = ofEachScope((scope) => left[scope].confirmed);
  const rest = advance(run, { ...before, outage }, { ...known, outage, scopes }, confirmed, false);
  // A deployment during an outage has ended it, unless something else has failed since.
  const isBroken = rest.events.some(({ kind }) => kind === 'opened');
  const { deployments } = rest.state;
  return {
    state: isBroken ? rest.state : { ...rest.state, deployments: repairedBy(deployments, recovered.detectedAt) },
    events: [{ kind: 'recovered', incident: recovered, at: run.observation.endedAt }, ...rest.events],
  };
}

/**
 * What an outage that is over leaves of a suspicion: as many runs as have ended the outage confirm a degradation, which
 * does not start before that end.
 */
function leftBy({ recoveredAt }: Incident, suspicion: Suspicion | null, { confirm, recover }: IncidentPolicy) {
  if (suspicion === null || suspicion.outage === true) return { suspicion: null, confirmed: null };
  const end = recoveredAt ?? suspicion.since;
  const wasGoodSince = suspicion.lastGoodAt !== null && suspicion.lastGoodAt >= end;
  const left: Suspicion = {
    ...suspicion,
    since: Math.max(suspicion.since, end),
    ...(wasGoodSince ? {} : { lastGoodAt: end, lastGoodBy: 'outage-end' }),
  };
  const isConfirmed = suspicion.lastAt >= end && suspicion.times >= Math.min(recover.times, confirm.times);
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
  ...lately(changes, FLAPPING_WITHIN_MS, now),
  now,
];

/** What a run means for the end of an open incident. `recovered`: the incident, if it has ended. */
function ending(run: Run, before: SiteState, kind: 'outage' | 'degradation', incident: Incident) {
  const { endedAt } = run.observation;
  const { times } = run.policy.recover;
  const { good: known, changes } = before[kind];
  const good = goodAfter(run, before, incident, known);
  if (good === null) {
    // A flapping site worked for so long that its incident would have ended: that is one more time up, and down.
    const wasUp = known !== null && known.times >= times;
    const after = wasUp ? withChange(withChange(changes, endedAt), endedAt) : changes;
    return { state: { incident, good, changes: after }, recovered: null };
  }
  // A run that shows nothing ends nothing, however long the site has worked.
  const isStable = !incident.flapping || endedAt - good.since >= STABLE_MS;
  if (good === known || good.times < times || !isStable) return { state: { incident, good, changes }, recovered: null };
  return {
    state: { incident: null, good: null, changes: withChange(changes, endedAt) },
    recovered: { ...incident, recoveredAt: Math.max(good.since, incident.detectedAt) },
  };
}

/** The good runs in a row after a run, as far as an incident is concerned. */
function goodAfter(run: Run, before: SiteState, incident: Incident, good: GoodRuns | null): GoodRuns | null {
  const { core, full, browser } = run.outlook;
  const isOut = isOutage(incident);
  // An outage lasts while the site is down; a degradation while any of its checks, or of the core checks, fails.
  const isBad = isOut ? run.isDown() : core === 'bad' || run.failing().some((id) => incident.checks.includes(id));
  if (isBad) return null;
  const isGood = (outlook: typeof core): boolean => outlook === 'good' || (outlook === 'bad' && isOut);
  // A long full check may leave the core checks to the runs that came meanwhile. Once all that failed has passed in a full
  // check, runs of the core checks are enough.
  const isDeep = isGood(full) || isGood(browser);
  const isShown = isGood(core) || (core === 'nothing' && isDeep && run.observation.report.verdict !== 'unknown');
  if (!isShown) return good;
  const lastAt = lastRunAt(before);
  const isInRow =
    good !== null && (good.times >= run.policy.recover.times || lastAt === null || !run.isApart(lastAt, 'core'));
  return isInRow ? { ...good, times: good.times + 1 } : { times: 1, since: run.observation.endedAt };
}

/* How an incident begins, and how it changes while it is open. */

/** The last good run before it; an outage that outlasts maintenance began when that ended. */
function beginOf({ maintainedUntil }: SiteState, suspicion: Suspicion): Pick<Incident, 'startedAt' | 'startedBy'> {
  const { since, lastGoodAt, lastGoodBy } = suspicion;
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
function updated(run: Run, incident: Incident, confirmed: Confirmed, beside: Incident | null): Incident {
  const checks = inOrder([...incident.checks, ...checksOf(run, confirmed, beside)], run.policy);
  const failing = run.failing().filter((id) => checks.includes(id));
  const verdict = isAny(confirmed) ? run.failure(failing) : null;
  const findings = run.findings(failing);
  const after: Incident = {
    ...incident,
    checks,
    verdict: verdict !== null && isWorse(verdict, incident.verdict) ? verdict : incident.verdict,
    rules: [...new Set([...incident.rules, ...findings.map(({ rule }) => rule)])],
    findings: failing.length === 0 ? incident.findings : findings,
  };
  return reportedOf(after) === reportedOf(incident) && locationsOf(after) === locationsOf(incident) ? incident : after;
}

function changeOf(run: Run, before: Incident, incident: Incident): readonly IncidentEvent[] {
  if (reportedOf(before) === reportedOf(incident)) return [];
  return [{ kind: 'changed', incident, at: run.observation.endedAt }];
}

/** What notifications report of an open incident, as one text that can be compared. */
const reportedOf = ({ checks, rules, verdict }: Incident): string => JSON.stringify([checks, rules, verdict]);

/** Evidence differs from run to run (times, bytes) where nothing else does. */
const locationsOf = ({ findings }: Incident): string =>
  JSON.stringify(findings.map(({ rule, location }) => [rule, location]));

function checksOf(run: Run, confirmed: Confirmed, beside: Incident | null): readonly string[] {
  return SCOPES.filter((scope) => confirmed[scope] !== null).flatMap((scope) => run.failingBeside(beside, scope));
}

/** Each once, in the report's order; those that are not run any more come last. */
function inOrder(ids: readonly string[], { declared }: IncidentPolicy): readonly string[] {
  const order = declared.map(({ id }) => id).filter((id) => ids.includes(id));
  return [...new Set([...order, ...ids])];
}
