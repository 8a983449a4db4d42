import type { Bucket } from '../store/store.ts';
import { csv } from './csv.ts';
import { iso } from '../iso-time.ts';
import type { History } from './documents.ts';

const COUNTS = [
  'rounds',
  'healthy',
  'degraded',
  'down',
  'stale',
  'unknown',
  'maintenance',
  'meanMs',
  'minMs',
  'maxMs',
  'p95Ms',
] as const satisfies readonly (keyof Bucket)[];

/** A row for each stretch of time; by runs, one for each check of each. */
export function historyCsv(history: History): string {
  const { site } = history;
  if (history.resolution !== 'round') {
    const rows = history.entries.map((bucket) => [site, iso(bucket.at), ...COUNTS.map((name) => bucket[name])]);
    return csv(['site', 'at', ...COUNTS], rows);
  }
  const header = [
    'site',
    'at',
    'scope',
    'verdict',
    'maintenance',
    'roundMs',
    'check',
    'status',
    'codes',
    'httpStatus',
    'checkMs',
  ];
  const rows = history.entries.flatMap(({ startedAt, scope, verdict, maintenance, durationMs, checks }) => {
    const run = [site, iso(startedAt), scope, verdict, maintenance, durationMs];
    // A run that could not ask for anything is one, too.
    if (checks.length === 0) return [[...run, null, null, null, null, null]];
    return checks.map((check) => [
      ...run,
      check.id,
      check.status,
      check.codes.join(' '),
      check.httpStatus,
      check.durationMs,
    ]);
  });
  return csv(header, rows);
}
