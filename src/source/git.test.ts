import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { git as runGit } from './git.ts';
import { openSource } from './open.ts';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'docvitals-run-git-')));
  repository(folder);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const IDENTITY = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'safe.directory=*'];

function repository(root: string): void {
  mkdirSync(path.join(root, 'docs'), { recursive: true });
  writeFileSync(path.join(root, 'docs/index.md'), '# Home\n');
  const git = (...args: readonly string[]): Buffer => execFileSync('git', [...IDENTITY, ...args], { cwd: root });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'docs');
}

/** What is known of a source with the help of Git; the error where it cannot be opened. */
async function known(name: string, cwd = folder): Promise<unknown> {
  try {
    const source = await openSource(name, cwd);
    return { files: [...(await source.files()).keys()], hasHistory: (await source.history()) !== null };
  } catch (error) {
    return (error as Error).message;
  }
}

const ALL = { files: ['index.md'], hasHistory: true };

describe('a repository that belongs to another user, as in the container of a job', () => {
  beforeEach(() => vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1'));

  it.each(['true', ''])(
    'is not read, in a job (%o) or outside of one; the error says what Git wants',
    async (actions) => {
      vi.stubEnv('GITHUB_ACTIONS', actions);
      vi.stubEnv('GITHUB_WORKSPACE', folder);
      expect(await known('HEAD:docs')).toEqual(expect.stringContaining('safe.directory'));
      // The files are there all the same.
      expect(await known('docs')).toEqual({ ...ALL, hasHistory: false });
    },
  );
});

it('ends in time, also where a wrapper of Git has started what holds its output', async () => {
  const wrapper = path.join(folder, 'git');
  writeFileSync(wrapper, '#!/bin/sh\nsleep 20\n');
  chmodSync(wrapper, 0o755);
  const began = performance.now();
  const env = { ...process.env, PATH: `${folder}${path.delimiter}${process.env['PATH'] ?? ''}` };
  expect(await runGit(['version'], folder, { env, timeoutMs: 200 })).toMatchObject({ status: null });
  expect(performance.now() - began).toBeLessThan(10_000);
});

describe('nothing that a source holds is run', () => {
  const monitor = (): string => `touch "${path.join(folder, 'ran')}"; false`;

  it('in a folder that looks like a bare repository', async () => {
    const docs = path.join(folder, 'docs');
    execFileSync('git', ['init', '--quiet', '--bare', '.'], { cwd: docs });
    execFileSync('git', ['config', 'core.bare', 'false'], { cwd: docs });
    execFileSync('git', ['config', 'core.worktree', '.'], { cwd: docs });
    execFileSync('git', ['config', 'core.fsmonitor', monitor()], { cwd: docs });
    expect(await known('docs')).toMatchObject({ files: ['index.md'] });
    expect(existsSync(path.join(folder, 'ran'))).toBe(false);
  });

  it.each(['docs', 'HEAD:docs'])('by the configuration of its repository: %s', async (name) => {
    execFileSync('git', ['config', 'core.fsmonitor', monitor()], { cwd: folder });
    expect(await known(name)).toEqual(ALL);
    expect(existsSync(path.join(folder, 'ran'))).toBe(false);
  });
});
