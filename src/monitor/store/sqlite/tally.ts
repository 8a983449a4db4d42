/** A roll-up while it is added to: pure. */
import { responseTime, type Bucket, type Resolution, type RunRecord } from '../store.ts';
import { bucketOf, countOf, quantile, type Histogram } from './histogram.ts';

const MINUTE = 60_000;

/** The sizes of buckets in minutes, which all divide a day: days are UTC. */
export const MINUTES = { minute: 1, hour: 60, day: 1440 } as const satisfies Record<Resolution, number>;

const COUNTED = ['healthy', 'degraded', 'down', 'stale', 'unknown', 'maintenance'] as const;

/** What the runs of a stretch of time came to: how many of each kind, and how fast the site was. */
export interface Tally extends Record<(typeof COUNTED)[number], number> {
  /** Response times in whole ms: sum, least, most, and how many of which length. */
  total: number;
  least: number | null;
  most: number | null;
  readonly times: Histogram;
}

export function emptyTally(): Tally {
  return {
    healthy: 0,
    degraded: 0,
    down: 0,
    stale: 0,
    unknown: 0,
    maintenance: 0,
    total: 0,
    least: null,
    most: null,
    times: new Map(),
  };
}

/** Where the bucket begins that a time is in; minutes since 1970. */
export function beginOf(at: number, minutes: number): number {
  return Math.floor(at / MINUTE / minutes) * minutes;
}

/** Counts a run, for as much time as it covers. Runs in maintenance count as that, whatever came of them. */
export function addRun(tally: Tally, run: RunRecord): void {
  tally[run.maintenance ? 'maintenance' : run.verdict] += run.ticks;
  const ms = responseTime(run);
  if (ms === null) return;
  tally.total += ms;
  tally.least = Math.min(tally.least ?? ms, ms);
  tally.most = Math.max(tally.most ?? ms, ms);
  const bucket = bucketOf(ms);
  tally.times.set(bucket, (tally.times.get(bucket) ?? 0) + 1);
}

/** The bucket that a tally is. `at`: minutes since 1970. */
export function bucketFrom(site: string, at: number, tally: Tally): Bucket {
  const { total, least, most, times, ...counts } = tally;
  const timed = countOf(times);
  const p95 = quantile(times, 0.95);
  return {
    site,
    at: at * MINUTE,
    rounds: COUNTED.reduce((sum, name) => sum + tally[name], 0),
    ...counts,
    meanMs: timed === 0 ? null : Math.round(total / timed),
    minMs: least,
    maxMs: most,
    // The estimate is within the measured range.
    p95Ms: p95 === null ? null : Math.round(Math.min(Math.max(p95, least ?? p95), most ?? p95)),
  };
}
