import { describe, expect, it } from 'vitest';
import { isOneScheme, kindOf, nameIn, names, isChanged } from './evaluate.ts';
import { readHeaders } from '../../src/http/headers.ts';

const SHA = '5f3c2a1b9d8e7f60112233445566778899aabbcc';
const SHA256 = `${SHA}0123456789abcdef01234567`;

describe('a version is reported by', () => {
  it.each([
    ['the same name', SHA, SHA],
    ['the same name in capitals', SHA.toUpperCase(), SHA],
    ['its beginning', SHA.slice(0, 7), SHA],
    ['more of it', SHA, SHA.slice(0, 10)],
    ['a whole name of SHA-256', SHA256, SHA256.slice(0, 12)],
    ['an image tag', `sha-${SHA.slice(0, 7)}`, SHA],
    ['git describe', `v1.4.0-12-g${SHA.slice(0, 8)}`, SHA],
    ['a dirty tree', `${SHA.slice(0, 7)}-dirty`, SHA],
    ['a version with its commit', `1.4.0+${SHA.slice(0, 9)}`, SHA],
    ['a branch with its commit', `main@${SHA.slice(0, 7)}`, SHA],
    ['a sentence', `docs 1.4.0 (${SHA.slice(0, 7)}, 2026-03-01)`, SHA],
    ['a commit of digits only, abbreviated', '1234567', `1234567${SHA.slice(7)}`],
    ['an ETag', `W/"${SHA}"`, SHA],
    ['a number', '1.4.0', '1.4.0'],
    ['a number with a v', 'v1.4.0', '1.4.0'],
    ['a number without its v', '1.4.0', 'v1.4.0'],
    ['a number with its build', 'v2.4.0+9b1c77a', '2.4.0'],
    ['a release candidate with its build', '2.4.0-rc.1+5', '2.4.0-rc.1'],
    ['a number in a sentence', 'Docs v1.4.0, March', '1.4.0'],
    ['the number of a run', '42', '42'],
    ['a date', '2026-03-01', '2026-03-01'],
    ['a word', 'release-7', 'release-7'],
    ['a word with a slash', 'releases/7', 'releases/7'],
    ['white space around', ` ${SHA}\n`, SHA],
  ])('%s', (_, text, expected) => {
    expect(names(text, expected)).toBe(true);
  });

  it.each([
    ['six digits', SHA.slice(0, 6), SHA],
    ['a part of another name', `a${SHA.slice(0, 12)}`, SHA],
    ['digits in a word', `x${SHA.slice(0, 7)}`, SHA],
    ['the number of another build', '20260301', '202603010'],
    ['another number', '1.4.1', '1.4.0'],
    ['a longer number', '1.4.0.1', '1.4.0'],
    ['the end of a number', '11.4.0', '1.4.0'],
    ['a release candidate', '1.4.0-rc.1', '1.4.0'],
    ['a number without the build that was expected', '2.4.0', '2.4.0+9b1c77a'],
    ['another build', '2.4.0+5', '2.4.0+6'],
    ['a release candidate with a build', '2.4.0-rc.1+5', '2.4.0'],
    ['a word in other letter case', 'Release-7', 'release-7'],
    ['a longer word', 'release-77', 'release-7'],
    ['nothing', '', SHA],
    ['a long text that only ends with it', `${'x '.repeat(2_000)}${SHA}`, SHA],
  ])('not by %s', (_, text, expected) => {
    expect(names(text, expected)).toBe(false);
  });
});

describe('the kind of a version', () => {
  it.each([
    [SHA, 'commit'],
    [SHA256, 'commit'],
    ['5f3c2a1', 'commit'],
    ['1'.repeat(40), 'commit'],
    ['1234567', 'numbers'],
    ['1.4.0', 'numbers'],
    ['v1.4.0-rc.1+b5', 'numbers'],
    ['2026-03-01', 'numbers'],
    ['d41d8cd98f00b204e9800998ecf8427e', 'word'],
    ['release-7', 'word'],
    ['', 'word'],
    [`${'1.'.repeat(100_000)}x!`, 'word'],
  ])('%.20s: %s', (version, kind) => {
    expect(kindOf(version)).toBe(kind);
  });
});

describe('two names of one scheme', () => {
  it.each([
    [SHA, SHA.slice(0, 7), true],
    ['1.4.0', 'v1.5.0-rc.1', true],
    ['2026-03-01', '2026-03-02', true],
    ['41', '42', true],
    ['1.4.0', '42', false],
    ['1.4', '1.4.0', false],
    ['1.4.0', SHA, false],
    ['release-7', 'release-6', false],
  ])('%s and %s: %s', (one, other, is) => {
    expect(isOneScheme(one, other)).toBe(is);
  });
});

describe('a name of a kind', () => {
  it.each([
    ['a commit', 'commit', `v1.4.0-12-g${SHA.slice(0, 8)}`, SHA.slice(0, 8)],
    ['a number', 'numbers', `Docs v1.4.0 (${SHA})`, 'v1.4.0'],
    ['a word', 'word', 'release-7', 'release-7'],
    ['no commit', 'commit', '1.4.0', null],
    ['no number', 'numbers', SHA, null],
    ['an address', 'word', 'git@git.example:docs.git', null],
    ['a sentence', 'word', 'The first release', null],
    ['nothing', 'word', '', null],
  ] as const)('%s', (_, kind, text, name) => {
    expect(nameIn(text, kind)).toBe(name);
  });
});

const NOON = Date.parse('2026-03-01T12:00:00Z');

describe('since an ETag', () => {
  it.each([
    ['the same', '"abc"', '"abc"', false],
    ['another', '"abd"', '"abc"', true],
    ['weak where it was strong', 'W/"65f1c2a3-1f4"', '"65f1c2a3-1f4"', false],
    ['strong where it was weak', '"65f1c2a3-1f4"', 'W/"65f1c2a3-1f4"', false],
    ['weak and another', 'W/"65f1c2a4-1f4"', '"65f1c2a3-1f4"', true],
    ['compressed by Apache', '"2aa-5d-gzip"', '"2aa-5d"', false],
    ['compressed with Brotli by Apache', '"2aa-5d-br"', '"2aa-5d-gzip"', false],
    ['compressed by Jetty', 'W/"xyz--gzip"', 'W/"xyz"', false],
    ['given without quotes', '"abc"', 'abc', false],
    ['given with white space', '"abc"', ' "abc"\n', false],
    ['in other letter case', '"ABC"', '"abc"', true],
    ['with a comma', '"a,b"', '"a,b"', false],
    ['empty', '""', '"abc"', null],
    ['none', null, '"abc"', null],
  ])('%s', (_, etag, given, changed) => {
    const headers = readHeaders(etag === null ? ['Last-Modified', 'Sun, 01 Mar 2026 13:00:00 GMT'] : ['ETag', etag]);
    expect(isChanged(headers, { etag: given })).toBe(changed);
  });
});

describe('since a time', () => {
  it.each([
    ['later', 'Sun, 01 Mar 2026 12:00:01 GMT', true],
    ['the same', 'Sun, 01 Mar 2026 12:00:00 GMT', false],
    ['earlier', 'Sat, 28 Feb 2026 12:00:00 GMT', false],
    ['no date', 'yesterday', null],
    ['none', null, null],
  ])('%s', (_, modified, changed) => {
    const headers = readHeaders(modified === null ? ['ETag', '"abc"'] : ['Last-Modified', modified]);
    expect(isChanged(headers, { modifiedMs: NOON })).toBe(changed);
  });
});
