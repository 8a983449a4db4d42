/** The first pause of a host that asks for less without saying when to come back; the next ones double. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
/** A host that answers nothing else is not one that wants to be asked more slowly. */
const MOST_PAUSES_IN_VAIN = 4;
/** What a host that asked for less gets between two requests; doubles each time that it asks again. */
const FIRST_INTERVAL_MS = 50;
const LONGEST_INTERVAL_MS = 2_000;
/** Below this an interval is not worth a timer. */
const SHORTEST_INTERVAL_MS = 5;
/** How late a timer usually comes. */
const LATE_MS = 5;
/** How many good answers in a row let the pace go up a step. */
const ANSWERS_A_STEP = 5;
const FASTER = 0.5;
/** How many paths have to be unavailable in a row for the host to be busy, not the paths broken. */
const BUSY = 3;
/** Paths that are remembered as broken. */
const MOST_BROKEN = 1_000;

/**
 * How fast a host may be asked: at most `concurrency` requests at once, evenly spaced, slower when it says that it is
 * too much (429 and 503; RFC 6585, section 4; RFC 9110, section 15.6.4) and slowly faster again when it answers.
 * Times are in milliseconds, on any monotonic clock.
 */
export class Pace {
  readonly #most: number;
  readonly #ownIntervalMs: number;
  #concurrency: number;
  /** The host's interval, on top of the user's. */
  #intervalMs = 0;
  #nextAt = 0;
  #pausedUntil = 0;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #answers = 0;
  #pausesInVain = 0;
  /** Paths that were unavailable since the last good answer, and those that were before it. */
  readonly #unavailable = new Set<string>();
  readonly #broken = new Set<string>();

  /** `rate`: requests a second that the user allows, 0: as many as the host takes. */
  constructor(most: number, rate: number) {
    this.#most = this.#concurrency = most;
    this.#ownIntervalMs = rate > 0 ? 1000 / rate : 0;
  }

  /** How many requests may be under way. */
  get concurrency(): number {
    return this.#concurrency;
  }

  /** How long to wait before the next request; 0: send it. */
  waitMs(now: number): number {
    return Math.max(0, this.#pausedUntil - now, this.#nextAt - now);
  }

  /** Whether the host has refused so often, and nothing else, that trying again is pointless. */
  get isHopeless(): boolean {
    return this.#pausesInVain > MOST_PAUSES_IN_VAIN;
  }

  /** Whether a host that was never asked would have the same pace. */
  isFresh(now: number): boolean {
    const isSlowed = this.#concurrency < this.#most || this.#intervalMs > 0 || this.#pausesInVain > 0;
    return !isSlowed && this.waitMs(now) === 0;
  }

  sent(now: number): void {
    const interval = Math.max(this.#ownIntervalMs, this.#intervalMs);
    // A timer that came a little late is made up for; a time without requests is not.
    if (interval > 0) this.#nextAt = Math.max(this.#nextAt, now - Math.min(interval, LATE_MS)) + interval;
  }

  answered(): void {
    this.#pausesInVain = 0;
    for (const path of this.#unavailable) if (this.#broken.size < MOST_BROKEN) this.#broken.add(path);
    this.#unavailable.clear();
    this.#answers += 1;
    if (this.#answers < ANSWERS_A_STEP) return;
    this.#answers = 0;
    this.#concurrency = Math.min(this.#most, this.#concurrency + 1);
    this.#intervalMs *= FASTER;
    if (this.#intervalMs < SHORTEST_INTERVAL_MS) this.#intervalMs = 0;
  }

  /**
   * Whether an unavailable path says something of the host: several, one after another, with no good answer between.
   * A page that is out of order by itself, and asked for again, says nothing.
   */
  isBusy(path: string): boolean {
    if (!this.#broken.has(path)) this.#unavailable.add(path);
    return this.#unavailable.size >= BUSY;
  }

  /** `sentAt`: when the request was sent that the host refused; `retryAfterMs`: when it says to come back. */
  refused(now: number, sentAt: number, retryAfterMs: number | null): void {
    if (retryAfterMs !== null) this.#pauseFor(retryAfterMs, now);
    // Of requests that were under way together, one slows the pace.
    if (sentAt < this.#refusedAt) return;
    this.#refusedAt = now;
    this.#answers = 0;
    this.#pausesInVain += 1;
    this.#concurrency = Math.max(1, Math.floor(this.#concurrency / 2));
    if (this.isHopeless) {
      this.#intervalMs = FIRST_INTERVAL_MS;
      return;
    }
    this.#intervalMs = Math.min(LONGEST_INTERVAL_MS, Math.max(FIRST_INTERVAL_MS, this.#intervalMs * 2));
    if (retryAfterMs === null)
      this.#pauseFor(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#pausesInVain - 1)), now);
  }

  #pauseFor(ms: number, now: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, now + ms);
  }
}
