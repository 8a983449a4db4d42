/** What several checks of the whole site have in common. */
import type { Check, DeclaredCheck } from '../src/core/check.ts';
import type { CrawledFile, LinkedFrom } from '../src/crawl/frontier.ts';
import type { Evidence, Reply } from '../src/core/answer.ts';
import type { Gathered } from '../src/core/gathered.ts';
import type { RawFinding } from '../src/core/finding.ts';
import type { Site } from '../src/site/types.ts';
import { defineCheck } from '../src/core/define-check.ts';

/** Declares a check that runs under `--full` only; its code is loaded when it runs. */
export function fullCheck<G extends Gathered, Rule extends string>({
  load,
  rules,
  ...declared
}: Omit<DeclaredCheck<G, Rule>, 'gather' | 'evaluate' | 'full'> & {
  readonly load: () => Promise<Pick<DeclaredCheck<G, Rule | 'no-answer'>, 'gather' | 'evaluate'>>;
}): Check<G, Rule | 'no-answer'> {
  return defineCheck<G, Rule | 'no-answer'>({
    ...declared,
    full: true,
    // Another check reports why the site did not answer.
    rules: { 'no-answer': 'skip', ...rules },
    gather: async (site) => (await load()).gather(site),
    evaluate: async (gathered, limits) => (await load()).evaluate(gathered, limits),
  });
}

/** The pooled requests of a site, counted. */
export function countingRequests(site: Site) {
  let sent = 0;
  const get: Site['pooled'] = (request) => {
    sent++;
    return site.pooled(request);
  };
  return { get, sent: () => sent };
}

/** A finding about a target, with the links that lead to it. */
export function linkedFinding<Rule extends string>(rule: Rule, evidence: Evidence, { locations, count }: LinkedFrom) {
  return { rule, evidence: { ...evidence, count }, ...locatedAtAll(locations) };
}

/** The same about a file that is wrong in itself: in the line of its text where that is known. */
export function brokenFinding<Rule extends string>(rule: Rule, evidence: Evidence, file: CrawledFile) {
  const { path, count, locations } = file;
  const { line } = evidence;
  const at = typeof line === 'number' ? { location: { path, line, column: 1 } } : locatedAtAll(locations);
  return { rule, evidence: { target: path, ...evidence, count }, ...at };
}

/** Evidence of a missing target. `source`: the paths of the site's source; absent: not known. `command`: renames a file to it. */
export function missingEvidence(file: CrawledFile, source?: ReadonlySet<string>, command?: string) {
  const { path, status, mediaType, diagnosis } = file;
  return {
    target: path,
    ...(diagnosis && { suggestion: diagnosis.suggestion, diagnosis: diagnosis.rule }),
    ...(command !== undefined && { command }),
    ...(source?.has(path) === true && { inSource: true }),
    status,
    mediaType,
  };
}

/** Where a finding is that concerns several locations. */
export function locatedAtAll(locations: LinkedFrom['locations']): Pick<RawFinding, 'location' | 'locations'> {
  const [location] = locations;
  return location === undefined ? {} : { location, locations };
}

/** Whether a `Vary` header names a request header (RFC 9110, section 12.5.5). */
export function variesBy(vary: string | null, header: string): boolean {
  const names = new Set((vary ?? '').split(',').map((name) => name.trim().toLowerCase()));
  return names.has('*') || names.has(header);
}

/** The headers that a reply has, of those that are named, as evidence. */
export function headersIn(headers: Reply['headers'], named: Readonly<Record<string, string>>): Evidence {
  const values = Object.entries(named).map(([field, name]) => [field, headers.get(name)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== null));
}

/** Most files or paths that one finding names. */
export const MOST_SHOWN = 20;

/** How many there are, where not all are shown. */
export function countOf({ length }: readonly unknown[]): { readonly count?: number } {
  return length > MOST_SHOWN ? { count: length } : {};
}

/** One finding for all files with a fault; `evidenceOf` gets the first of them. */
export function aboutFiles<Rule extends string, F>(
  rule: Rule,
  files: readonly F[],
  evidenceOf: (files: readonly F[]) => Evidence,
): readonly RawFinding<Rule>[] {
  if (files.length === 0) return [];
  return [{ rule, evidence: { ...evidenceOf(files.slice(0, MOST_SHOWN)), ...countOf(files) } }];
}

export function firstOfEach<T>(items: readonly T[], codeOf: (item: T) => string, most: number) {
  const all = Map.groupBy(items, codeOf);
  const counts = new Map<string, number>();
  return items.flatMap((item): readonly { readonly item: T; readonly omitted?: number }[] => {
    const code = codeOf(item);
    const number = (counts.get(code) ?? 0) + 1;
    counts.set(code, number);
    if (number > most) return [];
    const omitted = (all.get(code)?.length ?? 0) - most;
    return number === most && omitted > 0 ? [{ item, omitted }] : [{ item }];
  });
}

/** The last of a rule has the number of those that were left out. */
export function firstFindings<D extends RawFinding>(findings: readonly D[], most: number): readonly D[] {
  return firstOfEach(findings, ({ rule }) => rule, most).map(({ item, omitted }) =>
    omitted === undefined ? item : { ...item, omitted },
  );
}

export function pathsOf(files: readonly { readonly path: string }[]): Evidence {
  return { paths: files.map(({ path }) => path) };
}

/** The paths of files, those with the same facts together. */
export function groupedByFacts<F extends { readonly path: string }>(
  files: readonly F[],
  factsOf: (file: F) => Evidence,
  more: (group: readonly F[]) => Evidence = () => ({}),
): readonly Evidence[] {
  const groups = [...Map.groupBy(files, (file) => JSON.stringify(factsOf(file)))];
  return groups.map(([facts, group]) => ({ ...(JSON.parse(facts) as Evidence), ...more(group), ...pathsOf(group) }));
}

/** The first URLs of each extension that a pattern finds. */
export function someOfEach(urls: readonly URL[], extension: RegExp, most: (extension: string) => number) {
  const byExtension = Map.groupBy(urls, ({ pathname }) => extension.exec(pathname)?.[0] ?? '');
  byExtension.delete('');
  return [...byExtension].map(([found, group]) => group.slice(0, most(found)));
}

/** The words of a name: `x-gitSHA_id` → x, git, sha, id. */
export function wordsOf(name: string): readonly string[] {
  return name
    .slice(0, 200)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

/** So many of a list, from its beginning to its end. */
export function spread<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, index) => all[Math.floor((index * all.length) / most)] as T);
}
