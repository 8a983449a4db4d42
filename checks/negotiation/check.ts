import { defineCheck } from '../../src/check.ts';
import { RULES, type Rule } from './rules.ts';
import type { Negotiation } from './implementation.ts';

/** Content negotiation: page paths give agents the page's own Markdown, and everybody else HTML. */
export const negotiation = defineCheck<Negotiation, Rule>({
  id: 'negotiation',
  target: '**/',
  full: true,
  rules: RULES,
  gather: async (site) => (await import('./implementation.ts')).gather(site),
  evaluate: async (gathered) => (await import('./implementation.ts')).evaluate(gathered),
});
