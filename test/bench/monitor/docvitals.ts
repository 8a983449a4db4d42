/** `docvitals monitor` as a contender, with its database, its pace changed in its configuration. */
import { setTimeout as sleep } from 'node:timers/promises';
import { failureName, type MonitorContender } from './contender.ts';
import { FIVE } from './faults.ts';
import type { Origins } from './origins.ts';
import { configurationOf, runDocvitals } from './run-docvitals.ts';

/** The shortest interval that there is: with more sites than can be checked in it, rounds come back to back. */
const FLAT_OUT = '1s';
/** The longest one. */
const REST = '14d';
/** Rounds that went on have ended when none has ended for so long. */
const QUIET_MS = 500;

export const docvitals: MonitorContender = {
  name: 'docvitals monitor',
  hasExpressionsOnly: false,
  async start(origins, bench) {
    const sites = origins.list.map(({ url }, index) => ({ id: `site-${index}`, url }));
    const settings = { configuration: configurationOf(sites, REST), env: trust(origins) };
    const running = await runDocvitals(settings, bench);
    const checks = async (): Promise<number> =>
      Number(/^docvitals_rounds_total (\d+)$/m.exec(await running.read('/metrics'))?.[1]) * FIVE.length;
    return {
      pid: running.pid,
      go: (pace) => running.change(configurationOf(sites, pace === 'flat-out' ? FLAT_OUT : `${pace}s`)),
      async rest() {
        await running.change(configurationOf(sites, REST));
        for (let [before, now] = [NaN, -1]; before !== now; [before, now] = [now, await checks()])
          await sleep(QUIET_MS, undefined, { signal: bench.signal });
      },
      checks,
      failing: async () => failuresIn(await running.read('/metrics'), origins),
      stop: () => running.stop(),
    };
  },
};

const trust = ({ authorityFile }: Origins): NodeJS.ProcessEnv =>
  authorityFile === null ? {} : { NODE_EXTRA_CA_CERTS: authorityFile };

function failuresIn(metrics: string, { list }: Origins): ReadonlySet<string> {
  const lines = metrics.matchAll(/^docvitals_check_status\{site="site-(\d+)",check="([^"]+)",status="fail"\} 1$/gm);
  return new Set([...lines].map(([, index, check = '']) => failureName(list[Number(index)]?.url ?? '', check)));
}
