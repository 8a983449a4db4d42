import { fullCheck } from '../full-check.ts';

const RULES = {
  'not-negotiated': 'error',
  'assets-first': 'error',
  // The platform's own order, whatever its rules say: reported with a workaround, not as a fault of the deployment.
  'filesystem-first': 'warning',
  'slash-dropped': 'warning',
  'wrong-markdown': 'error',
  'markdown-differs': 'error',
  'converted-html': 'warning',
  'wrong-type': 'warning',
  'html-not-served': 'error',
  'root-missing': 'error',
  'no-html': 'info',
  'list-ignored': 'error',
  'q-values-ignored': 'warning',
  'vary-missing': 'warning',
  'cache-mixes-variants': 'error',
  'etag-crosses': 'error',
  'head-differs': 'warning',
  'md-path-changed': 'error',
  'md-path-html': 'warning',
  'query-not-negotiated': 'error',
  'slash-not-negotiated': 'error',
  'base-without-slash': 'warning',
  'plain-server': 'skip',
  'not-offered': 'skip',
  'no-pages': 'skip',
} as const;

export type Rule = keyof typeof RULES | 'no-answer';

/** Content negotiation: page paths give agents the page's own Markdown, and everybody else HTML. */
export const negotiation = fullCheck({
  id: 'negotiation',
  target: '**/',
  rules: RULES,
  load: () => import('./evaluate.ts'),
});
