import type { Check, CheckResult, Report, Verdict } from './check.ts';

/** What the checks' outcomes say of the site. Under `strict` a warning degrades it, but never takes it down. */
export function verdictOf(
  results: readonly Pick<CheckResult, 'id' | 'status'>[],
  checks: readonly Pick<Check, 'id' | 'vital'>[],
  strict: boolean,
): Verdict {
  const vital = new Set(checks.filter((check) => check.vital).map(({ id }) => id));
  const failed = results.filter(({ status }) => status === 'fail');
  if (failed.some(({ id }) => vital.has(id))) return 'down';
  if (failed.length > 0) return 'degraded';
  if (results.some(({ status }) => status === 'unknown')) return 'unknown';
  return strict && results.some(({ status }) => status === 'warn') ? 'degraded' : 'healthy';
}

/** 0 healthy, 1 a check failed, 3 could not tell. (2 is for usage and configuration, which never make a report.) */
export function exitStatus(report: Pick<Report, 'verdict'>): 0 | 1 | 3 {
  if (report.verdict === 'healthy') return 0;
  return report.verdict === 'unknown' ? 3 : 1;
}
