/** What is made of a history that grows longer: on the command line, in a browser, for Prometheus; and how large it is. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_MONITOR } from '../../../src/monitor/settings.ts';
import { openStore } from '../../../src/monitor/store/open.ts';
import { commitOf, HOUR, siteState } from '../../store/samples.ts';
import { run } from '../command.ts';
import { BIN } from '../contenders/docvitals.ts';
import type { Sample } from '../measure.ts';
import { configurationOf, runDocvitals } from '../monitor/run-docvitals.ts';
import { startOrigins, type Origins } from '../monitor/origins.ts';
import type { Bench } from '../row.ts';
import { medians, type Growth, type Point } from './growth.ts';
import { siteName, usualRound, writePast } from './past.ts';
import { checkedAt } from '../../monitor/incident/state.ts';

const EVERY_MS = 10_000;
/** Commits of one round each. */
const COMMITS = 200;
/** Pages are kept for a second: what is requested later is made again. */
const KEPT_MS = 1_100;

const NAMES = ['export', 'history', 'status page', '/metrics', 'commit'] as const;
const FILE = 'database';

export const historyGrowth = (steps: readonly number[], sites = 5): Growth => ({
  id: 'growth/history',
  what: 'days',
  panels: [
    {
      id: 'growth/history-wall',
      title: 'A longer history: wall time',
      short: 'wall',
      figure: 'wallMs',
      lines: NAMES.map((name) => ({ name })),
    },
    {
      id: 'growth/history-size',
      title: 'A longer history: size',
      short: 'size',
      figure: 'sizeMB',
      lines: [{ name: FILE }],
    },
  ],
  needs: ['nginx'],
  pairs: 3,
  async measure(bench) {
    const origins = await startOrigins({ count: sites });
    try {
      const points: Point[] = [];
      for (const at of steps) {
        bench.progress(`${at} days`);
        points.push({ at, costs: await costsOf(at, origins, bench) });
      }
      return points;
    } finally {
      await origins.stop();
    }
  },
});

/** Of a history of so many days, up to this hour. */
async function costsOf(days: number, origins: Origins, bench: Bench): Promise<Point['costs']> {
  const folder = mkdtempSync(path.join(bench.folder, 'history-'));
  const [file, now] = [path.join(folder, 'docvitals.db'), Math.floor(Date.now() / HOUR) * HOUR];
  const { retention } = DEFAULT_MONITOR;
  const inIt = { ...bench, folder };
  try {
    await (await openStore(file, { mode: 'own' })).close();
    await writePast(file, { sites: origins.list.length, days, everyMs: EVERY_MS, now, retention });
    const sizeMB = statSync(file).size / 1e6;
    const history = ['history', siteName(0), '--since', `${days}d`, '--resolution', 'day', '--database', file];
    return {
      history: await command(history, inIt),
      export: await command(['status', 'export', 'page', '--force', '--database', file], inIt),
      ...(await served(file, origins, inIt)),
      commit: await committed(file, now),
      [FILE]: { sizeMB },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A command of docvitals, after once that does not count. */
async function command(args: readonly string[], bench: Bench): Promise<Sample> {
  const costs: Sample[] = [];
  for (let time = 0; time <= bench.pairs; time++) {
    const { status, output, cost } = await run({ argv: [process.execPath, BIN, ...args] }, bench);
    if (status !== 0) throw new Error(`docvitals ${args[0]} ended with ${status}: ${output}`);
    costs.push(cost);
  }
  return medians(costs.slice(1));
}

/** What the monitor gives out while it rests. */
async function served(database: string, origins: Origins, bench: Bench): Promise<Point['costs']> {
  const sites = origins.list.map(({ url }, index) => ({ id: siteName(index), url }));
  const monitor = await runDocvitals({ configuration: configurationOf(sites, '14d'), database }, bench);
  const wallMs = async (name: string): Promise<Sample> => {
    const took: Sample[] = [];
    for (let time = 0; time <= bench.pairs; time++) {
      await sleep(KEPT_MS, undefined, { signal: bench.signal });
      const began = performance.now();
      if ((await monitor.read(name)) === '') throw new Error(`docvitals monitor does not answer ${name}`);
      took.push({ wallMs: performance.now() - began });
    }
    return medians(took.slice(1));
  };
  try {
    return { 'status page': await wallMs('/'), '/metrics': await wallMs('/metrics') };
  } finally {
    await monitor.stop();
  }
}

/** Into the database, one round a transaction. */
async function committed(file: string, from: number): Promise<Sample> {
  const store = await openStore(file, { mode: 'own' });
  const took: Sample[] = [];
  try {
    for (let number = 0; number < COMMITS; number++) {
      const lastAt = from + number * EVERY_MS;
      const round = usualRound(siteName(0), lastAt, number);
      const began = performance.now();
      await store.commit([commitOf({ run: round, state: siteState(checkedAt(lastAt)) })]);
      took.push({ wallMs: performance.now() - began });
    }
  } finally {
    await store.close();
  }
  return medians(took);
}
