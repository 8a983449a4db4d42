import { fullCheck } from '../full-check.ts';

const RULES = {
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
  mixed: 'error',
  gone: 'warning',
  'other-folder': 'unknown',
  'empty-source': 'unknown',
  unread: 'unknown',
  unreadable: 'unknown',
  'no-source': 'skip',
} as const;

export type SourceRule = keyof typeof RULES | 'no-answer';

/** What is live is what the site is deployed from, byte for byte. */
export const source = fullCheck({
  id: 'source',
  role: 'source',
  target: '**',
  rules: RULES,
  freshness: ['not-live', 'stale', 'mixed', 'alternates', 'uncommitted', 'differs'],
  older: ['stale', 'mixed', 'uncommitted'],
  load: () => import('./evaluate.ts'),
});
