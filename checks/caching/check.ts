import { defineCheck } from '../../src/check.ts';
import { CACHING_CODES, type CachingCode } from './codes.ts';
import type { CachingGathered } from './work.ts';

/** What caches are told of the site's files (RFC 9111), and whether they can ask if a file has changed (RFC 9110). */
export const caching = defineCheck<CachingGathered, CachingCode>({
  id: 'caching',
  target: '**',
  full: true,
  codes: CACHING_CODES,
  gather: async (site) => (await import('./work.ts')).gather(site),
  judge: async (gathered) => (await import('./work.ts')).judge(gathered),
});
