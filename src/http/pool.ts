import type { Get } from '../core/answer.ts';
import type { HttpConnection, RawResponse } from './connection.ts';
import { Failure } from './failure.ts';
import { connectFor, keyOf, retried, type Hop, type HttpOptions } from './get.ts';
import { hostRecords } from './host-record.ts';
import { backoffMs, retryAfterMs, type Backoff } from './retry.ts';

/** The pause for a host that refuses requests without a `Retry-After`. */
const PAUSE: Backoff = { first: 500, factor: 2, most: 5_000 };
/** A host that refuses more often, and everything, will not accept slower requests either. */
const MOST_PAUSES_IN_VAIN = 4;
/** Between two requests to a host that refused one; doubles with each further refusal. */
const FIRST_INTERVAL_MS = 50;
const LONGEST_INTERVAL_MS = 2_000;
const SHORTEST_INTERVAL_MS = 5;
const LATE_MS = 5;
/** After so many answers in a row the pace rises by one step. */
const ANSWERS_A_STEP = 5;
/** This many in a row mean that the host is busy, not that the paths are broken. */
const BUSY = 3;
const MOST_BROKEN = 1_000;

/**
 * How fast requests are sent to a host: up to `concurrency` at once, evenly spaced, slower when it refuses some (429 and
 * 503; RFC 6585, section 4; RFC 9110, section 15.6.4) and slowly faster again when it answers. Times are in milliseconds,
 * on any monotonic clock.
 */
export class Pace {
  readonly #most: number;
  readonly #ownIntervalMs: number;
  concurrency: number;
  #intervalMs = 0;
  #nextAt = 0;
  #pausedUntil = 0;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #answers = 0;
  #pausesInVain = 0;
  /** Paths that were unavailable since the last good answer, and those that were before it. */
  readonly #unavailable = new Set<string>();
  readonly #broken = new Set<string>();

  /** `rate`: requests a second that the user allows; 0: as many as the host answers. */
  constructor(most: number, rate: number) {
    this.#most = this.concurrency = most;
    this.#ownIntervalMs = rate > 0 ? 1000 / rate : 0;
  }

