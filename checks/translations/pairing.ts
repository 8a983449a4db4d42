import type { CrawledFile, Evidence } from '../../src/check.ts';
import { MOST_LOCATIONS } from '../../src/engines/link.ts';
import { firstDifference } from '../../src/parse/first-difference.ts';
import type { MarkdownFacts } from '../../src/parse/markdown.ts';

/** Most files that link to one page and are checked: the navigation comes first. */
const MOST_HOLDERS = 20;

export type Pages = ReadonlyMap<string, CrawledFile>;

/** A path of the original, and one of the translation. */
type Pair = readonly [string, string];
type Names = ReadonlyMap<string, string>;

/**
 * Pairs the pages of two languages. What has the same path belongs together. The others are paired by the order of the
 * links in files that belong together, the navigations first: between two pages that are paired, as many links on the
 * one side as on the other lead to pages that are versions of one another.
 */
export function pairPages(original: Pages, translation: Pages, holders: Names) {
  const pairs = new Map<string, string>();
  const byName = new Map([...translation.keys()].map((path) => [path.normalize('NFC'), path]));
  for (const path of original.keys()) {
    const same = byName.get(path.normalize('NFC'));
    if (same !== undefined) pairs.set(path, same);
  }
  if (pairs.size < Math.min(original.size, translation.size)) pairByOrder(original, translation, holders, pairs);
  const taken = new Set(pairs.values());
  return {
    pairs,
    originals: [...original.keys()].filter((path) => !pairs.has(path)),
    translations: [...translation.keys()].filter((path) => !taken.has(path)),
  };
}

/** `holders`: files that belong together, by their whole paths. */
function pairByOrder(original: Pages, translation: Pages, holders: Names, pairs: Map<string, string>): void {
  const [here, there] = [linksByHolder(original), linksByHolder(translation)];
  const taken = new Set(pairs.values());
  const holdersOf = ([path, other]: Pair): Pair => [original.get(path)?.path ?? '', translation.get(other)?.path ?? ''];
  const open = [...holders, ...[...pairs].map(holdersOf)];
  for (const [holder, other] of open) {
    const stretches = between([here.get(holder) ?? [], there.get(other) ?? []], pairs, taken);
    for (const [path, match] of stretches.flatMap((stretch) => matched(stretch, original, translation))) {
      if (pairs.has(path) || taken.has(match)) continue;
      if (!isSimilar(factsIn(original, path), factsIn(translation, match))) continue;
      pairs.set(path, match);
      taken.add(match);
      open.push(holdersOf([path, match]));
    }
  }
}

/** The pages that each file links to, in the order of the links, each once; by the file's whole path. */
function linksByHolder(pages: Pages): ReadonlyMap<string, readonly string[]> {
  const links = [...pages].flatMap(([path, { locations }]) =>
    [...Map.groupBy(locations, (location) => location.path)]
      .slice(0, MOST_HOLDERS)
      .flatMap(([holder, [first]]) => (first === undefined ? [] : [{ ...first, holder, path }])),
  );
  const ordered = links.toSorted((a, b) => a.line - b.line || a.column - b.column);
  const byHolder = Map.groupBy(ordered, ({ holder }) => holder);
  return new Map([...byHolder].map(([holder, all]) => [holder, all.map(({ path }) => path)]));
}

/** The links of two files, between pages that are paired already. */
type Stretch = readonly [here: readonly string[], there: readonly string[]];

function between([here, there]: Stretch, pairs: Names, taken: ReadonlySet<string>): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let [from, fromThere] = [0, 0];
  // The end is a landmark, too; moved pages are none.
  for (const [at, path] of [...here, null].entries()) {
    const match = path === null ? there.length : there.indexOf(pairs.get(path) ?? '', fromThere);
    if (match === -1) continue;
    stretches.push([
      here.slice(from, at).filter((one) => !pairs.has(one)),
      there.slice(fromThere, match).filter((one) => !taken.has(one)),
    ]);
    [from, fromThere] = [at + 1, match + 1];
  }
  return stretches;
}

/** Pairs pages of one stretch that alone have their structure; then, where equally many are left, by their order. */
function matched([here, there]: Stretch, original: Pages, translation: Pages): readonly Pair[] {
  const byKey = Map.groupBy(there, (path) => keyOf(translation, path));
  const single = [...Map.groupBy(here, (path) => keyOf(original, path))].flatMap(([key, [path, ...more]]): Pair[] => {
    const [other, ...others] = byKey.get(key) ?? [];
    const isSure = key !== null && path !== undefined && other !== undefined && more.length + others.length === 0;
    return isSure ? [[path, other]] : [];
  });
  const known = new Set(single.flat());
  const [rest, restThere] = [here.filter((path) => !known.has(path)), there.filter((path) => !known.has(path))];
  if (rest.length !== restThere.length) return single;
  return [...single, ...rest.map((path, at): Pair => [path, restThere[at] ?? ''])];
}

