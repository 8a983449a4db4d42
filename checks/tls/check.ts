import { NOT_RECEIVED_RULES } from '../../src/expect/not-received.ts';
import { fullCheck } from '../full-check.ts';

const RULES = {
  ...NOT_RECEIVED_RULES,
  // As the transport itself names faults of a certificate or a handshake.
  'tls-expired': 'error',
  'tls-hostname': 'error',
  'tls-untrusted': 'error',
  'tls-protocol': 'error',
  'tls-timeout': 'error',
  'plain-http': 'skip',
  'no-https': 'warning',
  'expires-soon': 'warning',
  'short-lived': 'info',
  'no-https-redirect': 'warning',
  'no-hsts': 'info',
} as const;

export type Rule = keyof typeof RULES | 'no-answer';

/** Certificate, redirect from HTTP and HSTS. Chain, host name and dates are verified with every connection. */
export const tls = fullCheck({
  id: 'tls',
  role: 'certificate',
  target: 'index.html',
  rules: RULES,
  load: () => import('./evaluate.ts'),
});
