/** The findings of a report, those of one code and check together. Pure. */
import type { CheckResult, Finding, Role, Severity, Report } from '../check.ts';
import { REASONS } from '../http/reasons.ts';
import { reportWords } from '../generated/locales/report.ts';
import type { Texts } from '../texts.ts';
import { countStatuses } from './document.ts';
import { staleSentence } from './stale.ts';
import type { Messages } from '../locales/messages.ts';

/** Findings of one code of one check: their problem and fix are the same. At least one. */
export interface Group {
  readonly id: string;
  readonly role?: Role;
  readonly rule: string;
  readonly severity: Severity;
  /** Those that are reported. */
  readonly findings: readonly Finding[];
  /** How many there are in all, beyond those that are reported. */
  readonly count: number;
  /** The finding of another check that these are effects of. */
  readonly cause?: string;
}

/** The worst first: what failed, what could not be reported, what is worth a warning, what is good to know. */
const WEIGHT: Readonly<Record<Severity, number>> = { error: 0, unknown: 1, warning: 2, info: 3, skip: 4 };

/** The findings of a check by code, in the order of the evaluation but the worst first. */
export function groupsOf(check: Pick<CheckResult, 'id' | 'role' | 'findings' | 'omitted'>): readonly Group[] {
  const { id, role, omitted = {} } = check;
  const groups = Map.groupBy(check.findings, ({ rule, severity, cause = '' }) => `${severity}/${rule}/${cause}`);
  const worstFirst = [...groups.values()]
    .flatMap((findings) =>
      findings.slice(0, 1).map(({ rule, severity, cause }) => ({ rule, severity, cause, findings })),
    )
    .toSorted(byWeight);
  // Of a code that has several severities, what is not reported one by one counts with the gravest.
  const uncounted = new Map(Object.entries(omitted));
  return worstFirst.map(({ cause, ...group }) => {
    const count = group.findings.length + (uncounted.get(group.rule) ?? 0);
    uncounted.delete(group.rule);
    return { id, ...(role && { role }), ...group, ...(cause !== undefined && { cause }), count };
  });
}

/** The groups of all checks, the worst first. */
export function allGroupsOf(checks: readonly CheckResult[]): readonly Group[] {
  return checks.flatMap(groupsOf).toSorted(byWeight);
}

/** The effects of a finding that other checks have found. */
export function effectsOf(checks: readonly CheckResult[], id: string, rule: string): readonly Group[] {
  return allGroupsOf(checks).filter(({ cause }) => cause === `${id}/${rule}`);
}

/** What was found; a rule without texts by its name. */
export function problemOf(id: string, rule: string, texts: Texts): string {
  return texts.finding(id, rule)?.problem ?? rule;
}

/** The title of a check; its id where it has none. */
export function titleOf(id: string, texts: Texts): string {
  return texts.check(id)?.title ?? id;
}

/** How to fix what a group found: an effect is fixed with its cause. */
export function fixTextOf({ id, rule, cause }: Group, texts: Texts, messages: Pick<Messages, 'sameFix'>): string {
  return cause === undefined ? (texts.finding(id, rule)?.fix ?? '') : messages.sameFix(cause);
}

/** The word before a fix, or before advice where nothing is broken. */
export function adviceWord(
  severity: Severity,
  { texts, messages }: { readonly texts: Pick<Texts, 'language'>; readonly messages: Pick<Messages, 'fix'> },
): string {
  return severity === 'error' || severity === 'warning' ? messages.fix : reportWords(texts.language).advice;
}

function byWeight(one: Pick<Group, 'severity'>, other: Pick<Group, 'severity'>): number {
  return WEIGHT[one.severity] - WEIGHT[other.severity];
}

/** What goes with the verdict in one sentence: how many checks ended how; of an old site what is old. May name files of the site. */
export function summaryOf(report: Report, messages: Pick<Messages, 'summary' | 'waiting'>): string {
  const { verdict, checks, durationMs } = report;
  return staleSentence(report, messages) ?? messages.summary(verdict, countStatuses(checks), durationMs);
}

/** Rules that concern the host as a whole when every check reports them; others have facts of their own. */
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

/** Rules that may be the one cause although a check passed: a host with a fallback has a bundle at every address. */
const DESPITE_PASSES: ReadonlySet<string> = new Set(['wrong-base']);

/** The checks that one cause may be behind. */
export const failing = (checks: readonly CheckResult[]): readonly CheckResult[] =>
  checks.filter(({ status }) => status !== 'skip' && status !== 'pass');

/**
 * The one cause behind it all: the only finding of every check that was not skipped, in the same words for each.
 * `null` if none.
 */
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
