import type { Grade } from '../../src/check.ts';
import { UNJUDGED_CODES } from '../../src/expect/unjudged.ts';
import { UNSEEN_CODES } from '../../src/expect/unseen.ts';
import type { Reason } from '../../src/http/reasons.ts';

/** What the transport itself says of a certificate or a handshake. */
export const TLS_REASONS = {
  'tls-expired': 'error',
  'tls-hostname': 'error',
  'tls-untrusted': 'error',
  'tls-protocol': 'error',
  'tls-timeout': 'error',
} as const satisfies Partial<Record<Reason, Grade>>;

export const CODES = {
  ...UNJUDGED_CODES,
  ...UNSEEN_CODES,
  ...TLS_REASONS,
  'plain-http': 'skip',
  'no-https': 'warning',
  'expires-soon': 'warning',
  'short-lived': 'info',
  'no-https-redirect': 'warning',
  'no-hsts': 'info',
} as const satisfies Record<string, Grade>;

export type Code = keyof typeof CODES;
