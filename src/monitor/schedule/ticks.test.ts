import { describe, expect, it } from 'vitest';
import type { Schedule } from '../settings.ts';
import { shareOf, ticksOf } from './schedule.ts';

const every = (everyMs: number): Schedule => ({ kind: 'every', everyMs, jitterMs: 0 });
const cron = (pattern: string, timeZone: string | null = 'UTC'): Schedule => ({
  kind: 'cron',
  pattern,
  timeZone,
  jitterMs: 0,
});
const iso = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined ? null : new Date(ms).toISOString();

/** The first ticks after a moment. */
async function ticksAfter(schedule: Schedule, from: string, count: number): Promise<(string | null)[]> {
  const ticks = ticksOf(schedule, 'docs');
  const times: (number | null)[] = [Date.parse(from)];
  while (times.length <= count) times.push(ticks.next(times.at(-1) ?? 0));
  return times.slice(1).map(iso);
}

describe('the ticks of an interval', () => {
  it('come at the same distance, whenever one asks', async () => {
    const ticks = ticksOf(every(10_000), 'docs');
    const first = ticks.next(1_000_000) ?? 0;
    expect([0, 1, 4_999, 9_999].map((later) => ticks.next(first + later))).toEqual(Array(4).fill(first + 10_000));
  });

  it('begin at a moment of their own, the same one after a restart', async () => {
    const names = Array.from({ length: 1_000 }, (_, at) => `site-${at}`);
    const phases = await Promise.all(names.map(async (name) => ticksOf(every(60_000), name).next(0) ?? 0));
    const bySecond = phases.map((phase) => Math.floor((phase % 60_000) / 1_000));
    const counts = Array.from({ length: 60 }, (_, second) => bySecond.filter((each) => each === second).length);
    expect(Math.max(...counts)).toBeLessThan(40);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(ticksOf(every(60_000), 'site-1').next(0)).toBe(phases[1]);
  });

  it('come together with those of others that are due within a tenth of a second', async () => {
    const names = Array.from({ length: 100 }, (_, at) => `site-${at}`);
    const ticks = await Promise.all(names.map(async (name) => ticksOf(every(20_000), name).next(0) ?? 0));
    expect(ticks.filter((tick) => tick % 100 !== 0)).toEqual([]);
    expect(new Set(ticks).size).toBeGreaterThan(50);
  });

  it('are after the moment, never at it', async () => {
    const ticks = ticksOf(every(1_000), 'docs');
    const tick = ticks.next(5_000) ?? 0;
    expect(ticks.next(tick)).toBe(tick + 1_000);
    expect(ticks.next(tick - 1)).toBe(tick);
  });

  it('move by chance by no more than the interval', async () => {
    expect(ticksOf({ kind: 'every', everyMs: 1_000, jitterMs: 5_000 }, 'docs').jitterMs).toBe(1_000);
  });
});

describe('the ticks of a cron expression', () => {
  it.each<[string, Schedule, string, (string | null)[]]>([
    [
      'every five minutes',
      cron('*/5 * * * *'),
      '2026-03-01T11:58:30Z',
      ['2026-03-01T12:00:00.000Z', '2026-03-01T12:05:00.000Z'],
    ],
    [
      'in a time zone, over the hour that is left out in spring',
      cron('30 3 * * *', 'Europe/Bucharest'),
      '2026-03-28T12:00:00Z',
      ['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z'],
    ],
    [
      'in a time zone, over the hour that comes twice in autumn',
      cron('30 3 * * *', 'Europe/Bucharest'),
      '2026-10-24T12:00:00Z',
      ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'],
    ],
    [
      'every hour, also in the one that comes twice',
      cron('30 * * * *', 'Europe/Bucharest'),
      '2026-10-24T23:45:00Z',
      ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z', '2026-10-25T02:30:00.000Z'],
    ],
    ['a day that never comes', cron('0 0 30 2 *'), '2026-01-01T00:00:00Z', [null]],
  ])('%s', async (_, schedule, from, expected) => {
    expect(await ticksAfter(schedule, from, expected.length)).toEqual(expected);
  });

  it('show how far apart they are', async () => {
    expect(ticksOf(cron('0 * * * *'), 'docs').periodMs(Date.parse('2026-01-01T00:10:00Z'))).toBe(3_600_000);
    expect(ticksOf(cron('0 0 30 2 *'), 'docs').periodMs(0)).toBe(86_400_000);
  });
});

describe('the share of a name', () => {
  it('is from 0 to 1, and its own', () => {
    expect(shareOf('docs')).toBe(shareOf('docs'));
    expect(shareOf('docs')).not.toBe(shareOf('blog'));
    expect(shareOf('docs')).toBeLessThan(1);
  });
});
