import { describe, expect, it } from 'vitest';
import type { Bucket, RunRecord } from '../store/store.ts';
import { headingsOf, niceCeiling, responseFrom, responseOf, responseSummary } from './charts.ts';

const NOW = Date.parse('2026-11-20T18:00:12Z');
const MINUTE = 60_000;
const STEP_MS = 10 * MINUTE;

const minute = (at: number, rest: Partial<Bucket> = {}): Bucket => ({
  site: 'docs',
  at,
  runs: 6,
  healthy: 6,
  degraded: 0,
  down: 0,
  stale: 0,
  unknown: 0,
  maintenance: 0,
  meanMs: 100,
  minMs: 50,
  maxMs: 300,
  p95Ms: 200,
  ...rest,
});

const NOTHING = { meanMs: null, minMs: null, maxMs: null, p95Ms: null };

describe('first headings', () => {
  it('are those of pages in the browser, by half an hour', () => {
    const record = { status: 'pass', rules: [], httpStatus: null } as const;
    const run = (at: number, durationMs: number | null, rest: Partial<RunRecord> = {}): RunRecord => ({
      site: 'docs',
      scope: 'browser',
      startedAt: at,
      durationMs: 9_000,
      verdict: 'healthy',
      maintenance: false,
      ticks: 1,
      checks: [
        { ...record, id: 'bundle', httpStatus: 200, durationMs: 12 },
        { ...record, id: 'rendered', durationMs },
      ],
      ...rest,
    });
    const from = responseFrom(NOW, 'pages');
    const runs = [run(from, 400), run(from + 5 * MINUTE, 600), run(from + 31 * MINUTE, null, { verdict: 'down' })];
    const { points } = responseOf(headingsOf(runs), NOW, 'pages');
    expect(points.map(({ at, meanMs, maxMs, bad }) => [at - from, meanMs, maxMs, bad])).toEqual([
      [0, 500, 600, null],
      [30 * MINUTE, null, null, 'down'],
    ]);
  });
});

describe('response times', () => {
  it('are of the last 24 hours, in whole steps', () => {
    const { from, to } = responseOf([], NOW, 'day');
    expect([from % STEP_MS, to - from, from >= NOW - 24 * 60 * MINUTE, to > NOW]).toEqual([0, 86_400_000, true, true]);
  });

  it('are of the last hour where there is no more, minute by minute', () => {
    const { from, to, points } = responseOf([minute(NOW - 61 * MINUTE), minute(NOW - MINUTE)], NOW, 'hour');
    expect([to - from, to > NOW, points.length]).toEqual([60 * MINUTE, true, 1]);
  });

  it('are joined by ten minutes, each run counting alike', () => {
    const from = responseFrom(NOW, 'day');
    const buckets = [
      minute(from, { runs: 1, meanMs: 400, p95Ms: 500, maxMs: 400 }),
      minute(from + MINUTE, { runs: 3, meanMs: 200 }),
      minute(from + 9 * MINUTE, { ...NOTHING, down: 6 }),
      minute(from + 10 * MINUTE, { maintenance: 6 }),
      minute(from + 40 * MINUTE, { degraded: 1 }),
    ];
    expect(responseOf(buckets, NOW, 'day').points).toEqual([
      { at: from, meanMs: 250, maxMs: 400, p95Ms: 500, bad: 'down', isMaintenance: false, runs: 10 },
      { at: from + STEP_MS, meanMs: 100, maxMs: 300, p95Ms: 200, bad: null, isMaintenance: true, runs: 6 },
      { at: from + 4 * STEP_MS, meanMs: 100, maxMs: 300, p95Ms: 200, bad: 'degraded', isMaintenance: false, runs: 6 },
    ]);
  });

  it('are nothing where nothing came', () => {
    const { points } = responseOf([minute(NOW, NOTHING)], NOW, 'day');
    expect([points[0]?.meanMs, responseSummary(points), responseSummary([])]).toEqual([null, null, null]);
  });

  it('are reported by hour as well', () => {
    const hour = 60 * MINUTE;
    const at = Math.floor(NOW / hour) * hour;
    const { hours } = responseOf([minute(at), minute(at + 59 * MINUTE), minute(at - MINUTE)], NOW, 'day');
    expect(hours.map((point) => point.at)).toEqual([at - hour, at]);
  });

  it('name the slowest', () => {
    const from = responseFrom(NOW, 'day');
    const { points } = responseOf([minute(from), minute(from + STEP_MS, { maxMs: 2400 })], NOW, 'day');
    expect(responseSummary(points)).toMatchObject({ meanMs: 100, slowest: { at: from + STEP_MS, maxMs: 2400 } });
  });

  it.each([
    [0, 1],
    [0.4, 1],
    [1, 1],
    [3, 5],
    [87, 100],
    [101, 200],
    [499, 500],
    [7001, 10_000],
  ])('%d ms are drawn up to %d', (value, top) => {
    expect(niceCeiling(value)).toBe(top);
  });
});
