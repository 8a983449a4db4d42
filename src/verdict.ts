import type { Check, CheckResult, Finding, Report, Severity, Status, Verdict } from './check.ts';

/** Whether a check is a fault of the run: one that failed, under `strict` one that warns as well. */
export function isFailed({ status }: Pick<CheckResult, 'status'>, { strict }: Pick<Report, 'strict'>): boolean {
  return status === 'fail' || (strict && status === 'warn');
}

/** What the checks' outcomes say of the site. Under `strict` a warning degrades it, but never takes it down. */
export function verdictOf(
  results: readonly Pick<CheckResult, 'id' | 'status' | 'findings' | 'vital'>[],
  checks: readonly Pick<Check, 'id' | 'vital' | 'freshness'>[],
  strict: boolean,
): Verdict {
  const declared = new Map(checks.map((check) => [check.id, check]));
  const failed = results.filter(({ status }) => status === 'fail');
  const isDown = failed.some(({ id, findings, vital }) => {
    const own = declared.get(id)?.vital;
    return vital !== false && takesDown(findings, vital === true ? (own ?? true) : own);
  });
  if (isDown) return 'down';
  const isDegraded = strict && results.some(({ status }) => status === 'warn');
  const isOnlyOld = failed.every(({ id, findings }) => {
    const rules = declared.get(id)?.freshness;
    return rules !== undefined && errorsOf(findings).every(({ rule }) => rules.includes(rule));
  });
  if (failed.length > 0 && (isDegraded || !isOnlyOld)) return 'degraded';
  // A stale site has no other fault, and that has to be known.
  if (results.some(({ status }) => status === 'unknown')) return 'unknown';
  if (failed.length > 0) return 'stale';
  return isDegraded ? 'degraded' : 'healthy';
}

/**
 * Whether the version that was expected is live, as the checks that know it say: `false` when one of them says that it
 * is not, `null` when unknown. `muted`: checks of which the user's rules left out a code for an old version.
 */
export function freshnessOf(
  results: readonly Pick<CheckResult, 'id' | 'status' | 'findings'>[],
  checks: readonly Pick<Check, 'id' | 'freshness'>[],
  muted: ReadonlySet<string> = new Set(),
): boolean | null {
  const rules = new Map(checks.map(({ id, freshness }) => [id, freshness]));
  const reported = results.flatMap(({ id, status, findings }) => {
    const old = rules.get(id);
    if (old === undefined || status === 'skip') return [];
    // What the user's rules made a warning is old all the same.
    if (findings.some(({ rule }) => old.includes(rule))) return [false];
    // What failed in another way was not compared whole; and a muted finding does not make a version new.
    if (muted.has(id)) return [];
    return status === 'unknown' || status === 'fail' ? [] : [true];
  });
  if (reported.includes(false)) return false;
  return reported.length > 0 ? true : null;
}

function takesDown(findings: readonly Finding[], vital: Check['vital']): boolean {
  if (vital === undefined || vital === true) return vital === true;
  return errorsOf(findings).some(({ rule }) => vital.includes(rule));
}

const errorsOf = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ severity }) => severity === 'error');

/** 0 healthy, 1 a check failed, 3 could not be determined. (2 is for usage and configuration, which never make a report.) */
export function exitStatus(report: Pick<Report, 'verdict'>): 0 | 1 | 3 {
  if (report.verdict === 'healthy') return 0;
  return report.verdict === 'unknown' ? 3 : 1;
}

/** The status whose colour a severity has. */
export const SEVERITY_STATUS = {
  error: 'fail',
  info: 'pass',
  warning: 'warn',
  skip: 'skip',
  unknown: 'unknown',
} as const satisfies Readonly<Record<Severity, Status>>;

/** The status whose colour a verdict has. */
export const VERDICT_STATUS = {
  healthy: 'pass',
  degraded: 'fail',
  down: 'fail',
  stale: 'fail',
  unknown: 'unknown',
} as const satisfies Readonly<Record<Verdict, Status>>;
