import { describe, expect, it } from 'vitest';
import {
  countOf,
  durationOf,
  formatOf,
  headersOf,
  idList,
  languageOf,
  reportTargets,
  resolveRules,
} from './arguments.ts';
import { UsageError } from './usage-error.ts';

const timeout = durationOf('--timeout');
const format = formatOf('--format');

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
    expect(countOf('--retries', 0, 10)(text)).toBe(count);
  });

  it.each([
    { name: 'one', texts: ['a'], ids: ['a'] },
    {
      name: 'several, however they are divided',
      texts: ['a,b', 'c d', ' e ,, f '],
      ids: ['a', 'b', 'c', 'd', 'e', 'f'],
    },
  ])('ids: $name', ({ texts, ids }) => {
    expect(texts.reduce<readonly string[]>((before, text) => idList('--only')(text, before), [])).toEqual(ids);
  });

  it.each([
    { text: 'X-A: b', headers: { 'X-A': 'b' } },
    { text: 'X-A:b:c', headers: { 'X-A': 'b:c' } },
    { text: 'X-A:', headers: { 'X-A': '' } },
    { text: 'X-A:  spaced\t', headers: { 'X-A': 'spaced' } },
    { text: 'X-A: caf\u00e9', headers: { 'X-A': 'caf\u00e9' } },
  ])('the header $text', ({ text, headers }) => {
    expect(headersOf(text)).toEqual(headers);
  });

  it('headers of several options', () => {
    expect(headersOf('X-B: 2', headersOf('X-A: 1'))).toEqual({ 'X-A': '1', 'X-B': '2' });
  });

  it('a header that is named like a property of every object', () => {
    expect(Object.entries(headersOf('__proto__: x'))).toEqual([['__proto__', 'x']]);
  });

  it('reports of several options', () => {
    const first = reportTargets('json=a=b.json');
    expect(reportTargets('pretty=c.txt', first)).toEqual([
      { format: 'json', file: 'a=b.json' },
      { format: 'pretty', file: 'c.txt' },
    ]);
  });

  it('rules of several options', () => {
    const first = resolveRules('Docs.TEST:443:192.0.2.7');
    expect(resolveRules('[::1]:80:[::1],127.0.0.1', first)).toEqual([
      { host: 'docs.test', port: 443, addresses: ['192.0.2.7'] },
      { host: '::1', port: 80, addresses: ['::1', '127.0.0.1'] },
    ]);
  });

  it('formats and languages', () => {
    expect([format('json'), format('pretty'), languageOf('ro')]).toEqual(['json', 'pretty', 'ro']);
  });
});

describe('bad values', () => {
  const rows: readonly (readonly [name: string, read: () => unknown])[] = [
    ...['', '10', '0ms', '-1s', '1d', '10 seconds', '25h', 'NaNs', '0x10s', '٣s'].map(
      (text) => [`the duration '${text}'`, () => timeout(text)] as const,
    ),
    ...['', '-1', '11', '1.5', '1e1', ' 2', 'two'].map(
      (text) => [`retries '${text}'`, () => countOf('--retries', 0, 10)(text)] as const,
    ),
    ...['', 'X', ': x', 'X Y: z', 'X: a\nb', 'X: a\0', 'X: \u0103', 'Transfer-Encoding: chunked'].map(
      (text) => [`the header '${text}'`, () => headersOf(text)] as const,
    ),
    ...['', 'x', 'x:443', 'x:https:1.2.3.4', 'x:443:y', '::1:443:1.2.3.4'].map(
      (text) => [`the rule '${text}'`, () => resolveRules(text)] as const,
    ),
    ...['', 'json', 'json=', '=a', 'xml=a'].map((text) => [`the report '${text}'`, () => reportTargets(text)] as const),
    ...['', 'JSON', 'toString', '__proto__'].map((text) => [`the format '${text}'`, () => format(text)] as const),
    ...['', 'EN', 'fr-FR', 'de'].map((text) => [`the language '${text}'`, () => languageOf(text)] as const),
  ];

  it.each(rows)('%s', (_, read) => {
    expect(read).toThrow(UsageError);
  });
});
