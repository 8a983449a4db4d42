import type { RunRecord } from './store.ts';

/**
 * The slowest response of a run of the core checks, in whole ms; `null`: none was received. A refused connection fails within
 * a millisecond, which says nothing of how fast the site is; nor does the time that the whole site takes.
 */
export function responseTime({ scope, checks }: Pick<RunRecord, 'scope' | 'checks'>): number | null {
  if (scope !== 'five') return null;
  const times = checks.flatMap(({ httpStatus, durationMs }) =>
    httpStatus === null || durationMs === null ? [] : [Math.round(durationMs)],
  );
  return times.length === 0 ? null : Math.max(...times);
}
