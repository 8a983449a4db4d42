import { describe, expect, it } from 'vitest';
import { compileSchema } from './user-schema.ts';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const DRAFT_2019 = 'https://json-schema.org/draft/2019-09/schema';

describe('a schema of the user\u2019s own', () => {
  it.each<[name: string, schema: unknown, value: unknown, keywords: string[]]>([
    ['true', true, {}, []],
    ['false', false, {}, ['false schema']],
    ['a type', { type: 'object' }, [], ['type']],
    ['2020-12: prefixItems', { prefixItems: [{ type: 'string' }] }, [1], ['type']],
    ['2019-09: items as a list', { $schema: DRAFT_2019, items: [{ type: 'string' }] }, [1], ['type']],
    ['draft-07: items as a list', { $schema: DRAFT_07, items: [{ type: 'string' }] }, [1], ['type']],
    [
      'draft-07: definitions',
      { $schema: DRAFT_07, $ref: '#/definitions/a', definitions: { a: { type: 'string' } } },
      1,
      ['type'],
    ],
    ['an unknown keyword is an annotation', { madeUp: 1 }, 1, []],
    ['an unknown format is an annotation', { format: 'made-up' }, 'x', []],
    ['a known format is one too', { format: 'email' }, 'x', []],
    ['its own $id', { $id: 'https://x.example/a', $ref: 'a#/$defs/b', $defs: { b: { type: 'string' } } }, 1, ['type']],
    [
      'the metaschema',
      { $ref: 'https://json-schema.org/draft/2020-12/schema' },
      { type: 'x' },
      ['enum', 'type', 'anyOf'],
    ],
    [
      'names that are code',
      { properties: { 'a"];throw 1;//': { const: '${throw 1}\u2028' } } },
      { 'a"];throw 1;//': 1 },
      ['const'],
    ],
    [
      'names of the prototype',
      { properties: { constructor: { type: 'string' } }, required: ['toString'] },
      {},
      ['required'],
    ],
  ])('%s', async (_, schema, value, keywords) => {
    const compiled = await compileSchema(schema);
    expect(compiled.ok ? compiled.validate(value, true).map(({ keyword }) => keyword) : compiled).toEqual(keywords);
  });

  it('reports a few errors, or the first', async () => {
    const compiled = await compileSchema({ items: { type: 'string' } });
    const value = Array.from({ length: 1000 }, () => 1);
    expect(compiled.ok && [compiled.validate(value, true).length, compiled.validate(value, false).length]).toEqual([
      5, 1,
    ]);
  });

  it('reports bounded errors', async () => {
    const name = 'x'.repeat(100_000);
    const compiled = await compileSchema({
      properties: { [name]: { enum: Array.from({ length: 1000 }, (_, n) => n) } },
    });
    const errors = compiled.ok ? compiled.validate({ [name]: 'y' }, true) : [];
    expect(errors).toHaveLength(1);
    expect(JSON.stringify(errors).length).toBeLessThan(1000);
  });

  it('with the same $id twice compiles twice', async () => {
    const schema = { $id: 'https://x.example/same', type: 'string' };
    expect([(await compileSchema(schema)).ok, (await compileSchema({ ...schema })).ok]).toEqual([true, true]);
  });

  it.each<[name: string, schema: unknown, path: (string | number)[], kind: string]>([
    ['a number', 1, [], 'schema'],
    ['an unknown draft', { $schema: 'https://x.example/draft' }, ['$schema'], 'schema'],
    ['a wrong type', { properties: { a: { type: 'x' } } }, ['properties', 'a', 'type'], 'schema'],
    ['a remote $ref', { allOf: [{ $ref: 'https://x.example/s#/a' }] }, [], 'schema-remote'],
    ['a $ref to a file', { $ref: 'file:///etc/passwd' }, [], 'schema-remote'],
    ['a $ref to nothing', { $ref: '#/$defs/a' }, [], 'schema'],
    ['an asynchronous one', { $async: true }, ['$async'], 'schema'],
    ['nested too deep', JSON.parse(`${'{"not":'.repeat(20_000)}{}${'}'.repeat(20_000)}`), [], 'schema'],
  ])('%s is refused', async (_, schema, path, kind) => {
    expect(await compileSchema(schema)).toMatchObject({ ok: false, path, expected: { kind } });
  });
});
