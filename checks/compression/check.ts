import { defineCheck, type Grade } from '../../src/check.ts';
import { UNJUDGED_CODES } from '../../src/expect/unjudged.ts';
import { UNSEEN_CODES } from '../../src/expect/unseen.ts';
import type { CompressionGathered } from './work.ts';

const CODES = {
  ...UNJUDGED_CODES,
  ...UNSEEN_CODES,
  uncompressed: 'warning',
  'markdown-as-it-is': 'info',
  undecodable: 'error',
  'bytes-differ': 'error',
  'forced-encoding': 'error',
  'vary-accept-encoding': 'warning',
  recompressed: 'warning',
} as const satisfies Record<string, Grade>;

export type CompressionCode = keyof typeof CODES;

/** Text is compressed for those who can decode it, and is the same text then. */
export const compression = defineCheck<CompressionGathered, CompressionCode>({
  id: 'compression',
  target: '**',
  full: true,
  codes: CODES,
  gather: async (site) => (await import('./work.ts')).gather(site),
  judge: async (gathered) => (await import('./work.ts')).judge(gathered),
});
