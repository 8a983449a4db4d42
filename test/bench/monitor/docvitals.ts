/** `docvitals monitor` as a contender: as a user runs it, with its database, its pace changed in its configuration. */
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../hosts/port.ts';
import { failureName, type MonitorContender, type RunningMonitor } from './contender.ts';
import { FIVE } from './faults.ts';
import type { Origins } from './origins.ts';

const BIN = fileURLToPath(new URL('../../../bin/docvitals.js', import.meta.url));

/** The shortest interval that there is: with more sites than can be looked at in it, rounds come back to back. */
const FLAT_OUT = '1s';
/** The longest one. */
const REST = '14d';
/** Rounds that went on have ended when none has ended for so long. */
const QUIET_MS = 500;

export const docvitals: MonitorContender = {
  name: 'docvitals monitor',
  hasExpressionsOnly: false,
  async start(origins, { folder, signal }) {
    const cwd = mkdtempSync(path.join(folder, 'monitor-'));
    const configure = (every: string): void =>
      writeFileSync(path.join(cwd, 'docvitals.yaml'), configuration(origins, every));
    configure(REST);
    const port = await freePort();
    const child = spawn(process.execPath, [BIN, 'monitor', '--listen', `127.0.0.1:${port}`, '--log', 'json'], {
      cwd,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env['PATH'], HOME: cwd, ...trust(origins) },
    });
    const ended = once(child, 'exit');
    const read = async (name: string): Promise<string> => {
      signal.throwIfAborted();
      if (child.exitCode !== null) throw new Error(`docvitals monitor ended with ${child.exitCode}`);
      const answer = await fetch(`http://127.0.0.1:${port}${name}`, { signal }).catch(() => null);
      const text = (await answer?.text()) ?? '';
      return answer?.ok === true ? text : '';
    };
    const told = eventsOf(child.stdout);
    // It takes some seconds to read a long list of sites.
    const change = async (every: string): Promise<void> => {
      const taken = once(told, 'config-reloaded', { signal });
      configure(every);
      child.kill('SIGHUP');
      await Promise.race([taken, ended]);
    };
    const running: RunningMonitor = {
      pid: child.pid ?? NaN,
      go: (pace) => change(pace === 'flat-out' ? FLAT_OUT : `${pace}s`),
      async rest() {
        await change(REST);
        for (let [before, now] = [NaN, -1]; before !== now; [before, now] = [now, await this.checks()])
          await sleep(QUIET_MS, undefined, { signal });
      },
      checks: async () => Number(/^docvitals_rounds_total (\d+)$/m.exec(await read('/metrics'))?.[1]) * FIVE.length,
      failing: async () => failuresIn(await read('/metrics'), origins),
      async stop() {
        child.kill();
        await ended;
        rmSync(cwd, { recursive: true, force: true });
      },
    };
    try {
      while ((await read('/readyz')) === '') await sleep(200, undefined, { signal });
      return running;
    } catch (error) {
      await running.stop();
      throw error;
    }
  },
};

/** What it logs, as events by the names that stand in its lines. */
function eventsOf(log: Readable): EventEmitter {
  const events = new EventEmitter();
  createInterface(log).on('line', (line) => events.emit((JSON.parse(line) as { readonly event: string }).event));
  return events;
}

const trust = ({ authorityFile }: Origins): NodeJS.ProcessEnv =>
  authorityFile === null ? {} : { NODE_EXTRA_CA_CERTS: authorityFile };

/** The five alone: the checks of a whole site have no counterpart in the other program. */
function configuration({ list }: Origins, every: string): string {
  const sites = list.map(({ url }, index) => `  - { id: site-${index}, url: "${url}" }\n`).join('');
  return `monitor: { every: ${every}, full: false }\nsites:\n${sites}`;
}

function failuresIn(metrics: string, { list }: Origins): ReadonlySet<string> {
  const lines = metrics.matchAll(/^docvitals_check_status\{site="site-(\d+)",check="([^"]+)",status="fail"\} 1$/gm);
  return new Set([...lines].map(([, index, check = '']) => failureName(list[Number(index)]?.url ?? '', check)));
}
