import { responseTime, type Bucket, type Resolution, type RunRecord } from '../store.ts';
import { packNumbers, unpackNumbers } from './pack.ts';

const MINUTE = 60_000;

/** The sizes of buckets in minutes, which all divide a day: days are UTC. */
export const MINUTES = { minute: 1, hour: 60, day: 1440 } as const satisfies Record<Resolution, number>;

const RESOLUTIONS = ['minute', 'hour', 'day'] as const satisfies readonly Resolution[];

const COUNTED = ['healthy', 'degraded', 'down', 'stale', 'unknown', 'maintenance'] as const;

type Counts = Record<(typeof COUNTED)[number], number>;

export function countsOf({ healthy, degraded, down, stale, unknown, maintenance }: Readonly<Counts>): Counts {
  return { healthy, degraded, down, stale, unknown, maintenance };
}

/** What the runs of a stretch of time came to: how many of each kind, and how fast the site was. */
export interface Tally extends Counts {
  /** Response times in whole ms: sum, least, most, and how many of which length. */
  total: number;
  least: number | null;
  most: number | null;
  readonly times: Histogram;
}

export function emptyTally(): Tally {
  const counts = { healthy: 0, degraded: 0, down: 0, stale: 0, unknown: 0, maintenance: 0 };
  return { ...counts, total: 0, least: null, most: null, times: new Map() };
}

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

/** The buckets that runs belong to, of each resolution; `at` in minutes. */
export function bucketsOf(runs: readonly RunRecord[]) {
  return RESOLUTIONS.flatMap((resolution) => {
    const atOf = ({ startedAt }: RunRecord): number => beginOf(startedAt, MINUTES[resolution]);
    const groups = Map.groupBy(runs, (run) => `${atOf(run)} ${run.site}`).values();
    return [...groups].flatMap(([first, ...others]) =>
      first === undefined ? [] : { site: first.site, resolution, at: atOf(first), runs: [first, ...others] },
    );
  });
}

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
const LAST = 255;

/** The number of a time's bucket, 0 (up to 1 ms) to 255. Bucket `n` goes up to 2^(n/8) ms. */
export function bucketOf(ms: number): number {
  return ms <= 1 ? 0 : Math.min(LAST, Math.ceil(Math.log2(ms) * A_DOUBLING));
}

export function countOf(histogram: Histogram): number {
  let count = 0;
  for (const times of histogram.values()) count += times;
  return count;
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

/** Pairs of numbers, only for the buckets that are not empty: three bytes for a minute, some hundred for a day. */
export function packHistogram(histogram: Histogram): Uint8Array | null {
  const numbers: number[] = [];
  for (const [bucket, times] of histogram) numbers.push(bucket, times);
  return numbers.length === 0 ? null : packNumbers(numbers);
}

export function unpackHistogram(bytes: Uint8Array | null): Histogram {
  const histogram: Histogram = new Map();
  const numbers = unpackNumbers(bytes ?? []);
  for (let at = 0; at < numbers.length; at += 2) {
    const bucket = Math.min(LAST, numbers[at] ?? 0);
    histogram.set(bucket, (histogram.get(bucket) ?? 0) + (numbers[at + 1] ?? 0));
  }
  return histogram;
}
