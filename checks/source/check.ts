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

export interface Compared extends Gathered {
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
  gather: async (site) => (await import('./work.ts')).gather(site),
  judge: async (gathered) => (await import('./work.ts')).judge(gathered),
});
