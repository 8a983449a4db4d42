import { fullCheck } from '../shared.ts';
import { NOT_EVALUATED_RULES } from '../../src/expect/not-received.ts';
import { causeOf } from './causes.ts';

const RULES = {
  ...NOT_EVALUATED_RULES,
  'no-browser': 'skip',
  blank: 'error',
  'route-not-found': 'error',
  'wrong-page': 'error',
  'navigation-missing': 'error',
  'console-error': 'warning',
  'uncaught-exception': 'warning',
  'request-failed': 'warning',
  'external-request-failed': 'warning',
  'mixed-content': 'warning',
  'csp-blocked': 'warning',
  slow: 'warning',
  'layout-broken': 'warning',
  'not-accessible': 'warning',
  'not-opened': 'unknown',
  'browser-failed': 'unknown',
  interrupted: 'unknown',
} as const;

export type RenderedRule = keyof typeof RULES;

/** Pages as a real browser shows them. */
export const rendered = fullCheck({
  id: 'rendered',
  target: '<pages>',
  role: 'browser',
  rules: RULES,
  vital: ['blank'],
  causeOf,
  load: () => import('./implementation.ts'),
});
