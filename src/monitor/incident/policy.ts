import type { Check, Severity, Verdict, CheckResult } from '../../check.ts';
import type { MonitoredSite, IncidentVerdict, Schedule } from '../settings.ts';
import type { DeepScope, Incident, IncidentFinding, IncidentPolicy, Observation, Scope } from './incident.ts';
import { DEEP_SCOPES, type CheckState, type CheckStates, type SiteState } from './state.ts';
import { verdictOf, isFailed } from '../../verdict.ts';
import { firstOfEach } from '../../expect/first-of-each.ts';

/** What a site's runs run, the core checks among them; empty where there are no such runs. */
export type RunChecks = Readonly<Record<Scope, readonly Check[]>>;

/** What transitions depend on, by the configuration. */
export function policyOf(site: MonitoredSite, { five, ...deep }: RunChecks): IncidentPolicy {
  const quick = new Set(five.map(({ id }) => id));
  const beyond = (scope: DeepScope): readonly Check[] => deep[scope].filter(({ id }) => !quick.has(id));
  const idsOf = (scope: DeepScope): readonly string[] => beyond(scope).map(({ id }) => id);
  const everyMs = (schedule: Schedule | null): number | null => (schedule?.kind === 'every' ? schedule.everyMs : null);
  return {
    site: site.id,
    rtoMs: site.objectiveMs,
    confirm: site.confirm,
    recover: site.recover,
    strict: site.checking.strict,
    declared: [...five, ...DEEP_SCOPES.flatMap(beyond)],
    beyond: { full: idsOf('full'), browser: idsOf('browser') },
    everyMs: { five: everyMs(site.schedule), full: everyMs(site.full), browser: everyMs(site.browser) },
  };
}

const RANK = { stale: 1, degraded: 2, down: 3 } as const satisfies Record<IncidentVerdict, number>;

/** Whether a verdict is worse than another one; `null`: than none. */
export function isWorse(one: IncidentVerdict, other: IncidentVerdict | null): boolean {
  return RANK[one] > (other === null ? 0 : RANK[other]);
}

/** The verdict of some checks, as a report would have it; `unknown` where nothing is known of any. */
export function verdictOfChecks(ids: readonly string[], checks: CheckStates, policy: IncidentPolicy): Verdict {
  const results = ids.flatMap((id) => {
    const state = checks[id];
    if (state === undefined) return [];
    const { status, findings, vital } = state;
    const severity: Severity = status === 'fail' ? 'error' : 'warning';
    const rated = findings.map(({ code: rule, evidence }) => ({ rule, evidence, severity }));
    return [{ id, status, findings: rated, ...(vital === undefined ? {} : { vital }) }];
  });
  return results.length === 0 ? 'unknown' : verdictOf(results, policy.declared, policy.strict);
}

/** The verdict of checks of which at least one fails; `null`: none does. */
export function verdictOfFailing(
  ids: readonly string[],
  checks: CheckStates,
  policy: IncidentPolicy,
): IncidentVerdict | null {
  const verdict = verdictOfChecks(ids, checks, policy);
  return verdict === 'down' || verdict === 'degraded' || verdict === 'stale' ? verdict : null;
}

/** The most moments that are remembered. */
const MOST = 50;

/** The moments that are not longer ago than `ms`: oldest first, a bounded number. */
export function within(moments: readonly number[], ms: number, now: number): readonly number[] {
  // Moments in the future were noted before the clock was set back.
  return moments.filter((at) => at <= now && now - at <= ms).slice(-MOST);
}

/** Runs that are further apart are not in a row: the monitor was away meanwhile. Full checks may have to wait for each other. */
const APART_MS = { five: 60_000, full: 15 * 60_000, browser: 15 * 60_000 } as const satisfies Record<Scope, number>;

/** Whether a run is too far from the one before for both to confirm the same. */
export function isApart(
  lastAt: number,
  { startedAt }: Observation,
  scope: Scope,
  { confirm, apartMs }: IncidentPolicy,
): boolean {
  return startedAt - lastAt > (apartMs ?? Math.max(APART_MS[scope], 10 * confirm.afterMs));
}

/** What a run shows of the checks of one scope: `untold`: nothing, `unsure`: not enough to call it good. */
type Outlook = 'good' | 'bad' | 'unsure' | 'untold';

/** What is known after a run, and what the run itself showed. */
export interface Outlooks extends Readonly<Record<Scope, Outlook>> {
  readonly checks: CheckStates;
}

/** The known results with those of a run. Results of checks that are not declared any more are removed. */
export function outlooksOf(known: CheckStates, observation: Observation, policy: IncidentPolicy): Outlooks {
  const declared = new Set(policy.declared.map(({ id }) => id));
  const before = Object.fromEntries(Object.entries(known).filter(([id]) => declared.has(id)));
  const results = observation.report.checks;
  const isCore = (id: string): boolean => scopeOf(id, policy) === 'five';
  const { scope, startedAt } = observation;
  // A long full check has run the core checks at its begin: runs of the core checks that came since know better.
  const isSuperseded = scope !== 'five' && Object.entries(before).some(([id, { at }]) => isCore(id) && at > startedAt);
  const core = isSuperseded ? [] : results.filter(({ id }) => isCore(id));
  const checks = { ...before, ...statesOf(core, observation, policy) };
  // Of a site that is down, nothing beyond the core checks can be reported.
  const deep = isDown(checks, policy) ? [] : results.filter(({ id }) => !isCore(id));
  const deepOutlook = (one: DeepScope): Outlook =>
    outlook(
      deep.filter(({ id }) => scopeOf(id, policy) === one),
      policy,
      (id) => isFailing(before[id], policy),
    );
  return {
    checks: { ...checks, ...statesOf(deep, observation, policy) },
    five: outlook(core, policy, () => true),
    full: deepOutlook('full'),
    browser: deepOutlook('browser'),
  };
}

