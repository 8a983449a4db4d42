import { describe, expect, it, afterEach, beforeEach, vi } from 'vitest';
import { Pace, type Capacity, hostQueue, type HostQueue } from './pool.ts';

/** When each of `count` requests may be sent, by a caller who always has one ready. */
function times(pace: Pace, count: number, from = 0): number[] {
  let now = from;
  return Array.from({ length: count }, () => {
    now += pace.waitMs(now);
    pace.sent(now);
    return now;
  });
}

const answers = (pace: Pace, count: number): void => {
  for (let done = 0; done < count; done++) pace.answered();
};

describe('pace', () => {
  it('without a rate lets everybody go at once', () => {
    expect(times(new Pace(6, 0), 4)).toEqual([0, 0, 0, 0]);
  });

  it('with a rate spaces evenly', () => {
    expect(times(new Pace(6, 10), 4)).toEqual([0, 100, 200, 300]);
  });

  it('makes up for timers that come a little late', () => {
    const pace = new Pace(6, 10);
    pace.sent(0);
    pace.sent(103);
    expect(pace.waitMs(103)).toBe(97);
  });

  it('with a rate saves nothing up for a burst while nobody asks', () => {
    const pace = new Pace(6, 10);
    times(pace, 1);
    expect(times(pace, 4, 5_000)).toEqual([5_000, 5_095, 5_195, 5_295]);
  });

  it('pauses as the host says', () => {
    const pace = new Pace(6, 0);
    pace.refused(1_000, 900, 7_000);
    expect(pace.waitMs(1_000)).toBe(7_000);
    expect(pace.waitMs(8_000)).toBe(0);
  });

  it('pauses longer each time where the host does not say how long, and not for ever', () => {
    const pace = new Pace(6, 0);
    const waits: number[] = [];
    for (let now = 0; waits.length < 6; now += 10_000) {
      pace.refused(now, now, null);
      waits.push(pace.waitMs(now));
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 0, 0]);
    expect(pace.isHopeless).toBe(true);
    pace.answered();
    expect(pace.isHopeless).toBe(false);
  });

  it('takes a host for busy after three paths in a row that were unavailable', () => {
    const pace = new Pace(6, 0);
    expect(['/a', '/a', '/b', '/c', '/a'].map((path) => pace.isBusy(path))).toEqual([false, false, false, true, true]);
  });

  it('takes paths for broken that are unavailable among good answers', () => {
    const pace = new Pace(6, 0);
    for (const path of ['/a', '/b', '/c']) {
      expect(pace.isBusy(path)).toBe(false);
      pace.answered();
    }
    expect(['/a', '/b', '/c'].map((path) => pace.isBusy(path))).toEqual([false, false, false]);
  });

  it('halves how many may be under way, down to one', () => {
    const pace = new Pace(6, 0);
    const observed = [0, 1, 2, 3].map((now) => {
      pace.refused(now, now, null);
      return pace.concurrency;
    });
    expect(observed).toEqual([3, 1, 1, 1]);
  });

  it('is slowed once by refusals of requests that were under way together', () => {
    const pace = new Pace(6, 0);
    pace.refused(100, 90, 1_000);
    pace.refused(101, 91, 2_000);
    pace.refused(102, 92, null);
    expect(pace.concurrency).toBe(3);
    // The latest that the host says holds.
    expect(pace.waitMs(101)).toBe(2_000);
  });

  it('spaces requests after a refusal, more each time', () => {
    const pace = new Pace(6, 0);
    pace.refused(0, 0, 1_000);
    expect(times(pace, 3, 1_000)).toEqual([1_000, 1_045, 1_095]);
    pace.refused(2_000, 2_000, 1_000);
    expect(times(pace, 3, 3_000)).toEqual([3_000, 3_095, 3_195]);
  });

  it('is raised slowly by good answers, up to where it began', () => {
    const pace = new Pace(6, 0);
    pace.refused(0, 0, null);
    expect(times(pace, 3, 10_000)).toEqual([10_000, 10_045, 10_095]);
    const observed = [1, 2, 3, 4].map(() => {
      answers(pace, 5);
      return pace.concurrency;
    });
    expect(observed).toEqual([4, 5, 6, 6]);
    answers(pace, 25);
    expect(times(pace, 3, 20_000)).toEqual([20_000, 20_000, 20_000]);
  });

  it('is never faster than the user’s rate', () => {
    const pace = new Pace(6, 2);
    pace.refused(0, 0, 100);
    answers(pace, 1_000);
    expect(times(pace, 3, 10_000)).toEqual([10_000, 10_495, 10_995]);
  });
});

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

