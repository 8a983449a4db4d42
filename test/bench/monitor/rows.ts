/** `docvitals monitor` against blackbox_exporter: both watch the same origins, in turn. */
import { inTurn, type Contender } from '../measure.ts';
import { atLeast, atMost, type Row, type Target } from '../row.ts';
import { blackboxExporter } from './blackbox.ts';
import type { MonitorContender, RunningMonitor } from './contender.ts';
import { docvitals } from './docvitals.ts';
import { startOrigins } from './origins.ts';
import { watchFor, type WatchTimes } from './watch.ts';

const TIMES: WatchTimes = { everySeconds: 20, windowSeconds: 15, settleSeconds: 4 };

/** Over HTTP and over TLS. */
export const MONITOR_ROWS: readonly Row[] = [
  monitorRow('http', [atMost('cpuMsPerCheck', 0.25), atLeast('checksPerSecond', 4)]),
  monitorRow('tls', [atMost('cpuMsPerCheck', 0.35), atLeast('checksPerSecond', 2.5)]),
];

/** One origin of each fault is among them, and after each turn both must have told exactly those. */
export function monitorRow(protocol: 'http' | 'tls', targets: readonly Target[], times = TIMES): Row {
  return {
    id: `monitor/${protocol}`,
    work: `monitor round, ${protocol === 'tls' ? 'TLS' : 'HTTP'}`,
    against: blackboxExporter.name,
    figures: ['cpuMsPerCheck', 'cpuMsPerCheckFlatOut', 'checksPerSecond', 'peakMiB'],
    targets,
    needs: ['nginx', 'prometheus-blackbox-exporter'],
    pairs: 5,
    async measure(bench) {
      const { sites, progress, pairs } = bench;
      const origins = await startOrigins({ count: sites, tls: protocol === 'tls', faulty: true });
      const running: RunningMonitor[] = [];
      const started = async (contender: MonitorContender): Promise<Contender> => {
        progress(`${contender.name} looks at ${sites} sites`);
        const monitor = await contender.start(origins, bench);
        running.push(monitor);
        return { name: contender.name, sample: () => watchFor({ contender, monitor, origins }, times, bench.signal) };
      };
      try {
        const [ours, theirs] = [await started(docvitals), await started(blackboxExporter)];
        const onPair = (done: number): void => progress(`${done} of ${pairs} pairs`);
        return await inTurn(ours, theirs, { pairs, warmUps: 1, onPair });
      } finally {
        for (const monitor of running) await monitor.stop();
        await origins.stop();
      }
    },
  };
}
