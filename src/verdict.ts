import type { CheckResult, Report, Verdict } from './check.ts';

/** The checks without which visitors see a blank page. */
const VITAL: ReadonlySet<string> = new Set(['bundle', 'config']);

/** What the checks' outcomes say of the site. Under `strict` a warning degrades it, but never takes it down. */
export function verdictOf(checks: readonly Pick<CheckResult, 'id' | 'status'>[], strict: boolean): Verdict {
  const failed = checks.filter(({ status }) => status === 'fail');
  if (failed.some(({ id }) => VITAL.has(id))) return 'down';
  if (failed.length > 0) return 'degraded';
  if (checks.some(({ status }) => status === 'unknown')) return 'unknown';
  return strict && checks.some(({ status }) => status === 'warn') ? 'degraded' : 'healthy';
}

/** 0 healthy, 1 a check failed, 3 could not tell. (2 is for usage and configuration, which never make a report.) */
export function exitStatus(report: Pick<Report, 'verdict'>): 0 | 1 | 3 {
  if (report.verdict === 'healthy') return 0;
  return report.verdict === 'unknown' ? 3 : 1;
}
