import { defineCheck } from '../../src/check.ts';
import { CODES, VITAL, type Code } from './codes.ts';
import type { GatheredAssets } from './work.ts';

/** What the bundle loads, and the files that the configuration names: there, of the right type, allowed to the page. */
export const assets = defineCheck<GatheredAssets, Code>({
  id: 'assets',
  target: '**/*.{js,css,svg}',
  full: true,
  codes: CODES,
  vital: VITAL,
  gather: async (site) => (await import('./work.ts')).gather(site),
  judge: async (gathered) => (await import('./work.ts')).judge(gathered),
});
