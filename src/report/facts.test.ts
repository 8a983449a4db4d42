import { describe, expect, it } from 'vitest';
import type { Json } from '../answer.ts';
import { factsOf } from './facts.ts';

describe('a fact', () => {
  it.each<{ name: string; value: Json; facts: readonly string[] }>([
    { name: 'a', value: null, facts: [] },
    { name: 'a', value: 'b\nc', facts: ['a b␊c'] },
    { name: 'a', value: 3, facts: ['a 3'] },
    { name: 'a', value: ['b', 'c\t'], facts: ['a b, c␉'] },
    { name: 'a', value: [1, 'b'], facts: ['a [1,"b"]'] },
    { name: 'a', value: { b: 1 }, facts: ['a {"b":1}'] },
    { name: 'a', value: [{ b: 1, c: null }, { d: ['e', 'f'] }], facts: ['a[0]: b 1', 'a[1]: d e, f'] },
    { name: 'a', value: [{ b: [{ c: 1 }] }], facts: ['a[0]: b[0]: c 1'] },
    { name: 'a\n\u202e', value: 1, facts: [String.raw`a␊\u202e 1`] },
    { name: 'a\u001b', value: [{ 'b\n': 1 }], facts: ['a␛[0]: b␊ 1'] },
  ])('$name $value', ({ name, value, facts }) => {
    expect(factsOf(name, value)).toEqual(facts);
  });

  it('of a value without an end has one', () => {
    let value: Json = 1;
    for (let level = 0; level < 500; level++) value = [{ a: value, b: value }];
    expect(factsOf('a', value).join('').length).toBeLessThan(100_000);
  });
});
