/** How an incident begins, and what becomes of it while it is open. Pure. */
import { failingOf } from './checks.ts';
import { suspectedDeploy } from './deploy.ts';
import { isWorse, verdictOfFailing } from './severity.ts';
import type { Incident, IncidentPolicy, Observation, Scope, SiteState, Suspicion } from './incident.ts';
import { failingBeside } from './new-failures.ts';

/** The suspicions that a run confirmed, by the scope of the checks that they are about. */
export type Confirmed = Readonly<Record<Scope, Suspicion | null>>;

/**
 * The incident that a confirmed failure is; `state`: what is known after the run. `beside`: the defect that an outage
 * came upon.
 */
export function opened(
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
export function updated(
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
export function isChanged(before: Incident, after: Incident): boolean {
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
