import { describe, expect, it } from 'vitest';
import { editDistance, nearest, withNearest } from './edit-distance.ts';

describe('editDistance', () => {
  it.each<readonly [a: string, b: string, distance: number]>([
    ['', '', 0],
    ['a', 'a', 0],
    ['', 'abc', 3],
    ['instal', 'install', 1],
    ['kitten', 'sitting', 3],
    ['guide', 'guied', 1],
    ['ca', 'abc', 3],
    ['aab', 'aba', 1],
    [`${'x'.repeat(90)}ab${'y'.repeat(90)}`, `${'x'.repeat(90)}ba${'y'.repeat(90)}`, 1],
  ])('%j and %j', (a, b, distance) => {
    expect([editDistance(a, b), editDistance(b, a)]).toEqual([distance, distance]);
  });
});

describe('nearest', () => {
  const keys = ['url', 'timeout', 'deadline', 'only', 'skip', 'notContains'];

  it.each([
    ['timeuot', 'timeout'],
    ['Timeout', 'timeout'],
    ['time-out', 'timeout'],
    ['notcontains', 'notContains'],
    ['not_contains', 'notContains'],
    ['uri', 'url'],
    ['sikp', 'skip'],
    ['colour', undefined],
    ['', undefined],
    ['x'.repeat(100_000), undefined],
  ])('%.20s → %s', (name, expected) => {
    expect(nearest(name, keys)).toBe(expected);
  });
});

it('withNearest names the candidate only where there is one', () => {
  expect(withNearest('timeuot', ['timeout'])).toEqual({ name: 'timeuot', nearest: 'timeout' });
  expect(withNearest('colour', ['timeout'])).toEqual({ name: 'colour' });
});
