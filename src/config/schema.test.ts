/** What is published agrees with what is read, and each mistake is one sentence. */
import { describe, expect, it } from 'vitest';
import published from '../../dist/schema/config.json' with { type: 'json' };
import { LANGUAGES } from '../locales/language.ts';
import type { SchemaNode } from './define.ts';
import { FORMATS } from './formats.ts';
import { configWords } from '../generated/locales/config.ts';
import { renderProblem } from './messages.ts';
import { got, keyOf, shorten, type ConfigProblem } from './problem.ts';
import { configSchema } from '../build/schemas.ts';
import { parseDuration, parseSize, UP_TO_A_DAY } from './values.ts';

const { $defs = {} } = configSchema;

/** Every part of the schema. */
function nodesOf(node: SchemaNode): SchemaNode[] {
  const open = typeof node.additionalProperties === 'object' ? [node.additionalProperties] : [];
  const items = node.items === undefined ? [] : [node.items];
  const names = node.propertyNames === undefined ? [] : [node.propertyNames];
  const inner = [
    ...Object.values({ ...node.$defs, ...node.properties }),
    ...(node.anyOf ?? []),
    ...open,
    ...items,
    ...names,
  ];
  return [node, ...inner.flatMap(nodesOf)];
}

const nodes = nodesOf(configSchema);

describe('the schema', () => {
  it('describes every key', () => {
    const keys = nodes.flatMap(({ properties = {} }) => Object.entries(properties));
    expect(keys.filter(([, { description }]) => !/^[^ ].*\.$/.test(description ?? '')).map(([key]) => key)).toEqual([]);
  });

  it('allows no unknown keys, except where the user chooses the names', () => {
    expect(
      nodes.filter(({ properties, additionalProperties }) => properties && additionalProperties !== false),
    ).toEqual([]);
  });

  it('names only mistakes and formats that exist', () => {
    const kinds = nodes.flatMap((node) => [node['x-expected'], node['x-format'], node['x-unique'], node['x-zero']]);
    expect(kinds.filter((kind) => kind !== undefined && !Object.hasOwn(configWords('en'), kind))).toEqual([]);
    const formats = nodes.flatMap((node) => node['x-format'] ?? []);
    expect(formats.filter((name) => !Object.hasOwn(FORMATS, name) && name !== 'size' && name !== 'cron')).toEqual([]);
  });

  it('gives each duration a range', () => {
    const durations = nodes.filter(({ $ref = '' }) => $ref.endsWith('uration'));
    expect(durations.filter((node) => node['x-duration'] === undefined)).toEqual([]);
    expect(durations.length).toBeGreaterThan(15);
  });

  it('is published without the keywords of docvitals', () => {
    expect(JSON.stringify(published)).not.toContain('"x-');
    expect(published.properties.monitor.properties.page.properties.url).toEqual({
      description: expect.any(String) as string,
      type: 'string',
      minLength: 1,
      examples: ['https://status.example.com/'],
    });
  });

  it.each(['10s', '1.5s', '500ms', ' 2 m ', '1h', '10', '10 seconds', '', '-1s', '.5s', '1.5d', ' 2 d ', '2w', '-1d'])(
    'accepts the durations that the parser accepts: %j',
    (text) => {
      const pattern = (name: string): RegExp => new RegExp($defs[name]?.pattern ?? '', 'u');
      expect(pattern('duration').test(text)).toBe(parseDuration(text, UP_TO_A_DAY).ok);
      expect(pattern('longDuration').test(text)).toBe(parseDuration(text, { least: 1, most: 31 * 86_400_000 }).ok);
    },
  );

  it.each(['10MiB', '5mb', '1.5 KiB', '100', ' 100 B ', '10M', '10iB', '1.5', '', '-1'])(
    'accepts the sizes that the parser accepts: %j',
    (text) => {
      const pattern = $defs['limits']?.properties?.['body']?.anyOf?.[0]?.pattern ?? '';
      expect(new RegExp(pattern, 'u').test(text)).toBe(parseSize(text).ok);
    },
  );
});

describe('a problem', () => {
  const at = { file: 'docvitals.yaml', line: 3, column: 12 };

  it('is one line: location, key, sentence, what was found', () => {
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

  it('escapes whatever could break the line or reorder it', () => {
    const name = 'a\u001b[31m\n\u202e\u0085b';
    const expected = { kind: 'unknown-key', name, nearest: 'b' } as const;
    for (const language of LANGUAGES) {
      expect(renderProblem({ ...at, key: name, expected, ...got(name) }, language)).toMatch(
        /^[^\p{Cc}\u2028-\u202e]+$/u,
      );
    }
  });

  it('has a sentence of its own in each language', () => {
    const params = {
      least: 0,
      most: '1',
      days: true,
      values: ['a'],
      name: 'n',
      other: 'o',
      check: 'c',
      code: 'x',
      more: 1,
    };
    for (const kind of Object.keys(configWords('en'))) {
      const expected = {
        kind,
        ...params,
        detail: 'd',
        ref: 'r',
        nearest: 'm',
        word: 'w',
        meant: 'e',
      } as unknown as ConfigProblem['expected'];
      const sentences = LANGUAGES.map((language) => renderProblem({ ...at, key: '', expected }, language));
      expect([kind, new Set(sentences).size]).toEqual([kind, 3]);
      expect(sentences.join('')).not.toMatch(/[şţŞŢ]|undefined(?! are| nu| n’)|object Object/);
    }
  });

  it('shows only the kind of a secret', () => {
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