const factsIn = (pages: Pages, path: string) => pages.get(path)?.facts ?? null;

/** How a page is made; `null`: not known. */
function keyOf(pages: Pages, path: string): string | null {
  const facts = factsIn(pages, path);
  return facts === null ? null : skeletonKey(facts);
}

interface Sides {
  readonly originals: Pages;
  readonly translations: Pages;
  /** Pages of the translation that are not known to be versions of any. */
  readonly left: readonly string[];
  readonly from: string;
  readonly to: string;
}

/** `gone`: originals without a page of the same path; pages in `left` may be versions of them under another name. */
export function missingAmong(gone: readonly string[], sides: Sides) {
  const { originals, translations, left, from, to } = sides;
  const folders = new Set([...originals.keys()].map(folderOf));
  const strangers = left.filter((path) => !folders.has(folderOf(path))).length;
  const groups = [...Map.groupBy(gone, folderOf)].map(([folder, paths]) => {
    const candidates = left.filter(
      (path) =>
        folderOf(path) === folder &&
        paths.some((original) => isSimilar(factsIn(originals, original), factsIn(translations, path))),
    );
    return { paths, count: Math.max(0, paths.length - candidates.length) };
  });
  const count = groups.reduce((sum, group) => sum + group.count, 0) - strangers;
  if (count <= 0) return null;
  const named = groups.flatMap((group) => (group.count > 0 ? group.paths : []));
  return {
    count,
    paths: named.map((path) => to + path),
    locations: named.slice(0, MOST_LOCATIONS).map((path) => ({ path: from + path, line: 1, column: 1 })),
    of: originals.size,
  };
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** What of a page is the same in every language. */
type Skeleton = Pick<MarkdownFacts, 'headings' | 'code' | 'tables'>;

/** How a translation's skeleton first differs, headings first: a missing section takes its code and tables with it. */
export function driftOf(original: Skeleton, translation: Skeleton) {
  const counts: Evidence = {
    headings: [original.headings.length, translation.headings.length],
    code: [original.code.length, translation.code.length],
    tables: [original.tables.length, translation.tables.length],
  };
  const [ofOriginal, ofTranslation] = [partsOf(original), partsOf(translation)];
  for (const rule of ['headings-drifted', 'code-drifted', 'tables-drifted'] as const) {
    const [here, there] = [ofOriginal[rule], ofTranslation[rule]];
    const at = firstDifference(here.map(keyOfPart), there.map(keyOfPart));
    if (at === null) continue;
    const evidence = { expected: here[at]?.key ?? null, found: there[at]?.key ?? null, ...counts };
    return { rule, line: lineAt(there, at), originalLine: lineAt(here, at), evidence };
  }
  return null;
}

/** By the rule for a translation whose parts differ. */
const partsOf = ({ headings, code, tables }: Skeleton) => ({
  'headings-drifted': headings.map(({ depth, line }) => ({ line, key: '#'.repeat(depth) })),
  'code-drifted': code.map(({ language, line }) => ({ line, key: language?.toLowerCase() ?? 'code' })),
  'tables-drifted': tables.map(({ columns, rows, line }) => ({ line, key: `${columns}×${rows}` })),
});

/** The whole skeleton as one word: the same for pages that have not drifted. */
export function skeletonKey(skeleton: Skeleton): string {
  return Object.values(partsOf(skeleton))
    .map((parts) => parts.map(keyOfPart).join(' '))
    .join('|');
}

/** Whether two pages may be versions of one: neither has more than twice as many headings as the other. */
export function isSimilar(one: Skeleton | null, other: Skeleton | null): boolean {
  if (one === null || other === null) return true;
  const [fewer = 0, more = 0] = [one.headings.length, other.headings.length].toSorted((a, b) => a - b);
  return more <= 2 * fewer + 1;
}

type Part = ReturnType<typeof partsOf>['code-drifted'][number];

const keyOfPart = ({ key }: Part): string => key;

const lineAt = (parts: readonly Part[], at: number): number => (parts[at] ?? parts.at(-1))?.line ?? 1;
