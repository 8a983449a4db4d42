import type { SeverityOrOutcome } from '../../src/core/finding.ts';
import { fullCheck } from '../full-check.ts';
import { REASONS, type Reason } from '../../src/http/reasons.ts';

/** No response for a missing name: a warning, unless this machine is the cause. */
const NO_REPLY = Object.fromEntries(
  Object.entries(REASONS).map(([reason, severity]) => [reason, severity === 'error' ? 'warning' : severity]),
) as Readonly<Record<Reason, SeverityOrOutcome>>;

const RULES = {
  ...NO_REPLY,
  'soft-404': 'error',
  'soft-404-by-design': 'info',
  'spa-fallback': 'warning',
  'soft-404-without-extension': 'warning',
  'soft-404-history': 'warning',
  'history-fallback-missing': 'error',
  'history-fallback-status': 'info',
  'soft-404-other': 'error',
  wildcard: 'error',
  redirected: 'error',
  'missing-forbidden': 'warning',
  'server-error': 'error',
  'rate-limited': 'unknown',
  'client-refused': 'unknown',
  status: 'warning',
  inconsistent: 'warning',
} as const;

export type NotFoundRule = keyof typeof RULES | 'no-answer';

/** What the host says for files that are not there: 404, or something that only looks like a file. */
export const notFound = fullCheck({
  id: 'not-found',
  target: '<missing>',
  rules: RULES,
  load: () => import('./evaluate.ts'),
});
