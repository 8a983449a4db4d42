import { NOT_RECEIVED_RULES } from '../../src/expect/not-received.ts';
import { fullCheck } from '../full-check.ts';

const CACHING_RULES = {
  ...NOT_RECEIVED_RULES,
  'bundle-cached': 'error',
  'bundle-briefly-cached': 'warning',
  'bundle-shared-cached': 'warning',
  'bundle-undeclared': 'warning',
  'bundle-directives': 'info',
  'config-cached': 'warning',
  'worker-cached': 'warning',
  'pages-cached': 'warning',
  'assets-not-cached': 'warning',
  'assets-directives': 'warning',
  contradictory: 'warning',
  'no-validators': 'warning',
  'not-revalidated': 'warning',
  'etag-unstable': 'warning',
  'heuristic-lifetime': 'info',
} as const;

export type CachingRule = keyof typeof CACHING_RULES | 'no-answer';

/** The caching headers of the site's files (RFC 9111), and whether caches can validate them (RFC 9110). */
export const caching = fullCheck({
  id: 'caching',
  target: '**',
  rules: CACHING_RULES,
  load: () => import('./evaluate.ts'),
});
