import { describe, expect, it } from 'vitest';
import { editDistance } from './edit-distance.ts';

describe('editDistance', () => {
  it.each<readonly [a: string, b: string, plain: number, swapping: number]>([
    ['', '', 0, 0],
    ['a', 'a', 0, 0],
    ['', 'abc', 3, 3],
    ['abc', '', 3, 3],
    ['instal', 'install', 1, 1],
    ['kitten', 'sitting', 3, 3],
    ['guide', 'guied', 2, 1],
    ['ca', 'abc', 3, 3],
    ['aab', 'aba', 2, 1],
    [`${'x'.repeat(90)}ab${'y'.repeat(90)}`, `${'x'.repeat(90)}ba${'y'.repeat(90)}`, 2, 1],
  ])('%j and %j', (a, b, plain, swapping) => {
    expect([editDistance(a, b), editDistance(b, a)]).toEqual([plain, plain]);
    expect([editDistance(a, b, { swaps: true }), editDistance(b, a, { swaps: true })]).toEqual([swapping, swapping]);
  });

  it.each([false, true])('counts as the whole matrix does, swaps: %j', (swaps) => {
    const words = allWords(5);
    const wrong = words.flatMap((a) =>
      words.flatMap((b) => {
        const whole = matrix(a, b, swaps);
        const bounded = [1, 2].map((most) => Math.min(editDistance(a, b, { swaps, most }), most + 1));
        const found = [editDistance(a, b, { swaps }), ...bounded];
        return found.join() === [whole, Math.min(whole, 2), Math.min(whole, 3)].join() ? [] : [[a, b, found]];
      }),
    );
    expect([words.length, wrong]).toEqual([63, []]);
  });
});

/** All words of two letters up to a length. */
function allWords(longest: number): string[] {
  const words = [''];
  for (let at = 0; (words[at]?.length ?? longest) < longest; at++) words.push(`${words[at]}a`, `${words[at]}b`);
  return words;
}

function matrix(a: string, b: string, swaps: boolean): number {
  const cells = Array.from({ length: a.length + 1 }, (_, row) =>
    Array.from({ length: b.length + 1 }, (_unused, column) => (row === 0 ? column : row)),
  );
  const at = (row: number, column: number): number => cells[row]?.[column] ?? 0;
  for (let row = 1; row <= a.length; row++) {
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      let least = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + same);
      if (swaps && row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        least = Math.min(least, at(row - 2, column - 2) + 1);
      }
      const line = cells[row];
      if (line !== undefined) line[column] = least;
    }
  }
  return at(a.length, b.length);
}
