import { describe, expect, it } from 'vitest';
import { cronProblem, headerProblem, isTimeZone, parseHostPort, parseResolve, parseVersionFrom } from './formats.ts';

describe('parseHostPort', () => {
  it.each([
    ['127.0.0.1:9464', { host: '127.0.0.1', port: 9464 }],
    [' localhost:0 ', { host: 'localhost', port: 0 }],
    ['[::1]:9464', { host: '::1', port: 9464 }],
    ['[::]:9464', { host: '::', port: 9464 }],
    ['0.0.0.0:65535', { host: '0.0.0.0', port: 65_535 }],
    ['docs-1.example.com:80', { host: 'docs-1.example.com', port: 80 }],
    ['9464', undefined],
    [':9464', undefined],
    ['*:9464', undefined],
    ['localhost', undefined],
    ['localhost:', undefined],
    ['localhost:65536', undefined],
    ['localhost:http', undefined],
    ['127.0.0.256:80', undefined],
    ['127.1:80', undefined],
    ['::1:9464', undefined],
    ['[127.0.0.1]:80', undefined],
    ['[::g]:80', undefined],
    ['http://localhost:80', undefined],
    ['a b:80', undefined],
    ['-a:80', undefined],
    ['', undefined],
    [`${'a'.repeat(100_000)}:80`, undefined],
  ])('%.30s', (text, expected) => {
    expect(parseHostPort(text)).toEqual(expected);
  });

  it('knows of no port 0 where something is connected to', () => {
    expect(parseHostPort('localhost:0', 1)).toBeUndefined();
  });
});

describe('isTimeZone', () => {
  it.each([
    ['Europe/Bucharest', true],
    ['UTC', true],
    ['europe/paris', true],
    ['Europe/Paname', false],
    ['+02:00', false],
    ['CET-1', false],
    ['', false],
  ])('%s: %s', (name, expected) => {
    expect(isTimeZone(name)).toBe(expected);
  });
});

describe('the reader of cron expressions', () => {
  it.each([
    ['*/5 * * * *', undefined],
    ['  0   3 * * 1-5 ', undefined],
    ['0 0 3 * * *', undefined],
    ['* * * * * *', undefined],
    ['0 3 * * MON', undefined],
    ['0 0 L * *', undefined],
    ['@hourly', undefined],
    ['0 0 29 2 *', undefined],
    ['0 0 30 2 *', 'cron-never'],
    ['61 * * * *', 'cron'],
    ['* * * *', 'cron'],
    ['* * * * * * *', 'cron'],
    ['*/0 * * * *', 'cron'],
    ['every day', 'cron'],
    ['@often', 'cron'],
    ['2026-12-01T22:00:00', 'cron'],
    ['', 'cron'],
    ['9'.repeat(100_000), 'cron'],
  ])('%.30s: %s', async (pattern, expected) => {
    expect(await cronProblem(pattern)).toBe(expected);
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

describe('where a site reports its version', () => {
  it.each([
    ['a file', 'version.txt', 'version.txt', null],
    ['a file with an empty rest', 'version.txt#', 'version.txt', null],
    ['a leading slash', '/build/info.json', 'build/info.json', null],
    ['white space around', '  version.txt\n', 'version.txt', null],
    ['a colon in its name', 'a:b.txt', './a:b.txt', null],
    ['a query', 'version.json?v=1#/commit', 'version.json?v=1', { pointer: '/commit' }],
    ['a member', 'version.json#/commit', 'version.json', { pointer: '/commit' }],
    ['a member further down', 'version.json#/builds/0/sha', 'version.json', { pointer: '/builds/0/sha' }],
    ['an escaped member', 'a.json#/x~1y~0z', 'a.json', { pointer: '/x~1y~0z' }],
    ['a member without a name', 'a.json#/', 'a.json', { pointer: '/' }],
    ['an expression between slashes', 'a.txt#/rev: (\\w+)/', 'a.txt', { pattern: /rev: (\w+)/m }],
    ['a bare expression', 'a.txt#rev: (\\w+)', 'a.txt', { pattern: /rev: (\w+)/m }],
    ['an expression with a # in it', 'a.md#^# Version (.+)$', 'a.md', { pattern: /^# Version (.+)$/m }],
    ['an expression with slashes in it', 'a.txt#/a/b (.)/', 'a.txt', { pattern: /a\/b (.)/m }],
  ])('%s: %s', (_, text, path, pick) => {
    // A colon would start a scheme; it is the name of a file where the path says so.
    const given = text.startsWith('a:') ? `/${text}` : text;
    expect(parseVersionFrom(given)).toEqual({ ok: true, place: { path, pick } });
  });

  it.each([
    ['nothing', '', 'path'],
    ['no path', '#/commit', 'path'],
    ['the base alone', '/', 'path'],
    ['an address', 'https://other.example/version.json', 'path'],
    ['an address without a scheme', '//other.example/version.json', 'path'],
    ['a backslash', 'build\\version.json', 'path'],
    ['a path that leads out', '../version.json#/commit', 'path-outside'],
    ['a hidden path that leads out', 'a/%2e%2e/../../x', 'path-outside'],
    ['a tilde that is not escaped', 'a.json#/x~y', 'pointer'],
    ['an expression that is open', 'a.txt#rev (', 'regex'],
    ['an expression between slashes that is open', 'a.txt#/[/', 'regex'],
    ['a text without end', `a.txt#${'(a|b)'.repeat(1_000)}`, 'path'],
  ])('%s: %.30s', (_, text, problem) => {
    expect(parseVersionFrom(text)).toEqual({ ok: false, problem });
  });
});
