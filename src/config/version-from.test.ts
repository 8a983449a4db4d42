import { describe, expect, it } from 'vitest';
import { parseVersionFrom } from './version-from.ts';

describe('where a site tells its version', () => {
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
