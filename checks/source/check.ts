import { defineCheck, type CrawledPage, type Draft, type Gathered, type Grade } from '../../src/check.ts';
import type { Comparison } from './compare.ts';
import type { Mixture } from './versions.ts';

const CODES = {
  'not-live': 'error',
  stale: 'error',
  mixed: 'error',
  alternates: 'error',
  uncommitted: 'error',
  differs: 'error',
  'lfs-pointer': 'error',
  forbidden: 'error',
  injected: 'warning',
  'injected-html': 'info',
  'line-endings': 'info',
  gone: 'warning',
  'not-compared': 'unknown',
  'other-folder': 'unknown',
  'empty-source': 'unknown',
  unreadable: 'unknown',
  'no-source': 'skip',
  'no-answer': 'skip',
} as const satisfies Record<string, Grade>;

export type SourceCode = keyof typeof CODES;

interface Compared extends Gathered {
  /** What is not the same. */
  readonly comparisons: readonly Comparison[];
  /** Pages that are live and linked, but not in the source. */
  readonly gone: readonly CrawledPage[];
  readonly mixed: Mixture | null;
  /** The history is not there whole: an earlier version may not be known. */
  readonly isShallow: boolean;
}

/** What was compared, or why nothing could be. */
export type GatheredSource = Compared | (Gathered & { readonly draft: Draft<SourceCode> });

/** What is live is what the site is deployed from, byte for byte. */
export const source = defineCheck<GatheredSource, SourceCode>({
  id: 'source',
  target: '**',
  full: true,
  codes: CODES,
  freshness: ['not-live', 'stale', 'mixed', 'alternates', 'uncommitted', 'differs'],
  gather: async (site) => (await import('./gather.ts')).gather(site),
  judge: (gathered) => Promise.resolve('draft' in gathered ? [gathered.draft] : judge(gathered)),
});

function judge({ comparisons, gone, mixed, isShallow }: Compared): readonly Draft<SourceCode>[] {
  return [
    ...(mixed === null ? [] : [{ code: 'mixed' as const, evidence: { old: mixed.old, new: mixed.new } }]),
    // What is mixed is told once, with its files.
    ...comparisons
      .filter(({ difference }) => mixed === null || difference !== 'stale')
      .flatMap((one) => draftOf(one, isShallow)),
    ...gone.map(({ path, places, count }) => ({
      code: 'gone' as const,
      evidence: { path, count },
      ...(places[0] === undefined ? {} : { location: places[0], places }),
    })),
  ];
}

function draftOf(
  { path, difference, evidence, location, version }: Comparison,
  isShallow: boolean,
): Draft<SourceCode>[] {
  if (difference === 'same') return [];
  const facts = {
    path,
    ...evidence,
    ...(version === undefined ? {} : { commit: version.commit, newerVersions: version.newerVersions }),
    ...(difference === 'differs' && isShallow ? { shallow: true } : {}),
  };
  return [{ code: difference, evidence: facts, ...(location === undefined ? {} : { location }) }];
}
