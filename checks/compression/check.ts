import { defineCheck, type Severity } from '../../src/check.ts';
import { NOT_EVALUATED_RULES, NOT_RECEIVED_RULES } from '../../src/expect/not-received.ts';
import type { CompressionGathered } from './implementation.ts';

const RULES = {
  ...NOT_EVALUATED_RULES,
  ...NOT_RECEIVED_RULES,
  uncompressed: 'warning',
  'markdown-as-it-is': 'info',
  undecodable: 'error',
  'bytes-differ': 'error',
  'forced-encoding': 'error',
  'vary-accept-encoding': 'warning',
  recompressed: 'warning',
} as const satisfies Record<string, Severity>;

export type CompressionRule = keyof typeof RULES;

/** Text is compressed for those who can decode it, and is the same text then. */
export const compression = defineCheck<CompressionGathered, CompressionRule>({
  id: 'compression',
  target: '**',
  full: true,
  rules: RULES,
  gather: async (site) => (await import('./implementation.ts')).gather(site),
  evaluate: async (gathered) => (await import('./implementation.ts')).evaluate(gathered),
});
