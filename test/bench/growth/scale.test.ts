import { describe, expect, it } from 'vitest';
import { stepScale, valueScale } from './scale.ts';

describe('an axis of values', () => {
  it.each([
    ['has every decade where there are many', [150, 14_000, 90], [100, 1000, 10_000]],
    ['has what is between where there are few', [70, 420], [50, 100, 200, 500]],
    ['has lines around one value', [3], [2, 5]],
    ['lets nothing lie on its ends', [10, 100], [5, 10, 20, 50, 100, 200]],
    ['knows fractions', [0.11, 0.13], [0.1, 0.2]],
    ['has exact names', [0.25, 0.4], [0.2, 0.5]],
  ])('%s', (_, values, ticks) => {
    expect(valueScale(values).ticks).toEqual(ticks);
  });

  it('is logarithmic', () => {
    const { at } = valueScale([30, 3000]);
    expect(at(20)).toBe(0);
    expect(at(5000)).toBe(1);
    expect(at(1000) - at(100)).toBeCloseTo(at(300) - at(30));
  });
});

describe('an axis of steps', () => {
  it('goes from the first one to the last one', () => {
    const { ticks, at } = stepScale([1, 10, 100]);
    expect([ticks, ...ticks.map(at)]).toEqual([[1, 10, 100], 0, 0.5, 1]);
  });

  it('has one in its middle', () => {
    expect(stepScale([7]).at(7)).toBe(0.5);
  });
});
