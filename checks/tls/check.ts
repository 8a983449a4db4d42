import { type Severity, defineCheck, type Check } from '../../src/check.ts';
import { NOT_EVALUATED_RULES, NOT_RECEIVED_RULES } from '../../src/expect/not-received.ts';
import type { TlsGathered } from './implementation.ts';

const RULES = {
  ...NOT_EVALUATED_RULES,
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
} as const satisfies Record<string, Severity>;

export type Rule = keyof typeof RULES;

/** Certificate, redirect from HTTP and HSTS. Chain, host name and dates are verified with every connection. */
export function tlsCheck(clock: () => Date): Check<TlsGathered, Rule> {
  return defineCheck<TlsGathered, Rule>({
    id: 'tls',
    role: 'certificate',
    target: 'index.html',
    full: true,
    rules: RULES,
    gather: async (site) => (await import('./implementation.ts')).gather(site, clock),
    evaluate: async (gathered) => (await import('./implementation.ts')).evaluate(gathered),
  });
}

export const tls = tlsCheck(() => new Date());
