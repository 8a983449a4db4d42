import type { FreshBy, Report } from '../check.ts';
import type { CheckSiteOptions } from '../check-site.ts';
import { pause } from '../http/timing.ts';
import { waitFor } from './loop.ts';
import { PlannedRuns } from './runs.ts';

/** How long to wait for a site, and for what beyond what the run itself expects. */
export interface Wait {
  /** Longest time to wait, in milliseconds; the runs that end the waiting may end after it. */
  readonly forMs: number;
  /** Good runs in a row over fresh connections that are wanted. */
  readonly stable: number;
  /** What the bundle has when the waiting begins is taken first, and then waited for to change. */
  readonly sinceNow?: true;
  /** No pause is longer, so that the end is not reported late, unless the host wants fewer requests. In milliseconds. */
  readonly longestPauseMs?: number;
}

export interface Waiting extends Wait {
  /** Called before each run and before each pause. */
  readonly onRun?: (state: WaitState) => void;
  /** Clock, chance and pauses; those of the machine where it is absent. */
  readonly timers?: Surroundings;
}

/** What is not the same in every run. */
export interface Surroundings {
  /** Milliseconds, monotonic. */
  clock(): number;
  /** Milliseconds since 1970. */
  now(): number;
  random(): number;
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface WaitState {
  /** The current or last run, from 1. */
  readonly run: number;
  readonly elapsedMs: number;
  readonly forMs: number;
  readonly by: FreshBy;
  /** What is waited for: a first sign of the new version, all samples new, all healthy. */
  readonly phase: 'new' | 'all' | 'green';
  /** The run checks everything that was requested. */
  readonly whole: boolean;
  /** What the last run found; `null` before the first has ended. */
  readonly report: Report | null;
  /** Checks that the last run over everything found failing, for other reasons than an old version. */
  readonly unwell: readonly string[];
  readonly good: number;
  readonly stable: number;
  /** Milliseconds to the next run; `null`: during a run. */
  readonly pauseMs: number | null;
}

/**
 * Checks a site until it is healthy and fresh or the time is up, each time over new connections. Then one run over
 * everything follows, and the good runs that are missing to `stable`; none while the host wants no requests. Resolves with
 * the last report; `onResult` and `onProgress` are called in runs over all the checks only. Rejects as `checkSite` does.
 */
export async function waitForSite(options: CheckSiteOptions, waiting: Waiting): Promise<Report> {
  const timers = waiting.timers ?? MACHINE;
  const interrupt = options.interrupt ?? new AbortController().signal;
  const runs = new PlannedRuns({ ...options, interrupt }, waiting.sinceNow === true, () => timers.now());
  return waitFor(runs, { ...waiting, timers, interrupt });
}

const MACHINE: Surroundings = {
  clock: () => performance.now(),
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: pause,
};
