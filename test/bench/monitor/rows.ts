/** `docvitals monitor` against blackbox_exporter, and with more and more sites. */
import { inTurn, medians, type Contender, type Figure, type Pairs } from '../measure.ts';
import type { Growth, Row } from '../row.ts';
import { blackboxExporter } from './blackbox.ts';
import { docvitalsMonitor } from './docvitals.ts';
import { startOrigins, type OriginOptions } from './origins.ts';
import { watchFor, type MonitorContender, type RunningMonitor, type WatchTimes } from './watch.ts';

const FIGURES: readonly Figure[] = ['cpuMsPerCheck', 'cpuMsPerCheckFlatOut', 'checksPerSecond', 'peakMiB'];
const SITES = 1000;

/** Both watch the same origins; while one is measured the other one rests. */
async function watchInTurn(options: OriginOptions, times: WatchTimes, pairs: number, warmUps: number): Promise<Pairs> {
  const origins = await startOrigins(options);
  const running: RunningMonitor[] = [];
  const started = async (contender: MonitorContender): Promise<Contender> => {
    const monitor = await contender.start(origins);
    running.push(monitor);
    return () => watchFor(contender, monitor, origins, times);
  };
  try {
    return await inTurn(await started(docvitalsMonitor), await started(blackboxExporter), pairs, warmUps);
  } finally {
    for (const monitor of running) await monitor.stop();
    await origins.stop();
  }
}

/** One origin of each fault is among them, and after each turn both must have reported exactly those. */
export const monitorRow = (protocol: 'http' | 'tls'): Row => ({
  id: `monitor/${protocol}`,
  work: `monitor run, ${protocol.toUpperCase()}`,
  against: blackboxExporter.name,
  figures: FIGURES,
  needs: ['nginx', 'prometheus-blackbox-exporter'],
  pairs: 5,
  measure(pairs) {
    const times = { everySeconds: 20, windowSeconds: 15, settleSeconds: 4 };
    return watchInTurn({ count: SITES, tls: protocol === 'tls', faulty: true }, times, pairs, 1);
  },
});

/** At the usual pace; as many sites as that are checked each second, at most. */
const SITES_A_SECOND = 50;

export const sitesGrowth: Growth = {
  id: 'growth/sites',
  title: 'The monitor',
  charts: 'sites',
  what: 'sites',
  steps: [1, 10, 100, 1000, 5000],
  figures: FIGURES,
  needs: ['nginx', 'prometheus-blackbox-exporter'],
  runs: 1,
  async measure(at, runs) {
    const everySeconds = Math.max(1, Math.ceil(at / SITES_A_SECOND));
    const times = { everySeconds, windowSeconds: 15, settleSeconds: 3 };
    const { ours, theirs } = await watchInTurn({ count: at }, times, runs, 0);
    return { docvitals: medians(ours), blackbox: medians(theirs) };
  },
};
