import { defineCheck } from '../../src/check.ts';
import { LINKS_RULES, type LinksRule } from './rules.ts';
import type { LinksGathered } from './implementation.ts';

/** Every page and file that the site's own links lead to. */
export const links = defineCheck<LinksGathered, LinksRule>({
  id: 'links',
  target: '**/*.md',
  full: true,
  rules: LINKS_RULES,
  gather: async (site) => (await import('./implementation.ts')).gather(site),
  evaluate: async (gathered, limits) => (await import('./implementation.ts')).evaluate(gathered, limits),
});
