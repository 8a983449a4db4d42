import { describe, expect, it } from 'vitest';
import { beginningOf, cutText } from './cut.ts';

describe('a text that is cut', () => {
  it.each([
    { name: 'short enough', text: 'abc', longest: 3, cut: { text: 'abc', more: 0 } },
    { name: 'too long', text: 'abcd', longest: 3, cut: { text: 'abc', more: 1 } },
    { name: 'a pair at the end', text: 'ab😀c', longest: 3, cut: { text: 'ab', more: 3 } },
    { name: 'a pair before the end', text: 'a😀c', longest: 3, cut: { text: 'a😀', more: 1 } },
    { name: 'half a pair at the end', text: 'ab\ud83dc', longest: 3, cut: { text: 'ab\ud83d', more: 1 } },
  ])('$name', ({ text, longest, cut }) => {
    expect(beginningOf(text, longest)).toEqual(cut);
  });

  it.each([
    ['short enough', 'abc', 3, 'abc'],
    ['too long', 'abcde', 3, 'abc… +2'],
    ['a pair at the end', 'ab😀c', 3, 'ab… +3'],
  ])('%s, as one text', (_, text, most, shown) => {
    expect(cutText(text, most)).toBe(shown);
  });
});
