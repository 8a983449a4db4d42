import { describe, expect, it } from 'vitest';
import { countOf, durationOf, headersOf, idList, oneOf, reportTargets, resolveRules, UsageError } from './arguments.ts';
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
