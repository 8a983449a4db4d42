import { defineCheck } from '../../src/check.ts';
import { CODES, type Code } from './codes.ts';
import type { Negotiation } from './work.ts';

/** Content negotiation: page paths give agents the page's own Markdown, and everybody else HTML. */
export const negotiation = defineCheck<Negotiation, Code>({
  id: 'negotiation',
  target: '**/',
  full: true,
  codes: CODES,
  gather: async (site) => (await import('./work.ts')).gather(site),
  judge: async (gathered) => (await import('./work.ts')).judge(gathered),
});
