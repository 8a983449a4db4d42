/** Sites on PostgreSQL, checked from three locations, against Uptime Kuma on MariaDB. */
import { setTimeout as sleep } from 'node:timers/promises';
import { inTurn, type Sample } from '../measure.ts';
import { FIVE, PATHS } from '../monitor/faults.ts';
import { startOrigins, type Origins } from '../monitor/origins.ts';
import type { Bench, Row } from '../row.ts';
import { LOCATIONS, watchFleet } from './scene.ts';
import { startUptimeKuma, type RunningKuma } from './uptime-kuma.ts';

/** Uptime Kuma does not check more often. */
const EVERY_SECONDS = 20;
/** With five files from three locations: about 50 requests a second. */
const SITES = 67;

interface Times {
  readonly settleSeconds: number;
  readonly windowSeconds: number;
}

/** Both request as many URLs every 20 s; a check is one request, counted where it arrives. */
export const fleetRow = (sites = SITES, times: Times = { settleSeconds: 30, windowSeconds: 40 }): Row => ({
  id: 'fleet/uptime-kuma',
  work: 'three locations, PostgreSQL',
  against: 'Uptime Kuma, MariaDB',
  figures: ['cpuMsPerCheck', 'checksPerSecond', 'peakMiB'],
  needs: ['nginx', 'mariadbd', 'uptime-kuma'],
  pairs: 3,
  async measure(bench) {
    const origins = await startOrigins({ count: sites * LOCATIONS.length });
    // One location alone: each of its monitors requests an URL of its own.
    const urls = origins.list.flatMap(({ url }) => FIVE.map((check) => `${url}${PATHS[check]}`));
    const missing = `${origins.list[0]?.url ?? ''}missing.md`;
    try {
      const kuma = await startUptimeKuma({ urls: [...urls, missing], everySeconds: EVERY_SECONDS }, bench);
      try {
        return await inTurn(
          { name: 'docvitals', sample: () => ours({ ...times, sites }, origins, bench) },
          { name: 'Uptime Kuma', sample: () => theirs(kuma, { ...times, missing }, origins, bench) },
          { pairs: bench.pairs, warmUps: 0, onPair: (done) => bench.progress(`${done} of ${bench.pairs} pairs`) },
        );
      } finally {
        await kuma.stop();
      }
    } finally {
      await origins.stop();
    }
  },
});

async function ours(times: Times & { readonly sites: number }, origins: Origins, bench: Bench): Promise<Sample> {
  const taken = await watchFleet({ ...times, everySeconds: EVERY_SECONDS }, bench, origins);
  if (taken.lateRuns > 0) throw new Error(`docvitals: ${taken.lateRuns} late runs`);
  const cpuMs = Object.values(taken.cpuMs).reduce((sum, value) => sum + value, 0);
  return {
    cpuMsPerCheck: cpuMs / taken.requests,
    checksPerSecond: taken.requests / taken.seconds,
    peakMiB: taken.memoryMiB,
  };
}

async function theirs(
  kuma: RunningKuma,
  { windowSeconds, missing }: Times & { readonly missing: string },
  origins: Origins,
  { signal }: Bench,
): Promise<Sample> {
  await kuma.resume();
  await kuma.closePage();
  const before = { at: performance.now(), cpuMs: kuma.cpuMs(), ...(await origins.traffic()) };
  await sleep(windowSeconds * 1_000, undefined, { signal });
  const after = { at: performance.now(), cpuMs: kuma.cpuMs(), ...(await origins.traffic()) };
  const peakMiB = kuma.peakMiB();
  const down = await kuma.pause();
  if (down.size !== 1 || !down.has(missing)) {
    throw new Error(
      `Uptime Kuma reports ${down.size} URLs as down, not only the missing one: ${[...down].slice(0, 3).join(', ')}`,
    );
  }
  const requests = after.requests - before.requests;
  return {
    cpuMsPerCheck: (after.cpuMs - before.cpuMs) / requests,
    checksPerSecond: (requests * 1_000) / (after.at - before.at),
    peakMiB,
  };
}
