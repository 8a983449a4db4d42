import { fullCheck } from '../full-check.ts';
import { NOT_RECEIVED_RULES } from '../../src/expect/not-received.ts';

const RULES = {
  ...NOT_RECEIVED_RULES,
  // Redirects that lead nowhere, after which crawlers take the file for missing.
  'bad-redirect': 'warning',
  'redirect-loop': 'warning',
  'blocked-address': 'warning',
  'server-failure': 'error',
  'spa-fallback': 'warning',
  'fallback-by-design': 'info',
  html: 'warning',
  'disallow-all': 'error',
  'preview-disallowed': 'info',
  'only-named-agents': 'info',
  'llms-txt-blocked': 'error',
  'llms-txt-agents-blocked': 'warning',
  'engine-blocked': 'warning',
  'pages-blocked': 'warning',
  'agents-blocked-by-host': 'warning',
  'agents-blocked': 'info',
  'bad-line': 'warning',
  'too-long': 'warning',
  'too-many-rules': 'info',
  noindex: 'error',
  'preview-noindex': 'info',
  'noindex-agents': 'info',
  'pages-noindex': 'info',
} as const;

export type Rule = keyof typeof RULES | 'no-answer';

/** robots.txt (RFC 9309) and the directives of headers and bundle for search engines: none may exclude the site by mistake. */
export const robots = fullCheck({
  id: 'robots',
  target: 'robots.txt',
  rules: RULES,
  load: () => import('./evaluate.ts'),
});
