/** Drills that deploy what was cloned to a real nginx. */
import type { ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nginxWanted, startNginx, type Nginx } from '../hosts/nginx.ts';
import {
  BROKEN,
  codesOf,
  drill,
  emptyFolder,
  git,
  HEALTHY,
  makeRepository,
  removeAll,
  stepsOf,
  write,
} from './repository.ts';

afterAll(removeAll);

const DEPLOYED = ['clone', 'deploy', 'first-answer', 'healthy'];

describe.runIf(nginxWanted())('a deploy to nginx', () => {
  let root = '';
  let nginx: Nginx;
  beforeEach(async () => {
    root = emptyFolder();
    nginx = await startNginx(root);
  });
  afterEach(() => nginx.stop());

  const copy = (): string => `cp -R "$DOCVITALS_FOLDER/." '${root}/' && chmod -R a+rX '${root}'`;
  const to = (command: string): string[] => ['--deploy', command, '--url', nginx.url];

  it('of a healthy site is a recovery from nothing', async () => {
    const { status, result, left } = await drill(['--source', makeRepository(HEALTHY), ...to(copy())]);
    expect({ status, steps: stepsOf(result), notes: result.notes, left }).toEqual({
      status: 0,
      steps: DEPLOYED,
      notes: [],
      left: [],
    });
    expect([result.url, result.site, result.report?.fresh]).toEqual([nginx.url, 'docs', true]);
  });

  it('of a repository on a host of plain files', async () => {
    const bare = path.join(root, 'docs.git');
    git(root, 'clone', '--quiet', '--bare', makeRepository(HEALTHY), bare);
    git(bare, 'update-server-info');
    const { status, result } = await drill(['--source', `${nginx.url}docs.git`, ...to(copy())]);
    expect([status, stepsOf(result)]).toEqual([0, DEPLOYED]);
  });

  it('runs in the root of the clone', async () => {
    const command = `ls -A > '${root}/seen' && cat docs/guide.md >> '${root}/seen'; ${copy()}`;
    const { status } = await drill([
      '--source',
      makeRepository({ ...HEALTHY, 'README.md': '# Docs\n' }),
      ...to(command),
    ]);
    expect(status).toBe(0);
    expect(readFileSync(path.join(root, 'seen'), 'utf8').split('\n')).toEqual([
      '.git',
      'README.md',
      'docs',
      '# Guide',
      '',
    ]);
  });

  it('that goes on in the background is waited for at the site', async () => {
    const command = `(sleep 1; ${copy()}; echo done) &`;
    const { status, result } = await drill(['--source', makeRepository(HEALTHY), ...to(command)]);
    expect([status, stepsOf(result)]).toEqual([0, DEPLOYED]);
  });

  it('over a site that is live says what was measured', async () => {
    write(root, { 'index.html': '<!doctype html><title>Old</title><div id="app"></div>\n' });
    chmodSync(path.join(root, 'index.html'), 0o644);
    const { status, result } = await drill(['--source', makeRepository(HEALTHY), ...to(copy())]);
    expect([status, result.notes]).toEqual([0, [{ id: 'answered-before' }]]);
  });

  it('that changes nothing is no recovery, however well the old site is', async () => {
    const repository = makeRepository(HEALTHY);
    expect((await drill(['--source', repository, ...to(copy())])).status).toBe(0);
    write(repository, { 'docs/guide.md': '# Guide\n\nAnother version.\n' });
    git(repository, 'commit', '--quiet', '--all', '--message=New');
    const { status, result } = await drill(['--source', repository, ...to('true'), '--deadline', '4s']);
    // A drill clones without history: no older version is known.
    expect([status, result.failure?.reason, result.report?.verdict]).toEqual([1, 'not-healthy', 'degraded']);
    const blind = await drill(['--source', repository, ...to('true'), '--no-compare']);
    expect([blind.status, blind.result.notes.map(({ id }) => id)]).toEqual([0, ['answered-before', 'not-compared']]);
  });

  it('that builds the site first is checked for its health', async () => {
    const build = `mkdir -p out && printf '<!doctype html><title>B</title><div id="app"></div>' > out/index.html &&
      echo '{}' > out/config.json && cp content/*.md out/ && cp out/index.md out/llms.txt &&
      cp -R out/. '${root}/' && chmod -R a+rX '${root}'`;
    const files = {
      'content/index.md': '# Docs\n\n- [Home](index.md)\n',
      'content/navigation.md': '- [Home](index.md)\n',
    };
    const { status, result } = await drill(['--source', makeRepository(files), ...to(build)]);
    expect([status, result.site, result.notes]).toEqual([0, null, [{ id: 'not-compared' }]]);
  });

  it('of a site that stays broken names the check', async () => {
    const { status, result } = await drill(['--source', makeRepository(BROKEN), ...to(copy()), '--deadline', '4s']);
    expect([status, result.failure?.reason, result.recoveryTimeObjectiveMet]).toEqual([1, 'not-healthy', false]);
    expect(codesOf(result)).toContain('config/trailing-comma');
  });

  it('to another place finds no file at the address', async () => {
    const { status, result } = await drill(['--source', makeRepository(HEALTHY), ...to('true'), '--deadline', '3s']);
    expect([status, result.failure]).toMatchObject([1, { step: 'first-answer', reason: 'no-answer' }]);
  });
});

