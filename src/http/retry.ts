import type { Answer, ReadonlyHeaders } from '../check.ts';
import type { HttpOptions } from './attempt.ts';
import type { Reason } from './reasons.ts';
import { untilAborted } from './timing.ts';

/** Failures that may pass by themselves. The others (a bad certificate, a redirect loop, …) come back the same. */
const PASSING: ReadonlySet<Reason> = new Set<Reason>([
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

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
const SHARE_FOR_LAST_TRY = 0.1;

/** Whether asking again can give another answer: passing failures, 408, 429 and 5xx. */
export function isWorthRetrying(answer: Answer): boolean {
  if (answer.kind === 'no-reply') return PASSING.has(answer.reason);
  return answer.status === 408 || answer.status === 429 || answer.status >= 500;
}

/** Whether the host says that it is asked too much, or has too much to do. */
export function isRefusal(answer: Answer): boolean {
  return answer.kind === 'reply' && (answer.status === 429 || answer.status === 503);
}

/** Carries an answer through p-retry, which knows only throws. */
class NotYet extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super('not yet');
    this.answer = answer;
  }
}

interface RetryOptions extends Pick<
  HttpOptions,
  'retries' | 'signal' | 'endsAt' | 'clock' | 'timeoutMs' | 'patienceMs'
> {
  /** Set where the attempt itself waits as `Retry-After` says. */
  readonly pausesElsewhere?: boolean;
}

/**
 * Tries again after `first`, at most `options.retries` times, with exponential backoff and jitter; `Retry-After`
 * (RFC 9110, section 10.2.3) lengthens a pause, as far as the run's deadline lets it. Answers the last answer.
 */
export async function retry(
  first: Answer,
  attempt: (count: number) => Promise<Answer>,
  options: RetryOptions,
): Promise<Answer> {
  let last = first;
  const run = async (count: number): Promise<Answer> => {
    if (count > 1) last = await attempt(count);
    if (isWorthRetrying(last) && !asksForMore(last, options)) throw new NotYet(last);
    return last;
  };
  try {
    const { default: pRetry } = await import('p-retry');
    return await pRetry(run, {
      retries: options.retries,
      minTimeout: FIRST_PAUSE_MS,
      maxTimeout: LONGEST_PAUSE_MS,
      randomize: true,
      signal: options.signal,
      onFailedAttempt: async ({ retriesLeft }) => {
        if (retriesLeft === 0 || last.kind === 'no-reply' || options.pausesElsewhere === true) return;
        await pause(retryAfterMs(last.headers, Date.now()), options);
      },
    });
  } catch {
    // Out of tries, or stopped while it waited: the last answer is what is known.
    return last;
  }
}

/** Whether the host wants to be left alone for longer than anybody waits. */
function asksForMore(answer: Answer, { patienceMs = Infinity }: Pick<HttpOptions, 'patienceMs'>): boolean {
  return answer.kind === 'reply' && retryAfterMs(answer.headers, Date.now()) > patienceMs;
}

async function pause(wishedMs: number, options: RetryOptions): Promise<void> {
  const left = options.endsAt - options.clock();
  // Something is left for the try that follows.
  const ms = Math.min(wishedMs, left - Math.min(options.timeoutMs, left * SHARE_FOR_LAST_TRY));
  if (ms <= 0) return;
  let timer: NodeJS.Timeout | undefined;
  const slept = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await untilAborted(slept, options.signal).finally(() => clearTimeout(timer));
}

/** `Retry-After` in milliseconds from `now` (epoch milliseconds): delay seconds or an HTTP date; 0 when absent or nonsense. */
export function retryAfterMs(headers: Pick<ReadonlyHeaders, 'get'>, now: number): number {
  const value = headers.get('retry-after');
  if (value === null) return 0;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  // Date.parse would read "-5" as a year.
  const date = /[a-z]/i.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}
