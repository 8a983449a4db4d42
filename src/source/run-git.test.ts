import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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

  const job = (workspace: string): void => {
    vi.stubEnv('GITHUB_ACTIONS', 'true');
    vi.stubEnv('GITHUB_WORKSPACE', workspace);
  };

  it.each(['HEAD:docs', 'docs'])('is read where the job has checked it out: %s', async (name) => {
    job(folder);
    expect(await known(name)).toEqual(ALL);
  });

  it('and where it is checked out below the workspace', async () => {
    repository(path.join(folder, 'site'));
    rmSync(path.join(folder, '.git'), { recursive: true });
    job(folder);
    expect(await known('site/docs')).toEqual(ALL);
  });

  it.skipIf(process.platform === 'win32')('and where the workspace is a link', async () => {
    const link = `${folder}-link`;
    symlinkSync(folder, link);
    job(link);
    expect(await known('HEAD:docs', link)).toEqual(ALL);
    rmSync(link);
  });

  it.each([
    { name: 'outside of the workspace', actions: 'true', workspace: path.join(tmpdir(), 'elsewhere') },
    { name: 'outside of a job', actions: '', workspace: '' },
    { name: 'on a machine that sets the workspace only', actions: '', workspace: '.' },
  ])('is not read $name; the error says what Git wants', async ({ actions, workspace }) => {
    vi.stubEnv('GITHUB_ACTIONS', actions);
    vi.stubEnv('GITHUB_WORKSPACE', workspace === '.' ? folder : workspace);
    expect(await known('HEAD:docs')).toEqual(expect.stringContaining('safe.directory'));
    // The files are there all the same.
    expect(await known('docs')).toEqual({ ...ALL, hasHistory: false });
  });
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
