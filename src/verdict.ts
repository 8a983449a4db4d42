import type { Check, CheckResult, Finding, Report, Verdict } from './check.ts';

/** What the checks' outcomes say of the site. Under `strict` a warning degrades it, but never takes it down. */
export function verdictOf(
  results: readonly Pick<CheckResult, 'id' | 'status' | 'findings'>[],
  checks: readonly Pick<Check, 'id' | 'vital'>[],
  strict: boolean,
): Verdict {
  const vital = new Map(checks.map((check) => [check.id, check.vital]));
  const failed = results.filter(({ status }) => status === 'fail');
  if (failed.some(({ id, findings }) => takesDown(findings, vital.get(id)))) return 'down';
  if (failed.length > 0) return 'degraded';
  if (results.some(({ status }) => status === 'unknown')) return 'unknown';
  return strict && results.some(({ status }) => status === 'warn') ? 'degraded' : 'healthy';
}

function takesDown(findings: readonly Finding[], vital: Check['vital']): boolean {
  if (vital === undefined || vital === true) return vital === true;
  return findings.some(({ code, grade }) => grade === 'error' && vital.includes(code));
}

/** 0 healthy, 1 a check failed, 3 could not tell. (2 is for usage and configuration, which never make a report.) */
export function exitStatus(report: Pick<Report, 'verdict'>): 0 | 1 | 3 {
  if (report.verdict === 'healthy') return 0;
  return report.verdict === 'unknown' ? 3 : 1;
}
