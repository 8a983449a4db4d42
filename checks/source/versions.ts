/** Tells whether all that is live can be of one commit. Pure. */
import type { History } from '../../src/source/types.ts';
import type { Comparison } from './compare.ts';

/** Commits that are tried: deploys lie close behind one another. */
const MOST_COMMITS = 50;

/** Two versions that are live at once. */
export interface Mixture {
  readonly old: readonly string[];
  /** Files of a later version than the old ones; empty where the old ones are of versions of their own. */
  readonly new: readonly string[];
}

/**
 * Whether there is a commit that every file could be of, so that the site is old, but whole; else which files do not go
 * together. `null`: nothing is mixed.
 */
export function mixture(comparisons: readonly Comparison[], history: History): Mixture | null {
  const stale = comparisons.filter(({ version, difference }) => version !== undefined && difference === 'stale');
  if (stale.length === 0) return null;
  const newest = Math.max(...stale.map(({ version }) => version?.newest ?? 0));
  const oldest = Math.min(...stale.map(({ version }) => version?.oldest ?? 0));
  const old = stale.map(({ path }) => path);
  if (newest > oldest) return { old, new: [] };
  const fresh = comparisons.filter(({ difference }) => ALIVE.has(difference)).map(({ path }) => path);
  const changing = new Set(history.paths());
  let fewest: readonly string[] | null = null;
  for (let commit = newest; commit <= Math.min(oldest, newest + MOST_COMMITS); commit++) {
    // Files that this commit had in another version, or not at all, are newer than it.
    const newer = fresh.filter(
      (path) => changing.has(path) && history.objectAt(path, commit) !== history.objectAt(path, 0),
    );
    if (newer.length === 0) return null;
    if (fewest === null || newer.length < fewest.length) fewest = newer;
  }
  return { old, new: fewest ?? [] };
}

const ALIVE: ReadonlySet<string> = new Set(['same', 'line-endings', 'injected', 'injected-html']);
