/** `docvitals monitor` as a user runs it, with a configuration that changes. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../hosts/port.ts';
import { BIN } from '../checkers.ts';
import { FIVE } from '../faults.ts';
import { Process, read } from '../process.ts';
import { newFolder, pause } from '../session.ts';
import { failureName, type MonitorContender } from './watch.ts';

/** The shortest interval: with more sites than can be checked in it, runs follow each other at once. */
const FLAT_OUT = '1s';
/** The longest one. */
const REST = '14d';
/** Runs that were in progress have ended if none ends for so long. */
const QUIET_SECONDS = 0.5;

/** The core checks: other programs have nothing that compares with those of a whole site. */
export function configurationOf(
  sites: readonly { readonly id: string; readonly url: string }[],
  every: string,
): string {
  const list = sites.map(({ id, url }) => `  - { id: ${id}, url: "${url}" }\n`).join('');
  return `monitor: { every: ${every}, full: false }\nsites:\n${list}`;
}

/** Resolves when it has checked every site once. */
export async function startDocvitals(
  configuration: string,
  { database = 'docvitals.db', env = {} }: { readonly database?: string; readonly env?: NodeJS.ProcessEnv } = {},
) {
  const cwd = newFolder('monitor');
  const file = path.join(cwd, 'docvitals.yaml');
  writeFileSync(file, configuration);
  const listen = `127.0.0.1:${await freePort()}`;
  const args = ['monitor', '--listen', listen, '--database', database, '--log', 'json'];
  const running = new Process([process.execPath, BIN, ...args], { cwd, env });
  const url = `http://${listen}`;
  try {
    await running.untilServed(`${url}/readyz`);
  } catch (error) {
    await running.stop();
    throw error;
  }
  return {
    pid: running.pid,
    url,
    /** Resolves when it uses another configuration. */
    async change(text: string): Promise<void> {
      writeFileSync(file, text);
      running.output = '';
      running.signal('SIGHUP');
      await running.untilPrinted(/"event":"config-reloaded"/);
    },
    stop: () => running.stop(),
  };
}

export const docvitalsMonitor: MonitorContender = {
  name: 'docvitals monitor',
  hasExpressionsOnly: false,
  async start({ list, authorityFile }) {
    const sites = list.map(({ url }, index) => ({ id: `site-${index}`, url }));
    const env = authorityFile === null ? {} : { NODE_EXTRA_CA_CERTS: authorityFile };
    const monitor = await startDocvitals(configurationOf(sites, REST), { env });
    const metrics = async (): Promise<string> => (await read(`${monitor.url}/metrics`)) ?? '';
    const checks = async (): Promise<number> =>
      Number(/^docvitals_scheduled_runs_total (\d+)$/m.exec(await metrics())?.[1]) * FIVE.length;
    return {
      pid: monitor.pid,
      go: (pace) => monitor.change(configurationOf(sites, pace === 'flat-out' ? FLAT_OUT : `${pace}s`)),
      async rest() {
        await monitor.change(configurationOf(sites, REST));
        for (let [before, now] = [NaN, -1]; before !== now; [before, now] = [now, await checks()])
          await pause(QUIET_SECONDS);
      },
      checks,
      async failing() {
        const failed = /^docvitals_check_status\{site="site-(\d+)",check="([^"]+)",status="fail"\} 1$/gm;
        const lines = [...(await metrics()).matchAll(failed)];
        return new Set(lines.map(([, index, check = '']) => failureName(list[Number(index)]?.url ?? '', check)));
      },
      stop: monitor.stop,
    };
  },
};
