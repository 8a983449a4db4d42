/** What the reports of several rounds come to. Pure. */
import type { CheckResult, Report } from '../check.ts';
import { exitStatus } from '../verdict.ts';

/** Healthy, and not known to be old. */
export function isGreen(report: Report): boolean {
  return exitStatus(report) === 0 && report.fresh !== false;
}

/** What is well so far, and was not seen to stay so. */
export function unproven(report: Report): Report {
  return report.verdict === 'healthy' ? { ...report, verdict: 'unknown' } : report;
}

const isBad = ({ status }: CheckResult): boolean => status === 'fail' || status === 'unknown';

/** The checks that are not well, or could not tell. */
export function unwellIn({ checks }: Report): readonly string[] {
  return checks.filter(isBad).map(({ id }) => id);
}

/** Whether nothing is known against the site: it is well as far as it was seen, or nobody knows. */
export function saysNothing({ verdict }: Report): boolean {
  return verdict === 'healthy' || verdict === 'unknown';
}

/** A round that was good, of a site that did not stay so: with what the last round found that was not good. */
export function unsteady(report: Report, trouble: Report | null): Report {
  if (trouble === null) return { ...report, verdict: 'unknown' };
  const bad = new Map(trouble.checks.filter(isBad).map((result) => [result.id, result]));
  const { verdict, fresh } = trouble;
  return { ...report, verdict, fresh, checks: report.checks.map((result) => bad.get(result.id) ?? result) };
}
