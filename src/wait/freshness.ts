/** What the report of one run says of what is waited for. Pure. */
import type { Check, CheckResult, FreshBy, Report, Role, RunRequest } from '../check.ts';

/** What freshness is known by, and the check that knows it. */
export interface Criterion {
  readonly by: FreshBy;
  readonly role: Role;
  /** The check's codes for what is not the version that was expected. */
  readonly freshness: readonly string[];
}

/** What of the given wants is waited for, in the order in which it counts. */
export function criteriaOf(
  checks: readonly Check[],
  { source = null, expected = null }: Partial<RunRequest>,
  sinceNow: boolean,
): readonly Criterion[] {
  const given: readonly { readonly by: FreshBy; readonly role: Role; readonly is: boolean }[] = [
    { by: 'source', role: 'source', is: source !== null },
    { by: 'version', role: 'version', is: expected !== null && expected.version !== null },
    { by: 'since', role: 'version', is: sinceNow || (expected !== null && expected.since !== null) },
  ];
  return given.flatMap(({ by, role, is }) => {
    const check = checks.find((one) => one.role === role);
    return is && check !== undefined ? [{ by, role, freshness: check.freshness ?? [] }] : [];
  });
}

/** Whether any of what is waited for is new; without anything to wait for, whether the site serves anything well. */
export function isNew({ checks, fresh }: Report, criteria: readonly Criterion[]): boolean {
  if (criteria.length === 0) return checks.some(isHealthy);
  return withCriteria(checks, criteria).some(([result, criterion]) => {
    if (isPartlyNew(result)) return true;
    // Files that are the same in both versions are as the source has them, too.
    return isHealthy(result) && !isStale(result, criterion) && (result.role !== 'source' || fresh !== false);
  });
}

/** Whether the version that was named, or another bundle, is live; the source is left out. */
export function isVersionNew({ checks }: Report, criteria: readonly Criterion[]): boolean {
  return withCriteria(checks, criteria).some(
    ([result, criterion]) => result.role !== 'source' && isHealthy(result) && !isStale(result, criterion),
  );
}

/** Whether it is known that another version is live, by its name or its bundle. */
export function isVersionStale({ checks }: Report, criteria: readonly Criterion[]): boolean {
  return withCriteria(checks, criteria).some(
    ([result, criterion]) => result.role !== 'source' && isStale(result, criterion),
  );
}

/**
 * How many files of the source were compared and found new, where none of them need have changed with the new version,
 * and nothing else tells of it; 0: it is known that the new version is live, or that it is not.
 */
export function doubtfulFiles(report: Report, criteria: readonly Criterion[]): number {
  if (report.fresh !== true || isVersionNew(report, criteria)) return 0;
  const facts = withCriteria(report.checks, criteria).find(([{ role }]) => role === 'source')?.[0].facts ?? {};
  return facts['sampled'] === true && facts['telling'] !== true ? Number(facts['files']) : 0;
}

/** A file of the source that is live in another version, or not at all. */
interface StaleFile {
  readonly path: string;
  readonly isMissing: boolean;
  readonly isLarge: boolean;
}

/** Larger files are asked for after others: nobody wants to load them every few seconds. In bytes. */
const LARGE = 256 * 1024;

/** The files of the source that are live in another version: those that are there first, small ones before large ones. */
export function staleFiles({ checks }: Report): readonly StaleFile[] {
  const files = checks
    .filter(({ role }) => role === 'source')
    .flatMap(({ findings }) => findings)
    .filter(({ severity }) => severity === 'error')
    .flatMap(({ rule, evidence }) => {
      const isLarge = Number(evidence['sourceBytes'] ?? 0) > LARGE;
      const paths = [evidence['path'], evidence['old']].flat().filter((path) => typeof path === 'string');
      return paths.map((path) => ({ path, isMissing: rule === 'not-live', isLarge }));
    });
  const unique = new Map(files.map((file) => [file.path, file]));
  return [...unique.values()].toSorted((a, b) => weight(a) - weight(b));
}

function weight({ isMissing, isLarge }: StaleFile): number {
  return (isMissing ? 2 : 0) + (isLarge ? 1 : 0);
}

function withCriteria(
  checks: readonly CheckResult[],
  criteria: readonly Criterion[],
): readonly (readonly [CheckResult, Criterion])[] {
  return checks.flatMap((result) => {
    const criterion = criteria.find(({ role }) => role === result.role);
    return criterion === undefined ? [] : [[result, criterion] as const];
  });
}

const isHealthy = ({ status }: CheckResult): boolean => status === 'pass' || status === 'warn';

/** Whatever the user's rules made of it. */
const isStale = ({ findings }: CheckResult, { freshness }: Criterion): boolean =>
  findings.some(({ rule }) => freshness.includes(rule));

/** Two versions at once: files of both, or places that do not tell the same one. */
const isPartlyNew = ({ facts, findings }: CheckResult): boolean =>
  facts?.['source'] === 'mixed' || findings.some(({ evidence }) => typeof evidence['expectedAt'] === 'string');
