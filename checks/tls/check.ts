import { defineCheck, type Check } from '../../src/check.ts';
import { RULES, type Rule } from './rules.ts';
import type { TlsGathered } from './implementation.ts';

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
