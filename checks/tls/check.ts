import { defineCheck, type Check } from '../../src/check.ts';
import { CODES, type Code } from './codes.ts';
import type { TlsGathered } from './work.ts';

/** Certificate, redirect from HTTP and HSTS. Chain, host name and dates are verified with every connection. */
export function tlsCheck(clock: () => Date): Check<TlsGathered, Code> {
  return defineCheck<TlsGathered, Code>({
    id: 'tls',
    target: 'index.html',
    full: true,
    codes: CODES,
    gather: async (site) => (await import('./work.ts')).gather(site, clock),
    judge: async (gathered) => (await import('./work.ts')).judge(gathered),
  });
}

export const tls = tlsCheck(() => new Date());
