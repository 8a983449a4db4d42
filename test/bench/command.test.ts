import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from './command.ts';

const hasPython = process.platform !== 'win32' && spawnSync('python3', ['--version']).status === 0;

describe.runIf(hasPython || process.env['CI'] === 'true')('a command', () => {
  let folder: string;
  const never = new AbortController().signal;
  const shell = (script: string) => ({ argv: ['/bin/sh', '-c', script] });

  beforeAll(() => void (folder = mkdtempSync(path.join(tmpdir(), 'docvitals-bench-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['that is well', 'echo out; echo err >&2', { status: 0, output: 'out\nerr\n' }],
    ['that is not', 'exit 7', { status: 7, output: '' }],
    ['that a signal ends', 'kill -TERM $$', { status: -15, output: '' }],
  ])('%s reports its end and what it said', async (_, script, wanted) => {
    expect(await run(shell(script), { folder, signal: never })).toMatchObject(wanted);
  });

  it('is reported with what its children took, too', async () => {
    const loop = 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done';
    const { cost } = await run(shell(`/bin/sh -c '${loop}'; true`), { folder, signal: never });
    expect(cost.cpuMs).toBeGreaterThan(0);
    expect(cost.peakMiB).toBeGreaterThan(0);
  });

  it('that is not there is a problem', async () => {
    await expect(run({ argv: ['/no/such/command'] }, { folder, signal: never })).rejects.toThrow(/no\/such\/command/);
  });

  it('ends with its children when it is stopped', async () => {
    const stop = new AbortController();
    const file = path.join(folder, 'pid');
    const running = run(shell('sleep 60 & echo $! >pid; wait'), { folder, signal: stop.signal });
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toMatch(/\n/);
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    await expect.poll(() => isAlive(Number(readFileSync(file, 'utf8')))).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // Ended, and not yet waited for by whoever has inherited it.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
