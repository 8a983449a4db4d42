/** A real process, real signals, real files. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const WATCHER = path.join(import.meta.dirname, 'fixtures', 'watch-config.ts');

let cwd: string;
let child: ChildProcess | undefined;

beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'docvitals-sighup-'));
});

afterEach(async () => {
  child?.kill('SIGKILL');
  await rm(cwd, { recursive: true, force: true });
});

const configOf = (id: string): string => JSON.stringify({ sites: [{ id, url: 'https://x.example/' }] });

/** Starts the watcher; each call of what it gives resolves with the next line that it tells. */
function start(file: string): () => Promise<unknown> {
  const running = spawn(process.execPath, ['--no-warnings', WATCHER, file], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child = running;
  const lines = createInterface({ input: running.stdout })[Symbol.asyncIterator]();
  return async () => {
    const { value } = (await lines.next()) as { value: string };
    return JSON.parse(value) as unknown;
  };
}

// A module is run at each signal, whether it is another one or not.
describe.each([
  ['docvitals.yaml', (text: string) => text, ['config-unchanged']],
  ['docvitals.config.mjs', (text: string) => `export default ${text};`, [['a'], 'config-reloaded']],
])('%s', (file, of, atSignal) => {
  it('is taken up by itself, and refused without an end', async () => {
    await writeFile(path.join(cwd, file), of(configOf('a')));
    const next = start(file);
    for (const line of atSignal) expect(await next()).toEqual(line);
    await writeFile(path.join(cwd, file), of(configOf('b')));
    expect([await next(), await next()]).toEqual([['b'], 'config-reloaded']);
    await writeFile(path.join(cwd, file), of(configOf('B')));
    expect(await next()).toBe('config-refused');
    child?.kill('SIGHUP');
    expect(await next()).toBe('config-refused');
    await writeFile(path.join(cwd, file), of(configOf('c')));
    expect([await next(), await next()]).toEqual([['c'], 'config-reloaded']);
    expect(child?.exitCode).toBeNull();
  });
});
