import { defineCheck } from '../../src/check.ts';
import { CACHING_RULES, type CachingRule } from './rules.ts';
import type { CachingGathered } from './implementation.ts';

/** What caches are told of the site's files (RFC 9111), and whether they can ask if a file has changed (RFC 9110). */
export const caching = defineCheck<CachingGathered, CachingRule>({
  id: 'caching',
  target: '**',
  full: true,
  rules: CACHING_RULES,
  gather: async (site) => (await import('./implementation.ts')).gather(site),
  evaluate: async (gathered) => (await import('./implementation.ts')).evaluate(gathered),
});
