/** When an alert is sent, or sent again: a receiver that is down or slow delays no other. Times are ms since 1970. */
import { backoffMs, type Backoff } from '../../http/retry.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time.ts';
import type { Notification, SendFailure } from './alert.ts';

/** After this an alert is outdated, and is given up. */
export const GIVE_UP_MS = 7 * DAY_MS;

const TEMPORARY: Backoff = { first: 1_000, factor: 2, most: 15 * MINUTE_MS };
/** The delay after a failure that lasts until someone fixes the configuration or the receiver. */
const PERMANENT: Backoff = { first: 30_000, factor: 4, most: 6 * HOUR_MS };
/** Limits of `Retry-After`: a receiver must not silence a route for longer. */
const RETRY_AFTER = { least: 1_000, most: 5 * MINUTE_MS };
/** A receiver that always requests one second is not called every second for a week. */
const SLOWED_TO = MINUTE_MS;

/**
 * How long to wait after this many failed attempts, 1 or more. Between half of the delay and all of it, so that alerts that
 * failed together are not repeated together; never sooner than the receiver requests.
 */
export function delayAfter(attempts: number, { permanent, retryAfterMs }: SendFailure, random: () => number): number {
  const delayMs = backoffMs(permanent ? PERMANENT : TEMPORARY, attempts);
  const jittered = Math.round(delayMs * (0.5 + random() / 2));
  if (retryAfterMs === null) return jittered;
  const requested = Math.min(RETRY_AFTER.most, Math.max(RETRY_AFTER.least, retryAfterMs));
  return Math.max(requested, Math.min(jittered, SLOWED_TO));
}

/** Alerts that are sent through one route at once. */
const AT_ONCE = 4;
const AT_ONCE_IN_ALL = 64;
/** After a failure a route pauses for this long at most: the receiver may only refuse that one alert. */
const LONGEST_PAUSE_MS = 10_000;
/** A new outage is sent at once, also after failures; but no more often than this. */
const NEWS_MS = 3_000;

/** The pace of a route that has not been used. Nothing but news is sent before `pausedUntil` and `retryAfter`. */
const UNUSED = { sending: 0, failures: 0, pausedUntil: 0, retryAfter: 0, failedAt: -Infinity };
type Pace = typeof UNUSED;

export class Pacing {
  readonly #routes = new Map<string, Pace>();
  #sending = 0;

  /** Takes a turn to send; `false`: the alert has to wait. After a failure a route is tried with a single alert. */
  start({ route, event, attempts, dueAt }: Notification, now: number): boolean {
    const pace = this.#of(route);
    const { sending, failures, pausedUntil, retryAfter, failedAt } = pace;
    if (this.#sending >= AT_ONCE_IN_ALL || sending >= (failures > 0 ? 1 : AT_ONCE)) return false;
    // An alert that was already waiting at the last failed attempt is not news.
    const isNews = attempts === 0 && event !== 'reminder' && dueAt > failedAt && failedAt + NEWS_MS <= now;
    if (Math.max(pausedUntil, retryAfter) > now && !isNews) return false;
    pace.sending += 1;
    this.#sending += 1;
    return true;
  }

  end(route: string): void {
    this.#of(route).sending -= 1;
    this.#sending -= 1;
  }

  /** When the first pause ends; `now`: none. */
  nextStart(now: number): number {
    const ends = [...this.#routes.values()].flatMap(({ pausedUntil, retryAfter, failedAt }) =>
      [Math.max(pausedUntil, retryAfter), failedAt + NEWS_MS].filter((end) => end > now),
    );
    return ends.length === 0 ? now : Math.min(...ends);
  }

  succeeded(route: string): void {
    Object.assign(this.#of(route), { failures: 0, pausedUntil: 0 });
  }

  /** The receiver itself does not respond: the other alerts for it are not attempted one after another. */
  failed(route: string, beganAt: number, at: number, failure: SendFailure, random: () => number): void {
    const pace = this.#of(route);
    pace.failures += 1;
    pace.failedAt = beganAt;
    pace.pausedUntil = at + Math.min(delayAfter(pace.failures, failure, random), LONGEST_PAUSE_MS);
  }

  retryAfter(route: string, until: number): void {
    this.#of(route).retryAfter = until;
  }

  /** Until when receivers want no requests, by route. */
  retryAfters(now: number): readonly (readonly [route: string, until: number])[] {
    return [...this.#routes].flatMap(([route, { retryAfter: until }]) => (until > now ? [[route, until]] : []));
  }

  /** No pause becomes longer because the clock was set back. */
  clockSetBack(ms: number): void {
    for (const pace of this.#routes.values()) {
      pace.pausedUntil -= ms;
      pace.retryAfter -= ms;
      pace.failedAt -= ms;
    }
  }

  #of(route: string): Pace {
    const pace = this.#routes.get(route) ?? { ...UNUSED };
    this.#routes.set(route, pace);
    return pace;
  }
}
