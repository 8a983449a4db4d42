import type { Severity } from '../../src/check.ts';

/** How a file that is live differs from the source. */
export const DIFFERENCES = {
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
