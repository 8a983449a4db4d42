/** `npm run demo:fleet` as a person runs it: a minute with PostgreSQL, three runners and two coordinators. */
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { postgresWanted } from '../hosts/postgres.ts';

const DEMO = path.join(import.meta.dirname, 'fleet.ts');

describe.runIf(postgresWanted())('the demo of many locations', { timeout: 180_000 }, () => {
  let folder: string;
  let child: ChildProcess;
  let printed: string;
  let ended: Promise<number | null>;

  beforeEach(() => {
    // PostgreSQL runs as another user where this is root, and has to reach its folder.
    folder = mkdtempSync(path.join(tmpdir(), 'demo-'));
    chmodSync(folder, 0o755);
    printed = '';
    child = spawn(process.execPath, [DEMO], { env: { ...process.env, TMPDIR: folder, NO_COLOR: '1' } });
    child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    ended = new Promise((resolve) => child.once('close', (status) => resolve(status)));
  });
  afterEach(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const story = async (line: string): Promise<void> => {
    while (!printed.includes(line)) {
      if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${printed}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };

  it('keeps what the guide promises, and leaves nothing behind', async () => {
    const status = await ended;
    expect({ status, printed }).toMatchObject({ status: 0 });
    expect(printed).toContain('nobody was notified');
    expect(printed).toContain('the webhook received opened: docs is down, seen from paris, bucharest');
    expect(printed).toMatch(/coordinator 2 acts, \d\.\d s later/);
    expect(printed).toContain('Everything was as promised.');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('can be stopped at any time, and leaves nothing behind', async () => {
    await story('take runs');
    const pids = [...printed.matchAll(/\(process (\d+)\)/g)].map(([, pid]) => Number(pid));
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(pids).toHaveLength(2);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(readdirSync(folder)).toEqual([]);
  });
});
