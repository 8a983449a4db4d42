import { describe, expect, it } from 'vitest';
import { readHeaders } from '../../src/http/headers.ts';
import { contradictions, freshness, httpDate, readCacheControl } from './evaluate.ts';

const control = (...lines: string[]): Record<string, readonly (string | null)[]> =>
  Object.fromEntries(readCacheControl(lines).directives);

describe('Cache-Control lines', () => {
  it.each([
    { name: 'nothing', lines: [], expected: {} },
    { name: 'one directive', lines: ['no-cache'], expected: { 'no-cache': [null] } },
    { name: 'several', lines: ['public, max-age=60'], expected: { public: [null], 'max-age': ['60'] } },
    { name: 'several lines', lines: ['max-age=60', 'public'], expected: { 'max-age': ['60'], public: [null] } },
    { name: 'letter case', lines: ['Max-Age=60, PUBLIC'], expected: { 'max-age': ['60'], public: [null] } },
    { name: 'a quoted number', lines: ['max-age="60"'], expected: { 'max-age': ['60'] } },
    { name: 'a quoted comma', lines: ['private="a, b", max-age=1'], expected: { private: ['a, b'], 'max-age': ['1'] } },
    { name: 'an escaped quote', lines: ['x="a\\"b", public'], expected: { x: ['a"b'], public: [null] } },
    { name: 'an open quote', lines: ['x="abc, public'], expected: { x: [''], public: [null] } },
    { name: 'empty elements', lines: [', ,public,,'], expected: { public: [null] } },
    { name: 'blanks around =', lines: ['max-age = 60'], expected: { 'max-age': ['60'] } },
    { name: 'no value after =', lines: ['max-age='], expected: { 'max-age': [''] } },
    { name: 'one twice', lines: ['max-age=1, max-age=2'], expected: { 'max-age': ['1', '2'] } },
    { name: 'semicolons', lines: ['public; max-age=60'], expected: { public: [null] } },
    { name: 'a number below zero', lines: ['max-age=-1'], expected: { 'max-age': ['-1'] } },
  ])('$name', ({ lines, expected }) => {
    expect(control(...lines)).toEqual(expected);
  });

  it('reads a hostile line in time that grows with its length only', () => {
    expect(Object.keys(control('a="'.repeat(20_000)))).toEqual(['a']);
    expect(Object.keys(control('"'.repeat(60_000)))).toEqual([]);
  });
});

const DATE = 'Fri, 20 Nov 2026 12:00:00 GMT';
type Headers = Readonly<Record<string, string | readonly string[]>>;

const headersOf = (headers: Headers): ReturnType<typeof readHeaders> =>
  readHeaders(
    Object.entries({ date: DATE, ...headers }).flatMap(([name, values]) =>
      [values].flat().flatMap((one) => [name, one]),
    ),
  );

