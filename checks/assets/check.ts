import { defineCheck } from '../../src/check.ts';
import { RULES, VITAL, type Rule } from './rules.ts';
import type { GatheredAssets } from './implementation.ts';

/** What the bundle loads, and the files that the configuration names: there, of the right type, allowed to the page. */
export const assets = defineCheck<GatheredAssets, Rule>({
  id: 'assets',
  target: '**/*.{js,css,svg}',
  full: true,
  rules: RULES,
  vital: VITAL,
  gather: async (site) => (await import('./implementation.ts')).gather(site),
  evaluate: async (gathered) => (await import('./implementation.ts')).evaluate(gathered),
});
