/** What of the comparisons is told, and what they come to. Pure. */
import { isDemanded } from '../../src/source/deployable.ts';
import type { Comparison, Difference } from './compare.ts';

/** What tools leave beside the pages need not be deployed; where it is, it has to be the same. */
export function isReported({ path, difference }: Comparison): boolean {
  if (difference === 'same') return false;
  return isDemanded(path) || !ABSENT.has(difference);
}

const ABSENT: ReadonlySet<Difference> = new Set<Difference>(['not-live', 'forbidden', 'not-compared']);

/** What says that the deploy is not the source. */
export const WRONG: ReadonlySet<Difference> = new Set<Difference>([
  'stale',
  'uncommitted',
  'differs',
  'alternates',
  'lfs-pointer',
  'not-live',
  'forbidden',
]);

/**
 * An old deploy whose text was only shortened since looks as if something had been added to it. What is really put in on
 * the way is put into more than one file, or is markup.
 */
export function believable(comparisons: readonly Comparison[]): readonly Comparison[] {
  const times = Map.groupBy(comparisons, ({ added }) => added?.trim() ?? '');
  return comparisons.map((one) => {
    if (one.added === undefined) return one;
    const repeated = (times.get(one.added.trim())?.length ?? 0) > 1;
    return repeated || isMarkup(one.added) ? one : { ...one, difference: 'differs' };
  });
}

/** Whether a text is markup, as what is put in on the way mostly is. */
export function isMarkup(added: string): boolean {
  // What comes just before a tag shares the tag's `<` with it.
  return MARKUP.test(`<${added}`);
}

const MARKUP =
  /<(?:script|style|link|iframe|noscript|img|p|div|span|a|section|aside|footer|header|button)\b|<!--|email-protection/i;

/** The verdict in a word; none where not everything could be asked for. */
export function wordFor(
  comparisons: readonly Comparison[],
  isMixed: boolean,
): { readonly source?: 'fresh' | 'stale' | 'mixed' } {
  if (isMixed || comparisons.some(({ difference }) => difference === 'alternates')) return { source: 'mixed' };
  if (comparisons.some(({ difference }) => WRONG.has(difference))) return { source: 'stale' };
  return comparisons.some(({ difference }) => difference === 'not-compared') ? {} : { source: 'fresh' };
}