const ROWS: readonly { name: string; headers: Headers; browser: [string, number]; shared?: [string, number] }[] = [
  { name: 'nothing', headers: {}, browser: ['none', 0] },
  { name: 'max-age', headers: { 'cache-control': 'max-age=60' }, browser: ['max-age', 60] },
  { name: 'no-store', headers: { 'cache-control': 'no-store, max-age=60' }, browser: ['no-store', 0] },
  { name: 'no-cache beside max-age', headers: { 'cache-control': 'max-age=60, no-cache' }, browser: ['no-cache', 0] },
  {
    name: 'no-cache for a field',
    headers: { 'cache-control': 'no-cache="set-cookie", max-age=60' },
    browser: ['max-age', 60],
  },
  {
    name: 'private',
    headers: { 'cache-control': 'private, max-age=60' },
    browser: ['max-age', 60],
    shared: ['no-store', 0],
  },
  {
    name: 's-maxage',
    headers: { 'cache-control': 's-maxage=9, max-age=60' },
    browser: ['max-age', 60],
    shared: ['s-maxage', 9],
  },
  { name: 'max-age on two lines', headers: { 'cache-control': ['max-age=60', 'public'] }, browser: ['max-age', 60] },
  { name: 'the first max-age', headers: { 'cache-control': ['max-age=60', 'max-age=5'] }, browser: ['max-age', 60] },
  { name: 'a max-age that is no number', headers: { 'cache-control': 'max-age=soon' }, browser: ['max-age', 0] },
  { name: 'a max-age without value', headers: { 'cache-control': 'max-age' }, browser: ['max-age', 0] },
  {
    name: 'a max-age beyond 31 bits',
    headers: { 'cache-control': 'max-age=99999999999' },
    browser: ['max-age', 2 ** 31],
  },
  { name: 'Expires', headers: { expires: 'Fri, 20 Nov 2026 13:00:00 GMT' }, browser: ['expires', 3600] },
  {
    name: 'max-age before Expires',
    headers: { expires: 'Fri, 20 Nov 2026 13:00:00 GMT', 'cache-control': 'max-age=1' },
    browser: ['max-age', 1],
  },
  { name: 'Expires in the past', headers: { expires: 'Thu, 01 Jan 1970 00:00:01 GMT' }, browser: ['expires', 0] },
  { name: 'Expires: 0', headers: { expires: '0' }, browser: ['expires', 0] },
  { name: 'Expires: -1', headers: { expires: '-1' }, browser: ['expires', 0] },
  { name: 'a guess', headers: { 'last-modified': 'Tue, 10 Nov 2026 12:00:00 GMT' }, browser: ['heuristic', 86_400] },
  {
    name: 'no guess from the future',
    headers: { 'last-modified': 'Tue, 10 Nov 2027 12:00:00 GMT' },
    browser: ['heuristic', 0],
  },
  {
    name: 'must-revalidate alone is a guess',
    headers: { 'cache-control': 'must-revalidate', 'last-modified': 'Tue, 10 Nov 2026 12:00:00 GMT' },
    browser: ['heuristic', 86_400],
  },
  {
    name: 'stale-while-revalidate',
    headers: { 'cache-control': 'max-age=0, stale-while-revalidate=60' },
    browser: ['max-age', 60],
  },
  {
    name: 'stale-while-revalidate, forbidden',
    headers: { 'cache-control': 'max-age=0, stale-while-revalidate=60, must-revalidate' },
    browser: ['max-age', 0],
  },
];

describe('freshness', () => {
  it.each(ROWS)('$name', ({ headers, browser, shared = browser }) => {
    const told = (cache: 'browser' | 'shared'): unknown[] => {
      const { source, seconds } = freshness(headersOf(headers), cache);
      return [source, seconds];
    };
    expect([told('browser'), told('shared')]).toEqual([browser, shared]);
  });
});

describe('contradictions', () => {
  it.each([
    { name: 'none', lines: ['public, max-age=60'], expected: [] },
    { name: 'the same value twice', lines: ['max-age=60', 'max-age=60'], expected: [] },
    { name: 'two values', lines: ['max-age=60', 'max-age=0'], expected: ['max-age'] },
    { name: 'no number', lines: ['max-age=1d, s-maxage=60'], expected: ['max-age'] },
  ])('$name', ({ lines, expected }) => {
    expect(contradictions(readCacheControl(lines))).toEqual(expected);
  });
});

describe('HTTP dates', () => {
  const TIME = Date.UTC(1994, 10, 6, 8, 49, 37);

  it.each([
    ['IMF-fixdate', 'Sun, 06 Nov 1994 08:49:37 GMT', TIME],
    ['RFC 850', 'Sunday, 06-Nov-94 08:49:37 GMT', TIME],
    ['asctime', 'Sun Nov  6 08:49:37 1994', TIME],
    ['zero', '0', null],
    ['another zone', 'Sun, 06 Nov 1994 08:49:37 CET', null],
    ['ISO 8601', '1994-11-06T08:49:37Z', null],
    ['no such month', 'Sun, 06 Foo 1994 08:49:37 GMT', null],
    ['nothing', undefined, null],
  ])('%s', (_, value, expected) => {
    expect(httpDate(value)).toBe(expected);
  });
});
