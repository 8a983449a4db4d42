import { describe, expect, it } from 'vitest';
import { remembering } from './cache.ts';

/** Makes numbers, and counts how many. */
function counter(): { readonly make: () => Promise<number>; readonly made: () => number } {
  let made = 0;
  return { make: () => Promise.resolve(++made), made: () => made };
}

const owner = {};

describe('what is remembered', () => {
  it.each([
    ['at once', 1000, 1],
    ['just before its end', 1999, 1],
    ['at its end', 2000, 2],
    ['by a clock that was set back', 0, 2],
  ])('%s', async (_name, later, made) => {
    const remembered = remembering<number>(10);
    const { make } = counter();
    await remembered(owner, 'a', 1000, 1000, make);
    expect(await remembered(owner, 'a', later, 1000, make)).toBe(made);
  });

  it('is made once for all who ask meanwhile', async () => {
    const remembered = remembering<number>(10);
    const { make, made } = counter();
    await Promise.all([remembered(owner, 'a', 0, 10, make), remembered(owner, 'a', 0, 10, make)]);
    expect(made()).toBe(1);
  });

  it('gives way to what is newer', async () => {
    const remembered = remembering<number>(2);
    const { make } = counter();
    for (const key of ['a', 'b', 'c']) await remembered(owner, key, 0, 10, make);
    expect([await remembered(owner, 'c', 0, 10, make), await remembered(owner, 'b', 0, 10, make)]).toEqual([3, 2]);
    expect(await remembered(owner, 'a', 0, 10, make)).toBe(4);
  });

  it('is no failure', async () => {
    const remembered = remembering<number>(2);
    await expect(remembered(owner, 'a', 0, 10, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    expect(await remembered(owner, 'a', 0, 10, () => Promise.resolve(7))).toBe(7);
  });
});
