import { describe, expect, it } from 'vitest';
import { FakeAround } from '../../../test/monitor/fake-around.ts';
import { ScheduledTask, type Due, type Ticks } from './schedule.ts';

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
  const timers = new FakeAround(START);
  const dues: (Due & { readonly now: number })[] = [];
  let missed = 0;
  const task = new ScheduledTask(
    {
      name: 'docs',
      ticks,
      timers,
      now: () => timers.wall(),
      spreadMs,
      onDue: (due) => dues.push({ ...due, now: timers.wall() }),
      onMissed: (count) => {
        missed += count;
      },
    },
    lastAt,
  );
  const observed = (): number[] => dues.map(({ now }) => now - START);
  return { around: timers, lane: task, dues, seen: observed, missed: () => missed };
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
    for (let run = 0; run < 3; run += 1) {
      around.advance(10_000);
      lane.done();
    }
    expect(seen()).toEqual([0, 20_000, 30_000]);
  });

  it('is never due while it goes on, and leaves out the ticks of that time', () => {
    const { around, lane, seen, missed } = setUp();
    lane.start();
    around.advance(35_000);
    expect(seen()).toEqual([0]);
    expect(lane.nextAt).toBeNull();
    lane.done();
    around.advance(30_000);
    expect(seen()).toEqual([0, 40_000]);
    expect(missed()).toBe(3);
  });

  it('stands for each tick once, whatever it does between them', () => {
    const { around, lane } = setUp();
    const stood: number[] = [];
    const go = (ms: number, againMs: number | null): void => {
      around.advance(ms);
      stood.push(lane.ticks);
      lane.done();
      if (againMs !== null) lane.sooner(againMs);
    };
    lane.start();
    go(0, 2_000);
    go(2_000, 2_000);
    // This one begins 4 s after the start, and ends after the tick.
    around.advance(2_000);
    go(8_000, null);
    // And this one lasts for two ticks more.
    around.advance(8_000);
    go(25_000, null);
    around.advance(5_000);
    go(0, null);
    expect(stood).toEqual([1, 0, 1, 3, 1]);
  });

  it('stands for no tick that was missed in a sleep', () => {
    const { around, lane } = setUp();
    lane.start();
    around.advance(0);
    around.sleep(3_600_000);
    lane.reset();
    expect(lane.ticks).toBe(1);
  });

  it('is due again before its time where what was seen has to be confirmed', () => {
    const { around, lane, dues } = setUp();
    lane.start();
    around.advance(0);
    lane.done();
    lane.sooner(2_000);
    around.advance(2_000);
    lane.done();
    lane.sooner(20_000);
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
    lane.done();
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
    lane.done();
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

  it('counts what was missed once, however often time leaps, and still makes up for it', () => {
    const { around, lane, seen, missed } = setUp({ spreadMs: 1_000_000 });
    lane.start();
    around.advance(10_000);
    lane.done();
    around.sleep(3_600_000);
    for (let leap = 0; leap < 5; leap += 1) lane.reset();
    expect(missed()).toBe(359);
    around.advance(10_000);
    expect(seen()).toHaveLength(2);
  });

  it('does not step through what it missed in months', () => {
    let asked = 0;
    const slow = whole(10_000);
    const counting: Ticks = { ...slow, next: (after) => ((asked += 1), slow.next(after)) };
    const { around, lane, seen, missed } = setUp({ ticks: counting, lastAt: START - 90 * 86_400_000 });
    lane.start();
    around.advance(0);
    lane.done();
    around.sleep(90 * 86_400_000);
    lane.reset();
    around.advance(1);
    expect(asked).toBeLessThan(20);
    expect(seen()).toHaveLength(2);
    expect(missed()).toBe(90 * 8_640 - 1);
  });

  it.each([
    ['forwards', 3_600_000, 0],
    ['back', -3_600_000, 2_000],
  ])('confirms what was seen, though the clock was set %s', (_, byMs, expected) => {
    const hourly = whole(3_600_000);
    const { around, lane, seen } = setUp({ ticks: hourly });
    lane.start();
    around.advance(0);
    lane.done();
    lane.sooner(2_000);
    around.setWall(byMs);
    lane.reset();
    around.advance(2_000);
    expect(seen().at(-1)).toBe(byMs + expected);
  });

  it('moves each tick by chance, within the jitter', () => {
    const { around, lane, seen } = setUp({ ticks: whole(10_000, 4_000) });
    lane.start();
    for (let run = 0; run < 50; run += 1) {
      around.advance(14_000);
      lane.done();
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

  it('is put off by nothing that is reported the same again', () => {
    const ticks = whole(10_000, 8_000);
    const { around, lane, seen } = setUp({ ticks, lastAt: START + 1 });
    lane.start();
    for (let reported = 0; reported < 600; reported += 1) {
      around.advance(1_000);
      if (lane.nextAt === null) lane.done();
      lane.change({ ticks: whole(10_000, 8_000), spreadMs: 0 });
    }
    expect(seen().length).toBeGreaterThan(50);
  });

  it.each([
    ['sooner than the other schedule: it stays', 20_000, 2_000],
    ['later than the other schedule: that is soon enough', 1_000, 1_000],
  ])('takes up another schedule while a failure is to be confirmed, %s', (_, periodMs, expected) => {
    const { around, lane, dues, seen } = setUp();
    lane.start();
    around.advance(0);
    lane.done();
    lane.sooner(2_000);
    lane.change({ ticks: whole(periodMs), spreadMs: 0 });
    around.advance(expected);
    expect(seen()).toEqual([0, expected]);
    expect(dues.at(-1)?.again).toBe(expected === 2_000);
  });

  it('is due no more once it was stopped, also where it went on', () => {
    const { around, lane, seen } = setUp();
    lane.start();
    around.advance(0);
    lane.stop();
    lane.done();
    lane.sooner(1);
    around.advance(60_000);
    expect(seen()).toEqual([0]);
    expect(lane.nextAt).toBeNull();
  });
});
