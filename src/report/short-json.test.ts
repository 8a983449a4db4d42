import { describe, expect, it } from 'vitest';
import type { Json } from '../answer.ts';
import { shortJson } from './cut.ts';

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
