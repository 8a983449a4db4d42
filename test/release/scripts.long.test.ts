/** The release's scripts on real repositories, with a bare one for the remote. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-release-'));
let work = '';

/** Nothing of this machine's configuration, and no name for commits: the workflow has none either. */
const env = {
  PATH: process.env['PATH'],
  HOME: folder,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: work, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

const write = (file: string, text: string): void => {
  mkdirSync(path.dirname(path.join(work, file)), { recursive: true });
  writeFileSync(path.join(work, file), text);
};

const script = (name: string, ...args: readonly string[]): { status: number | null; stdout: string } =>
  spawnSync(path.join(work, 'src/build/release', name), args, { cwd: folder, env, encoding: 'utf8' });

const commit = (message: string): string => {
  git('add', '.');
  git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--message', message);
  return git('rev-parse', 'HEAD');
};

const files = (revision: string): string[] => git('ls-tree', '-r', '--name-only', revision).split('\n');
const remote = (tag: string): string => git('ls-remote', 'origin', `refs/tags/${tag}`).split('\t')[0] ?? '';

beforeEach(() => {
  work = mkdtempSync(path.join(folder, 'work-'));
  const bare = `${work}.git`;
  execFileSync('git', ['init', '--quiet', '--bare', bare], { env });
  git('init', '--quiet', '--initial-branch', 'main');
  git('remote', 'add', 'origin', bare);
  write('package.json', '{ "version": "1.2.3" }');
  write('.gitignore', 'dist/\n');
  write('action.yml', 'runs: {}\n');
  write('.changeset/README.md', '# Changesets\n');
  write('.github/workflows/ci.yml', 'on: push\n');
  cpSync(path.join(ROOT, 'src/build/release'), path.join(work, 'src/build/release'), { recursive: true });
  commit('Start');
  git('push', '--quiet', 'origin', 'main');
  write('dist/action/index.mjs', 'bundle');
  write('dist/cli.cjs', 'no part of the Action');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(process.platform === 'win32')('plan.sh', () => {
  it.each([
    { name: 'a version without its tag', mode: 'release' },
    { name: 'a version with its tag', tags: ['v1.2.3'], mode: 'none' },
    { name: 'only tags of other versions', tags: ['v1.2.2', 'v1', 'v1.2.30'], mode: 'release' },
    { name: 'changesets', changeset: true, mode: 'version' },
    { name: 'changesets and a tag', changeset: true, tags: ['v1.2.3'], mode: 'version' },
    { name: 'a version that is not to be released yet', unreleased: true, mode: 'none' },
  ])('$name: $mode', ({ tags = [], changeset = false, unreleased = false, mode }) => {
    for (const tag of tags) git('tag', tag);
    if (changeset) write('.changeset/calm-tides-rise.md', '---\n"docvitals": patch\n---\n\nText.\n');
    write('CHANGELOG.md', `# Changelog\n\n## 1.2.3${unreleased ? ' (Unreleased)' : ''}\n`);
    expect(script('plan.sh')).toMatchObject({ status: 0, stdout: `mode=${mode}\nversion=1.2.3\n` });
  });

  it.each(['1.2.3-beta.1', 'v1.2.3', '1.2.3\nmode=release', ''])('refuses the version %j', (version) => {
    write('package.json', JSON.stringify({ version }));
    expect(script('plan.sh')).toMatchObject({ status: 1, stdout: '' });
  });
});

describe.skipIf(process.platform === 'win32')('tag.sh', () => {
  it('puts the bundle on top of main, in a commit of no branch', () => {
    const main = git('rev-parse', 'main');
    expect(script('tag.sh', '1.2.3').status).toBe(0);
    git('fetch', '--quiet', '--tags', 'origin');
    expect(git('rev-parse', 'v1.2.3^')).toBe(main);
    expect(git('show', 'v1.2.3:dist/action/index.mjs')).toBe('bundle');
    expect(git('ls-remote', '--heads', 'origin').split('\t')[0]).toBe(main);
    expect(git('branch', '--all', '--contains', 'v1.2.3')).toBe('');
  });

  it('adds the bundle, leaves out the workflows, and changes nothing else', () => {
    script('tag.sh', '1.2.3');
    git('fetch', '--quiet', '--tags', 'origin');
    const expected = files('main').filter((file) => !file.startsWith('.github/workflows/'));
    expect(files('v1.2.3')).toEqual([...expected, 'dist/action/index.mjs'].toSorted());
  });

  it('leaves the working copy as it was', () => {
    script('tag.sh', '1.2.3');
    expect(git('status', '--porcelain')).toBe('');
    expect(git('branch', '--show-current')).toBe('main');
  });

  it('moves the major tag from release to release', () => {
    script('tag.sh', '1.2.3');
    const first = remote('v1');
    write('new.txt', 'new');
    commit('More');
    git('fetch', '--quiet', '--tags', 'origin');
    expect(script('tag.sh', '1.10.0').status).toBe(0);
    expect(remote('v1')).toBe(remote('v1.10.0'));
    expect(remote('v1')).not.toBe(first);
    expect(remote('v1.2.3')).toBe(first);
  });

  it('calls the tag v0 before 1.0.0', () => {
    expect(script('tag.sh', '0.1.0').status).toBe(0);
    expect(remote('v0')).toBe(remote('v0.1.0'));
    expect(remote('v0')).not.toBe('');
  });

  it('takes the major tag back from no newer release', () => {
    script('tag.sh', '1.10.0');
    const newer = remote('v1');
    git('fetch', '--quiet', '--tags', 'origin');
    write('dist/action/index.mjs', 'of an older release');
    expect(script('tag.sh', '1.9.9').status).toBe(0);
    expect(remote('v1')).toBe(newer);
    expect(remote('v1.9.9')).not.toBe('');
  });

  it('gives the same commit when it is run again, also from another clone', () => {
    script('tag.sh', '1.2.3');
    const released = remote('v1.2.3');
    const clone = `${work}-clone`;
    git('clone', '--quiet', `${work}.git`, clone, '--branch', 'main');
    cpSync(path.join(work, 'dist'), path.join(clone, 'dist'), { recursive: true });
    work = clone;
    expect(script('tag.sh', '1.2.3').status).toBe(0);
    expect(remote('v1.2.3')).toBe(released);
  });

  it('refuses other contents under the same version', () => {
    script('tag.sh', '1.2.3');
    const released = remote('v1.2.3');
    write('dist/action/index.mjs', 'other');
    expect(script('tag.sh', '1.2.3').status).toBe(1);
    expect([remote('v1.2.3'), remote('v1')]).toEqual([released, released]);
  });

  it('refuses to release without a bundle', () => {
    rmSync(path.join(work, 'dist/action'), { recursive: true });
    expect(script('tag.sh', '1.2.3').status).toBe(1);
    expect(remote('v1.2.3')).toBe('');
  });
});

describe.skipIf(process.platform === 'win32')('notes.sh', () => {
  const changelog =
    '# Changelog\n\nAll.\n\n## 1.2.3\n\n### Minor Changes\n\n- New.\n\n## 1.2.30\n\n- Odd.\n\n## 1.0.0\n\n- First.\n';

  it.each([
    { version: '1.2.3', notes: '\n### Minor Changes\n\n- New.\n' },
    { version: '1.0.0', notes: '\n- First.\n' },
  ])('gives the section of $version', ({ version, notes }) => {
    write('CHANGELOG.md', changelog);
    expect(script('notes.sh', version)).toMatchObject({ status: 0, stdout: notes });
  });

  it('refuses a version that the changelog does not have', () => {
    write('CHANGELOG.md', changelog);
    expect(script('notes.sh', '1.2').status).toBe(1);
  });
});
