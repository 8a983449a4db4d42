/** What is known of a site's checks, from runs of different scopes. Pure. */
import type { CheckResult, Severity } from '../../check.ts';
import { firstOfEach } from '../../expect/first-of-each.ts';
import { isFailed } from '../../verdict.ts';
import { verdictOfFailing } from './severity.ts';
import type { CheckState, CheckStates, IncidentFinding, IncidentPolicy, Observation, Scope } from './incident.ts';

/** What a run tells of the checks of one scope: `untold`: it did not look, `unsure`: not enough to call it good. */
export type Outlook = 'good' | 'bad' | 'unsure' | 'untold';

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
  // Of a site that is down, nothing beyond the core checks can be told.
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

/** A long run of the whole site has looked at the core checks at its begin: runs of the core checks that came since know better. */
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

/** Whether what was told makes a run good; `matters`: checks without which it cannot be called so. */
function outlook(results: readonly CheckResult[], policy: IncidentPolicy, matters: (id: string) => boolean): Outlook {
  if (results.some((result) => isFailed(result, policy))) return 'bad';
  if (results.length === 0) return 'untold';
  const untold = results.filter(isUntold);
  return untold.length === results.length || untold.some(({ id }) => matters(id)) ? 'unsure' : 'good';
}
