/** What is made of a history that grows longer: on the command line, in a browser, for Prometheus; and how large it is. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { DEFAULT_MONITOR } from '../../src/monitor/settings.ts';
import { openStore } from '../../src/monitor/store/open.ts';
import type { Entry, RunRecord, Store } from '../../src/monitor/store/store.ts';
import { checkedAt } from '../monitor/incident/state.ts';
import {
  alertOf,
  checkRecord,
  commitOf,
  DAY,
  HOUR,
  incidentOf,
  MINUTE,
  roundRecord,
  siteState,
} from '../store/samples.ts';
import { BIN } from './checkers.ts';
import { costOf } from './command.ts';
import { FIVE } from './faults.ts';
import { medians, type Sample } from './measure.ts';
import { configurationOf, startDocvitals } from './monitor/docvitals.ts';
import { startOrigins } from './monitor/origins.ts';
import { read } from './process.ts';
import type { Costs, Growth } from './row.ts';
import { newFolder, pause } from './session.ts';

const SITES = ['site-0', 'site-1', 'site-2', 'site-3', 'site-4'];
const EVERY_MS = 10_000;
/** Commits of one run each. */
const COMMITS = 200;
/** In one transaction, of the past. */
const BATCH = 1000;
/** A page is kept for a second: what is requested later is made again. */
const KEPT_SECONDS = 1.1;

export const historyGrowth: Growth = {
  id: 'growth/history',
  title: 'A longer history',
  charts: 'history',
  what: 'days',
  steps: [1, 7, 30, 90, 365],
  figures: ['wallMs', 'sizeMB'],
  needs: ['nginx'],
  runs: 3,
  async measure(days, runs) {
    const file = path.join(newFolder('history'), 'docvitals.db');
    const now = Math.floor(Date.now() / HOUR) * HOUR;
    const store = await openStore(file, { mode: 'own' });
    await writePast(store, days, now);
    await store.close();
    const sizeMB = statSync(file).size / 1e6;
    const command = (...args: readonly string[]) =>
      repeated(runs, () => costOf({ argv: [process.execPath, BIN, ...args, '--database', file] }));
    return {
      export: await command('status', 'export', path.join(path.dirname(file), 'page'), '--force'),
      history: await command('history', SITES[0] ?? '', '--since', `${days}d`, '--resolution', 'day'),
      ...(await served(file, runs)),
      commit: await committed(file, now),
      database: { sizeMB },
    };
  },
};

/** After once that does not count. */
async function repeated(runs: number, act: () => Promise<Sample>): Promise<Sample> {
  const samples: Sample[] = [];
  for (let run = 0; run <= runs; run++) samples.push(await act());
  return medians(samples.slice(1));
}

async function timed(act: () => Promise<unknown>): Promise<Sample> {
  const begin = performance.now();
  await act();
  return { wallMs: performance.now() - begin };
}

/** A run as sites usually respond; one in a thousand fails. */
function usualRun(site: string, startedAt: number, number: number): RunRecord {
  const isBad = number % 1000 === 999;
  const checks = FIVE.map((id, index) =>
    checkRecord({
      id,
      durationMs: 8 + ((number * 7 + index * 13) % 60),
      ...(isBad && index === 0 ? { status: 'fail', rules: ['bundle/status'], httpStatus: 503 } : {}),
    }),
  );
  return roundRecord({ site, startedAt, durationMs: 70, verdict: isBad ? 'down' : 'healthy', checks });
}

/** One incident a day at each site, in the last day one an hour; those of 90 days were notified on two routes. */
function incidentAt(site: string, at: number, now: number): Pick<Entry, 'incidents' | 'notifications'> {
  const incident = incidentOf({
    id: `${site}-${at}`,
    site,
    startedAt: at - 6000,
    detectedAt: at,
    notifiedAt: at,
    recoveredAt: at + 41_000,
  });
  const routes = at < now - 90 * DAY ? [] : ['ops', 'mail'];
  const add = routes.flatMap((route) =>
    (['opened', 'recovered'] as const).map((event) =>
      alertOf({ incident, route, event, state: 'sent', sentAt: at, createdAt: at, dueAt: at }),
    ),
  );
  return { incidents: [incident], notifications: add };
}

/**
 * Commits what a monitor would have committed, as often as it shows: older runs, of which only minutes or hours are kept,
 * once a minute or an hour.
 */
async function writePast(store: Store, days: number, now: number): Promise<void> {
  const { retention } = DEFAULT_MONITOR;
  let number = 0;
  let commits: Entry[] = [];
  const flush = async (): Promise<void> => {
    await store.append(commits);
    commits = [];
  };
  for (let at = now - days * DAY; at < now; number++) {
    const isLastDay = at >= now - DAY;
    const hasIncident = at % HOUR === 0 && (isLastDay || at % DAY === now % DAY);
    for (const site of SITES) {
      const run = usualRun(site, at, number);
      const incident = hasIncident ? incidentAt(site, at, now) : {};
      commits.push(commitOf({ run, state: siteState(checkedAt(at)), ...incident }));
    }
    if (commits.length >= BATCH) await flush();
    if (at % DAY === 0) await store.prune(at, retention);
    const keptOnce = now - at > retention.minuteMs ? HOUR : MINUTE;
    at += now - at > retention.rawMs ? keptOnce : EVERY_MS;
  }
  await flush();
  await store.prune(now, retention);
}

/** What a monitor serves that checks nothing meanwhile. */
async function served(database: string, runs: number): Promise<Costs> {
  const origins = await startOrigins({ count: SITES.length });
  const sites = origins.list.map(({ url }, index) => ({ id: SITES[index] ?? '', url }));
  const monitor = await startDocvitals(configurationOf(sites, '14d'), { database });
  const wallMs = (name: string): Promise<Sample> =>
    repeated(runs, async () => {
      await pause(KEPT_SECONDS);
      return timed(async () => {
        if (!(await read(monitor.url + name))) throw new Error(`docvitals monitor does not serve ${name}`);
      });
    });
  try {
    return { 'status page': await wallMs('/'), '/metrics': await wallMs('/metrics') };
  } finally {
    await monitor.stop();
    await origins.stop();
  }
}

async function committed(file: string, from: number): Promise<Sample> {
  const store = await openStore(file, { mode: 'own' });
  const samples: Sample[] = [];
  for (let number = 0; number < COMMITS; number++) {
    const at = from + number * EVERY_MS;
    const commit = commitOf({ run: usualRun(SITES[0] ?? '', at, number), state: siteState(checkedAt(at)) });
    samples.push(await timed(() => store.append([commit])));
  }
  await store.close();
  return medians(samples);
}
