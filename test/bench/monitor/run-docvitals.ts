/** A `docvitals monitor` that runs as a user runs it, with a configuration that changes. */
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../hosts/port.ts';
import { BIN } from '../contenders/docvitals.ts';
import type { Bench } from '../row.ts';

export interface Settings {
  /** What stands in its file. */
  readonly configuration: string;
  /** A file. Default: one of its own. */
  readonly database?: string;
  /** Added to its environment. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface RunningDocvitals {
  readonly pid: number;
  /** What its server gives out at a path; empty where it gives nothing. Rejects when the monitor has ended. */
  read(name: string): Promise<string>;
  /** Gives it another configuration; resolves when it has taken it up. */
  change(configuration: string): Promise<void>;
  stop(): Promise<void>;
}

/** The five alone: the checks of a whole site have no counterpart in other programs. */
export function configurationOf(
  sites: readonly { readonly id: string; readonly url: string }[],
  every: string,
): string {
  const list = sites.map(({ id, url }) => `  - { id: ${id}, url: "${url}" }\n`).join('');
  return `monitor: { every: ${every}, full: false }\nsites:\n${list}`;
}

/** Resolves when it has checked every site once. */
export async function runDocvitals(
  { configuration, database = 'docvitals.db', env = {} }: Settings,
  { folder, signal }: Pick<Bench, 'folder' | 'signal'>,
): Promise<RunningDocvitals> {
  const cwd = mkdtempSync(path.join(folder, 'monitor-'));
  const configure = (text: string): void => writeFileSync(path.join(cwd, 'docvitals.yaml'), text);
  configure(configuration);
  const listen = `127.0.0.1:${await freePort()}`;
  const args = ['monitor', '--listen', listen, '--database', database, '--log', 'json'];
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], HOME: cwd, ...env },
  });
  const ended = once(child, 'exit');
  const told = eventsOf(child.stdout);
  const running: RunningDocvitals = {
    pid: child.pid ?? NaN,
    async read(name) {
      signal.throwIfAborted();
      if (child.exitCode !== null) throw new Error(`docvitals monitor ended with ${child.exitCode}`);
      const answer = await fetch(`http://${listen}${name}`, { signal }).catch(() => null);
      const text = (await answer?.text()) ?? '';
      return answer?.ok === true ? text : '';
    },
    // It takes some seconds to read a long list of sites.
    async change(text) {
      const taken = once(told, 'config-reloaded', { signal });
      configure(text);
      child.kill('SIGHUP');
      await Promise.race([taken, ended]);
    },
    async stop() {
      child.kill();
      await ended;
      rmSync(cwd, { recursive: true, force: true });
    },
  };
  try {
    while ((await running.read('/readyz')) === '') await sleep(200, undefined, { signal });
    return running;
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/** What it logs, as events by the names that stand in its lines. */
function eventsOf(log: Readable): EventEmitter {
  const events = new EventEmitter();
  createInterface(log).on('line', (line) => events.emit((JSON.parse(line) as { readonly event: string }).event));
  return events;
}
