import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Pace, type Capacity, hostQueue, type HostQueue } from './pool.ts';

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
