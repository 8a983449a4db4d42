/**
 * Name resolution for many sites. `getaddrinfo` takes one of the process's few threads until it ends, and for a name
 * whose servers are silent that is tens of seconds: without care some silent names keep all others waiting.
 */
import type { Resolver } from '../../http/connect.ts';

export interface FairResolverOptions {
  readonly resolver: Resolver;
  /** Lookups at a time. */
  readonly most: number;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
}

/** A lookup that takes longer is one of a slow name, which it stays until it is found in time. */
const SLOW_MS = 1_000;
/** Names that are remembered as slow. */
const MOST_SLOW_NAMES = 10_000;

/** A lookup that waits for its turn, or goes on. */
interface Lookup {
  readonly name: string;
  readonly run: () => Promise<unknown>;
  beganAt: number;
}

/** Node's threads where nothing else is said; `getaddrinfo` may take half of them at a time. */
const DEFAULT_THREADS = 4;

/** How many names can be looked up at a time: half of the threads that `UV_THREADPOOL_SIZE` gives the process. */
export function mostLookups({
  UV_THREADPOOL_SIZE: threads = '',
}: Readonly<Record<string, string | undefined>>): number {
  const size = /^[1-9]\d{0,3}$/.test(threads) ? Number(threads) : DEFAULT_THREADS;
  return Math.ceil(size / 2);
}

/**
 * Wraps a resolver so that names which were slow last time begin only while less than half of its lookups hang; the
 * others go first. Lookups of the same name at the same time are one. Nothing is cached: a name that moved is found at
 * once.
 */
export function fairResolver({ resolver, most, clock }: FairResolverOptions): Resolver {
  const queues = new LookupQueue(most, clock);
  const shared = new Map<string, ReturnType<Resolver>>();
  return (host, family) => {
    const name = `${family} ${host}`;
    const known = shared.get(name);
    if (known !== undefined) return known;
    const lookup = queues.take(name, () => resolver(host, family)).finally(() => shared.delete(name));
    shared.set(name, lookup);
    return lookup;
  };
}

class LookupQueue {
  readonly #most: number;
  readonly #clock: () => number;
  readonly #slowNames = new Set<string>();
  readonly #quick: Lookup[] = [];
  readonly #slow: Lookup[] = [];
  readonly #going = new Set<Lookup>();

  constructor(most: number, clock: () => number) {
    this.#most = most;
    this.#clock = clock;
  }

  /** Runs a lookup when it is its turn. */
  take<T>(name: string, run: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const queue = this.#slowNames.has(name) ? this.#slow : this.#quick;
    queue.push({ name, beganAt: 0, run: () => run().then(resolve, reject) });
    this.#startNext();
    return promise;
  }

  #startNext(): void {
    while (this.#going.size < this.#most) {
      const next = this.#quick.shift() ?? (this.#hanging() < this.#most / 2 ? this.#slow.shift() : undefined);
      if (next === undefined) return;
      void this.#start(next);
    }
  }

  async #start(lookup: Lookup): Promise<void> {
    lookup.beganAt = this.#clock();
    this.#going.add(lookup);
    await lookup.run();
    this.#going.delete(lookup);
    this.#note(lookup);
    this.#startNext();
  }

  /** Lookups that will perhaps not end soon. */
  #hanging(): number {
    const now = this.#clock();
    return [...this.#going].filter(({ name, beganAt }) => now - beganAt > SLOW_MS || this.#slowNames.has(name)).length;
  }

  #note({ name, beganAt }: Lookup): void {
    this.#slowNames.delete(name);
    if (this.#clock() - beganAt > SLOW_MS) this.#slowNames.add(name);
    const [oldest] = this.#slowNames;
    if (this.#slowNames.size > MOST_SLOW_NAMES && oldest !== undefined) this.#slowNames.delete(oldest);
  }
}
