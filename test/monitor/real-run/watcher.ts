/** `docvitals monitor` over a project, which can be killed and started again. */
import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../hosts/port.ts';
import { startProcess, type Line, type MonitorProcess, type Project } from '../process.ts';

export interface Watcher {
  /** Starts it, and waits until it has checked everything once. */
  start(): Promise<void>;
  /** SIGKILL: nothing can be tidied up. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit status. */
  stop(): Promise<number | null>;
  /** The text at a path of its server. */
  read(path: string): Promise<string>;
  /** Its resident memory in KiB and its open descriptors; `null` where the system does not tell. */
  size(): Promise<{ readonly rssKiB: number; readonly descriptors: number } | null>;
  /** What it said, each time that it ran. */
  log(): readonly Line[];
}

/** Longer than any script. */
const KILL_AFTER_MS = 2 * 60 * 60_000;

export async function watcher(project: Project, env: Readonly<Record<string, string>>): Promise<Watcher> {
  const runs: MonitorProcess[] = [];
  const address = `127.0.0.1:${await freePort()}`;
  const ask = (path: string): Promise<Response> => fetch(`http://${address}${path}`);
  const isReady = async (): Promise<boolean> => (await ask('/readyz').catch(() => null))?.status === 200;
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const last = runs.at(-1);
    last?.child.kill(signal);
    return (await last?.ended)?.status ?? null;
  };
  return {
    async start() {
      runs.push(await startProcess(project, ['--listen', address], { env, killAfterMs: KILL_AFTER_MS }));
      for (let tries = 0; tries < 600 && !(await isReady()); tries++) await sleep(50);
    },
    async kill() {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
    read: async (path) => (await ask(path)).text(),
    async size() {
      const folder = `/proc/${runs.at(-1)?.child.pid}`;
      const status = await readFile(`${folder}/status`, 'utf8').catch(() => null);
      if (status === null) return null;
      return {
        rssKiB: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]),
        descriptors: (await readdir(`${folder}/fd`)).length,
      };
    },
    log: () => runs.flatMap(({ lines }) => lines),
  };
}
