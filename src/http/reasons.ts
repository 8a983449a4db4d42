import type { SeverityOrOutcome } from '../core/finding.ts';

/** Why a request ended without a usable response. The severity is that of its rules; `unknown`: caused by this machine or its network. */
export const REASONS = {
  'dns-not-found': 'error',
  'dns-temporary': 'error',
  'dns-timeout': 'error',
  refused: 'error',
  unreachable: 'error',
  'connect-timeout': 'error',
  'tls-expired': 'error',
  'tls-hostname': 'error',
  'tls-untrusted': 'error',
  'tls-protocol': 'error',
  'tls-timeout': 'error',
  reset: 'error',
  'headers-timeout': 'error',
  'headers-too-large': 'error',
  'body-timeout': 'error',
  'too-large': 'error',
  truncated: 'error',
  'bad-encoding': 'error',
  'bad-framing': 'error',
  'bad-redirect': 'error',
  'redirect-loop': 'error',
  'blocked-address': 'error',
  'proxy-failed': 'unknown',
  'no-network': 'unknown',
  'out-of-descriptors': 'unknown',
  interrupted: 'unknown',
} as const satisfies Record<string, SeverityOrOutcome>;

/** Why a request ended without a usable response. */
export type Reason = keyof typeof REASONS;

/** Whether a status may change by itself: errors of servers, 408 (RFC 9110), 425 (RFC 8470) and 429 (RFC 6585). */
export function isTemporary(status: number): boolean {
  return status >= 500 || [408, 425, 429].includes(status);
}
