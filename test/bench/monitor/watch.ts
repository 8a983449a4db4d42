/** What a monitor takes while it watches, and whether it shows what is wrong meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sample } from '../measure.ts';
import { failureName, type MonitorContender, type Pace, type RunningMonitor } from './contender.ts';
import type { Origins } from './origins.ts';
import { cpuMsOf, peakMiBOf } from './process.ts';

export interface WatchTimes {
  /** How often every site is checked while the cpu of a usual day is measured. */
  readonly everySeconds: number;
  /** How long is measured. One scrape of the metrics falls into it, as with Prometheus' usual settings. */
  readonly windowSeconds: number;
  /** Before it, each time. */
  readonly settleSeconds: number;
}

/** A monitor, and what it watches. */
export interface Watching {
  readonly contender: MonitorContender;
  readonly monitor: RunningMonitor;
  readonly origins: Origins;
}

/** What watching takes. */
export type WatchCost = Required<
  Pick<Sample, 'cpuMsPerCheck' | 'cpuMsPerCheckFlatOut' | 'checksPerSecond' | 'peakMiB'>
>;

/** A while at the pace of a usual day, a while flat out. Rejects where it then calls anything else bad than what is. */
export async function watchFor(
  { contender, monitor, origins }: Watching,
  times: WatchTimes,
  signal: AbortSignal,
): Promise<WatchCost> {
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
export function demandAllSeen(
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
