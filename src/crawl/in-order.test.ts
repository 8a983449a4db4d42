import { describe, expect, it } from 'vitest';
import { AT_ONCE, inOrder } from './in-order.ts';

const never = new AbortController().signal;

describe('inOrder', () => {
  it('hands results on in the order of the items, whatever order they come in', async () => {
    const gates = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
    const taken: number[] = [];
    const work = async (item: number): Promise<number> => {
      await gates[item]?.promise;
      return item * 10;
    };
    const all = inOrder({ items: [0, 1, 2, 3], work, take: (result) => taken.push(result), stop: never });
    for (const index of [2, 3, 0, 1]) {
      gates[index]?.resolve();
      await new Promise(setImmediate);
    }
    await all;
    expect(taken).toEqual([0, 10, 20, 30]);
  });

  it('works on so many at once and no more', async () => {
    let [running, most] = [0, 0];
    const work = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running -= 1;
    };
    await inOrder({ items: Array.from({ length: 50 }), work, take: () => {}, stop: never });
    expect(most).toBe(AT_ONCE);
  });

  it('ends at once when it is stopped, and takes nothing any more', async () => {
    const stop = new AbortController();
    const taken: number[] = [];
    const late = Promise.withResolvers<number>();
    const work = (item: number): Promise<number> => (item === 1 ? late.promise : Promise.resolve(item));
    const take = (result: number): void => {
      taken.push(result);
      stop.abort();
    };
    await inOrder({ items: [0, 1, 2], work, take, stop: stop.signal });
    late.resolve(1);
    await new Promise(setImmediate);
    expect(taken).toEqual([0]);
  });

  it.each([
    ['nothing to do', [] as readonly number[], never],
    ['a run that ended before', [1, 2], AbortSignal.abort()],
  ])('ends with %s', async (_, items, stop) => {
    let asked = 0;
    await inOrder({ items, work: () => Promise.resolve(++asked), take: () => {}, stop });
    expect(asked).toBe(0);
  });

  it('rejects with what a piece of work rejects with', async () => {
    const work = (): Promise<never> => Promise.reject(new Error('out of threads'));
    await expect(inOrder({ items: [1], work, take: () => {}, stop: never })).rejects.toThrow('out of threads');
  });
});
