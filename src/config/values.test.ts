import { describe, expect, it } from 'vitest';
import { parseDuration } from './duration.ts';
import { expand } from './environment.ts';
import { headerProblem } from './header.ts';
import { nearest } from './nearest.ts';
import { parseResolve } from './resolve.ts';
import { parseSize } from './size.ts';

describe('parseDuration', () => {
  it.each([
    ['500ms', 500],
    ['10s', 10_000],
    ['1.5s', 1500],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['24h', 86_400_000],
    [' 10 s ', 10_000],
    ['0.4ms', 'zero'],
    ['0s', 'zero'],
    ['25h', 'too-long'],
    ['999999999999999h', 'too-long'],
    ['10', 'no-unit'],
    ['1.5', 'no-unit'],
    ['10 seconds', 'syntax'],
    ['10S', 'syntax'],
    ['-1s', 'syntax'],
    ['1e3s', 'syntax'],
    ['.5s', 'syntax'],
    ['s', 'syntax'],
    ['', 'syntax'],
    ['9'.repeat(100_000), 'no-unit'],
    [`${'9'.repeat(100_000)}s`, 'syntax'],
  ])('%.20s is %s', (text, expected) => {
    const parsed = parseDuration(text);
    expect(parsed.ok ? parsed.ms : parsed.problem).toBe(expected);
  });
});

describe('parseSize', () => {
  it.each([
    ['10MiB', 10 * 1024 ** 2],
    ['512kib', 512 * 1024],
    ['256MiB', 256 * 1024 ** 2],
    ['5MB', 5_000_000],
    ['100B', 100],
    ['100', 100],
    ['1.5 KiB', 1536],
    ['2GiB', 'too-large'],
    ['1073741825', 'too-large'],
    ['0', 'zero'],
    ['0.1B', 'zero'],
    ['10M', 'syntax'],
    ['10iB', 'syntax'],
    ['1.5', 'syntax'],
    ['-1', 'syntax'],
    ['ten', 'syntax'],
    ['', 'syntax'],
  ])('%s is %s', (text, expected) => {
    const parsed = parseSize(text);
    expect(parsed.ok ? parsed.bytes : parsed.problem).toBe(expected);
  });
});

describe('parseResolve', () => {
  it.each([
    ['Docs.example.org:443:192.0.2.10', { host: 'docs.example.org', port: 443, addresses: ['192.0.2.10'] }],
    ['a:80:2001:db8::1', { host: 'a', port: 80, addresses: ['2001:db8::1'] }],
    ['a:80:[2001:db8::1]', { host: 'a', port: 80, addresses: ['2001:db8::1'] }],
    ['[2001:db8::2]:80:192.0.2.1', { host: '2001:db8::2', port: 80, addresses: ['192.0.2.1'] }],
    ['*:443:192.0.2.1,[::1]', { host: '*', port: 443, addresses: ['192.0.2.1', '::1'] }],
    ['a:0:192.0.2.1', undefined],
    ['a:65536:192.0.2.1', undefined],
    ['a:443:host.example', undefined],
    ['a:443:192.0.2.999', undefined],
    ['a:443:', undefined],
    ['a:443', undefined],
    ['[192.0.2.1]:80:192.0.2.1', undefined],
    ['https://a:443:192.0.2.1', undefined],
    ['', undefined],
  ])('%s', (text, expected) => {
    expect(parseResolve(text)).toEqual(expected);
  });
});

describe('headerProblem', () => {
  it.each([
    ['X-Token', 'abc', undefined],
    ['x!#$%&', '', undefined],
    ['X', 'caf\u00e9 \t "x"', undefined],
    ['X Y', 'a', 'header-name'],
    ['X:', 'a', 'header-name'],
    ['', 'a', 'header-name'],
    ['Café', 'a', 'header-name'],
    ['X', 'a\r\nY: b', 'header-value'],
    ['X', 'a\n', 'header-value'],
    ['X', 'a\0b', 'header-value'],
    ['X', '→', 'header-value'],
    ['Transfer-Encoding', 'chunked', 'header-reserved'],
    ['content-length', '1', 'header-reserved'],
  ])('%j: %j is %s', (name, value, expected) => {
    expect(headerProblem(name, value)).toBe(expected);
  });
});

describe('expand', () => {
  const env = { A: 'one', B_2: 'two $A ${A}', EMPTY: '' };

  it.each([
    ['no variables', 'plain', 'plain'],
    ['one', 'x ${A} y', 'x one y'],
    ['two', '${A}${B_2}', 'onetwo $A ${A}'],
    ['an escaped dollar sign', '$${A} $$', '${A} $'],
    ['an escaped dollar sign before a variable', '$$${A}', '$one'],
    ['a lone dollar sign', 'a$b $A $', 'a$b $A $'],
  ])('%s', (_, text, expected) => {
    expect(expand(text, env)).toEqual({ ok: true, text: expected });
  });

  it.each([
    ['not set', '${NO}', [{ kind: 'env-missing', name: 'NO' }]],
    ['empty', '${EMPTY}', [{ kind: 'env-missing', name: 'EMPTY' }]],
    ['inherited from Object', '${constructor}', [{ kind: 'env-missing', name: 'constructor' }]],
    [
      'two not set',
      '${NO} ${NEITHER}',
      [
        { kind: 'env-missing', name: 'NO' },
        { kind: 'env-missing', name: 'NEITHER' },
      ],
    ],
    ['no name', '${}', [{ kind: 'env-syntax' }]],
    ['no end', 'a ${A', [{ kind: 'env-syntax' }]],
    ['a default as in a shell', '${A:-x}', [{ kind: 'env-syntax' }]],
    ['a space', '${ A }', [{ kind: 'env-syntax' }]],
  ])('%s is a problem', (_, text, problems) => {
    expect(expand(text, env)).toEqual({ ok: false, problems });
  });
});

describe('nearest', () => {
  const keys = ['url', 'timeout', 'deadline', 'only', 'skip', 'notContains'];

  it.each([
    ['timeuot', 'timeout'],
    ['Timeout', 'timeout'],
    ['time-out', 'timeout'],
    ['notcontains', 'notContains'],
    ['not_contains', 'notContains'],
    ['uri', 'url'],
    ['sikp', 'skip'],
    ['colour', undefined],
    ['', undefined],
    ['x'.repeat(100_000), undefined],
  ])('%.20s → %s', (name, expected) => {
    expect(nearest(name, keys)).toBe(expected);
  });
});
