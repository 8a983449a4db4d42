/** The published schema, the table of expectations and the parsers must say the same. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseDuration } from './duration.ts';
import { EXPECTATIONS } from './expectations.ts';
import { DURATION_BOUNDS } from './monitor/durations.ts';
import { SENTENCES } from './messages.ts';
import { got, keyOf, shorten, type ConfigProblem } from './problem.ts';
import { renderProblem } from './render.ts';
import { parseSize } from './size.ts';

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly pattern?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const schema = JSON.parse(readFileSync(path.join(import.meta.dirname, 'docvitals.schema.json'), 'utf8')) as Schema;

interface Entry {
  readonly pattern: string;
  readonly schema: Schema;
}

/** Every key that the schema knows, as the table writes it. */
function entries(node: Schema, pattern = ''): Entry[] {
  const target = node.$ref === undefined ? node : { ...schema.$defs?.[node.$ref.replace('#/$defs/', '')], ...node };
  const prefix = pattern === '' ? '' : `${pattern}.`;
  const open = typeof target.additionalProperties === 'object' ? target.additionalProperties : undefined;
  return [
    { pattern, schema: target },
    ...Object.entries(target.properties ?? {}).flatMap(([key, inner]) => entries(inner, `${prefix}${key}`)),
    ...(open === undefined ? [] : entries(open, `${prefix}*`)),
    ...(target.items === undefined ? [] : entries(target.items, `${pattern}[]`)),
    ...(target.anyOf ?? []).flatMap((branch) => entries(branch, pattern).filter((entry) => entry.pattern !== pattern)),
  ];
}

const all = entries(schema);

describe('the schema', () => {
  it('has the keys of the table of expectations', () => {
    expect([...new Set(all.map(({ pattern }) => pattern))].toSorted()).toEqual(Object.keys(EXPECTATIONS).toSorted());
  });

  it('describes every key', () => {
    const silent = all.filter(
      ({ pattern, schema: { description } }) => /\w$/.test(pattern) && description === undefined,
    );
    expect(silent.map(({ pattern }) => pattern)).toEqual([]);
  });

  it('closes every mapping that is not open by intent', () => {
    const open = all.filter(
      ({ schema: { properties, additionalProperties } }) => properties && additionalProperties !== false,
    );
    expect(open).toEqual([]);
  });

  it.each(['10s', '1.5s', '500ms', ' 2 m ', '1h', '10', '10 seconds', '', '-1s', '.5s'])(
    'has durations as the parser: %j',
    (text) => {
      const parsed = parseDuration(text);
      expect(new RegExp(schema.$defs?.['duration']?.pattern ?? '', 'u').test(text)).toBe(parsed.ok);
    },
  );

  it.each(['10s', '1.5d', ' 2 d ', '1h', '10', '2w', '', '-1d'])('has long durations as the parser: %j', (text) => {
    const parsed = parseDuration(text, { least: 1, most: 31 * 86_400_000 });
    expect(new RegExp(schema.$defs?.['longDuration']?.pattern ?? '', 'u').test(text)).toBe(parsed.ok);
  });

  it('tells of every duration that may be in days how long it may be', () => {
    const long = all.filter(({ schema: { $ref } }) => $ref === '#/$defs/longDuration');
    expect(long.map(({ pattern }) => pattern).filter((key) => !Object.hasOwn(DURATION_BOUNDS, key))).toEqual([]);
    expect(Object.keys(DURATION_BOUNDS).filter((key) => EXPECTATIONS[key]?.kind !== 'duration')).toEqual([]);
  });

  it.each(['10MiB', '5mb', '1.5 KiB', '100', ' 100 B ', '10M', '10iB', '1.5', '', '-1'])(
    'has sizes as the parser: %j',
    (text) => {
      const pattern = schema.$defs?.['limits']?.properties?.['body']?.anyOf?.[0]?.pattern ?? '';
      expect(new RegExp(pattern, 'u').test(text)).toBe(parseSize(text).ok);
    },
  );
});

describe('a problem', () => {
  const at = { file: 'docvitals.yaml', line: 3, column: 12 };

  it('is one line: place, key, sentence, what was found', () => {
    const problem: ConfigProblem = {
      ...at,
      key: 'limits.timeout',
      expected: { kind: 'duration' },
      ...got('10 seconds'),
    };
    expect(renderProblem(problem, 'en')).toBe(
      'docvitals.yaml:3:12: limits.timeout: expected a duration such as 10s, got "10 seconds"',
    );
  });

  it.each(['en', 'ro', 'fr'] as const)('shows nothing that moves the reader, in %s', (language) => {
    const name = 'a\u001b[31m\n\u202e\u0085b';
    const problem: ConfigProblem = {
      ...at,
      key: name,
      expected: { kind: 'unknown-key', name, nearest: 'b' },
      ...got(name),
    };
    expect(renderProblem(problem, language)).toMatch(/^[^\p{Cc}\u2028-\u202e]+$/u);
  });

  it.each(Object.keys(SENTENCES) as (keyof typeof SENTENCES)[])(
    'of kind %s has different sentences in each language',
    (kind) => {
      const params = {
        least: 0,
        most: '1',
        values: ['a'],
        name: 'n',
        other: 'o',
        check: 'c',
        code: 'syntax',
        detail: 'd',
        ref: 'r',
        nearest: 'm',
      };
      const sentences = (['en', 'ro', 'fr'] as const).map((language) =>
        (SENTENCES[kind][language] as (given: typeof params) => string)(params),
      );
      expect(new Set(sentences).size).toBe(3);
      expect(sentences.join('')).not.toMatch(/[şţŞŢ]|undefined|object Object/);
    },
  );

  it('tells secrets only by their kind', () => {
    expect([got('x', true), got(5, true), got(null, true), got(['x'], true)]).toEqual([
      {},
      {},
      { got: { kind: 'nothing' } },
      { got: { kind: 'list' } },
    ]);
  });

  it('never cuts a character in two', () => {
    expect(shorten(`${'x'.repeat(39)}😀😀`).isWellFormed()).toBe(true);
  });

  it('names keys as people write them', () => {
    expect(keyOf(['checks', 0, 'expect', 'status', 1])).toBe('checks[0].expect.status[1]');
  });
});
