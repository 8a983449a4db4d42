import { defineCheck } from '../../src/check.ts';
import { CODES, type Code } from './codes.ts';
import type { RobotsGathered } from './work.ts';

/** robots.txt (RFC 9309) and what headers and the bundle tell search engines: neither may shut the site by mistake. */
export const robots = defineCheck<RobotsGathered, Code>({
  id: 'robots',
  target: 'robots.txt',
  full: true,
  codes: CODES,
  gather: async (site) => (await import('./work.ts')).gather(site),
  judge: async (gathered) => (await import('./work.ts')).judge(gathered),
});
