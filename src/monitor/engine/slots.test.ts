import { describe, expect, it } from 'vitest';
import { createSlots, fullChecksFor, runsFor, type Slot, type Slots, type Urgency } from './concurrency.ts';

const NEVER = new AbortController().signal;

/** Asks for places, and notes who got one. */
function requester(slots: Slots) {
  const got: string[] = [];
  const taken = new Map<string, Slot>();
  const ask = async (name: string, urgency: Urgency, signal = NEVER): Promise<void> => {
    const slot = await slots.take(urgency, signal);
    if (slot === null) return;
    got.push(name);
    taken.set(name, slot);
  };
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    got,
    ask: (...given: Parameters<typeof ask>) => void ask(...given),
    slowDown: (name: string) => taken.get(name)?.slowDown(),
    release: (name: string) => taken.get(name)?.release(),
    turn,
  };
}

describe('locations', () => {
  it('are given in order, no more than there are', async () => {
    const slots = createSlots(4);
    const { got, ask, release, turn } = requester(slots);
    for (const name of ['a', 'b', 'c', 'd']) ask(name, 'usual');
    await turn();
    expect(got).toEqual(['a', 'b']);
    release('b');
    release('b');
    await turn();
    expect([got, slots.taken()]).toEqual([['a', 'b', 'c'], 2]);
  });

  it('are no more than there is something to do for', async () => {
    let isBusy = true;
    const { got, ask, release, turn } = requester(createSlots(1_000, () => isBusy));
    for (let site = 0; site < 100; site += 1) ask(`site-${site}`, 'usual');
    ask('slow', 'slow');
    await turn();
    expect([got.length, got.at(-1)]).toEqual([65, 'slow']);
    release('site-0');
    await turn();
    expect([got.length, got.at(-1)]).toEqual([66, 'site-64']);
    isBusy = false;
    release('site-1');
    await turn();
    expect(got).toHaveLength(101);
  });

  it('go first to what has to be confirmed', async () => {
    const { got, ask, release, turn } = requester(createSlots(2));
    ask('first', 'usual');
    ask('usual', 'usual');
    ask('urgent', 'urgent');
    for (const name of ['first', 'urgent']) {
      await turn();
      release(name);
    }
    await turn();
    expect(got).toEqual(['first', 'urgent', 'usual']);
  });

  it('are never all taken by what was slow', async () => {
    const { got, ask, turn } = requester(createSlots(4));
    for (let site = 0; site < 100; site += 1) ask(`slow-${site}`, 'slow');
    ask('healthy', 'usual');
    await turn();
    expect(got).toEqual(['slow-0', 'slow-1', 'healthy']);
  });

  it('become free when what goes on takes long, as far as there is room for slow ones', async () => {
    const { got, ask, slowDown, release, turn } = requester(createSlots(2));
    for (const name of ['a', 'b', 'c']) ask(name, 'usual');
    await turn();
    slowDown('a');
    await turn();
    slowDown('b');
    await turn();
    expect(got).toEqual(['a', 'b']);
    release('a');
    slowDown('b');
    await turn();
    expect(got).toEqual(['a', 'b', 'c']);
  });

  it('are not waited for any more once that was given up', async () => {
    const closing = new AbortController();
    const slots = createSlots(2);
    const { got, ask, release, turn } = requester(slots);
    ask('a', 'usual');
    ask('b', 'usual', closing.signal);
    closing.abort();
    ask('c', 'usual', closing.signal);
    await turn();
    release('a');
    await turn();
    expect([got, slots.taken()]).toEqual([['a'], 0]);
  });
});

describe('what a process can do at once', () => {
  it.each([
    ['plenty of descriptors', 1_048_576, 512],
    ['the usual limit', 1_024, 112],
    ['few', 256, 16],
    ['hardly any', 64, 1],
    ['no limit', Infinity, 512],
  ])('with %s', (_, descriptors, expected) => {
    expect(runsFor(descriptors)).toBe(expected);
  });

  it.each([
    [256, 2],
    [512, 2],
    [1_024, 4],
    [16_384, 6],
  ])('full checks run within %i MiB: %i at once', (mebibytes, expected) => {
    expect(fullChecksFor(mebibytes * 1024 * 1024)).toBe(expected);
  });
});
