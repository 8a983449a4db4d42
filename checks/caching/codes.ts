import type { Grade } from '../../src/check.ts';
import { UNJUDGED_CODES } from '../../src/expect/unjudged.ts';
import { UNSEEN_CODES } from '../../src/expect/unseen.ts';

export const CACHING_CODES = {
  ...UNJUDGED_CODES,
  ...UNSEEN_CODES,
  'bundle-cached': 'error',
  'bundle-briefly-cached': 'warning',
  'bundle-shared-cached': 'warning',
  'bundle-undeclared': 'warning',
  'bundle-other-words': 'info',
  'config-cached': 'warning',
  'pages-cached': 'warning',
  'assets-not-cached': 'warning',
  'assets-other-words': 'warning',
  contradictory: 'warning',
  'no-validators': 'warning',
  'not-revalidated': 'warning',
  'etag-unstable': 'warning',
  'left-to-caches': 'info',
  'set-by-host': 'info',
} as const satisfies Record<string, Grade>;

export type CachingCode = keyof typeof CACHING_CODES;
