import { defineCheck } from '../../src/check.ts';
import { LINKS_CODES, type LinksCode } from './codes.ts';
import type { LinksGathered } from './work.ts';

/** Every page and file that the site's own links lead to. */
export const links = defineCheck<LinksGathered, LinksCode>({
  id: 'links',
  target: '**/*.md',
  full: true,
  codes: LINKS_CODES,
  gather: async (site) => (await import('./work.ts')).gather(site),
  judge: async (gathered, limits) => (await import('./work.ts')).judge(gathered, limits),
});
