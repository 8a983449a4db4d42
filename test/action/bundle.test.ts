/** What is built for the Action, started as the runner does. */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { manifestOf, ROOT, startAction } from './run.ts';
import { serve, smallSite, temporary } from './workspace.ts';

const SITE = smallSite('one');
/** Runs what is built with a standard output that takes nothing; its exit status, and what it says instead of that. */
async function runMute(env: Readonly<Record<string, string>>): Promise<{ status: number | null; stderr: string }> {
  const full = await open('/dev/full', 'w');
  try {
    const child = spawn(process.execPath, [path.join(ROOT, 'dist/action/index.mjs')], {
      env: { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: temporary('mute'), RUNNER_TEMP: temporary('mute'), ...env },
      stdio: ['ignore', full.fd, 'pipe'],
    });
    const killer = setTimeout(() => child.kill('SIGKILL'), 30_000);
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const stderr = Buffer.concat((await child.stderr?.toArray()) ?? []).toString('utf8');
    const status = await ended;
    clearTimeout(killer);
    return { status, stderr };
  } finally {
    await full.close();
  }
}

describe.runIf(existsSync('/dev/full'))('a log that cannot be written to', () => {
  it.each([
    { name: 'a check that waits', env: { INPUT_URL: 'site', INPUT_WAIT: '3s' }, status: 3, says: 'ENOSPC' },
    { name: 'a usage error', env: { INPUT_URL: 'docs.example.com' }, status: 2, says: 'docs.example.com' },
    { name: 'an error of the inputs', env: { INPUT_FULL: 'perhaps' }, status: 2, says: 'perhaps' },
    { name: 'an error outside of workflows', env: { GITHUB_ACTIONS: '' }, status: 2, says: 'docvitals check' },
  ])('of $name ends the run with $status', async ({ env, status, says }) => {
    const given = {
      ...env,
      ...('INPUT_URL' in env && env.INPUT_URL === 'site' ? { INPUT_URL: await serve(SITE) } : {}),
    };
    const result = await runMute(given);
    expect(result.status).toBe(status);
    expect(result.stderr).toContain(says);
  });
});

describe('the bundle', () => {
  let action = '';
  beforeAll(() => {
    action = temporary('action');
    mkdirSync(path.join(action, 'dist'));
    cpSync(path.join(ROOT, 'action.yml'), path.join(action, 'action.yml'));
    cpSync(path.join(ROOT, 'dist/action'), path.join(action, 'dist/action'), { recursive: true });
  });

  it('needs nothing but itself', async () => {
    expect(readdirSync(path.join(action, 'dist/action')).toSorted()).toEqual([
      'THIRD-PARTY-LICENSES.txt',
      'artifact.mjs',
      'index.mjs',
      'node_modules',
    ]);
    const inputs = { url: await serve(SITE), full: 'true', skip: 'compression,caching', lang: 'ro' };
    const result = await startAction({ inputs, action });
    expect([result.status, result.outputs['verdict'], result.stderr]).toEqual([0, 'healthy', '']);
    // Pages were parsed in a thread of the same file.
    const links = expect.objectContaining({ id: 'links', status: 'pass' }) as unknown;
    expect(result.report()).toMatchObject({ checks: expect.arrayContaining([links]) as unknown });
  });

  it('says nothing of the machine that it was built on', () => {
    for (const file of ['index.mjs', 'artifact.mjs']) {
      const text = readFileSync(path.join(action, 'dist/action', file), 'utf8');
      expect(text).not.toContain(ROOT);
      expect(text).not.toContain('sourceMappingURL');
    }
  });

  it('is what action.yml starts', () => {
    const { runs, description, inputs } = manifestOf(action);
    expect(runs.using).toBe('node24');
    expect(existsSync(path.join(action, runs.main))).toBe(true);
    // The Marketplace takes no longer ones.
    expect(description.length).toBeLessThan(125);
    expect(Object.values(inputs).filter((input) => input.description === '')).toEqual([]);
  });
});
