import { describe, expect, it } from 'vitest';
import { compare, inTurn, spread, type Contender } from './measure.ts';

describe('a spread', () => {
  it.each([
    ['an odd number', [5, 1, 3], { median: 3, low: 2, high: 4 }],
    ['an even number', [4, 1, 3, 2], { median: 2.5, low: 1.75, high: 3.25 }],
    ['one', [7], { median: 7, low: 7, high: 7 }],
    ['none', [], { median: NaN, low: NaN, high: NaN }],
  ])('of %s of values', (_, values, wanted) => {
    expect(spread(values)).toEqual(wanted);
  });
});

describe('a comparison', () => {
  it('takes the ratio of each pair, not that of the medians', () => {
    // A machine that gets slower all the time: the second pair is as good as the first.
    const pairs = {
      ours: [{ wallMs: 10 }, { wallMs: 200 }, { wallMs: 3000 }],
      theirs: [{ wallMs: 20 }, { wallMs: 400 }, { wallMs: 6000 }],
    };
    expect(compare(pairs, 'wallMs')?.ratio).toEqual({ median: 0.5, low: 0.5, high: 0.5 });
  });

  it.each([
    ['nothing that ours has not', { ours: [{ cpuMs: 1 }], theirs: [{ wallMs: 1 }] }, undefined],
    ['ours alone, where theirs has none', { ours: [{ wallMs: 1 }], theirs: [] }, { ours: spread([1]) }],
  ])('has %s', (_, pairs, wanted) => {
    expect(compare(pairs, 'wallMs')).toEqual(wanted);
  });
});

describe('in turn', () => {
  const noting = (name: string, order: string[]): Contender => ({
    name,
    sample: () => Promise.resolve({ wallMs: order.push(name) }),
  });

  it('runs one after the other, and does not count the first runs', async () => {
    const order: string[] = [];
    const done: number[] = [];
    const options = { pairs: 2, warmUps: 1, onPair: (pair: number): void => void done.push(pair) };
    const pairs = await inTurn(noting('ours', order), noting('theirs', order), options);
    expect(order).toEqual(['ours', 'theirs', 'ours', 'theirs', 'ours', 'theirs']);
    expect(pairs).toEqual({ ours: [{ wallMs: 3 }, { wallMs: 5 }], theirs: [{ wallMs: 4 }, { wallMs: 6 }] });
    expect(done).toEqual([1, 2]);
  });
});
