import { describe, expect, it } from 'vitest';
import { isVersionKey, isVersionName } from './version-texts.ts';

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
