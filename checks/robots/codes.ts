import type { Grade } from '../../src/check.ts';
import { UNJUDGED_CODES } from '../../src/expect/unjudged.ts';
import { UNSEEN_CODES } from '../../src/expect/unseen.ts';
import type { Reason } from '../../src/http/reasons.ts';

/** About the rules. */
const RULE_CODES = {
  'disallow-all': 'error',
  'preview-disallowed': 'info',
  'only-named': 'info',
  'llms-txt-blocked': 'error',
  'llms-txt-unread': 'warning',
  'engine-blocked': 'warning',
  'pages-blocked': 'warning',
  'agents-blocked': 'info',
  'bad-line': 'warning',
  'too-long': 'warning',
  'too-many-rules': 'info',
} as const satisfies Record<string, Grade>;

export type RuleCode = keyof typeof RULE_CODES;

/** About headers and `<meta>`. */
const INDEXING_CODES = {
  noindex: 'error',
  'preview-noindex': 'info',
  'noindex-agents': 'info',
  'pages-noindex': 'info',
} as const satisfies Record<string, Grade>;

export type IndexingCode = keyof typeof INDEXING_CODES;

/** Redirects that lead nowhere, after which crawlers take the file for missing. */
export const PASSED_ON = {
  'bad-redirect': 'warning',
  'redirect-loop': 'warning',
  'blocked-address': 'warning',
} as const satisfies Partial<Record<Reason, Grade>>;

export const CODES = {
  ...UNJUDGED_CODES,
  ...UNSEEN_CODES,
  ...PASSED_ON,
  'server-failure': 'error',
  'spa-fallback': 'warning',
  'fallback-by-design': 'info',
  html: 'warning',
  ...RULE_CODES,
  ...INDEXING_CODES,
} as const satisfies Record<string, Grade>;

export type Code = keyof typeof CODES;
