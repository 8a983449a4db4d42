/**
 * `node test/bench/history.ts`: what the monitor's database costs, with a day of data in it and with a year, as
 * Markdown. Ratios of one run count; the times are this machine's.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_MONITOR } from '../../src/config/monitor/defaults.ts';
import { openStore, type FileStore } from '../../src/monitor/store/open.ts';
import type { RoundCommit } from '../../src/monitor/store/store.ts';
import { alertOf, commitOf, DAY, HOUR, incidentOf, NOON, opening, siteState } from '../store/samples.ts';
import { siteName, usualRound, writePast, type Past } from './year.ts';

const { values } = parseArgs({
  options: { sites: { type: 'string', default: '20' }, days: { type: 'string', default: '1,365' } },
});
const SITES = Number(values.sites);
const NOW = NOON + 12 * HOUR;
const { retention } = DEFAULT_MONITOR;

/** Microseconds each. */
type Costs = ReadonlyMap<string, number>;

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) * 1000;
}

async function medianOf(times: number, work: (time: number) => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (let time = 0; time < times; time++) took.push(await timeOf(() => work(time)));
  return median(took);
}

/** Rounds of so many sites in one transaction, of moments that come after one another. */
const batchOf = (time: number, size: number) =>
  Array.from({ length: size }, (_, index) => {
    const number = time * size + index;
    const startedAt = NOW + Math.floor(number / SITES) * 10_000;
    const site = siteName(number % SITES);
    return commitOf({ round: usualRound(site, startedAt, number), state: siteState({ lastAt: startedAt }) });
  });

/** One that is over, so that what is open stays the same. */
function incidentAt(time: number): RoundCommit {
  const at = NOW - time;
  const incident = incidentOf({ id: `new-${time}`, detectedAt: at, recoveredAt: at });
  return opening(incident, alertOf({ incident, dueAt: NOW + DAY }));
}

async function measure(store: FileStore): Promise<Costs> {
  const site = siteName(SITES - 1);
  const buckets = (resolution: 'minute' | 'hour' | 'day', ms: number) => () =>
    store.buckets({ site, resolution, from: NOW - ms, to: NOW });
  const queries: Readonly<Record<string, () => Promise<unknown>>> = {
    'states of all sites': () => store.states(),
    'open incidents': () => store.incidents({ open: true }),
    'the newest 20 incidents': () => store.incidents({ limit: 20 }),
    'the newest 20 incidents of a site': () => store.incidents({ site, limit: 20 }),
    'rounds of an hour': () => store.rounds({ site, from: NOW - HOUR, to: NOW }),
    'minutes of 6 hours': buckets('minute', 6 * HOUR),
    'hours of a day': buckets('hour', DAY),
    'a day': buckets('day', DAY),
    'alerts that are due': () => store.dueAlerts(NOW, 50),
    'state of the outbox': () => store.outboxState(),
    'removing what is old, where nothing is': () => store.prune(NOW, retention),
  };
  const costs = new Map<string, number>();
  costs.set('commit of 1 round', await medianOf(300, (time) => store.commit(batchOf(time, 1))));
  const twenty = await medianOf(300, (time) => store.commit(batchOf(time + 20, 20)));
  costs.set('commit of 20 rounds, each', twenty / 20);
  costs.set('commit of an incident and its alert', await medianOf(40, (time) => store.commit([incidentAt(time)])));
  for (const [name, query] of Object.entries(queries)) {
    await query();
    costs.set(name, await medianOf(40, query));
  }
  return costs;
}

interface Measured {
  readonly costs: Costs;
  readonly megabytes: number;
  readonly madeMs: number;
}

async function measurePast(folder: string, days: number): Promise<Measured> {
  const file = path.join(folder, `${days}.db`);
  await (await openStore(file, { mode: 'own' })).close();
  const past: Past = { sites: SITES, days, everyMs: 10_000, now: NOW, retention };
  const madeMs = (await timeOf(async () => writePast(file, past))) / 1000;
  const megabytes = statSync(file).size / 1e6;
  const store = await openStore(file, { mode: 'own' });
  try {
    return { costs: await measure(store), megabytes, madeMs };
  } finally {
    await store.close();
  }
}

/** How the file grows while old data goes as new data comes: after it is as old as it can be, no more. */
async function growth(folder: string): Promise<string[]> {
  const file = path.join(folder, 'growth.db');
  const store = await openStore(file, { mode: 'own' });
  const kept = { rawMs: 3 * HOUR, minuteMs: 6 * HOUR, hourMs: 12 * HOUR, dayMs: DAY };
  const sizes: string[] = [];
  for (let hour = 1; hour <= 36; hour++) {
    for (let tick = 0; tick < 360; tick += 10) {
      const times = Array.from({ length: 10 }, (_, index) => NOW + (hour * 360 + tick + index) * 10_000);
      await store.commit(
        times.flatMap((at, index) =>
          [0, 1, 2, 3, 4].map((site) => commitOf({ round: usualRound(siteName(site), at, tick + index) })),
        ),
      );
    }
    await store.prune(NOW + (hour + 1) * HOUR, kept);
    if (hour % 6 === 0) sizes.push(`| ${hour} h | ${(statSync(file).size / 1e6).toFixed(2)} |`);
  }
  await store.close();
  return sizes;
}

const days = values.days.split(',').map(Number);
const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-bench-'));
try {
  const measured: Measured[] = [];
  for (const count of days) measured.push(await measurePast(folder, count));
  const [first, last] = [measured[0], measured.at(-1)];
  const rows = [...(first?.costs.keys() ?? [])].map((name) => {
    const cells = measured.map(({ costs }) => (costs.get(name) ?? NaN).toFixed(0));
    const ratio = (last?.costs.get(name) ?? NaN) / (first?.costs.get(name) ?? NaN);
    return `| ${name} | ${cells.join(' | ')} | ${ratio.toFixed(2)} |`;
  });
  const lines = [
    `${SITES} sites, every 10 s. Median times in µs; the last column: the longest past against the shortest.`,
    '',
    `| | ${days.map((count) => `${count} d`).join(' | ')} | ratio |`,
    `| :--- | ${days.map(() => '---:').join(' | ')} | ---: |`,
    ...rows,
    `| MB in the file | ${measured.map(({ megabytes }) => megabytes.toFixed(1)).join(' | ')} | |`,
    `| made in, s | ${measured.map(({ madeMs }) => (madeMs / 1000).toFixed(1)).join(' | ')} | |`,
    '',
    '5 sites, every 10 s, rounds kept for 3 h, minutes for 6 h, hours for 12 h:',
    '',
    '| after | MB |',
    '| ---: | ---: |',
    ...(await growth(folder)),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
