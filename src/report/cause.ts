/** Finds the one cause behind a report in which everything failed. Pure. */
import type { CheckResult, Finding } from '../check.ts';
import { REASONS } from '../http/reasons.ts';
import type { Texts } from '../texts.ts';

/** A finding and the check that told it. */
export interface Caused {
  readonly id: string;
  readonly finding: Finding;
}

/** The codes that say something of the host as a whole when every check has them; others have facts of their own. */
const ABOUT_HOST: ReadonlySet<string> = new Set([
  ...Object.keys(REASONS),
  'redirected',
  'not-found',
  'forbidden',
  'rate-limited',
  'server-error',
  'status',
  'wrong-base',
]);

/** Codes that may be the one cause although a check passed: a host with a fallback has a bundle at every address. */
const DESPITE_PASSES: ReadonlySet<string> = new Set(['wrong-base']);

/** The checks that one cause may be behind. */
export const failing = (checks: readonly CheckResult[]): readonly CheckResult[] =>
  checks.filter(({ status }) => status !== 'skip' && status !== 'pass');

/**
 * The one cause behind it all: the only finding of every check that was not skipped, told in the same words for each.
 * `null` where there is none.
 */
export function sharedCause(all: readonly CheckResult[], texts: Texts): Caused | null {
  const checks = failing(all);
  const [first] = checks;
  const finding = first?.findings[0];
  if (first === undefined || finding === undefined || checks.length < 2 || !ABOUT_HOST.has(finding.rule)) return null;
  if (all.some(({ status }) => status === 'pass') && !DESPITE_PASSES.has(finding.rule)) return null;
  const problem = texts.finding(first.id, finding.rule)?.problem;
  const same = checks.every(
    ({ id, findings: [only, ...others] }) =>
      only?.rule === finding.rule && others.length === 0 && texts.finding(id, only.rule)?.problem === problem,
  );
  return same ? { id: first.id, finding } : null;
}
