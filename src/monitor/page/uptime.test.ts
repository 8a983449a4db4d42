import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../core/time.ts';
import type { Bucket } from '../store/store.ts';
import {
  areEnough,
  badShareOf,
  hasData,
  kindOfPeriod,
  knownRuns,
  percentOf,
  periodsOf,
  sinceFirst,
  uptimeOf,
  type Period,
} from './uptime.ts';

const NOW = Date.parse('2026-11-20T18:00:12Z');
const TODAY = Date.parse('2026-11-20T00:00:00Z');

const bucket = (at: number, rest: Partial<Bucket>): Bucket => ({
  site: 'docs',
  at,
  runs: 100,
  healthy: 0,
  degraded: 0,
  down: 0,
  stale: 0,
  unknown: 0,
  maintenance: 0,
  meanMs: null,
  minMs: null,
  maxMs: null,
  p95Ms: null,
  ...rest,
});

const day = (rest: Partial<Period>): Period => ({
  at: TODAY,
  healthy: 0,
  down: 0,
  degraded: 0,
  stale: 0,
  maintenance: 0,
  unknown: 0,
  ...rest,
});

describe('days', () => {
  it('are all there, today last, whatever was checked', () => {
    const days = periodsOf([bucket(TODAY - 2 * DAY_MS, { healthy: 10, down: 1 }), bucket(TODAY, { healthy: 3 })], NOW);
    expect(days.length).toBe(90);
    expect(days.slice(-4).map((of) => [(TODAY - of.at) / DAY_MS, knownRuns(of), of.down])).toEqual([
      [3, 0, 0],
      [2, 11, 1],
      [1, 0, 0],
      [0, 3, 0],
    ]);
  });

  it('leave out what is older, or still to come', () => {
    const days = periodsOf([bucket(TODAY - 90 * DAY_MS, { down: 1 }), bucket(TODAY + DAY_MS, { down: 1 })], NOW);
    expect([days.length, days.filter(({ down }) => down > 0)]).toEqual([90, []]);
  });

  it.each([
    ['nothing', [], false, false],
    ['two days', [0, 1], true, false],
    ['three days', [0, 2], true, true],
  ] as const)('say something of a site with %s', (_name, ago, data, enough) => {
    const days = periodsOf(
      ago.map((one) => bucket(TODAY - one * DAY_MS, { healthy: 1 })),
      NOW,
    );
    const shown = sinceFirst({ unit: 'day', periods: days }).periods;
    expect([hasData(days), areEnough(days), shown.length]).toEqual([data, enough, 14]);
  });

  it('may be hours and minutes', () => {
    const minutes = periodsOf([bucket(NOW - 59 * 60_000, { healthy: 6 })], NOW, 'minute');
    expect(minutes.map(knownRuns)).toEqual([6, ...Array.from({ length: 59 }, () => 0)]);
  });

  it.each([
    ['nobody looked', {}, 'none', 0],
    ['maintenance only', { maintenance: 5 }, 'maintenance', 0],
    ['nothing could be told', { unknown: 5 }, 'unknown', 0],
    ['maintenance and a little unknown', { unknown: 1, maintenance: 5 }, 'maintenance', 0],
    ['healthy', { healthy: 5, maintenance: 5 }, 'healthy', 0],
    ['one bad round of many', { healthy: 8639, down: 1 }, 'down', 1 / 8640],
    ['degraded most of it, down once', { healthy: 1, degraded: 8, down: 1 }, 'down', 0.9],
    ['stale', { healthy: 2, stale: 2 }, 'stale', 0.5],
  ] as const)('%s', (_name, of, kind, share) => {
    expect([kindOfPeriod(day(of)), badShareOf(day(of))]).toEqual([kind, share]);
  });
});

describe('uptime', () => {
  it.each([
    ['no days', [], null],
    ['days without data', [day({}), day({ maintenance: 9 }), day({ unknown: 9 })], null],
    ['well', [day({ healthy: 5 })], 1],
    ['degraded is up', [day({ degraded: 5 })], 1],
    ['maintenance counts for nothing', [day({ down: 1, maintenance: 99 })], 0],
    ['days count by their rounds', [day({ down: 1 }), day({ healthy: 3 })], 0.75],
  ] as const)('%s', (_name, days, share) => {
    expect(uptimeOf(days)).toBe(share);
  });

  it.each([
    [1, 100],
    [0, 0],
    [0.99999, 99.99],
    [8639 / 8640, 99.98],
    [0.5, 50],
    [0.29, 29],
    [0.07, 7],
    [0.9999, 99.99],
    [0.00001, 0.01],
  ])('%d is %d percent', (share, percent) => {
    expect(percentOf(share)).toBe(percent);
  });
});
