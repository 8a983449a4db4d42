/** How much goes on at each route, so that a receiver that is dead or slow delays no other. */
import type { PendingAlert } from './outbox.ts';

/** Alerts that are sent to one receiver at once. */
const AT_ONCE = 4;
/** Over all receivers. */
const AT_ONCE_IN_ALL = 64;
/**
 * A receiver that does not take an alert is left alone by the others for so long at most: it may be that one alert that
 * it does not like.
 */
const LONGEST_PAUSE_MS = 10_000;
/** A new outage is sent at once, also after failures; but no more often than this. */
const NEWS_MS = 3_000;

interface Lane {
  flying: number;
  /** Failures in a row. */
  failures: number;
  /** Nothing is sent before, but news; ms since 1970. */
  pausedUntil: number;
  /** The receiver's `Retry-After`, ms since 1970; a new outage is sent once all the same. */
  askedUntil: number;
  /** When the last attempt began that was in vain; ms since 1970. */
  failedAt: number;
}

/** What is to be sent. */
type Waiting = Pick<PendingAlert, 'route' | 'event' | 'attempts' | 'dueAt'>;

export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  #flying = 0;

  /** How many failures in a row a route has. */
  failures(route: string): number {
    return this.#of(route).failures;
  }

  /** Whether one more can be sent now. A receiver that did not take the last one is tried with a single one. */
  mayStart({ route, event, attempts, dueAt }: Waiting, now: number): boolean {
    const { flying, failures, pausedUntil, askedUntil, failedAt } = this.#of(route);
    if (this.#flying >= AT_ONCE_IN_ALL || flying >= (failures > 0 ? 1 : AT_ONCE)) return false;
    // An alert that was already waiting at the last failed attempt is not news.
    const isNews = attempts === 0 && event !== 'reminder' && dueAt > failedAt;
    return Math.max(pausedUntil, askedUntil) <= now || (isNews && failedAt + NEWS_MS <= now);
  }

  /** When the first receiver that is left alone may be asked again; `now` where none is. */
  nextStart(now: number): number {
    const ends = [...this.#lanes.values()].flatMap(({ pausedUntil, askedUntil, failedAt }) =>
      [Math.max(pausedUntil, askedUntil), failedAt + NEWS_MS].filter((end) => end > now),
    );
    return ends.length === 0 ? now : Math.min(...ends);
  }

  start(route: string): void {
    this.#of(route).flying += 1;
    this.#flying += 1;
  }

  /** One has ended, however. */
  end(route: string): void {
    this.#of(route).flying -= 1;
    this.#flying -= 1;
  }

  worked(route: string): void {
    Object.assign(this.#of(route), { failures: 0, pausedUntil: 0 });
  }

  /** The receiver did not take what was begun at a time; others wait for `ms` at most. Times are ms since 1970. */
  failed(route: string, { beganAt, at, ms }: { readonly beganAt: number; readonly at: number; ms: number }): void {
    const lane = this.#of(route);
    lane.failures += 1;
    lane.failedAt = beganAt;
    lane.pausedUntil = at + Math.min(ms, LONGEST_PAUSE_MS);
  }

  /** The receiver wants to be left alone by all until then; ms since 1970. */
  asked(route: string, until: number): void {
    this.#of(route).askedUntil = until;
  }

  /** Nobody is left alone for longer because the clock was set back. */
  clockSetBack(ms: number): void {
    for (const lane of this.#lanes.values()) {
      lane.pausedUntil -= ms;
      lane.askedUntil -= ms;
      lane.failedAt -= ms;
    }
  }

  #of(route: string): Lane {
    const lane = this.#lanes.get(route) ?? {
      flying: 0,
      failures: 0,
      pausedUntil: 0,
      askedUntil: 0,
      failedAt: -Infinity,
    };
    this.#lanes.set(route, lane);
    return lane;
  }
}
