/** What a coordinator that takes over does with a run that its predecessor requested, or with a result of it. Pure. */
import type { RunJob } from './job-format.ts';

/**
 * `applied`: the run is in the history, and its results are removed.
 * `foreign`: its location is not configured any more.
 * `out-of-range`: no run that is so old is in progress, and none is of the future, whatever the difference of the clocks.
 * `continued`: its results are waited for, and applied with the time of the run.
 */
export type Continuation = 'applied' | 'foreign' | 'out-of-range' | 'continued';

interface Known {
  /** By the coordinator's clock. */
  readonly now: number;
  readonly locations: ReadonlySet<string>;
  /** Ids of runs in the history. Their times do not show it: coordinators have different clocks. */
  readonly applied: ReadonlySet<string>;
}

const CLOCKS_MS = 10_000;
const OLDEST_MS = 60 * 60_000;

export function continuationOf({ run, location, at }: RunJob, { now, locations, applied }: Known): Continuation {
  if (applied.has(run)) return 'applied';
  if (!locations.has(location)) return 'foreign';
  return at > now + CLOCKS_MS || at < now - OLDEST_MS ? 'out-of-range' : 'continued';
}
