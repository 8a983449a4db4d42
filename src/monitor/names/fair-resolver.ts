/**
 * Name resolution for many sites. `getaddrinfo` occupies one of the process's few threads until it ends, which for a name
 * whose servers are silent takes tens of seconds: a few of these would keep all others waiting.
 */
import { systemResolver, type Resolver } from '../../http/connect.ts';

/** A name whose lookup takes longer is slow, until it is resolved in time. */
const SLOW_MS = 1_000;
/** Names that are remembered as slow. */
const MOST_SLOW_NAMES = 10_000;

/**
 * Wraps a resolver so that slow names begin only while less than half of its lookups hang; the others go first.
 * Simultaneous lookups of one name are one. Nothing is cached: a name that moved is resolved again. `most`: lookups at a
 * time; `clock`: monotonic, in milliseconds.
 */
export function fairResolver(resolver: Resolver, most: number, clock: () => number): Resolver {
  /** Lookups that wait, by how each begins. */
  const quick: (() => Promise<void>)[] = [];
  const slow: typeof quick = [];
  const slowNames = new Set<string>();
  /** When each began. */
  const running = new Map<string, number>();
  const shared = new Map<string, ReturnType<Resolver>>();

  const hanging = (): number => {
    const now = clock();
    return [...running].filter(([name, beganAt]) => now - beganAt > SLOW_MS || slowNames.has(name)).length;
  };
  const startNext = (): void => {
    while (running.size < most) {
      const next = quick.shift() ?? (hanging() < most / 2 ? slow.shift() : undefined);
      if (next === undefined) return;
      void next();
    }
  };
  return (host, family) => {
    const name = `${family} ${host}`;
    const known = shared.get(name);
    if (known !== undefined) return known;
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Resolver>>>();
    const begin = async (): Promise<void> => {
      const beganAt = clock();
      running.set(name, beganAt);
      await resolver(host, family).then(resolve, reject);
      running.delete(name);
      slowNames.delete(name);
      if (clock() - beganAt > SLOW_MS) slowNames.add(name);
      const [oldest] = slowNames;
      if (slowNames.size > MOST_SLOW_NAMES && oldest !== undefined) slowNames.delete(oldest);
      startNext();
    };
    (slowNames.has(name) ? slow : quick).push(begin);
    startNext();
    const lookup = promise.finally(() => shared.delete(name));
    shared.set(name, lookup);
    return lookup;
  };
}

/** The system's resolver, shared fairly by all sites of this process. */
export function fairSystemResolver(env: NodeJS.ProcessEnv): Resolver {
  return fairResolver(systemResolver, lookupsAtOnce(env), () => performance.now());
}

/** Names that may be looked up at once: libuv gives them half of its threads, by default four. */
export function lookupsAtOnce(env: NodeJS.ProcessEnv): number {
  const threads = Number(env['UV_THREADPOOL_SIZE'] ?? '') || 4;
  return Math.max(1, Math.floor(threads / 2));
}
