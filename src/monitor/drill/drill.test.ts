import { realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  BROKEN,
  emptyFolder,
  git,
  HEALTHY,
  makeRepository,
  removeAll,
  siteIn,
  write,
  type Files,
} from '../../../test/drill/repository.ts';
import { startHost } from '../../../test/site/host.ts';
import { loadSettings } from '../../options/settings.ts';
import { Drill, findSource, siteName, type DrillOptions, type DrillSource, type StepId } from './drill.ts';

const repository = (address: string, name = address): DrillSource => ({
  kind: 'repository',
  name,
  address,
  prefix: '',
  uncommitted: 0,
});

describe('the name of a site', () => {
  it.each<[name: string, folder: string, source: DrillSource, site: string]>([
    ['a folder of the source', 'a/docs', repository('/srv/handbook'), 'a/docs'],
    ['a plain folder', '.', { ...repository('/srv/handbook', '.'), kind: 'folder' }, 'handbook'],
    ['a repository here', '.', repository('/srv/handbook', '../handbook'), 'handbook'],
    ['a bare repository', '.', repository('/srv/handbook.git', 'handbook.git'), 'handbook'],
    ['an address', '.', repository('https://git.example/a/handbook.git/'), 'handbook'],
    ['an address with a secret', '.', repository('https://u:secret@git.example', 'https://git.example'), 'git.example'],
    ['as ssh has it', '.', repository('git@git.example:handbook.git'), 'handbook'],
    ['the root of everything', '.', { ...repository('/'), kind: 'folder' }, '.'],
  ])('%s', (_, folder, source, site) => {
    expect(siteName(folder, source)).toBe(site);
  });
});

afterAll(removeAll);

interface Rehearsal extends Partial<DrillOptions> {
  /** What `--source` names. */
  readonly from: string;
}

/** Drills what is in `docs`, in this process. */
async function rehearse({ from, ...options }: Rehearsal) {
  const began: StepId[] = [];
  const source = await findSource(from, '/');
  if (source === null) throw new Error(`not a source: ${from}`);
  const drill = new Drill({
    source,
    branch: null,
    folder: null,
    target: { kind: 'serve', rules: { kind: 'server', base: '/', improved: false } },
    recoveryTimeObjectiveMs: 60_000,
    deadlineMs: 30_000,
    keep: false,
    settings: await loadSettings({}, {}, { cwd: emptyFolder() }),
    full: false,
    env: process.env,
    interrupt: new AbortController().signal,
    findSite: async () => 'docs',
    onStep: (id) => void began.push(id),
    onRun: () => {},
    ...options,
  });
  return { result: await drill.run(), began };
}

const SERVED = ['clone', 'serve', 'first-answer', 'healthy'];

