/** Finds which pages are versions of one another: by path, and where files are named in each language by their place. Pure. */
import type { CrawledPage } from '../../src/check.ts';
import { isSimilar, skeletonKey } from './skeleton.ts';

/** Most files that link to one page and are checked: the navigation comes first. */
const MOST_HOLDERS = 20;

/** The pages of one language, by path below its folder. */
export type Pages = ReadonlyMap<string, CrawledPage>;

export interface Pairing {
  /** The original's path below its folder → the translation's. */
  readonly pairs: ReadonlyMap<string, string>;
  /** What is left on either side, in order. */
  readonly originals: readonly string[];
  readonly translations: readonly string[];
}

/**
 * Pairs the pages of two languages. What has the same path belongs together. The others are paired by the order of the
 * links in files that belong together, the navigations first: between two pages that are paired, as many links on the
 * one side as on the other lead to pages that are versions of one another.
 */
export function pairPages(original: Pages, translation: Pages, holders: ReadonlyMap<string, string>): Pairing {
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
function pairByOrder(
  original: Pages,
  translation: Pages,
  holders: ReadonlyMap<string, string>,
  pairs: Map<string, string>,
): void {
  const [here, there] = [linksByHolder(original), linksByHolder(translation)];
  const keyOf = { here: keysOf(original), there: keysOf(translation) };
  const taken = new Set(pairs.values());
  const pathsOf = ([path, other]: readonly [string, string]): readonly [string, string] => [
    original.get(path)?.path ?? '',
    translation.get(other)?.path ?? '',
  ];
  const open = [...holders, ...[...pairs].map(pathsOf)];
  for (let next = 0; next < open.length; next++) {
    const [holder, other] = open[next] ?? ['', ''];
    const stretches = between(here.get(holder) ?? [], there.get(other) ?? [], pairs, taken);
    for (const [path, match] of stretches.flatMap(([left, right]) => matched(left, right, keyOf))) {
      if (pairs.has(path) || taken.has(match)) continue;
      if (!isSimilar(original.get(path)?.facts ?? null, translation.get(match)?.facts ?? null)) continue;
      pairs.set(path, match);
      taken.add(match);
      open.push(pathsOf([path, match]));
    }
  }
}

/** The pages that each file links to, in the order of the links, each once; by the file's whole path. */
function linksByHolder(pages: Pages): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, { path: string; line: number; column: number }[]>();
  for (const [path, page] of pages) {
    const observed = new Set<string>();
    for (const { path: holder, line, column } of page.locations) {
      if (observed.has(holder)) continue;
      if (observed.size === MOST_HOLDERS) break;
      observed.add(holder);
      const links = found.get(holder) ?? [];
      links.push({ path, line, column });
      found.set(holder, links);
    }
  }
  return new Map(
    [...found].map(([holder, links]) => {
      const ordered = links.toSorted((a, b) => a.line - b.line || a.column - b.column);
      return [holder, ordered.map(({ path }) => path)];
    }),
  );
}

/** What stands between pages that are paired already, on both sides. */
function between(
  here: readonly string[],
  there: readonly string[],
  pairs: ReadonlyMap<string, string>,
  taken: ReadonlySet<string>,
): readonly (readonly [here: readonly string[], there: readonly string[]])[] {
  const locations = new Map(there.map((path, at) => [path, at]));
  const found: (readonly [readonly string[], readonly string[]])[] = [];
  let [from, fromThere] = [0, 0];
  const close = (to: number, toThere: number): void => {
    const left = here.slice(from, to).filter((path) => !pairs.has(path));
    const right = there.slice(fromThere, toThere).filter((path) => !taken.has(path));
    if (left.length > 0 && right.length > 0) found.push([left, right]);
  };
  for (const [at, path] of here.entries()) {
    const match = locations.get(pairs.get(path) ?? '');
    // What was moved about is no landmark.
    if (match === undefined || match < fromThere) continue;
    close(at, match);
    [from, fromThere] = [at + 1, match + 1];
  }
  close(here.length, there.length);
  return found;
}

/**
 * Pairs pages of one stretch: those that stand at the same place and are made alike, then those that alone are made so,
 * then, where equally many are left, by their order. `keyOf`: how a page is made; `null`: not known.
 */
function matched(
  here: readonly string[],
  there: readonly string[],
  keyOf: { readonly here: KeyOf; readonly there: KeyOf },
): readonly (readonly [string, string])[] {
  const alike = here.flatMap((path, at): (readonly [string, string])[] => {
    const other = there[at];
    if (here.length !== there.length || other === undefined) return [];
    const key = keyOf.here(path);
    return key !== null && key === keyOf.there(other) ? [[path, other]] : [];
  });
  const servedInstead = new Set(alike.flat());
  const [left, right] = [here, there].map((paths) => paths.filter((path) => !servedInstead.has(path)));
  const byKey = new Map(Map.groupBy(right ?? [], keyOf.there));
  const single = [...Map.groupBy(left ?? [], keyOf.here)].flatMap(
    ([key, [path, ...more]]): (readonly [string, string])[] => {
      const [other, ...others] = byKey.get(key) ?? [];
      const sure = key !== null && path !== undefined && other !== undefined && more.length + others.length === 0;
      return sure ? [[path, other]] : [];
    },
  );
  const [singleHere, singleThere] = [new Set(single.map(([path]) => path)), new Set(single.map(([, other]) => other))];
  const rest = (left ?? []).filter((path) => !singleHere.has(path));
  const restThere = (right ?? []).filter((path) => !singleThere.has(path));
  const inOrder = rest.length === restThere.length ? rest.map((path, at) => [path, restThere[at] ?? ''] as const) : [];
  return [...alike, ...single, ...inOrder];
}

type KeyOf = (path: string) => string | null;

function keysOf(pages: Pages): KeyOf {
  return (path) => {
    const facts = pages.get(path)?.facts ?? null;
    return facts === null ? null : skeletonKey(facts);
  };
}
