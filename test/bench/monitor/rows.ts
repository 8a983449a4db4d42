/** `docvitals monitor` against blackbox_exporter. */
import type { Row } from '../row.ts';
import { blackboxExporter } from './blackbox.ts';
import { watchInTurn } from './watch-in-turn.ts';
import type { WatchTimes } from './watch.ts';

const TIMES: WatchTimes = { everySeconds: 20, windowSeconds: 15, settleSeconds: 4 };

/** Over HTTP and over TLS. */
export const MONITOR_ROWS: readonly Row[] = [monitorRow('http'), monitorRow('tls')];

/** One origin of each fault is among them, and after each turn both must have told exactly those. */
export function monitorRow(protocol: 'http' | 'tls', times = TIMES): Row {
  return {
    id: `monitor/${protocol}`,
    work: `monitor round, ${protocol === 'tls' ? 'TLS' : 'HTTP'}`,
    against: blackboxExporter.name,
    figures: ['cpuMsPerCheck', 'cpuMsPerCheckFlatOut', 'checksPerSecond', 'peakMiB'],
    needs: ['nginx', 'prometheus-blackbox-exporter'],
    pairs: 5,
    measure: (bench) =>
      watchInTurn({ count: bench.sites, tls: protocol === 'tls', faulty: true }, { ...times, warmUps: 1 }, bench),
  };
}
