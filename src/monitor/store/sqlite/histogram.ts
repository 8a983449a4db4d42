/**
 * How many response times were how long, for percentiles that can be added up over time. Buckets grow by the eighth
 * root of two (9.05 %), so an estimate from the middle of one is at most 4.5 % off, whatever the times are.
 */
import { VarintReader, VarintWriter } from './varint.ts';

/** How many times fell into which bucket, by its number. */
export type Histogram = Map<number, number>;

const A_DOUBLING = 8;
/** Some forty days: longer times count as that. */
const LAST = 255;

/** The number of a time's bucket, 0 (up to 1 ms) to 255. Bucket `n` goes up to 2^(n/8) ms. */
export function bucketOf(ms: number): number {
  return ms <= 1 ? 0 : Math.min(LAST, Math.ceil(Math.log2(ms) * A_DOUBLING));
}

/** How many there are in all. */
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

const writer = new VarintWriter();

/** Pairs of numbers, only for the buckets that are not empty: three bytes for a minute, some hundred for a day. */
export function packHistogram(histogram: Histogram): Uint8Array | null {
  if (histogram.size === 0) return null;
  writer.clear();
  for (const [bucket, times] of histogram) {
    writer.write(bucket);
    writer.write(times);
  }
  return writer.bytes();
}

export function unpackHistogram(bytes: Uint8Array | null): Histogram {
  const histogram: Histogram = new Map();
  if (bytes === null) return histogram;
  const reader = new VarintReader(bytes);
  while (!reader.atEnd) {
    const bucket = Math.min(LAST, reader.read());
    histogram.set(bucket, (histogram.get(bucket) ?? 0) + reader.read());
  }
  return histogram;
}