interface Scene {
  readonly turns: HostQueue;
  /** Who has begun, in order, as `name@time`. */
  readonly begun: string[];
  readonly come: (name: string, isAgain?: boolean) => void;
  readonly pass: (ms: number) => Promise<void>;
}

function scene(most: number, rate = 0, capacity: Capacity = { free: 100, blocked: new Set() }): Scene {
  const began = performance.now();
  const clock = (): number => performance.now() - began;
  const turns = hostQueue(new Pace(most, rate), capacity, clock);
  const begun: string[] = [];
  return {
    turns,
    begun,
    come: (name, isAgain = false) => {
      turns.take(isAgain).then(
        () => begun.push(`${name}@${clock()}`),
        (reason: unknown) => begun.push(`${name}: ${(reason as Error).message}`),
      );
    },
    pass: async (ms) => {
      // In steps, so that who begins is noted when it does.
      for (let passed = 0; passed < ms; passed += 10) {
        vi.advanceTimersByTime(10);
        await Promise.resolve();
        await Promise.resolve();
      }
      await new Promise(setImmediate);
    },
  };
}

describe('turns', () => {
  it('are given to as many as may be, first come, first served', async () => {
    const { turns, begun, come, pass } = scene(2);
    for (const name of ['a', 'b', 'c', 'd']) come(name);
    await pass(10);
    turns.give();
    await pass(10);
    turns.give();
    await pass(10);
    expect(begun.map((one) => one[0])).toEqual(['a', 'b', 'c', 'd']);
    expect(begun[1]).toBe('b@10');
    expect(begun[3]).not.toBe('d@10');
  });

  it('are given first to those who have waited before', async () => {
    const { turns, begun, come, pass } = scene(1);
    come('a');
    come('b');
    come('c', true);
    await pass(10);
    turns.give();
    await pass(10);
    turns.give();
    await pass(10);
    expect(begun.map((one) => one[0])).toEqual(['a', 'c', 'b']);
  });

  it('come evenly where there is a rate', async () => {
    const { begun, come, pass } = scene(6, 10);
    for (const name of ['a', 'b', 'c', 'd']) come(name);
    await pass(250);
    expect(begun).toEqual(['a@10', 'b@100', 'c@200']);
  });

  it('wait while the host pauses, even those that are free', async () => {
    const { turns, begun, come, pass } = scene(6);
    turns.pace.refused(0, 0, 1_000);
    come('a');
    await pass(990);
    expect(begun).toEqual([]);
    await pass(20);
    expect(begun).toEqual(['a@1000']);
  });

  it('end for those who wait and for those who come', async () => {
    const { turns, begun, come, pass } = scene(1);
    come('a');
    come('b');
    turns.end(new Error('over'));
    come('c');
    await pass(10);
    expect(begun).toEqual(['a@10', 'b: over', 'c: over']);
  });

  it('of all hosts together are bounded, and shared fairly', async () => {
    const capacity: Capacity = { free: 2, blocked: new Set() };
    const one = scene(6, 0, capacity);
    const two = scene(6, 0, capacity);
    for (const name of ['a', 'b', 'c', 'd']) one.come(name);
    for (const name of ['e', 'f']) two.come(name);
    await one.pass(10);
    expect([one.begun.length, two.begun.length]).toEqual([2, 0]);
    one.turns.give();
    await one.pass(10);
    one.turns.give();
    await one.pass(10);
    expect([one.begun.length, two.begun.length]).toEqual([3, 1]);
  });
});
