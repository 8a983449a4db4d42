import { describe, expect, it } from 'vitest';
import { firstFindings, firstOfEach } from './full-check.ts';

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
    const findings = [1, 2, 3].map((line) => ({ rule: 'missing', evidence: { line } }));
    expect(firstFindings([...findings, { rule: 'other', evidence: { line: 4 } }], 2)).toEqual([
      { rule: 'missing', evidence: { line: 1 } },
      { rule: 'missing', evidence: { line: 2 }, omitted: 1 },
      { rule: 'other', evidence: { line: 4 } },
    ]);
  });
});