  waitMs(now: number): number {
    return Math.max(0, this.#pausedUntil - now, this.#nextAt - now);
  }

  get isHopeless(): boolean {
    return this.#pausesInVain > MOST_PAUSES_IN_VAIN;
  }

  sent(now: number): void {
    const interval = Math.max(this.#ownIntervalMs, this.#intervalMs);
    // The delay of a timer is made up for; a time without requests is not.
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
    this.#intervalMs /= 2;
    if (this.#intervalMs < SHORTEST_INTERVAL_MS) this.#intervalMs = 0;
  }

  /** Whether the host is busy, where a path is unavailable: a single failing page that is requested again proves nothing. */
  isBusy(path: string): boolean {
    if (!this.#broken.has(path)) this.#unavailable.add(path);
    return this.#unavailable.size >= BUSY;
  }

  /** `sentAt`: when the refused request was sent; `pauseMs`: its `Retry-After`. */
  refused(now: number, sentAt: number, pauseMs: number | null): void {
    if (pauseMs !== null) this.#pauseFor(pauseMs, now);
    // Of requests that were sent together, only one slows the pace.
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

/** For all hosts together: how many more requests may be sent, and what begins those of the queues that wait for that. */
export interface Capacity {
  free: number;
  readonly blocked: Set<() => void>;
}

/** The requests that wait for one origin, reached directly or through one proxy: first come, first served, at its pace. */
export function hostQueue(pace: Pace, capacity: Capacity, clock: () => number) {
  const queue: (PromiseWithResolvers<void> & { readonly isAgain: boolean })[] = [];
  let running = 0;
  let timer: NodeJS.Timeout | undefined;
  let ended: Error | undefined;

  const begin = (): void => {
    clearTimeout(timer);
    while (queue.length > 0 && running < pace.concurrency) {
      const waitMs = pace.waitMs(clock());
      if (waitMs > 0) {
        timer = setTimeout(begin, Math.ceil(waitMs));
        return;
      }
      if (capacity.free === 0) {
        capacity.blocked.add(begin);
        return;
      }
      capacity.free -= 1;
      running += 1;
      pace.sent(clock());
      queue.shift()?.resolve();
    }
  };
  const end = (reason: Error): void => {
    ended ??= reason;
    clearTimeout(timer);
    for (const { reject } of queue.splice(0)) reject(ended);
  };
  return {
    pace,
    /** `isAgain`: it has waited before, as the next hop of a redirect or another attempt has. */
    take(isAgain: boolean): Promise<void> {
      const waiting = { ...Promise.withResolvers<void>(), isAgain };
      // Those that have waited before come first.
      const firstNew = isAgain ? queue.findIndex((other) => !other.isAgain) : -1;
      queue.splice(firstNew === -1 ? queue.length : firstNew, 0, waiting);
      if (ended === undefined) begin();
      else end(ended);
      return waiting.promise;
    },
    give(): void {
      running -= 1;
      capacity.free += 1;
      const [beginLongest] = capacity.blocked;
      if (beginLongest !== undefined) {
        // To the end of the line, so that one host's long queue does not keep the others waiting.
        capacity.blocked.delete(beginLongest);
        beginLongest();
      }
      begin();
    },
    end,
  };
}

export type HostQueue = ReturnType<typeof hostQueue>;

/** As browsers do; each with one request at a time. */
const CONNECTIONS_PER_HOST = 6;
const MOST_REQUESTS = 64;
const MOST_IDLE_CONNECTIONS = 64;

/** Keeps connections alive, a few for each host, until `options.signal` is aborted. Otherwise as `createGet`. */
export function createPooledGet(options: HttpOptions, rate: number, connectionsPerHost = CONNECTIONS_PER_HOST): Get {
  const { signal, clock, endsAt, patienceMs = Infinity, hosts: records = hostRecords(clock) } = options;
  const capacity: Capacity = { free: MOST_REQUESTS, blocked: new Set() };
  const hosts = new Map<string, HostQueue>();
  /** Idle connections with the keys of their hosts; the one that was used last is the last. */
  const idle = new Map<HttpConnection, string>();

  const keep = (connection: HttpConnection, key: string): void => {
    if (signal.aborted) connection.close();
    if (!connection.isOpen()) return;
    idle.set(connection, key);
    const [longest] = idle.keys();
    if (idle.size > MOST_IDLE_CONNECTIONS) longest?.close();
  };
  const sendTo = async (key: string, hop: Hop): Promise<RawResponse> => {
    const [used] = [...idle].findLast(([{ isOpen }, of]) => of === key && isOpen()) ?? [];
    if (used !== undefined) {
      idle.delete(used);
      const got = await used.sendAgain(hop);
      if (got !== null) {
        keep(used, key);
        return got;
      }
    }
    const opened = await connectFor(hop);
    opened.onClose(() => void idle.delete(opened));
    const got = await opened.send(hop);
    keep(opened, key);
    return got;
  };
  const adaptPace = (host: HostQueue, url: URL, { status, headers }: RawResponse, sentAt: number): void => {
    const { pace } = host;
    if (status !== 429 && status !== 503) return pace.answered();
    const now = clock();
    const askedMs = retryAfterMs(headers, Date.now()) ?? 0;
    if (status === 503 && askedMs === 0 && !pace.isBusy(url.pathname)) return;
    const isWorthWaiting = patienceMs > 0 && askedMs < Math.min(endsAt - now, patienceMs);
    const grantedMs = isWorthWaiting ? records.of(url).granted(askedMs) : 0;
    pace.refused(now, sentAt, grantedMs > 0 ? grantedMs : null);
    // Nothing is left to request from a host that wants to be left alone for longer than the run waits.
    if (!isWorthWaiting && (status === 429 || patienceMs === 0)) {
      host.end(new Failure('interrupted', { status, retryAfterMs: askedMs }));
    }
  };
  const send = async (hop: Hop): Promise<RawResponse> => {
    if (signal.aborted) throw signal.reason as Error;
    const { attempt, url, proxy, watch } = hop;
    const key = keyOf(url, proxy);
    const host = hosts.get(key) ?? hostQueue(new Pace(connectionsPerHost, rate), capacity, clock);
    hosts.set(key, host);
    await watch.pausedUntil(host.take(attempt.isSent || attempt.count > 1));
    const sentAt = clock();
    attempt.isSent = true;
    try {
      const got = await sendTo(key, hop);
      adaptPace(host, url, got, sentAt);
      return got;
    } finally {
      host.give();
    }
  };
  const end = (): void => {
    for (const host of hosts.values()) host.end(signal.reason as Error);
    for (const connection of idle.keys()) connection.close();
  };
  signal.addEventListener('abort', end, { once: true });
  const isHopeless = (url: URL): boolean => hosts.get(keyOf(url, options.proxyFor(url)))?.pace.isHopeless ?? false;
  return retried({ ...options, hosts: records }, send, isHopeless);
}
