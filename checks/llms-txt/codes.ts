import type { Grade } from '../../src/check.ts';
import { MISSPELLING_CODES } from '../../src/expect/misspelling.ts';

/** Codes of an index whose links are followed. */
export const FOLLOWED_CODES = {
  missing: 'error',
  ...MISSPELLING_CODES,
  'broken-page': 'error',
  'hash-route': 'warning',
  'heading-not-first': 'warning',
  'several-headings': 'warning',
  'no-summary': 'warning',
  'no-sections': 'warning',
  'unlisted-links': 'warning',
  'html-link': 'info',
} as const satisfies Record<string, Grade>;

export type FollowedCode = keyof typeof FOLLOWED_CODES | 'git-lfs-pointer' | 'merge-conflict';
