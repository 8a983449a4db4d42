/** `docvitals monitor` against blackbox_exporter: both watch the same origins, in turn. */
import { setTimeout as sleep } from 'node:timers/promises';
import { inTurn, type Contender, type Sample } from '../measure.ts';
import { atLeast, atMost, type Bench, type Row, type Target } from '../row.ts';
import { blackboxExporter } from './blackbox.ts';
import { failureName, type MonitorContender, type Pace, type RunningMonitor } from './contender.ts';
import { docvitals } from './docvitals.ts';
import { startOrigins, type Origins } from './origins.ts';
import { cpuMsOf, peakMiBOf } from './process.ts';

export interface WatchTimes {
  /** How often every site is looked at while the cpu of a usual day is measured. */
  readonly everySeconds: number;
  /** How long is measured. One scrape of the metrics falls into it, as with Prometheus' usual settings. */
  readonly windowSeconds: number;
  /** Before it, each time. */
  readonly settleSeconds: number;
}

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
        return { name: contender.name, sample: () => turn(contender, monitor, origins, times, bench) };
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

/** A while at the pace of a usual day, a while flat out. The other one rests. */
async function turn(
  contender: MonitorContender,
  monitor: RunningMonitor,
  origins: Origins,
  times: WatchTimes,
  { signal }: Bench,
): Promise<Sample> {
  const usual = await measured(monitor, times.everySeconds, times, signal);
  const flatOut = await measured(monitor, 'flat-out', times, signal);
  demandAllSeen(contender, origins, await monitor.failing());
  return {
    cpuMsPerCheck: usual.cpuMs / usual.checks,
    cpuMsPerCheckFlatOut: flatOut.cpuMs / flatOut.checks,
    checksPerSecond: flatOut.checks / flatOut.seconds,
    peakMiB: peakMiBOf(monitor.pid),
  };
}

interface Window {
  readonly checks: number;
  readonly cpuMs: number;
  readonly seconds: number;
}

/** What a monitor does at a pace for a while. */
async function measured(
  monitor: RunningMonitor,
  pace: Pace,
  { settleSeconds, windowSeconds }: Omit<WatchTimes, 'everySeconds'>,
  signal: AbortSignal,
): Promise<Window> {
  await monitor.go(pace);
  await sleep(settleSeconds * 1000, undefined, { signal });
  const [first, cpu, began] = [await monitor.checks(), cpuMsOf(monitor.pid), performance.now()];
  await sleep(windowSeconds * 1000, undefined, { signal });
  const [last, cpuThen, ended] = [await monitor.checks(), cpuMsOf(monitor.pid), performance.now()];
  await monitor.rest();
  return { checks: last - first, cpuMs: cpuThen - cpu, seconds: (ended - began) / 1000 };
}

/** Throws where it told less than what is wrong, or more. */
function demandAllSeen(
  { name, hasExpressionsOnly }: MonitorContender,
  { list }: Origins,
  seen: ReadonlySet<string>,
): void {
  const wanted = new Set(
    list.flatMap(({ url, fault }) =>
      (fault?.fails ?? [])
        .filter((check) => !hasExpressionsOnly || fault?.unseenByExpressions?.includes(check) !== true)
        .map((check) => failureName(url, check)),
    ),
  );
  const unseen = [...wanted].filter((failure) => !seen.has(failure));
  const invented = [...seen].filter((failure) => !wanted.has(failure));
  if (unseen.length > 0) throw new Error(`${name} does not see ${some(unseen)}`);
  if (invented.length > 0) throw new Error(`${name} calls bad what is well: ${some(invented)}`);
}

const some = (failures: readonly string[]): string => `${failures.slice(0, 5).join(', ')} (${failures.length} in all)`;
