import { describe, expect, it } from 'vitest';
import { jsonLeaves, isVersionKey, isVersionName } from './version-texts.ts';

const told = (text: string, depth = 6, count = 100): string[] =>
  jsonLeaves(text, { depth, count }).map((leaf) => `${leaf.pointer} ${leaf.text}`);

describe('the leaves of a JSON text', () => {
  it.each([
    ['one string', '"a"', [' a']],
    ['one number', ' 1.10 ', [' 1.10']],
    ['nothing', 'null', []],
    ['empty', '{"a":{},"b":[],"c":[[],{}]}', []],
    ['members', '{"a":"1","b":2,"c":true,"d":null,"e":"x"}', ['/a 1', '/b 2', '/e x']],
    ['nested', '{"a":{"b":{"c":"1"},"d":"2"},"e":"3"}', ['/a/b/c 1', '/a/d 2', '/e 3']],
    ['a list', '["a",["b","c"],{"d":"e"},"f"]', ['/0 a', '/1/0 b', '/1/1 c', '/2/d e', '/3 f']],
    ['a list in an object', '{"a":[{"b":"1"},{"b":"2"}],"c":"3"}', ['/a/0/b 1', '/a/1/b 2', '/c 3']],
    ['escapes', String.raw`{"a\/b~":"A\n"}`, ['/a~1b~0 A\n']],
    ['numbers as written', '[1e3,-0.50,12345678901234567890]', ['/0 1e3', '/1 -0.50', '/2 12345678901234567890']],
    ['keys of objects', '{"__proto__":"a","constructor":"b"}', ['/__proto__ a', '/constructor b']],
    ['a key twice', '{"a":"1","a":"2"}', ['/a 2']],
    ['a string that looks like JSON', String.raw`{"a":"{\"b\":\"c\"}"}`, ['/a {"b":"c"}']],
  ])('%s', (_, text, expected) => {
    expect(told(text)).toEqual(expected);
  });

  it('are reported to a depth, and what comes after it', () => {
    expect(told('{"a":{"b":{"x":"no","y":["no"]},"c":"1"},"d":"2"}', 2)).toEqual(['/a/c 1', '/d 2']);
  });

  it('have the keys on their way', () => {
    expect(jsonLeaves('{"git":[{"commit":{"id":"a"}}]}', { depth: 6, count: 9 })[0]?.keys).toEqual([
      'git',
      'commit',
      'id',
    ]);
  });

  it.each([
    ['deep nesting', `${'['.repeat(500_000)}${']'.repeat(500_000)}`, 0],
    ['deep nesting with a member behind it', `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)},"b":"1"}`, 1],
    ['many members', JSON.stringify(Array.from({ length: 200_000 }, () => 'x')), 100],
    ['an endless key', JSON.stringify({ ['k'.repeat(1_000_000)]: 'a', b: '1' }), 1],
  ])('are bounded: %s', (_, text, count) => {
    expect(told(text)).toHaveLength(count);
  });
});

describe('a header or <meta>', () => {
  it.each([
    'x-version',
    'X-App-Version',
    'x-commit-sha',
    'x-build-id',
    'x-git-commit',
    'x-revision',
    'x-release',
    'version',
    'commit',
    'git-sha',
    'build',
    'x-deployment-id',
    'app:version',
  ])('%s reports the version of the site', (name) => {
    expect(isVersionName(name)).toBe(true);
  });

  it.each([
    'server',
    'etag',
    'generator',
    'x-amz-version-id',
    'x-goog-hash',
    'x-ms-version',
    'x-aspnet-version',
    'x-azure-ref',
    'x-github-request-id',
    'x-powered-by',
    'cf-ray',
    'docusaurus_version',
    'api-version',
    'x-id',
    'description',
    '',
  ])('%s does not', (name) => {
    expect(isVersionName(name)).toBe(false);
  });
});

describe('a key of a file about versions', () => {
  it.each([
    [['version']],
    [['commit']],
    [['git', 'commit', 'id']],
    [['gitSha']],
    [['GIT_SHA']],
    [['buildNumber']],
    [['build_number']],
    [['myProductVersion']],
    [['build', 'version']],
    [['sha']],
    [['revision']],
  ])('%j reports the version', (keys) => {
    expect(isVersionKey(keys)).toBe(true);
  });

  it.each([
    [['name']],
    [['branch']],
    [['git', 'branch']],
    [['schemaVersion']],
    [['apiVersion']],
    [['node', 'version']],
    [['previousCommit']],
    [['commit', 'parent']],
    [['buildTime']],
    [['builtAt']],
    [['minVersion']],
    [[]],
  ])('%j does not', (keys) => {
    expect(isVersionKey(keys)).toBe(false);
  });
});
