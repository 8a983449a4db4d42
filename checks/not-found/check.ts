import { defineCheck, type Grade } from '../../src/check.ts';
import { UNJUDGED_CODES } from '../../src/expect/unjudged.ts';
import { REASONS, type Reason } from '../../src/http/reasons.ts';
import type { GatheredProbes } from './work.ts';

/** Nothing came for a name that leads nowhere: worth a warning, where it does not lie with this machine. */
const NO_REPLY = Object.fromEntries(
  Object.entries(REASONS).map(([reason, grade]) => [reason, grade === 'error' ? 'warning' : grade]),
) as Readonly<Record<Reason, Grade>>;

const CODES = {
  ...UNJUDGED_CODES,
  ...NO_REPLY,
  'soft-404': 'error',
  'soft-404-by-design': 'info',
  'soft-404-host-unknown': 'warning',
  'soft-404-without-extension': 'warning',
  'soft-404-other': 'error',
  wildcard: 'error',
  redirected: 'error',
  'missing-forbidden': 'warning',
  'server-error': 'error',
  'rate-limited': 'unknown',
  status: 'warning',
  inconsistent: 'warning',
} as const;

export type NotFoundCode = keyof typeof CODES;

/** What the host says for files that are not there: 404, or something that only looks like a file. */
export const notFound = defineCheck<GatheredProbes, NotFoundCode>({
  id: 'not-found',
  target: '<missing>',
  full: true,
  codes: CODES,
  gather: async (site) => (await import('./work.ts')).gather(site),
  judge: async (gathered) => (await import('./work.ts')).judge(gathered),
});
