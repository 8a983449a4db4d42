import type { Severity } from '../../src/check.ts';
import { MISSPELLING_RULES } from '../../src/expect/misspelling.ts';

/** Codes of an index whose links are followed. */
export const FOLLOWED_RULES = {
  missing: 'error',
  ...MISSPELLING_RULES,
  'broken-page': 'error',
  'hash-route': 'warning',
  'heading-not-first': 'warning',
  'several-headings': 'warning',
  'no-summary': 'warning',
  'no-sections': 'warning',
  'unlisted-links': 'warning',
  'html-link': 'info',
} as const satisfies Record<string, Severity>;

export type FollowedRule = keyof typeof FOLLOWED_RULES | 'git-lfs-pointer' | 'merge-conflict';
