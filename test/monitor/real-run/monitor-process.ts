/** `docvitals monitor` as its own process, which can be killed and started again. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';

const BIN = fileURLToPath(new URL('../../../bin/docvitals.js', import.meta.url));

export interface MonitorProcess {
  /** Starts it, and waits until it has looked at everything once. */
  start(): Promise<void>;
  /** SIGKILL: nothing can be tidied up. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit status. */
  stop(): Promise<number | null>;
  /** The text at a path of its server. */
  read(path: string): Promise<string>;
  /** Its resident memory in KiB and its open descriptors; `null` where the system does not tell. */
  size(): Promise<{ readonly rssKiB: number; readonly descriptors: number } | null>;
  /** What it said, a line each. */
  readonly log: readonly string[];
}

export interface MonitorFiles {
  readonly folder: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
}

/** A monitor over `docvitals.yaml` and `docvitals.db` in a folder, which listens on a loopback port. */
export function monitorProcess({ folder, port, env }: MonitorFiles): MonitorProcess {
  const log: string[] = [];
  let child: ChildProcess | undefined;
  const read = async (path: string): Promise<string> => (await fetch(`http://127.0.0.1:${port}${path}`)).text();

  const isReady = async (): Promise<boolean> => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    await answer?.body?.cancel();
    return answer?.status === 200;
  };
  const end = (signal: NodeJS.Signals): Promise<number | null> =>
    new Promise((resolve) => {
      if (child === undefined || child.exitCode !== null) return resolve(child?.exitCode ?? null);
      child.once('exit', (status) => resolve(status));
      child.kill(signal);
    });

  return {
    log,
    read,
    async start() {
      const args = [BIN, 'monitor', '--listen', `127.0.0.1:${port}`, '--log', 'json'];
      child = spawn(process.execPath, args, {
        cwd: folder,
        env: { PATH: process.env['PATH'], LC_ALL: 'C', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => log.push(...text.split('\n').filter(Boolean)));
      }
      for (let tries = 0; tries < 600 && !(await isReady()); tries++) {
        if (child.exitCode !== null) throw new Error(`the monitor ended with ${child.exitCode}:\n${log.join('\n')}`);
        await sleep(50);
      }
    },
    async kill() {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
    async size() {
      const { readFile, readdir } = await import('node:fs/promises');
      const folderOf = `/proc/${child?.pid}`;
      const status = await readFile(`${folderOf}/status`, 'utf8').catch(() => null);
      if (status === null) return null;
      const rssKiB = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]);
      return { rssKiB, descriptors: (await readdir(`${folderOf}/fd`)).length };
    },
  };
}
