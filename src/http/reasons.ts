import type { Severity } from '../core/finding.ts';

/** Why a request ended without a usable response. `unknown`: caused by this machine or its network, not by the site. */
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
} as const satisfies Record<string, Severity>;

export type Reason = keyof typeof REASONS;
