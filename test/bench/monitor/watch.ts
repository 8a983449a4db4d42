/** What a monitor takes while it watches, and whether it finds what is wrong meanwhile. */
import type { Sample } from '../measure.ts';
import { cpuMsOf, peakMiBOf } from '../process.ts';
import { pause } from '../session.ts';
import type { Origins } from './origins.ts';

/** How often every site is checked: every so many seconds, or again as soon as possible. */
export type Pace = number | 'flat-out';

/** A monitor that runs. */
export interface RunningMonitor {
  readonly pid: number;
  /** Begins to check at that pace. */
  go(pace: Pace): Promise<void>;
  /** Checks nothing any more; resolves when what was in progress has ended. */
  rest(): Promise<void>;
  /** How many checks, each of one file, have ended until now. */
  checks(): Promise<number>;
  /** The checks that failed when they were done last, by {@link failureName}. */
  failing(): Promise<ReadonlySet<string>>;
  stop(): Promise<void>;
}

export interface MonitorContender {
  readonly name: string;
  /** Whether it finds only what regular expressions find. */
  readonly hasExpressionsOnly: boolean;
  /** Resolves when it has checked every site once, and rests. */
  start(origins: Origins): Promise<RunningMonitor>;
}

export const failureName = (baseUrl: string, check: string): string => `${check} of ${baseUrl}`;

export interface WatchTimes {
  /** How often every site is checked at the usual pace. */
  readonly everySeconds: number;
  /** How long is measured. One scrape of the metrics falls into it, as with Prometheus's usual settings. */
  readonly windowSeconds: number;
  /** Before each window. */
  readonly settleSeconds: number;
}

/** At the usual pace, then flat out. Rejects where it then reports anything but the faults. */
export async function watchFor(
  contender: MonitorContender,
  monitor: RunningMonitor,
  origins: Origins,
  times: WatchTimes,
): Promise<Sample> {
  const window = async (pace: Pace) => {
    await monitor.go(pace);
    await pause(times.settleSeconds);
    const [checks, cpuMs, began] = [await monitor.checks(), cpuMsOf(monitor.pid), performance.now()];
    await pause(times.windowSeconds);
    const done = (await monitor.checks()) - checks;
    const cpuMsPerCheck = (cpuMsOf(monitor.pid) - cpuMs) / done;
    const checksPerSecond = (done * 1000) / (performance.now() - began);
    await monitor.rest();
    return { cpuMsPerCheck, checksPerSecond };
  };
  const usual = await window(times.everySeconds);
  const flatOut = await window('flat-out');
  demandAllFound(contender, origins, await monitor.failing());
  return {
    cpuMsPerCheck: usual.cpuMsPerCheck,
    cpuMsPerCheckFlatOut: flatOut.cpuMsPerCheck,
    checksPerSecond: flatOut.checksPerSecond,
    peakMiB: peakMiBOf(monitor.pid),
  };
}

/** Throws where it reported less than what is wrong, or more. */
export function demandAllFound(
  { name, hasExpressionsOnly }: MonitorContender,
  { list }: Origins,
  found: ReadonlySet<string>,
): void {
  const faulty = list.flatMap(({ url, fault }) => {
    if (fault === null || (hasExpressionsOnly && fault.isBeyondExpressions)) return [];
    return fault.fails.map((check) => failureName(url, check));
  });
  const missed = faulty.filter((failure) => !found.has(failure));
  const invented = [...found].filter((failure) => !faulty.includes(failure));
  if (missed.length > 0) throw new Error(`${name} does not find ${missed.slice(0, 5).join(', ')}`);
  if (invented.length > 0) throw new Error(`${name} reports what is healthy: ${invented.slice(0, 5).join(', ')}`);
}
