import type { Check, Severity, Verdict, CheckResult } from '../../check.ts';
import type { MonitoredSite, IncidentVerdict } from '../settings.ts';
import type {
  IncidentPolicy,
  CheckStates,
  CheckState,
  IncidentFinding,
  Observation,
  Scope,
  Incident,
} from './incident.ts';
import { verdictOf, isFailed } from '../../verdict.ts';
import { firstOfEach } from '../../expect/first-of-each.ts';
import type { Open } from './state.ts';

/** What a site's runs run. */
export interface RunChecks {
  readonly core: readonly Check[];
  /** The core checks among them; empty where the whole site is never checked. */
  readonly full: readonly Check[];
}

/** What a transition has to be told of a site. */
export function policyOf(site: MonitoredSite, { core, full }: RunChecks): IncidentPolicy {
  const quick = new Set(core.map(({ id }) => id));
  const fullOnly = full.filter(({ id }) => !quick.has(id));
  const declared = [...core, ...fullOnly];
  return {
    site: site.id,
    rtoMs: site.objectiveMs,
    confirm: site.confirm,
    recover: site.recover,
    strict: site.checking.strict,
    vital: declared.filter(({ vital }) => vital !== undefined).map(({ id }) => id),
    declared: declared.map(({ id, vital, freshness }) => ({
      id,
      ...(vital === undefined ? {} : { vital }),
      ...(freshness === undefined ? {} : { freshness }),
    })),
    fullOnly: fullOnly.map(({ id }) => id),
    everyMs: site.schedule.kind === 'every' ? site.schedule.everyMs : null,
    fullEveryMs: site.full?.kind === 'every' ? site.full.everyMs : null,
  };
}

/* What failing checks make of a site. Pure. */

const RANK = { stale: 1, degraded: 2, down: 3 } as const satisfies Record<IncidentVerdict, number>;

/** Whether a verdict is graver than another one; `null`: than none. */
export function isWorse(one: IncidentVerdict, other: IncidentVerdict | null): boolean {
  return RANK[one] > (other === null ? 0 : RANK[other]);
}

/** The verdict of some checks, as a report would have it; `unknown` where nothing is known of any. */
export function verdictOfChecks(ids: readonly string[], checks: CheckStates, policy: IncidentPolicy): Verdict {
  const results = ids.flatMap((id) => {
    const state = checks[id];
    if (state === undefined) return [];
    const { status, findings } = state;
    const severity: Severity = status === 'fail' ? 'error' : 'warning';
    return [{ id, status, findings: findings.map(({ code: rule, evidence }) => ({ rule, evidence, severity })) }];
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

/** Those of some moments that are not longer ago than a time: oldest first, a bounded number. All in milliseconds. */
export function within(moments: readonly number[], ms: number, now: number): readonly number[] {
  // What lies ahead was written before the clock was set back.
  return moments.filter((at) => at <= now && now - at <= ms).slice(-MOST);
}

/* Sites that go up and down again and again: one incident that stays open, not one after another. Pure. */

/** Openings and endings within this time count. */
const FLAPPING_WITHIN_MS = 10 * 60_000;
/** The third opening is one too many: it is the fifth change. */
const FLAPPING_CHANGES = 5;
/** How long a site that flaps has to be well before its incident ends: longer than it can be between such openings. */
export const STABLE_MS = 5 * 60_000;

/** The changes that still count, with one more. */
export function withChange(changes: readonly number[], now: number): readonly number[] {
  return [...within(changes, FLAPPING_WITHIN_MS, now), now];
}

/** Whether a site flaps that has changed at these times lately, the last one included. */
export function isFlapping(changes: readonly number[]): boolean {
  return changes.length >= FLAPPING_CHANGES;
}

/* What is known of a site's checks, from runs of different scopes. Pure. */

/** What a run tells of the checks of one scope: `untold`: it did not look, `unsure`: not enough to call it good. */
type Outlook = 'good' | 'bad' | 'unsure' | 'untold';

/** What is known after a run, and what the run itself told. */
export interface Outlooks {
  readonly checks: CheckStates;
  readonly five: Outlook;
  readonly full: Outlook;
}

/** The checks as they were known before, with what a run says of them. */
export function outlooksOf(known: CheckStates, observation: Observation, policy: IncidentPolicy): Outlooks {
  const before = declaredOf(known, policy);
  if (observation.isProbeSide) return { checks: before, five: 'untold', full: 'untold' };
  const isFull = scopesOf(policy);
  const results = observation.report.checks;
  const core = isSuperseded(before, observation, isFull) ? [] : results.filter(({ id }) => !isFull(id));
  const checks = { ...before, ...statesOf(core, observation, policy) };
  // Of a site that is down, nothing beyond the core checks can be reported.
  const full = isDown(checks, policy) ? [] : results.filter(({ id }) => isFull(id));
  return {
    checks: { ...checks, ...statesOf(full, observation, policy) },
    five: outlook(core, policy, () => true),
    full: outlook(full, policy, (id) => isFailing(before[id], policy)),
  };
}

/** Whether only runs of the whole site run a check. */
function scopesOf({ fullOnly }: IncidentPolicy): (id: string) => boolean {
  const ids = new Set(fullOnly);
  return (id) => ids.has(id);
}

/** Ids of all checks that failed when they were known last, in the report's order. */
export function failingOf(checks: CheckStates, policy: IncidentPolicy): readonly string[] {
  return policy.declared.map(({ id }) => id).filter((id) => isFailing(checks[id], policy));
}

/** Ids of those among them that runs of a scope see. */
export function failingIn(scope: Scope, checks: CheckStates, policy: IncidentPolicy): readonly string[] {
  const isFull = scopesOf(policy);
  return failingOf(checks, policy).filter((id) => isFull(id) === (scope === 'full'));
}

/** Whether visitors see a blank page, as far as the checks of a scope tell. */
export function isDown(checks: CheckStates, policy: IncidentPolicy, scope: Scope = 'five'): boolean {
  return verdictOfFailing(failingIn(scope, checks, policy), checks, policy) === 'down';
}

/** Whether visitors see a blank page, whichever checks tell so. */
export function isOut(checks: CheckStates, policy: IncidentPolicy): boolean {
  return isDown(checks, policy, 'five') || isDown(checks, policy, 'full');
}

function isFailing(state: CheckState | undefined, policy: IncidentPolicy): boolean {
  return state !== undefined && isFailed(state, policy);
}

/** What is not run any more says nothing. */
function declaredOf(known: CheckStates, { declared }: IncidentPolicy): CheckStates {
  const ids = new Set(declared.map(({ id }) => id));
  return Object.fromEntries(Object.entries(known).filter(([id]) => ids.has(id)));
}

/** A long run of the whole site has checked the core checks at its begin: runs of the core checks that came since know better. */
function isSuperseded(known: CheckStates, { scope, startedAt }: Observation, isFull: (id: string) => boolean): boolean {
  return scope === 'full' && Object.entries(known).some(([id, { at }]) => !isFull(id) && at > startedAt);
}

/** Nothing is known of a check that could not look, for reasons of this machine or because another one says why. */
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
      return [id, { status, at: endedAt, scope, findings, ...(warnings.length === 0 ? {} : { warnings }) }];
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

/* What of that which fails is not reported by the incidents that are open. Pure. */

/** Whether what fails in a scope is more, or graver, than what is open tells already. */
export function isNewFailure(
  scope: Scope,
  { outage, degradation }: Open,
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

/** Ids of the checks that fail in a scope, without those that fail as a defect has it and take nothing down. */
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
