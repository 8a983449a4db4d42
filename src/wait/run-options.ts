/** What the checks of one run are run with. Pure. */
import type { Report, Since, RunRequest } from '../check.ts';
import type { CheckSiteOptions } from '../check-site.ts';
import { CRAWL_SHARE, DEFAULT_LIMITS } from '../limits.ts';
import type { ServerFeedback } from './server-feedback.ts';
import { isGreen } from './reports.ts';

/** A run that is not whole gets so much time, even where less is left of the waiting. */
const SHORTEST_RUN_MS = 1_000;

/** What is expected of a run that waits for another bundle than the one that was taken. */
export function expectedSince(
  { expected = null }: Partial<RunRequest>,
  since: Since | null,
): Pick<RunRequest, 'expected'> {
  if (since === null) return { expected };
  return { expected: { version: null, from: null, optional: false, ...expected, since } };
}

/** The options of a run of whose results nobody hears. */
export function silent(options: CheckSiteOptions): Omit<CheckSiteOptions, 'onResult' | 'onProgress'> {
  const { onResult: _, onProgress: __, ...others } = options;
  return others;
}

/** Who hears of results. */
export function listeningRun({
  onResult,
  onProgress,
}: CheckSiteOptions): Pick<CheckSiteOptions, 'onResult' | 'onProgress'> {
  return { ...(onResult === undefined ? {} : { onResult }), ...(onProgress === undefined ? {} : { onProgress }) };
}

const ownDeadlineMs = ({ limits = {} }: CheckSiteOptions): number => limits.deadlineMs ?? DEFAULT_LIMITS.deadlineMs;

/** The next run is the next try. */
export function hurried(options: CheckSiteOptions, leftMs: number): Pick<CheckSiteOptions, 'limits'> {
  const deadlineMs = Math.min(ownDeadlineMs(options), Math.max(leftMs, SHORTEST_RUN_MS));
  return { limits: { ...options.limits, retries: 0, deadlineMs } };
}

/** Whether a run has less time than a run without waiting. */
export function isShortened(options: CheckSiteOptions, leftMs: number): boolean {
  return Math.max(leftMs, SHORTEST_RUN_MS) < ownDeadlineMs(options);
}

/** Whether the deadline ended a request of a run, or perhaps its crawl. */
export function wasCut(
  report: Report,
  { ended }: Pick<ServerFeedback, 'ended'>,
  { limits = {} }: CheckSiteOptions,
): boolean {
  return ended || (!isGreen(report) && report.durationMs >= CRAWL_SHARE * (limits.deadlineMs ?? Infinity));
}
