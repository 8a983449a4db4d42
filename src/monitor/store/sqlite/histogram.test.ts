import { describe, expect, it } from 'vitest';
import { bucketOf, countOf, quantile, type Histogram } from '../tally.ts';
import { packHistogram, unpackHistogram } from './store.ts';

function histogramOf(times: readonly number[]): Histogram {
  const histogram: Histogram = new Map();
  for (const time of times) histogram.set(bucketOf(time), (histogram.get(bucketOf(time)) ?? 0) + 1);
  return histogram;
}

/** Numbers that are the same each time. */
function numbers(count: number, next: (share: number) => number): number[] {
  let seed = 42;
  return Array.from({ length: count }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.max(1, Math.round(next(seed / 2 ** 31)));
  });
}

describe('a histogram', () => {
  it.each([
    ['even', numbers(10_000, (share) => share * 1000)],
    ['with a long tail', numbers(10_000, (share) => 20 / (1.0001 - share))],
    ['of two kinds', numbers(10_000, (share) => (share < 0.94 ? 30 : 8000))],
    ['all alike', numbers(1000, () => 57)],
    ['a single one', [15_000]],
    ['very quick', numbers(100, (share) => 1 + share)],
  ])('estimates percentiles within 4.5 %% of times that are %s', (_name, times) => {
    const sorted = times.toSorted((a, b) => a - b);
    const histogram = histogramOf(times);
    for (const share of [0.5, 0.9, 0.95, 0.99, 1]) {
      const exact = sorted[Math.ceil(sorted.length * share) - 1] ?? NaN;
      expect(Math.abs((quantile(histogram, share) ?? NaN) - exact) / exact).toBeLessThanOrEqual(0.045);
    }
  });

  it.each([
    [-5, 0],
    [0, 0],
    [1, 0],
    [2, 8],
    [4, 16],
    [1000, 80],
    [Number.MAX_VALUE, 255],
  ])('has a bucket for %d ms: %d', (ms, bucket) => {
    expect(bucketOf(ms)).toBe(bucket);
  });

  it('of nothing has no percentiles', () => {
    expect(quantile(new Map(), 0.95)).toBeNull();
    expect(packHistogram(new Map())).toBeNull();
    expect(unpackHistogram(null)).toEqual(new Map());
  });

  it('comes back as it was packed, in few bytes', () => {
    const histogram = histogramOf(numbers(8640, (share) => 20 + share * 200));
    const packed = packHistogram(histogram) ?? new Uint8Array();
    expect(packed.length).toBeLessThan(120);
    expect(unpackHistogram(packed)).toEqual(histogram);
    expect(countOf(histogram)).toBe(8640);
  });

  it('reads whatever a damaged file has', () => {
    const histogram = unpackHistogram(Uint8Array.from({ length: 99 }, (_, index) => 255 - index));
    expect([...histogram.keys()].every((bucket) => bucket <= 255)).toBe(true);
  });
});
