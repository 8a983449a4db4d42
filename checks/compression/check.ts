import { fullCheck } from '../full-check.ts';
import { NOT_RECEIVED_RULES } from '../../src/expect/not-received.ts';

const RULES = {
  ...NOT_RECEIVED_RULES,
  uncompressed: 'warning',
  'markdown-uncompressed': 'info',
  undecodable: 'error',
  'bytes-differ': 'error',
  'forced-encoding': 'error',
  'vary-accept-encoding': 'warning',
  recompressed: 'warning',
} as const;

export type CompressionRule = keyof typeof RULES | 'no-answer';

/** Text is compressed for those who can decode it, and is the same text then. */
export const compression = fullCheck({
  id: 'compression',
  target: '**',
  rules: RULES,
  load: () => import('./evaluate.ts'),
});
