import { defineCheck, type CrawledPage, type Draft, type Gathered, type Grade } from '../../src/check.ts';
import type { Comparison } from './compare.ts';

const CODES = {
  'not-live': 'error',
  stale: 'error',
  mixed: 'error',
  alternates: 'error',
  differs: 'error',
  injected: 'warning',
  'injected-html': 'info',
  'line-endings': 'info',
  gone: 'warning',
  unreadable: 'unknown',
  'no-source': 'skip',
  'no-answer': 'skip',
} as const satisfies Record<string, Grade>;

export type SourceCode = keyof typeof CODES;

interface Compared extends Gathered {
  readonly comparisons: readonly Comparison[];
  /** Pages that are live and linked, but not in the source. */
  readonly gone: readonly CrawledPage[];
  /** Files that changed with those that are stale, and are live in their new version. */
  readonly renewed: readonly string[];
}

/** What was compared, or why nothing could be. */
export type GatheredSource = Compared | (Gathered & { readonly draft: Draft<SourceCode> });

/** What is live is what the site is deployed from, byte for byte. */
export const source = defineCheck<GatheredSource, SourceCode>({
  id: 'source',
  target: '**',
  full: true,
  codes: CODES,
  gather: async (site) => (await import('./gather.ts')).gather(site),
  judge: (gathered) => Promise.resolve('draft' in gathered ? [gathered.draft] : judge(gathered)),
});

function judge({ comparisons, gone, renewed }: Compared): readonly Draft<SourceCode>[] {
  const stale = comparisons.filter(({ difference: told }) => told === 'stale');
  return [
    ...(renewed.length === 0
      ? []
      : [{ code: 'mixed' as const, evidence: { old: stale.map(({ path }) => path), new: renewed } }]),
    ...comparisons.flatMap(({ path, difference: told, evidence, location }) =>
      told === 'same' || told === 'unknown'
        ? []
        : [{ code: told, evidence: { path, ...evidence }, ...(location === undefined ? {} : { location }) }],
    ),
    ...gone.map(({ path, places, count }) => ({
      code: 'gone' as const,
      evidence: { path, count },
      ...(places[0] === undefined ? {} : { location: places[0], places }),
    })),
  ];
}
