import { describe, expect, it } from 'vitest';
import { FakeAround } from '../../../test/monitor/fake-around.ts';
import { Lane, type Due } from './lane.ts';
import type { Ticks } from './ticks.ts';

const START = Date.parse('2026-03-02T00:00:00Z');

/** Ticks at whole multiples of a period. */
const whole = (periodMs: number, jitterMs = 0): Ticks => ({
  next: (after) => (Math.floor(after / periodMs) + 1) * periodMs,
  periodMs: () => periodMs,
  jitterMs,
});

interface Setup {
  readonly ticks?: Ticks;
  readonly lastAt?: number | null;
  readonly spreadMs?: number;
}

function setUp({ ticks = whole(10_000), lastAt = null, spreadMs = 0 }: Setup = {}) {
  const around = new FakeAround(START);
  const dues: (Due & { readonly now: number })[] = [];
  let missed = 0;
  const lane = new Lane(
    {
      name: 'docs',
      ticks,
      around,
      now: () => around.wall(),
      spreadMs,
      onDue: (due) => dues.push({ ...due, now: around.wall() }),
      onMissed: (count) => {
        missed += count;
      },
    },
    lastAt,
  );
  const seen = (): number[] => dues.map(({ now }) => now - START);
  return { around, lane, dues, seen, missed: () => missed };
}

describe('a lane', () => {
  it.each<[string, Setup, number]>([
    ['what was never done is due at once', {}, 0],
    ['what missed a tick while nobody ran is due at once', { lastAt: START - 60_000 }, 0],
    ['what was done since the last tick waits for the next', { lastAt: START - 1 }, 0],
    ['what was done just now waits for the next tick', { lastAt: START + 1 }, 10_000],
  ])('%s', (_, setup, expected) => {
    const { around, lane, seen } = setUp(setup);
    around.advance(0);
    lane.start();
    around.advance(10_000);
    expect(seen()[0]).toBe(expected);
  });

  it('spreads what is due at once, but not beyond its tick', () => {
    const { around, lane, seen } = setUp({ spreadMs: 1_000_000 });
    lane.start();
    around.advance(10_000);
    expect(seen()[0]).toBeGreaterThan(0);
    expect(seen()[0]).toBeLessThanOrEqual(10_000);
  });

  it('is due at each tick once it was done', () => {
    const { around, lane, seen } = setUp();
    lane.start();
    for (let round = 0; round < 3; round += 1) {
      around.advance(10_000);
      lane.done(null);
    }
    expect(seen()).toEqual([0, 20_000, 30_000]);
  });

  it('is never due while it goes on, and leaves out the ticks of that time', () => {
    const { around, lane, seen, missed } = setUp();
    lane.start();
    around.advance(35_000);
    expect(seen()).toEqual([0]);
    expect(lane.nextAt).toBeNull();
    lane.done(null);
    around.advance(30_000);
    expect(seen()).toEqual([0, 40_000]);
    expect(missed()).toBe(3);
  });

  it('is due again before its time where what was seen has to be confirmed', () => {
    const { around, lane, dues } = setUp();
    lane.start();
    around.advance(0);
    lane.done(2_000);
    around.advance(2_000);
    lane.done(20_000);
    around.advance(8_000);
    expect(dues.map(({ at, again }) => [at - START, again])).toEqual([
      [0, false],
      [2_000, true],
      [10_000, false],
    ]);
  });

  it.each([
    ['sooner than the tick', 3_000, 3_000],
    ['later than the tick: the tick is soon enough', 30_000, 10_000],
  ])('is asked for %s', (_, ms, expected) => {
    const { around, lane, seen } = setUp({ lastAt: START + 1 });
    lane.start();
    lane.sooner(ms);
    around.advance(10_000);
    expect(seen()).toEqual([expected]);
  });

  it('makes up for a long sleep with one time, and counts the rest', () => {
    const { around, lane, seen, missed } = setUp();
    lane.start();
    around.advance(0);
    lane.done(null);
    around.sleep(3_600_000);
    lane.reset();
    around.advance(1);
    expect(seen()).toEqual([0, 3_600_000]);
    expect(missed()).toBe(359);
  });

  it('waits for its tick, not for an hour, when the clock was set back by one', () => {
    const { around, lane, seen } = setUp();
    lane.start();
    around.advance(0);
    lane.done(null);
    around.setWall(-3_600_000);
    lane.reset();
    around.advance(10_000);
    expect(seen()).toEqual([0, 10_000 - 3_600_000]);
  });

  it('is not begun twice by a leap of time while it goes on', () => {
    const { around, lane, seen } = setUp();
    lane.start();
    around.advance(0);
    around.sleep(60_000);
    lane.reset();
    around.advance(60_000);
    expect(seen()).toHaveLength(1);
  });

  it('moves each tick by chance, within the jitter', () => {
    const { around, lane, seen } = setUp({ ticks: whole(10_000, 4_000) });
    lane.start();
    for (let round = 0; round < 50; round += 1) {
      around.advance(14_000);
      lane.done(null);
    }
    const late = seen()
      .slice(1)
      .map((at) => at % 10_000);
    expect(new Set(late).size).toBeGreaterThan(10);
    expect(Math.max(...late)).toBeLessThan(4_000);
  });

  it('takes up another schedule', () => {
    const { around, lane, seen } = setUp({ lastAt: START + 1 });
    lane.start();
    lane.change({ ticks: whole(1_000), spreadMs: 0 });
    around.advance(1_000);
    expect(seen()).toEqual([1_000]);
  });

  it('is due no more once it was stopped, also where it went on', () => {
    const { around, lane, seen } = setUp();
    lane.start();
    around.advance(0);
    lane.stop();
    lane.done(1);
    around.advance(60_000);
    expect(seen()).toEqual([0]);
    expect(lane.nextAt).toBeNull();
  });
});
