import type { Severity } from '../../src/check.ts';
import { NOT_EVALUATED_RULES, NOT_RECEIVED_RULES } from '../../src/expect/not-received.ts';
import type { Reason } from '../../src/http/reasons.ts';

/** What the transport itself says of a certificate or a handshake. */
export const TLS_REASONS = {
  'tls-expired': 'error',
  'tls-hostname': 'error',
  'tls-untrusted': 'error',
  'tls-protocol': 'error',
  'tls-timeout': 'error',
} as const satisfies Partial<Record<Reason, Severity>>;

export const RULES = {
  ...NOT_EVALUATED_RULES,
  ...NOT_RECEIVED_RULES,
  ...TLS_REASONS,
  'plain-http': 'skip',
  'no-https': 'warning',
  'expires-soon': 'warning',
  'short-lived': 'info',
  'no-https-redirect': 'warning',
  'no-hsts': 'info',
} as const satisfies Record<string, Severity>;

export type Rule = keyof typeof RULES;