describe('a drill', { timeout: 60_000 }, () => {
  it('recovers a repository, and times each step', async () => {
    const from = makeRepository(HEALTHY);
    const { result, began } = await rehearse({ from });
    expect(result).toMatchObject({
      source: from,
      commit: git(from, 'rev-parse', 'HEAD').trim(),
      site: 'docs',
      failure: null,
      interrupted: false,
      recoveryTimeObjectiveMet: true,
      notes: [],
      folder: null,
      report: { verdict: 'healthy' },
    });
    expect(began).toEqual(SERVED);
    expect(result.steps.map(({ id }) => id)).toEqual(SERVED);
    expect(result.steps.every(({ durationMs }) => durationMs >= 0)).toBe(true);
    expect(result.steps.reduce((sum, { durationMs }) => sum + durationMs, 0)).toBe(result.totalMs);
    expect(result.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  });

  it('misses an objective that is shorter', async () => {
    const { result } = await rehearse({ from: makeRepository(HEALTHY), recoveryTimeObjectiveMs: 1 });
    expect(result).toMatchObject({ failure: null, recoveryTimeObjectiveMet: false });
  });

  it('copies a plain folder, and keeps the copy where that is wanted', async () => {
    const from = emptyFolder();
    write(from, HEALTHY);
    const { result } = await rehearse({ from, keep: true, full: true });
    expect(result).toMatchObject({ commit: null, site: 'docs', failure: null, report: { verdict: 'healthy' } });
    expect(result.steps.map(({ id }) => id)).toEqual(['copy', ...SERVED.slice(1)]);
    const kept = path.dirname(result.folder ?? '');
    expect(path.basename(kept)).toMatch(/^docvitals-drill-/);
    await expect(findSource(path.join(result.folder ?? '', 'docs'), '/')).resolves.toMatchObject({ kind: 'folder' });
    rmSync(kept, { recursive: true });
  });

  it('notes what a recovery would not have', async () => {
    const from = makeRepository({ ...HEALTHY, '.gitmodules': '' });
    write(from, { 'docs/new.md': '# New\n', 'docs/index.md': '# Changed\n' });
    const { result } = await rehearse({ from });
    expect(result.notes).toEqual([{ id: 'uncommitted', count: 2 }, { id: 'submodules' }]);
  });

  it('recovers the folder of a repository that was named', async () => {
    const from = path.join(makeRepository(siteIn('a/docs')), 'a');
    expect((await rehearse({ from })).result).toMatchObject({ site: 'a/docs', failure: null });
  });

  it.each<[name: string, files: Files, options: Partial<DrillOptions>, failure: object]>([
    ['visitors see a blank page', BROKEN, {}, { step: 'healthy', reason: 'not-healthy' }],
    ['nothing looks like a site', HEALTHY, { findSite: async () => null }, { step: 'clone', reason: 'no-site' }],
    ['the folder is missing', HEALTHY, { folder: 'site' }, { step: 'clone', reason: 'no-folder' }],
    ['the folder is outside', HEALTHY, { folder: '../..' }, { step: 'clone', reason: 'no-folder' }],
    ['there is no such branch', HEALTHY, { branch: 'gone' }, { step: 'clone', reason: 'clone-failed' }],
    ['no time is left', HEALTHY, { deadlineMs: 0 }, { step: 'clone', reason: 'time-up' }],
  ])('fails where %s', async (_, files, options, failure) => {
    const { result } = await rehearse({ from: makeRepository(files), ...options });
    expect(result).toMatchObject({ failure, recoveryTimeObjectiveMet: false, interrupted: false });
  });

  it('cannot tell where this machine has no Git', async () => {
    const { result } = await rehearse({ from: makeRepository(HEALTHY), env: { PATH: '/nowhere' } });
    expect(result).toMatchObject({
      failure: { step: 'clone', reason: 'no-git', detail: 'ENOENT' },
      recoveryTimeObjectiveMet: null,
    });
  });

  it('ends when it is stopped', async () => {
    const { result } = await rehearse({ from: makeRepository(HEALTHY), interrupt: AbortSignal.abort() });
    expect(result).toMatchObject({
      failure: null,
      interrupted: true,
      recoveryTimeObjectiveMet: null,
      steps: [],
      report: null,
    });
  });
});

describe('a drill that deploys', { timeout: 60_000 }, () => {
  /** A host that serves the files in a folder that a command fills. */
  async function deploying(command: string, options: Partial<DrillOptions> = {}, compare = true) {
    const folder = emptyFolder();
    const host = await startHost(folder, { fallback: false });
    const printed: string[] = [];
    try {
      const { result } = await rehearse({
        from: makeRepository(HEALTHY),
        target: { kind: 'deploy', command: command.replace('TARGET', folder), url: host.url, compare },
        onOutput: (text) => void printed.push(text),
        ...options,
      });
      return { result, printed: printed.join('') };
    } finally {
      await host.close();
    }
  }

  it('runs the command in the clone, and compares what is served with it', async () => {
    const { result, printed } = await deploying('echo "$DOCVITALS_FOLDER" && cp -R docs/. TARGET');
    expect(result).toMatchObject({ failure: null, notes: [], report: { verdict: 'healthy' } });
    expect(result.steps.map(({ id }) => id)).toEqual(['clone', 'deploy', 'first-answer', 'healthy']);
    expect(printed.trim().endsWith('/clone/docs')).toBe(true);
    expect(result.report?.checks.map(({ id }) => id)).toContain('source');
  });

  it('notes that nothing was compared', async () => {
    const { result } = await deploying('cp -R docs/. TARGET', {}, false);
    expect(result).toMatchObject({ failure: null, notes: [{ id: 'not-compared' }] });
    expect(result.report?.checks.map(({ id }) => id)).not.toContain('source');
  });

  it.each([
    ['exit 3', { reason: 'deploy-failed', detail: 'exit status 3', output: [] }],
    ['echo no room >&2; kill -9 $$', { reason: 'deploy-failed', detail: 'SIGKILL', output: ['no room'] }],
  ])('fails with the command: %s', async (command, failure) => {
    const { result } = await deploying(command);
    expect(result.failure).toEqual({ step: 'deploy', ...failure });
  });

  it('ends a command that takes too long', async () => {
    const { result } = await deploying('sleep 60', { deadlineMs: 1_500 });
    expect(result).toMatchObject({ failure: { step: 'deploy', reason: 'time-up' }, recoveryTimeObjectiveMet: false });
    expect(result.totalMs).toBeLessThan(20_000);
  });

  it('waits for the site until the deadline', async () => {
    const { result } = await deploying('true', { deadlineMs: 2_500 });
    expect(result).toMatchObject({ failure: { step: 'first-answer', reason: 'no-answer' } });
  });
});

describe('a source', () => {
  it.each([
    [
      'https://reader:secret@git.example/handbook.git',
      { kind: 'repository', name: 'https://git.example/handbook.git' },
    ],
    ['git@git.example:handbook.git', { kind: 'repository', name: 'git.example:handbook.git' }],
    ['ext::sh -c id', null],
    ['handbook', null],
    ['a\0b', null],
  ])('%j', async (given, expected) => {
    const source = await findSource(given, realpathSync(emptyFolder()));
    const whole = { address: given, prefix: '', uncommitted: 0 };
    expect(source).toEqual(expected === null ? null : { ...whole, ...expected });
  });

  it('is a bare repository', async () => {
    const [from, folder] = [makeRepository(HEALTHY), emptyFolder()];
    git(folder, 'clone', '--quiet', '--bare', from, 'site.git');
    const address = path.join(folder, 'site.git');
    expect(await findSource('site.git', folder)).toEqual({
      kind: 'repository',
      name: 'site.git',
      address,
      prefix: '',
      uncommitted: 0,
    });
    expect((await rehearse({ from: address })).result).toMatchObject({ site: 'docs', failure: null });
  });
});
