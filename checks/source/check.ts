import type { CrawledFile, RawFinding, Gathered, Severity } from '../../src/check.ts';
import { fullCheck } from '../shared.ts';
import type { Comparison, Mixture } from './compare.ts';

const DIFFERENCES = {
  'not-live': 'error',
  stale: 'error',
  alternates: 'error',
  uncommitted: 'error',
  differs: 'error',
  'lfs-pointer': 'error',
  forbidden: 'error',
  injected: 'warning',
  'injected-html': 'info',
  'line-endings': 'info',
  'not-compared': 'unknown',
} as const satisfies Record<string, Severity>;

/** How a file that is live differs from the source. */
export type Difference = keyof typeof DIFFERENCES | 'same';

const RULES = {
  ...DIFFERENCES,
  mixed: 'error',
  gone: 'warning',
  'other-folder': 'unknown',
  'empty-source': 'unknown',
  unreadable: 'unknown',
  'no-source': 'skip',
  'no-answer': 'skip',
} as const satisfies Record<string, Severity>;

export type SourceRule = keyof typeof RULES;

export interface Compared extends Gathered {
  readonly comparisons: readonly Comparison[];
  /** Pages that are live and linked, but not in the source. */
  readonly gone: readonly CrawledFile[];
  readonly mixed: Mixture | null;
  readonly isShallow: boolean;
}

export type GatheredSource = Compared | (Gathered & { readonly finding: RawFinding<SourceRule> });

/** What is live is what the site is deployed from, byte for byte. */
export const source = fullCheck({
  id: 'source',
  role: 'source',
  target: '**',
  rules: RULES,
  freshness: ['not-live', 'stale', 'mixed', 'alternates', 'uncommitted', 'differs'],
  load: () => import('./gather.ts'),
});
