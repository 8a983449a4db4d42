import type { Get } from '../check.ts';
import { attempts, type Hop, type HopResponse, type HttpOptions } from './attempt.ts';
import { Failure } from './failure.ts';
import type { OpenConnection } from './connect.ts';
import { connectFor, keyOf, sendOver, waitForSlot } from './get.ts';
import { backoffMs, retry, retryAfterMs, type Backoff } from './retry.ts';

/** The pause of a host that wants fewer requests without saying when to come back. */
const PAUSE: Backoff = { first: 500, factor: 2, most: 5_000 };
/** A host that answers nothing else is not one that wants to be asked more slowly. */
const MOST_PAUSES_IN_VAIN = 4;
/** The pause between two requests to a host that wants fewer; doubles each time it refuses again. */
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
  /** How many requests may be under way. */
  concurrency: number;
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
    this.#most = this.concurrency = most;
    this.#ownIntervalMs = rate > 0 ? 1000 / rate : 0;
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
    const isSlowed = this.concurrency < this.#most || this.#intervalMs > 0 || this.#pausesInVain > 0;
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
    this.concurrency = Math.min(this.#most, this.concurrency + 1);
    this.#intervalMs *= FASTER;
    if (this.#intervalMs < SHORTEST_INTERVAL_MS) this.#intervalMs = 0;
  }

  /**
   * Whether an unavailable path says something of the host: several, one after another, with no good answer between.
   * A single failing page that is requested again proves nothing.
   */
  isBusy(path: string): boolean {
    if (!this.#broken.has(path)) this.#unavailable.add(path);
    return this.#unavailable.size >= BUSY;
  }

  /** `sentAt`: when the request was sent that the host refused; `pauseMs`: after which time it says to come back. */
  refused(now: number, sentAt: number, pauseMs: number | null): void {
    if (pauseMs !== null) this.#pauseFor(pauseMs, now);
    // Of requests that were under way together, one slows the pace.
    if (sentAt < this.#refusedAt) return;
    this.#refusedAt = now;
    this.#answers = 0;
    this.#pausesInVain += 1;
    this.concurrency = Math.max(1, Math.floor(this.concurrency / 2));
    if (this.isHopeless) {
      this.#intervalMs = FIRST_INTERVAL_MS;
      return;
    }
    this.#intervalMs = Math.min(LONGEST_INTERVAL_MS, Math.max(FIRST_INTERVAL_MS, this.#intervalMs * 2));
    if (pauseMs === null) this.#pauseFor(backoffMs(PAUSE, this.#pausesInVain), now);
  }

  #pauseFor(ms: number, now: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, now + ms);
  }
}

/** Calls back after some milliseconds; returns what cancels it. */
export const onTimer = (callback: () => void, ms: number): (() => void) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};

export type Schedule = typeof onTimer;

/** Bounds how many requests are under way to all hosts together. */
export class Capacity {
  #free: number;
  readonly #blocked = new Set<HostQueue>();

  constructor(most: number) {
    this.#free = most;
  }

  /** Takes a slot; if none is free, the queue goes on when there may be one. */
  take(queue: HostQueue): boolean {
    if (this.#free === 0) {
      this.#blocked.add(queue);
      return false;
    }
    this.#free -= 1;
    return true;
  }

  give(): void {
    this.#free += 1;
    const [longest] = this.#blocked;
    if (longest === undefined) return;
    // To the end of the line, so that one host's long queue does not keep the others waiting.
    this.#blocked.delete(longest);
    longest.goOn();
  }
}

interface Waiting {
  readonly begin: () => void;
  readonly fail: (reason: Error) => void;
}

/** Who may ask one host next: first come, first served, at the host's pace. */
export class HostQueue {
  readonly pace: Pace;
  readonly #capacity: Capacity;
  readonly #clock: () => number;
  readonly #schedule: Schedule;
  readonly #queue = new Set<Waiting>();
  /** Those who have been waiting already: the next hop of a redirect, another try. */
  readonly #again = new Set<Waiting>();
  #running = 0;
  #unschedule: (() => void) | undefined;
  #ended: { readonly reason: Error } | undefined;

