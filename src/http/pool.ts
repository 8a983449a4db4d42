import type { Get } from '../check.ts';
import { attempts, type Hop, type HopResponse, type HttpOptions } from './attempt.ts';
import { Failure } from './failure.ts';
import { keyOf, openConnection, sendOver, waitForSlot, type OpenConnection } from './open.ts';
import { Pace } from './pace.ts';
import { isRefusal, isWorthRetrying, retry, retryAfterMs } from './retry.ts';
import { Capacity, onTimer, HostQueue, type Schedule } from './host-queue.ts';

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
    const mayRetry = options.retries > 0 && request.once !== true && !options.signal.aborted && isWorthRetrying(last);
    if (!mayRetry || (isRefusal(last) && pool.isHopeless(request.url))) return last;
    const again = async (count: number): Promise<typeof last> => {
      const next = await once(request, count);
      // What never left says less than what came before it.
      if (next.attempts === count) last = next;
      return last;
    };
    return retry(last, again, { ...options, pausesElsewhere: true });
  };
}

/** One origin, reached directly or through one proxy. */
interface Host {
  readonly key: string;
  readonly turns: HostQueue;
  /** The one used last at the end. */
  readonly idle: OpenConnection[];
}

class Pool {
  readonly #options: HttpOptions;
  readonly #limits: PoolLimits;
  readonly #capacity = new Capacity(MOST_REQUESTS);
  readonly #hosts = new Map<string, Host>();
  /** All idle connections, the one that is so longest first. */
  readonly #idle = new Map<OpenConnection, Host>();

  constructor(options: HttpOptions, limits: PoolLimits) {
    this.#options = options;
    this.#limits = limits;
    options.signal.addEventListener('abort', () => this.#end(options.signal.reason as Error), { once: true });
  }

  /** Whether a host refuses whatever it is asked. */
  isHopeless(url: URL): boolean {
    return this.#hosts.get(keyOf(url, this.#options.proxyFor(url)))?.turns.pace.isHopeless ?? false;
  }

  async send(hop: Hop): Promise<HopResponse> {
    const { signal } = this.#options;
    if (signal.aborted) throw signal.reason as Error;
    const host = this.#hostOf(hop);
    const { context } = hop;
    if (!host.turns.takeNow()) await waitForSlot(context, host.turns.take(context.sent > 0 || context.count > 1));
    const sentAt = this.#options.clock();
    context.sent += 1;
    try {
      const got = await this.#sendTo(host, hop);
      this.#heed(host, hop.url.pathname, got, sentAt);
      return got;
    } finally {
      host.turns.give();
      this.#dismiss(host);
    }
  }

  #hostOf({ url, proxy }: Hop): Host {
    const key = keyOf(url, proxy);
    const known = this.#hosts.get(key);
    if (known !== undefined) return known;
    const { connectionsPerHost, rate, schedule = onTimer } = this.#limits;
    const pace = new Pace(connectionsPerHost, rate);
    const queue = new HostQueue(pace, this.#capacity, this.#options.clock, schedule);
    const host: Host = { key, turns: queue, idle: [] };
    this.#hosts.set(key, host);
    return host;
  }

  async #sendTo(host: Host, hop: Hop): Promise<HopResponse> {
    const { phases, limit } = hop.context;
    const used = this.#takeIdle(host);
    if (used !== undefined) {
      phases.restart('headers');
      try {
        return await this.#sendOver(used, host, hop);
      } catch (error) {
        if (limit.signal.aborted || !used.http.wasStale(error)) throw error;
        // The server may close an idle connection: the request is sent again over a new one.
      }
    }
    const kept = await openConnection(hop);
    kept.http.onClose(() => this.#forget(kept, host));
    return this.#sendOver(kept, host, hop);
  }

  async #sendOver(kept: OpenConnection, host: Host, hop: Hop): Promise<HopResponse> {
    const got = await sendOver(kept, hop);
    if (this.#options.signal.aborted) kept.http.close();
    else if (kept.http.isOpen) this.#keep(kept, host);
    return got;
  }

  /** The connection used last, if it is still open. */
  #takeIdle(host: Host): OpenConnection | undefined {
    const used = host.idle.pop();
    if (used === undefined) return undefined;
    this.#idle.delete(used);
    return used.http.isOpen ? used : this.#takeIdle(host);
  }

  #keep(kept: OpenConnection, host: Host): void {
    host.idle.push(kept);
    this.#idle.set(kept, host);
    const [longest] = this.#idle.keys();
    if (this.#idle.size > MOST_IDLE_CONNECTIONS) longest?.http.close();
  }

  #forget(kept: OpenConnection, host: Host): void {
    if (!this.#idle.delete(kept)) return;
    host.idle.splice(host.idle.indexOf(kept), 1);
    this.#dismiss(host);
  }

  /** Forgets a host of which there is nothing to know. */
  #dismiss({ key, turns: queue, idle }: Host): void {
    if (queue.isIdle && idle.length === 0 && queue.pace.isFresh(this.#options.clock())) this.#hosts.delete(key);
  }

  /** Asks a host that says it is too much more slowly. */
  #heed({ turns: queue }: Host, path: string, { response: { status, headers } }: HopResponse, sentAt: number): void {
    if (status !== 429 && status !== 503) return queue.pace.answered();
    const now = this.#options.clock();
    const asked = retryAfterMs(headers, Date.now());
    if (status === 503 && asked === 0 && !queue.pace.isBusy(path)) return;
    const { endsAt, patienceMs = Infinity } = this.#options;
    if (patienceMs > 0 && asked < Math.min(endsAt - now, patienceMs))
      return queue.pace.refused(now, sentAt, asked > 0 ? asked : null);
    queue.pace.refused(now, sentAt, null);
    // Not before the run is over, or later than anybody waits for it: there is nothing left to ask.
    if (status === 429 || patienceMs === 0) queue.end(new Failure('interrupted', { status, retryAfterMs: asked }));
  }

  #end(reason: Error): void {
    for (const { turns: queue } of this.#hosts.values()) queue.end(reason);
    for (const { http } of this.#idle.keys()) http.close();
    this.#hosts.clear();
  }
}
