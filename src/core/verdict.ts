import type { Check, CheckResult, Report, Status, Verdict } from './check.ts';
import type { Finding, Outcome, Severity, SeverityOrOutcome } from './finding.ts';

/** Whether a check failed; under `strict` also whether it warns. */
export function isFailed({ status }: Pick<CheckResult, 'status'>, { strict }: Pick<Report, 'strict'>): boolean {
  return status === 'fail' || (strict && status === 'warn');
}

/** Under `strict` a warning degrades a site, but never takes it down. */
export function verdictOf(
  results: readonly Pick<CheckResult, 'id' | 'status' | 'findings' | 'vital'>[],
  checks: readonly Pick<Check, 'id' | 'vital' | 'freshness' | 'older'>[],
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
  const isOlder = failed.some(({ id, findings }) => {
    const rules = declared.get(id)?.older;
    return rules !== undefined && errorsOf(findings).some(({ rule }) => rules.includes(rule));
  });
  if (failed.length > 0) return isOlder ? 'stale' : 'degraded';
  return isDegraded ? 'degraded' : 'healthy';
}

/** Whether the expected version is live. `muted`: checks whose rules for an old version the user turned off. */
export function freshnessOf(
  results: readonly Pick<CheckResult, 'id' | 'status' | 'findings'>[],
  checks: readonly Pick<Check, 'id' | 'freshness'>[],
  muted: ReadonlySet<string> = new Set(),
): boolean | null {
  const rules = new Map(checks.map(({ id, freshness }) => [id, freshness]));
  const reported = results.flatMap(({ id, status, findings }) => {
    const old = rules.get(id);
    if (old === undefined || status === 'skip') return [];
    // A version is old even where the user's rules only warn.
    if (findings.some(({ rule }) => old.includes(rule))) return [false];
    // Another failure means that not all was compared; a muted finding does not make a version new.
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

const SEVERITY_STATUS = { error: 'fail', warning: 'warn', info: 'pass' } as const satisfies Record<Severity, Status>;

export const isOutcome = (declared: SeverityOrOutcome): declared is Outcome =>
  declared === 'skip' || declared === 'unknown';

/** The status that a finding gives its check. */
export function statusBy({ severity }: Pick<Finding, 'severity'>): 'fail' | 'warn' | 'pass' | 'unknown' {
  return severity === null ? 'unknown' : SEVERITY_STATUS[severity];
}

/** The severity as programs read it: what could not be determined is not an error of the site. */
export const reportedSeverity = ({ severity }: Pick<Finding, 'severity'>): Severity => severity ?? 'warning';

const WORST_FIRST: readonly Finding['severity'][] = ['error', null, 'warning', 'info'];

/** Sorts findings, the worst first. */
export function bySeverity(one: Pick<Finding, 'severity'>, other: Pick<Finding, 'severity'>): number {
  return WORST_FIRST.indexOf(one.severity) - WORST_FIRST.indexOf(other.severity);
}

export const VERDICT_STATUS = {
  healthy: 'pass',
  degraded: 'fail',
  down: 'fail',
  stale: 'fail',
  unknown: 'unknown',
} as const satisfies Readonly<Record<Verdict, Status>>;
