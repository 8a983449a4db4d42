/** The findings of a report, those of one code and check together. Pure. */
import type { CheckResult, Finding, Grade } from '../check.ts';

/** Findings of one code of one check: their problem and fix are the same. At least one. */
export interface Group {
  readonly id: string;
  readonly code: string;
  readonly grade: Grade;
  /** Those that are told. */
  readonly findings: readonly Finding[];
  /** How many there are in all, beyond those that are told. */
  readonly count: number;
}

/** The worst first: what failed, what could not be told, what is worth a warning, what is good to know. */
const WEIGHT: Readonly<Record<Grade, number>> = { error: 0, unknown: 1, warning: 2, info: 3, skip: 4 };

/** The findings of a check by code, in the judge's order but the worst first. */
export function groupsOf({
  id,
  findings,
  omitted = {},
}: Pick<CheckResult, 'id' | 'findings' | 'omitted'>): readonly Group[] {
  const groups = Map.groupBy(findings, ({ code, grade }) => `${grade}/${code}`);
  const sorted = [...groups.values()]
    .flatMap((members) => members.slice(0, 1).map(({ code, grade }) => ({ id, code, grade, findings: members })))
    .toSorted(byWeight);
  return sorted.map((group, index) => {
    // Of a code that has several grades, what is not told one by one counts with the gravest.
    const isFirst = sorted.findIndex(({ code }) => code === group.code) === index;
    return { ...group, count: group.findings.length + (isFirst ? (omitted[group.code] ?? 0) : 0) };
  });
}

/** The groups of all checks, the worst first. */
export function allGroupsOf(checks: readonly CheckResult[]): readonly Group[] {
  return checks.flatMap(groupsOf).toSorted(byWeight);
}

function byWeight(one: Pick<Group, 'grade'>, other: Pick<Group, 'grade'>): number {
  return WEIGHT[one.grade] - WEIGHT[other.grade];
}
