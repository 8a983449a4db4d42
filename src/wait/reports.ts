/** What the reports of several runs come to. Pure. */
import type { Check, CheckResult, Report } from '../check.ts';
import { resultOf } from '../run.ts';
import { exitStatus } from '../verdict.ts';

/** Healthy, and not known to be old. */
export function isGreen(report: Report): boolean {
  return exitStatus(report) === 0 && report.fresh !== false;
}

/** What passed so far, but not yet repeatedly. */
export function unproven(report: Report): Report {
  return report.verdict === 'healthy' ? { ...report, verdict: 'unknown' } : report;
}

/**
 * A report about all the checks that are wanted: those that its run left out are reported as in a run that was stopped.
 * What was not checked does not count as healthy, so that such a report says neither healthy nor stale.
 */
export function completed(report: Report, checks: readonly Check[], base: URL): Report {
  const had = new Map(report.checks.map((result) => [result.id, result]));
  if (checks.every(({ id }) => had.has(id))) return report;
  const verdict = report.verdict === 'healthy' || report.verdict === 'stale' ? 'unknown' : report.verdict;
  return { ...report, verdict, checks: checks.map((check) => had.get(check.id) ?? unknownResult(check, base)) };
}

function unknownResult(check: Check, base: URL): CheckResult {
  const nothing = { gathered: { answer: null }, findings: [{ rule: 'interrupted' }], base, durationMs: 0 };
  return resultOf(check, nothing, { rules: new Map() });
}

const isBad = ({ status }: CheckResult): boolean => status === 'fail' || status === 'unknown';

/** The checks that failed or could not be completed. */
export function unwellIn({ checks }: Report): readonly string[] {
  return checks.filter(isBad).map(({ id }) => id);
}

/** Whether no failure is known: the site is healthy as far as it was checked, or unknown. */
export function saysNothing({ verdict }: Report): boolean {
  return verdict === 'healthy' || verdict === 'unknown';
}

/** A run that was good, of a site that did not stay so: with what the last run found that was not good. */
export function unsteady(report: Report, trouble: Report | null): Report {
  if (trouble === null) return { ...report, verdict: 'unknown' };
  const bad = new Map(trouble.checks.filter(isBad).map((result) => [result.id, result]));
  const { verdict, fresh } = trouble;
  return { ...report, verdict, fresh, checks: report.checks.map((result) => bad.get(result.id) ?? result) };
}
