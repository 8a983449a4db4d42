import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '../answer.ts';
import { yamlMapping } from './tap.ts';

const read = (members: { readonly [name: string]: Json }): unknown =>
  parse(yamlMapping(members).join('\n'), { version: '1.2', strict: true, uniqueKeys: true });

function nested(depth: number, timers: (inner: Json) => Json): Json {
  let value: Json = 1;
  for (let level = 0; level < depth; level++) value = timers(value);
  return value;
}

function within(): Json {
  const value: Record<string, Json> = { a: 1 };
  value['b'] = [value, value];
  value['c'] = value;
  return value;
}

describe('what is small', () => {
  it.each<{ readonly [name: string]: Json }>([
    { a: 1, b: [true, null, 'c'], d: { e: [] }, f: {} },
    { list: [{ a: 1, b: { c: 2 } }, 'x', { d: [1, { e: 2 }] }] },
    { deep: nested(9, (a) => ({ a })) },
  ])('%j stays what it is', (members) => {
    expect(read(members)).toEqual(members);
  });
});

describe('names', () => {
  it.each([
    ['alike once they are printable', { '\n': 1, '␊': 2 }],
    ['alike once they are cut', { [`${'x'.repeat(300)}a`]: 1, [`${'x'.repeat(300)}b`]: 2 }],
    ['alike to what tells them apart', { '␊': 1, '␊ (2)': 2, '\n': 3 }],
  ])('that are %s stay apart', (_, members) => {
    expect(Object.values(read(members) as object)).toEqual(Object.values(members));
  });
});

describe('what is large', () => {
  it.each<{ name: string; value: Json }>([
    { name: 'many members', value: Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`m${index}`, 1])) },
    { name: 'many items', value: Array.from({ length: 50_000 }, (_, index) => index) },
    { name: 'many lists', value: Array.from({ length: 50_000 }, (_, index) => [index, [index]]) },
    { name: 'many objects', value: Array.from({ length: 50_000 }, (_, index) => ({ a: index, b: [index] })) },
    { name: 'a long text without a break', value: 'x'.repeat(1_000_000) },
    { name: 'depth', value: nested(100_000, (inner) => ({ a: inner })) },
    { name: 'depth of lists', value: nested(100_000, (inner) => [inner]) },
    { name: 'a part that it has in many ways', value: nested(500, (inner) => ({ a: inner, b: [inner, 1] })) },
    { name: 'parts that it has in even more ways', value: nested(9, (a) => ({ a, b: a, c: a, d: a, e: [a, { a }] })) },
    { name: 'itself', value: within() },
  ])('ends: $name', ({ value }) => {
    const lines = yamlMapping({ before: 1, value, after: 2 });
    expect(lines.length).toBeLessThan(21_000);
    expect(lines.reduce((sum, line) => sum + line.length, 0)).toBeLessThan(5_000_000);
    // To look for each key among all others takes the parser half a minute.
    const reported: unknown = parse(lines.join('\n'), { version: '1.2', strict: true, uniqueKeys: false });
    expect(reported).toMatchObject({ before: 1 });
  });
});
