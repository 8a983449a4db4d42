/** Drills that serve what was cloned on this machine. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../src/locales/language.ts';
import { runCli } from '../cli/run.ts';
import {
  BROKEN,
  codesOf,
  drill,
  emptyFolder,
  git,
  HEALTHY,
  makeRepository,
  removeAll,
  siteIn,
  stepsOf,
  write,
  type Drilled,
  type Files,
} from './repository.ts';

afterAll(removeAll);

const SERVED = ['clone', 'serve', 'first-answer', 'healthy'];

const told = ({ status, result, left }: Drilled): unknown => ({
  status,
  steps: stepsOf(result),
  met: result.recoveryTimeObjectiveMet,
  reason: result.failure?.reason ?? null,
  left,
});
const MET = { status: 0, steps: SERVED, met: true, reason: null, left: [] };

describe('a repository with a healthy site', () => {
  it.each<[name: string, site: string, files: Files, args: readonly string[]]>([
    ['in docs/', 'docs', HEALTHY, []],
    ['in public/', 'public', siteIn('public'), []],
    ['beside another one', 'website', { ...siteIn('website'), ...siteIn('docs') }, ['--folder', 'website']],
    ['in a folder that nobody would look in', 'a/b/c', siteIn('a/b/c'), ['--folder', 'a/b/c/']],
    ['by the rules of a platform', 'docs', HEALTHY, ['--host', 'platform']],
    ['by the rules of a worker, below a path', 'docs', HEALTHY, ['--host', 'worker', '--base', '/manual/']],
    ['with all checks', 'docs', HEALTHY, ['--full']],
  ])('%s is recovered', async (_, site, files, args) => {
    const drilled = await drill(['--source', makeRepository(files), ...args]);
    expect(told(drilled)).toEqual(MET);
    expect([drilled.result.site, drilled.result.report?.verdict]).toEqual([site, 'healthy']);
    expect(drilled.result.commit).toMatch(/^[0-9a-f]{40}$/);
  });

  it('goes by the name of its folder where that is the site', async () => {
    const repository = makeRepository(siteIn('.'));
    const { result } = await drill(['--source', repository]);
    expect([result.site, result.report?.verdict]).toEqual([path.basename(repository), 'healthy']);
  });

  it('has times that add up', async () => {
    const { result } = await drill(['--source', makeRepository(HEALTHY)]);
    const sum = result.steps.reduce((ms, { durationMs }) => ms + durationMs, 0);
    expect([sum, result.recoveryTimeObjectiveMs]).toEqual([result.totalMs, 60_000]);
  });

  it('is cloned from an address, from a bare repository and from a folder in its work tree alike', async () => {
    const repository = makeRepository(HEALTHY);
    const bare = path.join(emptyFolder(), 'docs.git');
    git(repository, 'clone', '--quiet', '--bare', repository, bare);
    const sources = [pathToFileURL(repository).href, bare, path.join(repository, 'docs')];
    const drills = await Promise.all(sources.map((source) => drill(['--source', source, '--serve'])));
    expect(drills.map(told)).toEqual([MET, MET, MET]);
    expect(new Set(drills.map(({ result }) => result.commit)).size).toBe(1);
    expect(drills.map(({ result }) => result.site)).toEqual(['docs', 'docs', 'docs']);
  });

  it('is cloned where nobody is on a branch', async () => {
    const repository = makeRepository(HEALTHY);
    git(repository, 'checkout', '--quiet', '--detach');
    expect(told(await drill(['--source', repository]))).toEqual(MET);
  });

  it('is cloned by the branch or the tag that is named', async () => {
    const repository = makeRepository(BROKEN);
    git(repository, 'checkout', '--quiet', '-b', 'gh-pages');
    write(repository, HEALTHY);
    git(repository, 'commit', '--quiet', '--all', '--message=Mended');
    git(repository, 'tag', 'v1');
    git(repository, 'checkout', '--quiet', 'main');
    const drills = await Promise.all(
      ['gh-pages', 'v1', 'main'].map((branch) => drill(['--source', repository, '--branch', branch])),
    );
    expect(drills.map(({ status }) => status)).toEqual([0, 0, 1]);
  });

  it('is found also from a folder of a hook, which Git has led elsewhere', async () => {
    const [repository, other] = [makeRepository(HEALTHY), makeRepository({ 'a.txt': 'a' })];
    const env = { GIT_DIR: path.join(other, '.git'), GIT_INDEX_FILE: path.join(other, '.git/index') };
    expect(told(await drill(['--source', pathToFileURL(repository).href], { env }))).toEqual(MET);
  });
});

describe('what is not in the repository', () => {
  it('is reported where it is not committed, and not recovered', async () => {
    const repository = makeRepository({
      'docs/index.html': HEALTHY['docs/index.html'] ?? '',
      'docs/index.md': '# Docs\n',
    });
    write(repository, HEALTHY);
    const { status, result } = await drill(['--source', repository]);
    expect(status).toBe(1);
    expect(result.notes).toEqual([{ id: 'uncommitted', count: 4 }]);
    expect(codesOf(result)).toContain('config/not-found');
  });

  it('is reported where it is in submodules, which are not asked for', async () => {
    const repository = makeRepository({
      ...HEALTHY,
      '.gitmodules': '[submodule "theme"]\n  path = theme\n  url = https://127.0.0.1:1/private.git\n',
    });
    git(repository, 'config', 'submodule.recurse', 'true');
    const drilled = await drill(['--source', repository]);
    expect(told(drilled)).toEqual(MET);
    expect(drilled.result.notes).toEqual([{ id: 'submodules' }]);
  });
});

describe('a plain folder', () => {
  it('is copied, pipes and all that is no file left out', async () => {
    const folder = emptyFolder();
    write(folder, HEALTHY);
    symlinkSync('guide.md', path.join(folder, 'docs/link.md'));
    spawnSync('mkfifo', [path.join(folder, 'docs/pipe')]);
    const drilled = await drill(['--source', folder]);
    expect(told(drilled)).toEqual({ ...MET, steps: ['copy', ...SERVED.slice(1)] });
    expect(drilled.result.commit).toBeNull();
  });
});

describe('a drill that does not recover the site', () => {
  it.each<[name: string, files: Files, args: readonly string[], reason: string, step: string]>([
    ['a repository without a site', { 'README.md': '# Tool\n' }, [], 'no-site', 'clone'],
    ['an empty repository', {}, [], 'no-site', 'clone'],
    ['a folder that is not there', HEALTHY, ['--folder', 'public'], 'no-folder', 'clone'],
    ['a folder outside', HEALTHY, ['--folder', '../..'], 'no-folder', 'clone'],
    ['a branch that is not there', HEALTHY, ['--branch', 'gone'], 'clone-failed', 'clone'],
    ['a site that is broken', BROKEN, [], 'not-healthy', 'healthy'],
    [
      'a site without a bundle, in the folder named',
      { 'a/x.md': '# X\n' },
      ['--folder', 'a'],
      'no-answer',
      'first-answer',
    ],
  ])('%s', async (_, files, args, reason, step) => {
    const { status, result, left } = await drill(['--source', makeRepository(files), ...args]);
    expect({
      status,
      met: result.recoveryTimeObjectiveMet,
      reason: result.failure?.reason,
      step: result.failure?.step,
      left,
    }).toEqual({ status: 1, met: false, reason, step, left: [] });
    expect(stepsOf(result)).not.toContain(step);
  });

  it('a folder that leads out of the repository', async () => {
    const repository = makeRepository(HEALTHY);
    const outside = emptyFolder();
    write(outside, siteIn('.'));
    symlinkSync(outside, path.join(repository, 'away'));
    git(repository, 'add', '--all');
    git(repository, 'commit', '--quiet', '--message=Link');
    const { result } = await drill(['--source', repository, '--folder', 'away']);
    expect(result.failure?.reason).toBe('no-folder');
  });

  it('an address where there is no repository', async () => {
    const gone = pathToFileURL(path.join(emptyFolder(), 'gone.git')).href.replace('file://', 'file://ana:s3cret@');
    const { status, stdout, result } = await drill(['--source', gone]);
    expect([status, result.failure?.reason]).toEqual([1, 'clone-failed']);
    expect(stdout).not.toContain('s3cret');
  });

  it('a repository that does not answer', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = `git://127.0.0.1:${(silent.address() as AddressInfo).port}/docs.git`;
    const { status, result, left } = await drill(['--source', address, '--deadline', '500ms']);
    silent.close();
    expect([status, result.failure?.step, result.failure?.reason, left]).toEqual([1, 'clone', 'time-up', []]);
  });

  it('a machine without Git', async () => {
    const { status, result } = await drill(['--source', 'https://127.0.0.1:9/docs.git'], {
      env: { PATH: emptyFolder() },
    });
    expect([status, result.failure?.reason, result.recoveryTimeObjectiveMet]).toEqual([3, 'no-git', null]);
  });

  it('names the check and what to do', async () => {
    const { status, stdout } = await runCli(['drill', '--source', makeRepository(BROKEN)]);
    expect(status).toBe(1);
    expect(stdout).toContain('config/trailing-comma');
    expect(stdout).toMatch(/^ *Fix: /m);
  });

  it('is slower than the objective', async () => {
    const { status, result } = await drill(['--source', makeRepository(HEALTHY), '--rto', '1ms']);
    expect([status, result.failure, result.recoveryTimeObjectiveMet, result.report?.verdict]).toEqual([
      1,
      null,
      false,
      'healthy',
    ]);
  });
});

describe('the objective', () => {
  const CONFIG = 'sites:\n  - {id: docs, url: "https://docs.example.com/", recoveryTimeObjective: 30s}\n';

  it.each<[name: string, args: readonly string[], recoveryTimeObjectiveMs: number]>([
    ['of the site that is chosen', ['--site', 'docs'], 30_000],
    ['of the command line, before it', ['--site', 'docs', '--rto', '20s'], 20_000],
    ['of nobody', [], 60_000],
  ])('is that %s', async (_, args, recoveryTimeObjectiveMs) => {
    const cwd = emptyFolder();
    write(cwd, { 'docvitals.yaml': CONFIG });
    const { result } = await drill(['--source', makeRepository(HEALTHY), ...args], { cwd });
    expect(result.recoveryTimeObjectiveMs).toBe(recoveryTimeObjectiveMs);
  });
});

describe('--keep', () => {
  it('leaves what was cloned, and says where', async () => {
    const { status, result, left } = await drill(['--source', makeRepository(HEALTHY), '--keep']);
    expect([status, left.length]).toEqual([0, 1]);
    expect(readdirSync(path.join(result.folder ?? '', 'docs'))).toContain('guide.md');
  });
});

describe('a mistake in the command line', () => {
  it.each<[name: string, args: readonly string[]]>([
    ['no source', []],
    ['a source that is nothing', ['--source', 'nowhere']],
    ['a helper of Git instead of an address', ['--source', 'ext::sh -c true']],
    ['an option instead of an address', ['--source=--upload-pack=true']],
    ['both ways', ['--source', '.', '--serve', '--deploy', 'true']],
    ['an address without a deploy', ['--source', '.', '--url', 'https://docs.example.com/']],
    ['a deploy without an address', ['--source', '.', '--deploy', 'true']],
    ['an address that is none', ['--source', '.', '--deploy', 'true', '--url', 'docs']],
    ['a site that is not configured', ['--source', '.', '--site', 'docs']],
    ['a branch of a plain folder', ['--source', '.', '--branch', 'main']],
    ['an unknown format', ['--source', '.', '--format', 'xml']],
  ])('%s', async (_, args) => {
    const { status, stdout, stderr } = await runCli(['drill', ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^docvitals: \S.*\n$/);
  });
});

describe('its help', () => {
  it('fits into 80 columns, but for the command lines', async () => {
    const { status, stdout } = await runCli(['drill', '--help']);
    const prose = stdout.split('\n').filter((line) => !line.startsWith('  docvitals '));
    expect([status, prose.filter((line) => line.length > 80)]).toEqual([0, []]);
  });
});

describe('a person reads it', () => {
  it.each(LANGUAGES)('in %s, with a verdict and each step', async (language) => {
    const { status, stdout } = await runCli(['drill', '--source', makeRepository(HEALTHY), '--lang', language]);
    expect(status).toBe(0);
    expect(stdout.match(/^✓ /gm)).toHaveLength(4);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/60.s/);
  });

  it('without anything that acts on the terminal', async () => {
    const folder = path.join(emptyFolder(), 'a\u001b[2Jb');
    mkdirSync(folder);
    write(folder, HEALTHY);
    const { stdout } = await runCli(['drill', '--source', folder]);
    expect(stdout).not.toContain('\u001b');
  });
});
