/** How often a site was healthy, and how fast it responded, in a stretch of time. */
import type { Verdict } from '../../core/check.ts';
import { beginOf, RESOLUTIONS, responseTime, type Bucket, type Resolution, type RunRecord } from './store.ts';

/** What the runs of a stretch of time came to: how many of each kind, and how fast the site was. */
export interface Tally extends Record<Verdict | 'maintenance', number> {
  /** Response times in whole ms: sum, least, most, and how many of which length. */
  total: number;
  least: number | null;
  most: number | null;
  readonly times: Histogram;
}

/** A tally as it is kept; `at`: the beginning of its time, ms since 1970. */
export interface Rollup {
  readonly site: string;
  readonly resolution: Resolution;
  readonly at: number;
  readonly tally: Tally;
}

export function emptyTally(): Tally {
  const counts = { healthy: 0, degraded: 0, down: 0, stale: 0, unknown: 0, maintenance: 0 };
  return { ...counts, total: 0, least: null, most: null, times: new Map() };
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

/** The buckets that runs belong to, of each resolution. */
export function bucketsOf(runs: readonly RunRecord[]) {
  return [...Map.groupBy(runs, ({ site }) => site)].flatMap(([site, ofSite]) =>
    RESOLUTIONS.flatMap((resolution) => {
      const groups = Map.groupBy(ofSite, ({ startedAt }) => beginOf(startedAt, resolution));
      return [...groups].map(([at, members]) => ({ site, resolution, at, runs: members }));
    }),
  );
}

export function bucketFrom({ site, at, tally }: Rollup): Bucket {
  const { total, least, most, times, ...counts } = tally;
  const timed = countOf(times);
  const p95 = quantile(times, 0.95);
  return {
    site,
    at,
    runs: Object.values(counts).reduce((sum, count) => sum + count, 0),
    ...counts,
    meanMs: timed === 0 ? null : Math.round(total / timed),
    minMs: least,
    maxMs: most,
    p95Ms: p95 === null ? null : Math.round(Math.min(Math.max(p95, least ?? p95), most ?? p95)),
  };
}

/*
 * How many response times were how long, for percentiles that can be added up over time. Buckets grow by the eighth root
 * of two (9.05 %), so an estimate from the middle of one is at most 4.5 % off, whatever the times are.
 */

export type Histogram = Map<number, number>;

const A_DOUBLING = 8;
/** Some forty days: longer times count as that. */
export const LAST_BUCKET = 255;

/** The number of a time's bucket, 0 (up to 1 ms) to 255. Bucket `n` goes up to 2^(n/8) ms. */
export function bucketOf(ms: number): number {
  return ms <= 1 ? 0 : Math.min(LAST_BUCKET, Math.ceil(Math.log2(ms) * A_DOUBLING));
}

export function countOf(histogram: Histogram): number {
  return [...histogram.values()].reduce((count, times) => count + times, 0);
}

/** The time that a share (0 to 1) of all is not longer than, in ms, within 4.5 %; `null` without times. */
export function quantile(histogram: Histogram, share: number): number | null {
  let left = Math.ceil(countOf(histogram) * share);
  for (const [bucket, times] of [...histogram].toSorted(([a], [b]) => a - b)) {
    left -= times;
    // The geometric middle: as far from the lower end as from the upper one.
    if (left <= 0) return bucket === 0 ? 1 : 2 ** ((bucket - 0.5) / A_DOUBLING);
  }
  return null;
}
