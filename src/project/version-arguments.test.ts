import { describe, expect, it } from 'vitest';
import { sinceOf, UsageError, versionFromOf, versionOf } from './arguments.ts';

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
