/** Sites on PostgreSQL, checked from three locations: against Uptime Kuma on MariaDB, and with more and more sites. */
import { FILES } from '../faults.ts';
import { inTurn, type Figure, type Sample } from '../measure.ts';
import { startOrigins, type Origins } from '../monitor/origins.ts';
import type { Costs, Growth, Row } from '../row.ts';
import { pause } from '../session.ts';
import { LOCATIONS, watchEmbedded, watchFleet, type Taken, type Work } from './fleet.ts';
import { rawQueueCpuMs } from './raw-queue.ts';
import { startUptimeKuma, type UptimeKuma } from './uptime-kuma.ts';

/** Uptime Kuma does not check more often. */
const EVERY_SECONDS = 20;
/** With five files from three locations: about 50 requests a second. */
const SITES = 67;
const WINDOW_SECONDS = 40;

const sum = (values: Readonly<Record<string, number>>): number => Object.values(values).reduce((a, b) => a + b, 0);

/** Both request as many URLs every 20 s; a check is one request, counted where it arrives. */
export const fleetRow: Row = {
  id: 'fleet/uptime-kuma',
  work: 'three locations, PostgreSQL',
  against: 'Uptime Kuma, MariaDB',
  figures: ['cpuMsPerCheck', 'checksPerSecond', 'peakMiB'],
  needs: ['nginx', 'mariadbd', 'uptime-kuma'],
  pairs: 3,
  async measure(pairs) {
    const origins = await startOrigins({ count: SITES * LOCATIONS.length });
    // It has one location: each of its monitors requests an URL of its own.
    const urls = origins.list.flatMap(({ url }) => Object.values(FILES).map((file) => url + file));
    const missing = `${origins.list[0]?.url ?? ''}missing.md`;
    try {
      const kuma = await startUptimeKuma([...urls, missing], EVERY_SECONDS);
      try {
        return await inTurn(
          () => watchOurs(origins),
          () => watchTheirs(kuma, missing, origins),
          pairs,
          0,
        );
      } finally {
        await kuma.stop();
      }
    } finally {
      await origins.stop();
    }
  },
};

async function watchOurs(origins: Origins): Promise<Sample> {
  const work = { sites: SITES, everySeconds: EVERY_SECONDS, settleSeconds: 30, windowSeconds: WINDOW_SECONDS };
  const { cpuMs, lateRuns, requests, seconds, memoryMiB } = await watchFleet(work, origins);
  if (lateRuns > 0) throw new Error(`docvitals: ${lateRuns} late runs`);
  return { cpuMsPerCheck: sum(cpuMs) / requests, checksPerSecond: requests / seconds, peakMiB: memoryMiB };
}

async function watchTheirs(kuma: UptimeKuma, missing: string, origins: Origins): Promise<Sample> {
  await kuma.resume();
  const before = { at: performance.now(), cpuMs: kuma.cpuMs(), ...(await origins.traffic()) };
  await pause(WINDOW_SECONDS);
  const after = { at: performance.now(), cpuMs: kuma.cpuMs(), ...(await origins.traffic()) };
  const peakMiB = kuma.peakMiB();
  const down = await kuma.pause();
  if (down.length !== 1 || down[0] !== missing)
    throw new Error(
      `Uptime Kuma reports ${down.length} URLs as down, not only the missing one: ${down.slice(0, 3).join()}`,
    );
  const requests = after.requests - before.requests;
  const seconds = (after.at - before.at) / 1000;
  return { cpuMsPerCheck: (after.cpuMs - before.cpuMs) / requests, checksPerSecond: requests / seconds, peakMiB };
}

const FIGURES: readonly Figure[] = ['cpuMsPerRun', 'peakMiB', 'mbPerDay', 'runsPerSecond', 'lateRuns'];
const MINUTE = 60;
/** As many runs a second as are requested of this machine: sites beyond that are checked less often than once a minute. */
const MOST_RUNS_A_SECOND = 350;
/** Runs whose jobs go through pg-boss alone. */
const RAW_RUNS = 3000;

/** Checks are replaced by a report of five passing checks. */
export const simulatedFleet: Growth = {
  id: 'fleet/simulated',
  title: 'Three locations, canned reports',
  charts: 'fleet',
  what: 'sites',
  steps: [1000, 10_000, 100_000],
  figures: FIGURES,
  needs: [],
  runs: 1,
  async measure(sites) {
    const everySeconds = Math.max(MINUTE, Math.ceil(sites / MOST_RUNS_A_SECOND));
    const work = { sites, everySeconds, settleSeconds: 40, windowSeconds: 40 };
    const fleet = await watchFleet(work);
    const embedded = await watchEmbedded(work);
    return {
      ...costsOf(fleet, work),
      embedded: { cpuMsPerRun: sum(embedded.cpuMs) / embedded.runs },
      'pg-boss': { cpuMsPerRun: await rawQueueCpuMs(RAW_RUNS) },
    };
  },
};

/** The built commands check sites on loopback, once a minute. */
export const checkedFleet: Growth = {
  ...simulatedFleet,
  id: 'fleet/checked',
  title: 'Three locations, real checks',
  charts: 'fleet-checked',
  steps: [1000, 3000, 10_000],
  needs: ['nginx'],
  async measure(sites) {
    // Until every site has been checked once: its first run receives its files whole.
    const work = { sites, everySeconds: MINUTE, settleSeconds: 75, windowSeconds: 45 };
    const origins = await startOrigins({ count: sites });
    try {
      return costsOf(await watchFleet(work, origins), work);
    } finally {
      await origins.stop();
    }
  },
};

function costsOf({ runs, seconds, cpuMs, peakMiB, lateRuns, bytes }: Taken, { sites }: Work): Costs {
  const parts = Object.entries(cpuMs).map(([name, ms]): [string, Sample] => {
    const peak = peakMiB[name];
    return [name, { cpuMsPerRun: ms / runs, ...(peak === undefined ? {} : { peakMiB: peak }) }];
  });
  // Of all sites, checked once a minute.
  const mbPerDay = ((bytes / runs) * sites * 1440) / 1e6;
  return { ...Object.fromEntries(parts), fleet: { lateRuns, runsPerSecond: runs / seconds, mbPerDay } };
}
