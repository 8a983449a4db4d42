import { describe, expect, it } from 'vitest';
import type { RunRecord } from './store.ts';
import { addRun, bucketFrom, bucketOf, bucketsOf, emptyTally, LAST_BUCKET, quantile } from './tally.ts';

const MINUTE = 60_000;
const run = (durationMs: number | null, rest: Partial<RunRecord> = {}): RunRecord => ({
  site: 'docs',
  scope: 'core',
  startedAt: 0,
  durationMs: 9_000,
  verdict: 'healthy',
  maintenance: false,
  ticks: 1,
  checks: [{ id: 'bundle', status: 'pass', rules: [], httpStatus: 200, durationMs }],
  ...rest,
});

describe('a tally', () => {
  it('counts runs for as much time as they cover, and how fast they were', () => {
    const tally = emptyTally();
    const runs = [run(100), run(300), run(null, { verdict: 'down', ticks: 3 }), run(200, { maintenance: true })];
    for (const one of runs) addRun(tally, one);
    const bucket = bucketFrom({ site: 'docs', resolution: 'hour', at: 7, tally });
    expect(bucket).toMatchObject({ site: 'docs', at: 7, runs: 6, healthy: 2, down: 3, maintenance: 1 });
    expect([bucket.meanMs, bucket.minMs, bucket.maxMs]).toEqual([200, 100, 300]);
    expect(bucket.p95Ms).toBe(Math.round(2 ** (65.5 / 8)));
  });

  it('has no times where nothing came', () => {
    const none = { meanMs: null, minMs: null, maxMs: null, p95Ms: null, runs: 0 };
    expect(bucketFrom({ site: 'docs', resolution: 'hour', at: 0, tally: emptyTally() })).toMatchObject(none);
  });

  it('is that of a site and a stretch of time', () => {
    const runs = [run(1), run(1, { startedAt: MINUTE }), run(1, { site: 'api' })];
    const shown = bucketsOf(runs).map(({ site, resolution, at, runs: { length } }) => [site, resolution, at, length]);
    expect(shown.filter(([site]) => site === 'docs')).toEqual(
      expect.arrayContaining([
        ['docs', 'minute', 0, 1],
        ['docs', 'minute', MINUTE, 1],
        ['docs', 'hour', 0, 2],
        ['docs', 'day', 0, 2],
      ]),
    );
    expect(shown.filter(([site]) => site === 'api').map(([, , , length]) => length)).toEqual([1, 1, 1]);
  });
});

describe('a histogram', () => {
  it('has buckets that grow by the eighth root of two', () => {
    expect([0, 1, 1.05, 2, 2.1, 1e30].map(bucketOf)).toEqual([0, 0, 1, 8, 9, LAST_BUCKET]);
  });

  it('estimates the time that a share of all is not longer than', () => {
    const histogram = new Map([
      [16, 1],
      [0, 3],
    ]);
    expect([0.5, 0.75].map((share) => quantile(histogram, share))).toEqual([1, 1]);
    expect(quantile(histogram, 0.76)).toBeCloseTo(2 ** (15.5 / 8));
    expect(quantile(new Map(), 0.5)).toBeNull();
  });
});
