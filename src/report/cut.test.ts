import { describe, expect, it } from 'vitest';
import { beginningOf, cutText, shortJson } from './cut.ts';
import type { Json } from '../core/answer.ts';

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

describe('a value that has room', () => {
  it.each<Json>([null, true, -0.5, '', 'a"b\n', [], {}, [1, [2, {}], 'c'], { a: { b: [null] }, 'c d': '' }])(
    '%j is its JSON',
    (value) => {
      expect(shortJson(value, 1_000)).toBe(JSON.stringify(value));
    },
  );
});

describe('a value that has none', () => {
  it.each<{ name: string; value: Json; shown: string }>([
    { name: 'a text', value: 'abcdefghijklmn', shown: '"abcdefghij…"' },
    { name: 'a list', value: [1, 2, 3, 4, 5, 6, 7], shown: '[1,2,3,4,…]' },
    { name: 'an object', value: { a: 1, b: 2, c: 3 }, shown: '{"a":1,"b":2,…}' },
    { name: 'a text in a list', value: ['abcdefghijklmn', 1], shown: '["abcdefgh…",…]' },
  ])('$name', ({ value, shown }) => {
    expect(shortJson(value, 10)).toBe(shown);
  });

  it.each<{ name: string; value: Json }>([
    { name: 'very many', value: Array.from({ length: 100_000 }, (_, index) => index) },
    { name: 'very long', value: { ['n'.repeat(100_000)]: 'v'.repeat(100_000) } },
    { name: 'very deep', value: nested(100_000, (inner) => [inner]) },
    { name: 'a part that it has in many ways', value: nested(500, (inner) => ({ a: inner, b: [inner, 1] })) },
    { name: 'itself', value: within() },
  ])('$name', ({ value }) => {
    expect(shortJson(value, 1_000).length).toBeLessThan(5_000);
  });
});

function nested(depth: number, timers: (inner: Json) => Json): Json {
  let value: Json = 1;
  for (let level = 0; level < depth; level++) value = timers(value);
  return value;
}

function within(): Json {
  const value: Record<string, Json> = { a: 1 };
  value['b'] = [value, value];
  return value;
}
