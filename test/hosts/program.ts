/** A server program that a test runs where it is installed. */
import { spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where it is installed, and in CI in any case, so that its tests fail there instead of being left out. */
export function isWanted(program: string, args: readonly string[]): boolean {
  const isInstalled = spawnSync(program, args).status === 0;
  if (!isInstalled && process.env['CI'] !== 'true') {
    console.warn(`${program} is not installed here: its tests are left out.`);
  }
  return isInstalled || process.env['CI'] === 'true';
}

/** Resolves with what ends the process; rejects, with what it reported, if it ends before it listens. */
export async function untilListening(child: ChildProcess, port: number): Promise<() => Promise<void>> {
  let reported = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (reported += text));
  const exited = once(child, 'exit');
  // It is waited for in `stop`.
  exited.catch(() => {});
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), 5000);
    await exited.finally(() => clearTimeout(killer));
  };
  for (let tries = 0; tries < 200 && child.exitCode === null; tries++) {
    if (await accepts(port)) return stop;
    await sleep(25);
  }
  await stop();
  throw new Error(`${child.spawnfile} does not listen on port ${port}: ${reported.trim()}`);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
