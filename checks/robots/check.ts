import { defineCheck } from '../../src/check.ts';
import { RULES, type Rule } from './rules.ts';
import type { RobotsGathered } from './implementation.ts';

/** robots.txt (RFC 9309) and what headers and the bundle tell search engines: neither may shut the site by mistake. */
export const robots = defineCheck<RobotsGathered, Rule>({
  id: 'robots',
  target: 'robots.txt',
  full: true,
  rules: RULES,
  gather: async (site) => (await import('./implementation.ts')).gather(site),
  evaluate: async (gathered) => (await import('./implementation.ts')).evaluate(gathered),
});
