import type { Answer, ReadonlyHeaders } from '../core/answer.ts';
import type { HttpOptions } from './get.ts';
import { isTemporary, type Reason } from './reasons.ts';
import { pause } from './timing.ts';

/** The other failures (a bad certificate, a redirect loop, …) come back the same. */
const TEMPORARY: ReadonlySet<Reason> = new Set<Reason>([
  'dns-temporary',
  'dns-timeout',
  'refused',
  'unreachable',
  'connect-timeout',
  'tls-timeout',
  'reset',
  'headers-timeout',
  'body-timeout',
  'truncated',
  'no-network',
  'proxy-failed',
]);

/** `Retry-After` (RFC 9110, section 10.2.3) in ms from `now` (ms since 1970): seconds or a date; `null`: neither. */
export function retryAfterMs(headers: Pick<ReadonlyHeaders, 'get'>, now: number): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  // Some servers send fractions of seconds.
  if (/^\d{1,9}(?:\.\d{1,6})?$/.test(value)) return Math.ceil(Number(value) * 1_000);
  // Date.parse would read "-5" as a year.
  const date = /[a-z]/i.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

export interface Backoff {
  readonly first: number;
  readonly factor: number;
  readonly most: number;
}

/** `failures`: in a row, 1 or more. */
export function backoffMs({ first, factor, most }: Backoff, failures: number): number {
  return Math.min(most, first * factor ** (failures - 1));
}

/** Asks p-retry, which only knows failures, for another attempt. */
class Again extends Error {}

/**
 * Repeats an attempt until `pauseAfter` gives `null` for its result, or the signal is aborted. Resolves with the last
 * result; rejects with what an attempt rejects with. `count`: the attempts so far.
 */
export async function repeat<T>(
  first: T,
  attempt: (count: number) => Promise<T>,
  pauseAfter: (last: T, count: number) => number | null,
  signal: AbortSignal,
  sleep: (ms: number, signal: AbortSignal) => Promise<unknown> = pause,
): Promise<T> {
  let last = first;
  let pauseMs = signal.aborted ? null : pauseAfter(first, 1);
  if (pauseMs === null) return first;
  const run = async (count: number): Promise<T> => {
    await sleep(pauseMs ?? 0, signal);
    signal.throwIfAborted();
    last = await attempt(count + 1);
    pauseMs = signal.aborted ? null : pauseAfter(last, count + 1);
    if (pauseMs !== null) throw new Again();
    return last;
  };
  try {
    const { default: pRetry } = await import('p-retry');
    const shouldRetry = ({ error }: { readonly error: Error }): boolean => error instanceof Again;
    return await pRetry(run, { retries: Infinity, minTimeout: 0, signal, shouldRetry });
  } catch (error) {
    if (signal.aborted) return last;
    throw error;
  }
}

const PROBE_BACKOFF: Backoff = { first: 250, factor: 2, most: 5_000 };
/** Kept for the last attempt, and for checks that depend on it. */
const SHARE_FOR_LAST_ATTEMPT = 0.1;

type RetryOptions = Pick<HttpOptions, 'retries' | 'endsAt' | 'clock' | 'timeoutMs' | 'patienceMs'>;

/** `isPaced`: something else waits for `Retry-After`, of which only so much is `granted`. Resolves with the last answer. */
export function retry(
  first: Answer,
  attempt: (count: number) => Promise<Answer>,
  options: RetryOptions & Pick<HttpOptions, 'signal'>,
  isPaced = false,
  granted = (askedMs: number): number => askedMs,
): Promise<Answer> {
  return repeat(first, attempt, pausesOf(options, isPaced, granted), options.signal);
}

/** The pause in ms after an answer and the attempts so far; `null`: no further attempt. */
export function pausesOf(
  options: RetryOptions,
  isPaced: boolean,
  granted = (askedMs: number): number => askedMs,
): (last: Answer, count: number) => number | null {
  const leftMs = (): number => options.endsAt - options.clock();
  const reservedMs = Math.min(options.timeoutMs, leftMs() * SHARE_FOR_LAST_ATTEMPT);
  return (last, count) => {
    const isWorthRetrying = last.kind === 'no-reply' ? TEMPORARY.has(last.reason) : isTemporary(last.status);
    if (count > options.retries || !isWorthRetrying) return null;
    const backedOffMs = Math.min(PROBE_BACKOFF.most, backoffMs(PROBE_BACKOFF, count) * (1 + Math.random()));
    const saidMs = last.kind === 'reply' ? (retryAfterMs(last.headers, Date.now()) ?? 0) : 0;
    if (saidMs > (options.patienceMs ?? Infinity)) return null;
    if (isPaced) return backedOffMs;
    const askedMs = granted(saidMs);
    const mostMs = leftMs() - reservedMs;
    // The host was given all the time that there is.
    if (askedMs > backedOffMs && mostMs < backedOffMs) return null;
    return Math.max(backedOffMs, Math.min(askedMs, mostMs));
  };
}