/** The runs that a check belongs to. */
function scopeOf(id: string, { beyond }: IncidentPolicy): Scope {
  return DEEP_SCOPES.find((scope) => beyond[scope].includes(id)) ?? 'five';
}

/** Ids of all checks that failed when they were known last, in the report's order. */
export function failingOf(checks: CheckStates, policy: IncidentPolicy): readonly string[] {
  return policy.declared.flatMap(({ id }) => (isFailing(checks[id], policy) ? [id] : []));
}

/** Ids of those among them that runs of a scope see. */
export function failingIn(scope: Scope, checks: CheckStates, policy: IncidentPolicy): readonly string[] {
  return failingOf(checks, policy).filter((id) => scopeOf(id, policy) === scope);
}

/** Whether visitors see a blank page, by the checks of a scope. */
export function isDown(checks: CheckStates, policy: IncidentPolicy, scope: Scope = 'five'): boolean {
  return verdictOfFailing(failingIn(scope, checks, policy), checks, policy) === 'down';
}

/** The same by the checks of any scope. */
export function isOut(checks: CheckStates, policy: IncidentPolicy): boolean {
  return (['five', ...DEEP_SCOPES] as const).some((scope) => isDown(checks, policy, scope));
}

function isFailing(state: CheckState | undefined, policy: Pick<IncidentPolicy, 'strict'>): boolean {
  return state !== undefined && isFailed(state, policy);
}

/** The check could not run, for reasons of this machine or because another check reports why. */
const isUntold = ({ status, skipped }: CheckResult): boolean => status === 'unknown' || skipped?.rule === 'no-answer';

function statesOf(
  results: readonly CheckResult[],
  { endedAt, scope }: Observation,
  policy: IncidentPolicy,
): CheckStates {
  const outlooks = results.filter((result) => !isUntold(result));
  return Object.fromEntries(
    outlooks.map((result) => {
      const { id, status } = result;
      const isFailure = isFailed(result, policy);
      const warnings = isFailure ? [] : findingsOf(result, 'warning').slice(0, MOST_WARNINGS);
      const findings = isFailure ? findingsOf(result, status === 'fail' ? 'error' : 'warning') : [];
      const isDeclared = policy.declared.some((check) => check.id === id && check.vital !== undefined);
      const isOwn = (result.vital ?? isDeclared) !== isDeclared;
      const vital = isOwn ? { vital: !isDeclared } : {};
      return [id, { status, at: endedAt, scope, findings, ...vital, ...(warnings.length === 0 ? {} : { warnings }) }];
    }),
  );
}

/** Findings of a code that are kept. */
const MOST_OF_A_RULE = 3;
/** Warnings of a check that are kept: each site's state is written after each run. */
const MOST_WARNINGS = 6;

/** The findings of a check that have a severity; of many findings of one code the first ones. */
function findingsOf({ id, findings }: CheckResult, severity: Severity): readonly IncidentFinding[] {
  const wanted = findings.filter(({ severity: level }) => level === severity);
  return firstOfEach(wanted, ({ rule }) => rule, MOST_OF_A_RULE).map(
    ({ item: { rule, evidence, location, excerpt } }) => ({
      check: id,
      code: rule,
      evidence,
      location: location ?? null,
      ...(excerpt === undefined ? {} : { excerpt }),
    }),
  );
}

/** Whether what was reported makes a run good; `matters`: checks without which it cannot be called so. */
function outlook(results: readonly CheckResult[], policy: IncidentPolicy, matters: (id: string) => boolean): Outlook {
  if (results.some((result) => isFailed(result, policy))) return 'bad';
  if (results.length === 0) return 'untold';
  const untold = results.filter(isUntold);
  return untold.length === results.length || untold.some(({ id }) => matters(id)) ? 'unsure' : 'good';
}

/** Whether what fails in a scope is more, or worse, than what the open incidents report. */
export function isNewFailure(
  scope: Scope,
  { outage: { incident: outage }, degradation: { incident: degradation } }: Pick<SiteState, 'outage' | 'degradation'>,
  checks: CheckStates,
  policy: IncidentPolicy,
): boolean {
  if (isDown(checks, policy, scope)) {
    return (
      outage === null || failingBeside(degradation, scope, checks, policy).some((id) => !outage.checks.includes(id))
    );
  }
  if (degradation === null) return true;
  const failing = failingIn(scope, checks, policy);
  if (failing.some((id) => !degradation.checks.includes(id))) return true;
  const verdict = verdictOfFailing(failing, checks, policy);
  return verdict !== null && isWorse(verdict, degradation.verdict);
}

/** Ids of the checks that fail in a scope, without those that a degradation reports and that take nothing down. */
export function failingBeside(
  degradation: Incident | null,
  scope: Scope,
  checks: CheckStates,
  policy: IncidentPolicy,
): readonly string[] {
  const isReported = (id: string): boolean => {
    const known = degradation?.findings.filter(({ check }) => check === id).map(({ code }) => code) ?? [];
    const now = checks[id]?.findings ?? [];
    return now.every(({ code }) => known.includes(code)) && verdictOfFailing([id], checks, policy) !== 'down';
  };
  return failingIn(scope, checks, policy).filter((id) => !isReported(id));
}