const NOWHERE = ['--url', 'http://127.0.0.1:9/'];

describe('a deploy command', () => {
  it.each([
    ['that fails', 'echo bucket not found >&2; exit 3', 'deploy-failed', 'exit status 3', ['bucket not found']],
    [
      'that is not there',
      'docvitals-no-such-command',
      'deploy-failed',
      'exit status 127',
      [expect.stringContaining('not found')],
    ],
    ['that is ended from outside', 'kill -TERM $$', 'deploy-failed', 'SIGTERM', []],
  ] as const)('%s', async (_, command, reason, detail, output) => {
    const { status, result, left } = await drill([
      '--source',
      makeRepository(HEALTHY),
      '--deploy',
      command,
      ...NOWHERE,
    ]);
    expect({ status, left }).toEqual({ status: 1, left: [] });
    expect(result.failure).toEqual({ step: 'deploy', reason, detail, output });
  });

  it('that asks is not answered', async () => {
    const args = ['--source', makeRepository(HEALTHY), '--deploy', 'read -r answer && echo "got $answer"', ...NOWHERE];
    const { result } = await drill(args, { input: 'yes\n' });
    expect(result.failure).toMatchObject({ reason: 'deploy-failed', output: [] });
  });

  it('that does not end is ended with all that it started', async () => {
    const mark = path.join(emptyFolder(), 'mark');
    const command = `(sleep 2; touch '${mark}') & trap '' TERM; echo started; sleep 60`;
    const args = ['--source', makeRepository(HEALTHY), '--deploy', command, ...NOWHERE, '--deadline', '1s'];
    const { status, result, left } = await drill(args);
    expect([status, result.failure?.reason, result.failure?.output, left]).toEqual([1, 'time-up', ['started'], []]);
    await sleep(2_500);
    expect(existsSync(mark)).toBe(false);
  });

  it('may print as much as it likes', async () => {
    const command = 'yes 0123456789 | head -c 22000000; echo the end; exit 1';
    const { result, maxRssMiB } = await drill(['--source', makeRepository(HEALTHY), '--deploy', command, ...NOWHERE]);
    expect(result.failure?.output.at(-1)).toBe('the end');
    expect(result.failure?.output.length).toBeLessThanOrEqual(40);
    expect(maxRssMiB).toBeLessThan(300);
  });

  it('is printed as it goes on where --verbose asks for it, and nothing of it acts on the terminal', async () => {
    const command = String.raw`printf '\033[2Jhello\n' >&2; exit 1`;
    const args = ['--source', makeRepository(HEALTHY), '--deploy', command, ...NOWHERE, '--verbose'];
    const { stderr, stdout } = await drill(args);
    expect(stderr).toContain('hello\n');
    expect(stderr + stdout).not.toContain('\u001b');
  });
});

describe.skipIf(process.platform === 'win32')('Ctrl-C', () => {
  it.each([
    ['while the deploy runs', 1, { interrupted: true, recoveryTimeObjectiveMet: null, failure: null }],
    ['twice', 2, {}],
  ] as const)('%s ends it and removes everything', async (_, times, told) => {
    const folder = emptyFolder();
    const [began, mark] = [path.join(folder, 'began'), path.join(folder, 'mark')];
    const command = `touch '${began}'; (sleep 3; touch '${mark}') & trap '' TERM; sleep 60`;
    const press = async (child: ChildProcess): Promise<void> => {
      while (!existsSync(began)) await sleep(20);
      for (let time = 0; time < times; time++) {
        child.kill('SIGINT');
        await sleep(200);
      }
    };
    const args = ['--source', makeRepository(HEALTHY), '--deploy', command, ...NOWHERE];
    const { status, result, left } = await drill(args, { onStart: (child) => void press(child) });
    expect([status, left]).toEqual([130, []]);
    expect(result).toMatchObject(told);
    await sleep(3_200);
    expect(existsSync(mark)).toBe(false);
  });
});
