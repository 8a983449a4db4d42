import { describe, expect, it } from 'vitest';
import {
  countOf,
  durationOf,
  headersOf,
  idList,
  oneOf,
  reportTargets,
  resolveRules,
  UsageError,
  sinceOf,
  versionFromOf,
  versionOf,
  momentOf,
} from './arguments.ts';
import { FORMAT_NAMES } from '../report/formats.ts';

const timeout = (text: string): number => durationOf()(text, '--timeout');
const retries = (text: string): number => countOf(0, 10)(text, '--retries');
const format = (text: string): string => oneOf(FORMAT_NAMES)(text, '--format');
const header = (text: string, before?: ReturnType<typeof headersOf>) => headersOf(text, '--header', before);
const report = (text: string, before?: ReturnType<typeof reportTargets>) => reportTargets(text, '--report', before);
const rule = (text: string, before?: ReturnType<typeof resolveRules>) => resolveRules(text, '--resolve', before);

describe('good values', () => {
  it.each([
    ['500ms', 500],
    ['1.5s', 1500],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['24h', 86_400_000],
    [' 10 s ', 10_000],
  ])('the duration %s is %i ms', (text, ms) => {
    expect(timeout(text)).toBe(ms);
  });

  it.each([
    ['0', 0],
    ['2', 2],
    ['10', 10],
  ])('%s retries', (text, count) => {
    expect(retries(text)).toBe(count);
  });

  it.each([
    { name: 'one', texts: ['a'], ids: ['a'] },
    {
      name: 'several, however they are divided',
      texts: ['a,b', 'c d', ' e ,, f '],
      ids: ['a', 'b', 'c', 'd', 'e', 'f'],
    },
  ])('ids: $name', ({ texts, ids }) => {
    expect(texts.reduce<readonly string[]>((before, text) => idList(text, '--only', before), [])).toEqual(ids);
  });

  it.each([
    { text: 'X-A: b', headers: { 'X-A': 'b' } },
    { text: 'X-A:b:c', headers: { 'X-A': 'b:c' } },
    { text: 'X-A:', headers: { 'X-A': '' } },
    { text: 'X-A:  spaced\t', headers: { 'X-A': 'spaced' } },
    { text: 'X-A: caf\u00e9', headers: { 'X-A': 'caf\u00e9' } },
  ])('the header $text', ({ text, headers }) => {
    expect(header(text)).toEqual(headers);
  });

  it('headers of several options', () => {
    expect(header('X-B: 2', header('X-A: 1'))).toEqual({ 'X-A': '1', 'X-B': '2' });
  });

  it('a header that is named like a property of every object', () => {
    expect(Object.entries(header('__proto__: x'))).toEqual([['__proto__', 'x']]);
  });

  it('reports of several options', () => {
    const first = report('json=a=b.json');
    expect(report('pretty=c.txt', first)).toEqual([
      { format: 'json', file: 'a=b.json' },
      { format: 'pretty', file: 'c.txt' },
    ]);
  });

  it('rules of several options', () => {
    const first = rule('Docs.TEST:443:192.0.2.7');
    expect(rule('[::1]:80:[::1],127.0.0.1', first)).toEqual([
      { host: 'docs.test', port: 443, addresses: ['192.0.2.7'] },
      { host: '::1', port: 80, addresses: ['::1', '127.0.0.1'] },
    ]);
  });

  it('formats', () => {
    expect([format('json'), format(' pretty ')]).toEqual(['json', 'pretty']);
  });
});

describe('bad values', () => {
  const rows: readonly (readonly [name: string, read: () => unknown])[] = [
    ...['', '10', '0ms', '-1s', '1d', '10 seconds', '25h', 'NaNs', '0x10s', '٣s'].map(
      (text) => [`the duration '${text}'`, () => timeout(text)] as const,
    ),
    ...['', '-1', '11', '1.5', '1e1', ' 2', 'two'].map((text) => [`retries '${text}'`, () => retries(text)] as const),
    ...['', 'X', ': x', 'X Y: z', 'X: a\nb', 'X: a\0', 'X: \u0103', 'Transfer-Encoding: chunked'].map(
      (text) => [`the header '${text}'`, () => header(text)] as const,
    ),
    ...['', 'x', 'x:443', 'x:https:1.2.3.4', 'x:443:y', '::1:443:1.2.3.4'].map(
      (text) => [`the rule '${text}'`, () => rule(text)] as const,
    ),
    ...['', 'json', 'json=', '=a', 'xml=a'].map((text) => [`the report '${text}'`, () => report(text)] as const),
    ...['', 'JSON', 'toString', '__proto__'].map((text) => [`the format '${text}'`, () => format(text)] as const),
  ];

  it.each(rows)('%s', (_, read) => {
    expect(read).toThrow(UsageError);
  });
});

const since = (text: string) => sinceOf(text, '--since');
const version = (text: string) => versionOf(text, '--expect-version');
const from = (text: string) => versionFromOf(text, '--version-from');
const NOON = Date.parse('2026-03-01T12:00:00Z');

