import { describe, expect, it } from 'vitest';
import { editDistance } from './edit-distance.ts';

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
