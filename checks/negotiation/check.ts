import { fullCheck } from '../full-check.ts';

const RULES = {
  'not-negotiated': 'error',
  // The platform's own order, whatever its rules say: reported with a workaround, not as a fault of the deployment.
  'filesystem-first': 'warning',
  'wrong-markdown': 'error',
  'converted-html': 'warning',
  'wrong-type': 'warning',
  'html-not-served': 'error',
  'root-missing': 'error',
  'base-without-slash': 'warning',
  'q-values-ignored': 'warning',
  'vary-missing': 'warning',
  'cache-mixes-variants': 'error',
  'head-differs': 'warning',
  'md-path-changed': 'error',
  'plain-server': 'skip',
  'not-offered': 'info',
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
