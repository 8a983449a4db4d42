import { RequestProblem } from '../problem.ts';

/** What Prometheus needs to take in the answer. blackbox_exporter leaves as much. */
const OFFSET_MS = 500;

/** The most that is waited for where nobody says how long. */
const LONGEST_MS = 120_000;

/**
 * How long a probe may take: what Prometheus waits for (`X-Prometheus-Scrape-Timeout-Seconds`), a little less, so that
 * the answer is in time; at most `limitMs`. Throws a `bad-parameter` for a header that is no number.
 */
export function probeDeadlineMs(header: string | null, limitMs: number): number {
  if (header === null || header === '') return Math.min(limitMs, LONGEST_MS);
  const seconds = /^\d{1,6}(?:\.\d{1,12})?$/.test(header) ? Number(header) : NaN;
  if (Number.isNaN(seconds)) throw new RequestProblem('bad-parameter', 'X-Prometheus-Scrape-Timeout-Seconds');
  if (seconds === 0) return Math.min(limitMs, LONGEST_MS);
  const ms = seconds * 1_000;
  // Of a second or less, half.
  return Math.min(limitMs, LONGEST_MS, Math.max(ms - OFFSET_MS, ms / 2));
}