  constructor(pace: Pace, capacity: Capacity, clock: () => number, schedule = onTimer) {
    this.pace = pace;
    this.#capacity = capacity;
    this.#clock = clock;
    this.#schedule = schedule;
  }

  /** Whether no slot is used or waited for. */
  get isIdle(): boolean {
    return this.#running === 0 && this.#queue.size === 0 && this.#again.size === 0;
  }

  /** Resolves when it is the caller's turn; `isAgain`: before those who come for the first time. */
  take(isAgain: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended.reason);
      (isAgain ? this.#again : this.#queue).add({ begin: resolve, fail: reject });
      this.goOn();
    });
  }

  give(): void {
    this.#running -= 1;
    this.#capacity.give();
    this.goOn();
  }

  /** Rejects everybody who waits, and whoever comes. */
  end(reason: Error): void {
    this.#ended ??= { reason };
    this.#unschedule?.();
    for (const queue of [this.#again, this.#queue]) {
      for (const waiting of queue) waiting.fail(reason);
      queue.clear();
    }
  }

  goOn(): void {
    this.#unschedule?.();
    this.#unschedule = undefined;
    for (;;) {
      const queue = this.#again.size > 0 ? this.#again : this.#queue;
      const [next] = queue;
      if (next === undefined || this.#running >= this.pace.concurrency) return;
      const waitMs = this.pace.waitMs(this.#clock());
      if (waitMs > 0) {
        this.#unschedule = this.#schedule(() => this.goOn(), Math.ceil(waitMs));
        return;
      }
      if (!this.#capacity.take(this)) return;
      queue.delete(next);
      this.#running += 1;
      this.pace.sent(this.#clock());
      next.begin();
    }
  }
}

/** How hosts are spared. */
export interface PoolLimits {
  /** Requests a second to one host; 0: as many as it answers. */
  readonly rate: number;
  /** Most connections to one host, each with one request at a time. */
  readonly connectionsPerHost: number;
  readonly schedule?: Schedule;
}

/** Over all hosts together: links lead to many. */
const MOST_REQUESTS = 64;
const MOST_IDLE_CONNECTIONS = 64;

/**
 * Makes the function for many requests: its connections are kept alive and used again, a few a host, and a host that
 * says it is too much is asked more slowly. Otherwise the same as `createGet`. Everything is closed when
 * `options.signal` is aborted.
 */
export function createPooledGet(options: HttpOptions, limits: PoolLimits): Get {
  const pool = new Pool(options, limits);
  const once = attempts(options, (hop) => pool.send(hop));
  return async (request) => {
    let last = await once(request, 1);
    const isRefused = last.kind === 'reply' && (last.status === 429 || last.status === 503);
    if (request.once === true || (isRefused && pool.isHopeless(request.url))) return last;
    const again = async (count: number): Promise<typeof last> => {
      const next = await once(request, count);
      // What was never sent says less than what came before it.
      if (next.attempts === count) last = next;
      return last;
    };
    return retry(last, again, options, true);
  };
}

/** One origin, reached directly or through one proxy. */
interface Host {
  readonly key: string;
  readonly queue: HostQueue;
}

class Pool {
  readonly #options: HttpOptions;
  readonly #limits: PoolLimits;
  readonly #capacity = new Capacity(MOST_REQUESTS);
  readonly #hosts = new Map<string, Host>();
  /** Idle connections, the one that is so longest first. */
  readonly #idle = new Map<OpenConnection, Host>();

  constructor(options: HttpOptions, limits: PoolLimits) {
    this.#options = options;
    this.#limits = limits;
    options.signal.addEventListener('abort', () => this.#end(options.signal.reason as Error), { once: true });
  }

  isHopeless(url: URL): boolean {
    return this.#hosts.get(keyOf(url, this.#options.proxyFor(url)))?.queue.pace.isHopeless ?? false;
  }

  async send(hop: Hop): Promise<HopResponse> {
    const { signal } = this.#options;
    if (signal.aborted) throw signal.reason as Error;
    const host = this.#hostOf(hop);
    const { context } = hop;
    await waitForSlot(context, host.queue.take(context.sent > 0 || context.count > 1));
    const sentAt = this.#options.clock();
    context.sent += 1;
    try {
      const got = await this.#sendTo(host, hop);
      this.#heed(host, hop.url.pathname, got, sentAt);
      return got;
    } finally {
      host.queue.give();
      this.#dismiss(host);
    }
  }

  #hostOf({ url, proxy }: Hop): Host {
    const key = keyOf(url, proxy);
    const known = this.#hosts.get(key);
    if (known !== undefined) return known;
    const { connectionsPerHost, rate, schedule } = this.#limits;
    const pace = new Pace(connectionsPerHost, rate);
    const host = { key, queue: new HostQueue(pace, this.#capacity, this.#options.clock, schedule) };
    this.#hosts.set(key, host);
    return host;
  }

  async #sendTo(host: Host, hop: Hop): Promise<HopResponse> {
    const { phases, limit } = hop.context;
    // The connection used last.
    const [used] = [...this.#idle].findLast(([kept, of]) => of === host && kept.http.isOpen) ?? [];
    if (used !== undefined) {
      this.#idle.delete(used);
      phases.restart('headers');
      try {
        return await this.#sendOver(used, host, hop);
      } catch (error) {
        if (limit.signal.aborted || !used.http.wasStale(error)) throw error;
        // The server may close an idle connection: the request is sent again over a new one.
      }
    }
    const kept = await connectFor(hop);
    kept.http.onClose(() => {
      if (this.#idle.delete(kept)) this.#dismiss(host);
    });
    return this.#sendOver(kept, host, hop);
  }

  async #sendOver(kept: OpenConnection, host: Host, hop: Hop): Promise<HopResponse> {
    const got = await sendOver(kept, hop);
    if (this.#options.signal.aborted) kept.http.close();
    if (!kept.http.isOpen) return got;
    this.#idle.set(kept, host);
    const [longest] = this.#idle.keys();
    if (this.#idle.size > MOST_IDLE_CONNECTIONS) longest?.http.close();
    return got;
  }

  /** Forgets a host of which there is nothing to know. */
  #dismiss(host: Host): void {
    const { key, queue } = host;
    const isKnown = [...this.#idle.values()].includes(host) || !queue.pace.isFresh(this.#options.clock());
    if (queue.isIdle && !isKnown) this.#hosts.delete(key);
  }

  /** Asks a host that says it is too much more slowly. */
  #heed({ queue }: Host, path: string, { response: { status, headers } }: HopResponse, sentAt: number): void {
    if (status !== 429 && status !== 503) return queue.pace.answered();
    const now = this.#options.clock();
    const asked = retryAfterMs(headers, Date.now()) ?? 0;
    if (status === 503 && asked === 0 && !queue.pace.isBusy(path)) return;
    const { endsAt, patienceMs = Infinity } = this.#options;
    if (patienceMs > 0 && asked < Math.min(endsAt - now, patienceMs)) {
      return queue.pace.refused(now, sentAt, asked > 0 ? asked : null);
    }
    queue.pace.refused(now, sentAt, null);
    // Not before the run is over, or later than anybody waits for it: there is nothing left to ask.
    if (status === 429 || patienceMs === 0) queue.end(new Failure('interrupted', { status, retryAfterMs: asked }));
  }

  #end(reason: Error): void {
    for (const { queue } of this.#hosts.values()) queue.end(reason);
    for (const { http } of this.#idle.keys()) http.close();
    this.#hosts.clear();
  }
}
