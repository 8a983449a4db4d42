import { describe, expect, it } from 'vitest';
import { FakeAround } from '../../../test/monitor/fake-around.ts';
import { startClock, type Gap } from './clock.ts';

function setUp() {
  const timers = new FakeAround();
  const gaps: Gap[] = [];
  const clock = startClock(timers, (gap) => gaps.push(gap));
  return { around: timers, clock, gaps };
}

type World = FakeAround;

describe('the clock', () => {
  it('goes on with the world', () => {
    const { around, clock } = setUp();
    const began = clock.now();
    around.advance(12_345);
    expect(clock.now() - began).toBe(12_345);
  });

  it.each<[string, (timers: World) => void, Gap[]]>([
    ['nothing happens in an hour', (timers) => timers.advance(3_600_000), []],
    ['the machine sleeps for an hour', (timers) => timers.sleep(3_600_000), [{ kind: 'resumed', afterMs: 3_600_000 }]],
    ['the machine sleeps for six seconds', (timers) => timers.sleep(6_000), [{ kind: 'resumed', afterMs: 6_000 }]],
    ['the process is stopped for a minute', (timers) => timers.stall(60_000), [{ kind: 'resumed', afterMs: 60_000 }]],
    ['the process is busy for ten seconds', (timers) => timers.block(10_000), [{ kind: 'blocked', forMs: 10_000 }]],
    ['the process is busy for three seconds', (timers) => timers.block(3_000), []],
    ['the clock is set forwards', (timers) => timers.setWall(90_000), [{ kind: 'clock-jump', byMs: 90_000 }]],
    ['the clock is set back', (timers) => timers.setWall(-90_000), [{ kind: 'clock-jump', byMs: -90_000 }]],
    ['the clock is corrected by half a second', (timers) => timers.setWall(500), []],
    ['the clock is corrected back by half a second', (timers) => timers.setWall(-500), []],
  ])('reports that %s', (_, happen, expected) => {
    const { around, clock, gaps } = setUp();
    around.advance(5_000);
    happen(around);
    const interruptions = clock.interruptions();
    expect(interruptions.gaps + interruptions.blocks).toBe(expected.length);
    around.advance(1_000);
    expect(gaps).toEqual(expected);
  });

  it('notices a stop of little more than five seconds after it was asked between two beats', () => {
    const { around, clock, gaps } = setUp();
    around.advance(950);
    clock.interruptions();
    around.stall(5_500);
    around.advance(1_000);
    expect(gaps).toEqual([{ kind: 'resumed', afterMs: 6_450 }]);
  });

  it('does not take a clock that is slewed for one that is set', () => {
    const { around, gaps } = setUp();
    for (let second = 0; second < 3_600; second += 1) {
      around.setWall(1);
      around.advance(1_000);
    }
    expect(gaps).toEqual([]);
  });

  it('notices a gap without being asked', () => {
    const { around, gaps } = setUp();
    around.advance(5_000);
    around.sleep(30_000);
    around.advance(1_000);
    expect(gaps).toEqual([{ kind: 'resumed', afterMs: 30_000 }]);
  });

  it('never runs backwards for a correction, and follows a clock that is set', () => {
    const { around, clock } = setUp();
    around.advance(10_000);
    const before = clock.now();
    around.setWall(-400);
    around.advance(100);
    clock.interruptions();
    expect(clock.now()).toBeGreaterThanOrEqual(before);
    around.setWall(-3_600_000);
    clock.interruptions();
    expect(clock.now()).toBe(around.wall());
  });

  it('has no timer left once it was stopped', () => {
    const { around, clock } = setUp();
    clock.stop();
    expect(around.untilNext()).toBeNull();
  });
});
