import { describe, expect, it } from 'vitest';
import { firstDrafts, firstOfEach } from './first-of-each.ts';

const shown = (text: string, most: number): string =>
  firstOfEach(text.split(''), (letter) => letter.toLowerCase(), most)
    .map(({ item, omitted }) => (omitted === undefined ? item : `${item}+${omitted}`))
    .join(' ');

describe('firstOfEach', () => {
  it.each([
    { name: 'nothing', text: '', most: 2, is: '' },
    { name: 'fewer than told', text: 'ab', most: 2, is: 'a b' },
    { name: 'just as many', text: 'abAB', most: 2, is: 'a b A B' },
    { name: 'one more', text: 'aAa', most: 2, is: 'a A+1' },
    { name: 'codes in turn', text: 'abababcaa', most: 2, is: 'a b a+3 b+1 c' },
    { name: 'one of each', text: 'aaab', most: 1, is: 'a+2 b' },
  ])('$name: $is', ({ text, most, is }) => {
    expect(shown(text, most)).toBe(is);
  });
});

describe('firstDrafts', () => {
  it('says on the last of a code how many more there are', () => {
    const drafts = [1, 2, 3].map((line) => ({ code: 'missing', evidence: { line } }));
    expect(firstDrafts([...drafts, { code: 'other', evidence: { line: 4 } }], 2)).toEqual([
      { code: 'missing', evidence: { line: 1 } },
      { code: 'missing', evidence: { line: 2 }, omitted: 1 },
      { code: 'other', evidence: { line: 4 } },
    ]);
  });
});
