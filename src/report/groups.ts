/** The findings of a report, grouped by check and rule. Pure. */
import type { CheckResult, Role } from '../core/check.ts';
import type { Finding } from '../core/finding.ts';
import { bySeverity, reportedSeverity } from '../core/verdict.ts';
import { REASONS } from '../http/reasons.ts';
import { reportWords } from '../generated/locales/report.ts';
import type { Texts } from './texts.ts';
import type { ReportOptions } from './formats.ts';

/** Findings of one rule of one check: their problem and fix are the same. At least one. */
export interface Group {
  readonly id: string;
  readonly role?: Role | undefined;
  readonly rule: string;
  readonly severity: Finding['severity'];
  readonly findings: readonly Finding[];
  /** With those that are only counted. */
  readonly count: number;
  /** The finding of another check that explains these. */
  readonly cause?: string | undefined;
}

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const;

/** The level of annotations and SARIF (section 3.27.10). */
export const levelOf = (finding: Pick<Finding, 'severity'>): (typeof LEVELS)[keyof typeof LEVELS] =>
  LEVELS[reportedSeverity(finding)];

/** The findings of a check by rule, the worst first. */
export function groupsOf(check: Pick<CheckResult, 'id' | 'role' | 'findings' | 'omitted'>): readonly Group[] {
  const { id, role, omitted = {} } = check;
  const groups = Map.groupBy(check.findings, ({ rule, severity, cause = '' }) => `${severity}/${rule}/${cause}`);
  const worstFirst = [...groups.values()]
    .flatMap((findings) =>
      findings.slice(0, 1).map(({ rule, severity, cause }) => ({ rule, severity, cause, findings })),
    )
    .toSorted(bySeverity);
  // Of a rule with several severities, uncounted findings count with the worst.
  const uncounted = new Map(Object.entries(omitted));
  return worstFirst.map((group) => {
    const count = group.findings.length + (uncounted.get(group.rule) ?? 0);
    uncounted.delete(group.rule);
    return { id, role, ...group, count };
  });
}

export function allGroupsOf(checks: readonly CheckResult[]): readonly Group[] {
  return checks.flatMap(groupsOf).toSorted(bySeverity);
}

/** By the name of their cause: `<check id>/<rule>`. */
export function effectsIn(checks: readonly CheckResult[]): ReadonlyMap<string | undefined, readonly Group[]> {
  return Map.groupBy(allGroupsOf(checks), ({ cause }) => cause);
}

export function causesOf(groups: readonly Group[]): readonly string[] {
  return [...new Set(groups.flatMap(({ cause = [] }) => cause))];
}

/** ` ×3`; empty for one or none. */
export const timesText = (count = 1): string => (count > 1 ? ` ×${count}` : '');

/** The word before a fix, or before advice where nothing is broken. */
export function adviceWord(severity: Finding['severity'], { texts, messages }: ReportOptions): string {
  return severity === 'error' || severity === 'warning' ? messages.fix : reportWords(texts.language).advice;
}

/** Rules that concern the host as a whole when every check reports them. */
const ABOUT_HOST: ReadonlySet<string> = new Set([
  ...Object.keys(REASONS),
  ...'redirected not-found forbidden rate-limited server-error status wrong-base'.split(' '),
]);

/** A host with a fallback returns the bundle at every address, so that some checks pass. */
const DESPITE_PASSES: ReadonlySet<string> = new Set(['wrong-base']);

export const failing = (checks: readonly CheckResult[]): readonly CheckResult[] =>
  checks.filter(({ status }) => status !== 'skip' && status !== 'pass');

/** The one cause of all failures: the only finding of every check that did not pass, in the same words for each. */
export function sharedCause(all: readonly CheckResult[], texts: Texts): Group | null {
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
  return same ? { id: first.id, rule: finding.rule, severity: finding.severity, findings: [finding], count: 1 } : null;
}
