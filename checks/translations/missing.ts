/** Tells which pages of the original a language lacks, where files may have other names in each language. Pure. */
import type { Location } from '../../src/check.ts';
import { MOST_LOCATIONS } from '../../src/site/link.ts';
import type { Pages } from './pairing.ts';
import { isSimilar } from './skeleton.ts';

export interface MissingPages {
  /** How many are missing for certain. */
  readonly count: number;
  /** Those that are, by the paths where they would be; more than `count` where it cannot be determined which of them. */
  readonly paths: readonly string[];
  /** Their originals: the first hundred. */
  readonly locations: readonly Location[];
  /** How many pages the original has. */
  readonly of: number;
}

interface Sides {
  readonly originals: Pages;
  readonly translations: Pages;
  /** Pages of the translation that are not known to be versions of any. */
  readonly left: readonly string[];
  /** The folders of both languages. */
  readonly from: string;
  readonly to: string;
}

/**
 * `gone`: originals without a page of the same path. A page of the translation that belongs to none of the others, in
 * the same folder or in one that only the translation has, may be the version of one of them.
 */
export function missingAmong(gone: readonly string[], sides: Sides): MissingPages | null {
  const { originals, translations, left, from, to } = sides;
  const folders = new Set([...originals.keys()].map(folderOf));
  const strangers = left.filter((path) => !folders.has(folderOf(path))).length;
  const groups = [...Map.groupBy(gone, folderOf)].map(([folder, paths]) => {
    const factsOf = (path: string) => originals.get(path)?.facts ?? null;
    const candidates = left.filter(
      (path) =>
        folderOf(path) === folder &&
        paths.some((original) => isSimilar(factsOf(original), translations.get(path)?.facts ?? null)),
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