describe('--since', () => {
  it.each([
    ['now', 'now'],
    [' NOW\n', 'now'],
  ] as const)('%j is the word', (text, word) => {
    expect(since(text)).toBe(word);
  });

  it.each([
    ['"65f1-4d2"', '"65f1-4d2"'],
    [' "65f1-4d2" ', '"65f1-4d2"'],
    ['W/"65f1-4d2"', 'W/"65f1-4d2"'],
    ['65f1a2b3-4d2', '"65f1a2b3-4d2"'],
    ['W/65f1a2b3', 'W/"65f1a2b3"'],
    // A number, as lighttpd makes them; a hash, as platforms do.
    ['"3147526947"', '"3147526947"'],
    ['W/3147526947', 'W/"3147526947"'],
    ['9d8f7e6a5b4c3d2e1f0a9b8c7d6e5f4a', '"9d8f7e6a5b4c3d2e1f0a9b8c7d6e5f4a"'],
    ['bafybeigdyrzt5:xyz', '"bafybeigdyrzt5:xyz"'],
    // In quotes it is one, whatever it looks like.
    ['"yesterday"', '"yesterday"'],
    ['"2026-03-01"', '"2026-03-01"'],
    ['"5m"', '"5m"'],
  ])('%j is an ETag', (text, etag) => {
    expect(since(text)).toEqual({ etag });
  });

  it.each([
    ['Sun, 01 Mar 2026 12:00:00 GMT', NOON],
    ['Sunday, 01-Mar-26 12:00:00 GMT', NOON],
    ['Sun Mar  1 12:00:00 2026', NOON],
    ['2026-03-01T12:00:00Z', NOON],
    ['2026-03-01t12:00:00z', NOON],
    ['2026-03-01T12:00:00.000Z', NOON],
    ['2026-03-01T12:00', NOON],
    ['2026-03-01T14:00:00+02:00', NOON],
    ['2026-03-01 14:00:00 +0200', NOON],
    ['2026-03-01 12:00:00', NOON],
    ['2026-03-01', NOON - 12 * 3_600_000],
    ['  2026-03-01T12:00:00Z\n', NOON],
    // `date +%s`, `Date.now()`
    [String(NOON / 1000), NOON],
    [`${String(NOON)}\n`, NOON],
  ])('%j is a date', (text, modifiedMs) => {
    expect(since(text)).toEqual({ modifiedMs });
  });

  it.each([
    '',
    '  ',
    'yesterday',
    'today',
    '5m',
    '10 minutes',
    '90s',
    '12:30',
    '2026-13-01',
    '2026-02-30',
    '2026-02-30 12:00:00 +0100',
    '2026-03-01T25:00:00Z',
    '01/03/2026',
    '1.3.2026',
    '42',
    '123456789',
    '20260301T120000Z',
    '20260301T1200',
    '20260301',
    'two words',
    '"no end',
    'a"b',
    'Mon, 99 Foo 2026',
    '""',
    'W/',
  ])('%j is none', (text) => {
    expect(() => since(text)).toThrow(UsageError);
  });
});

describe('--expect-version', () => {
  it.each([
    ['3f2a91c', '3f2a91c'],
    ['  v1.4.0-rc.1\n', 'v1.4.0-rc.1'],
    ['2026.03.01+build/7', '2026.03.01+build/7'],
  ])('%j is a version', (text, name) => {
    expect(version(text)).toBe(name);
  });

  it.each(['', ' \t', 'two words', 'a\u0000b', 'a\u202eb', 'a'.repeat(201)])('%j is none', (text) => {
    expect(() => version(text)).toThrow(UsageError);
  });
});

describe('--version-from', () => {
  it.each([
    ['version.json', { path: 'version.json', pick: null }],
    [' /build.txt\n', { path: 'build.txt', pick: null }],
    ['build.json#/git/commit', { path: 'build.json', pick: { pointer: '/git/commit' } }],
  ])('%j is a place', (text, location) => {
    expect(from(text)).toEqual(location);
  });

  it('may be a regular expression', () => {
    const { pick } = from('app.txt#rev: (\\w+)');
    expect(pick !== null && 'pattern' in pick && pick.pattern.source).toBe('rev: (\\w+)');
  });

  it.each(['', ' ', '#/a', '../up.json', 'a.json#/~2', 'a.txt#('])('%j is none', (text) => {
    expect(() => from(text)).toThrow(UsageError);
  });
});

const NOW = Date.parse('2026-11-20T18:00:00Z');
const moment = (text: string): number => momentOf(text, '--since', NOW);

describe('a moment', () => {
  it.each([
    ['24h', '2026-11-19T18:00:00Z'],
    [' 90s\n', '2026-11-20T17:58:30Z'],
    ['7d', '2026-11-13T18:00:00Z'],
    ['400d', '2025-10-16T18:00:00Z'],
    ['1.5h', '2026-11-20T16:30:00Z'],
    ['now', '2026-11-20T18:00:00Z'],
    ['NOW', '2026-11-20T18:00:00Z'],
    ['2026-11-20', '2026-11-20T00:00:00Z'],
    ['2026-11-20T12:30', '2026-11-20T12:30:00Z'],
    ['2026-11-20 12:30:00 +0200', '2026-11-20T10:30:00Z'],
    ['2026-11-20T12:30:00.000Z', '2026-11-20T12:30:00Z'],
    ['1795197600', '2026-11-20T18:00:00Z'],
  ])('%j is one', (text, time) => {
    expect(new Date(moment(text)).toISOString()).toBe(time.replace('Z', '.000Z'));
  });

  it.each(['', ' ', '24', '0s', 'yesterday', '24 hours', '2026-13-01', '2026-02-30', '-1h', '9999999d', '1w'])(
    '%j is none',
    (text) => {
      expect(() => moment(text)).toThrow(UsageError);
    },
  );
});
