/** How many runs, and lookups of names, this process does at once. */
import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { systemResolver, type Resolver } from '../../http/connect.ts';
import type { Scope } from '../incident/incident.ts';

/** What waits for a slot: a failure that is being confirmed first, a site that was slow last time last. */
export type Urgency = 'urgent' | 'usual' | 'slow';

export interface Slot {
  /** It takes long: it continues in a slot for slow ones, if one is free, and leaves its own to others. */
  slowDown(): void;
  /** Idempotent. */
  release(): void;
}

type Kind = 'quick' | 'slow';

/** So many quick ones keep a processor busy, whatever they wait for. */
const ENOUGH_TO_DO = 64;

export type Slots = ReturnType<typeof createSlots>;

/**
 * Slots, half of them for what is quick, half for what is slow. However many sites are silent, and for however long, the
 * others begin when they are due. More at once than this process can handle would only wait for each other: their
 * response times would be those of this process.
 *
 * `most`: of both kinds together; at least one of each. `isBusy`: whether this process has as much to do as it can.
 */
export function createSlots(most: number, isBusy: () => boolean = () => false) {
  const mostOfAKind = Math.max(1, Math.floor(most / 2));
  const taken: Record<Kind, number> = { quick: 0, slow: 0 };
  const queues = { urgent: new Set<() => void>(), usual: new Set<() => void>(), slow: new Set<() => void>() };

  const isFree = (kind: Kind): boolean =>
    taken[kind] < mostOfAKind && (kind === 'slow' || taken.quick < ENOUGH_TO_DO || !isBusy());
  const beginIn = (kind: Kind, ...waiting: readonly ReadonlySet<() => void>[]): void => {
    while (isFree(kind)) {
      const [next] = waiting.find(({ size }) => size > 0) ?? [];
      if (next === undefined) return;
      next();
    }
  };
  const beginMore = (): void => {
    beginIn('quick', queues.urgent, queues.usual);
    beginIn('slow', queues.slow);
  };
  const slotOf = (first: Kind): Slot => {
    let kind: Kind | null = first;
    const move = (to: Kind | null): void => {
      if (kind !== null) taken[kind] -= 1;
      kind = to;
      if (kind !== null) taken[kind] += 1;
    };
    taken[first] += 1;
    return {
      slowDown: () => {
        if (kind !== 'quick' || taken.slow >= mostOfAKind) return;
        move('slow');
        beginMore();
      },
      release: () => {
        if (kind === null) return;
        move(null);
        beginMore();
      },
    };
  };
  return {
    taken: (): number => taken.quick + taken.slow,
    /** Resolves with a slot, once one is free; with `null` when `signal` is aborted before. */
    take(urgency: Urgency, signal: AbortSignal): Promise<Slot | null> {
      const { promise, resolve } = Promise.withResolvers<Slot | null>();
      const kind = urgency === 'slow' ? 'slow' : 'quick';
      const leave = (): void => {
        queues[urgency].delete(begin);
        signal.removeEventListener('abort', leave);
        resolve(null);
      };
      const begin = (): void => {
        resolve(slotOf(kind));
        leave();
      };
      if (signal.aborted) leave();
      else if (isFree(kind)) begin();
      else {
        signal.addEventListener('abort', leave);
        queues[urgency].add(begin);
      }
      return promise;
    },
  };
}

/* Limits, by what this process has. */

/** Runs at once where there are descriptors for more. */
const MOST_CONCURRENT = 512;
/** Descriptors of a run: a connection for each of the core checks, for redirects, and those that are being closed. */
const PER_RUN = 8;
/** Descriptors of everything else: the database, the server's clients, alerts, Node itself. */
const RESERVED = 128;
const USUAL_LIMIT = 1_024;

/** How many runs may be in progress at once, by how many descriptors this process may have. */
export async function runsAtOnce(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, soft = String(USUAL_LIMIT)] = /^Max open files\s+(\d+|unlimited)/m.exec(limits) ?? [];
  return runsFor(soft === 'unlimited' ? Infinity : Number(soft));
}

export function runsFor(descriptors: number): number {
  return Math.max(1, Math.min(MOST_CONCURRENT, Math.floor((descriptors - RESERVED) / PER_RUN)));
}

/** Full checks at once over all sites, where there is memory for them. */
const MOST_FULL_CHECKS = 6;
const MIB = 1024 * 1024;
/** What one takes at most of a hostile site, in bytes. */
const PER_FULL_CHECK = 192 * MIB;
/** What everything else takes. */
const RESERVED_MEMORY = 128 * MIB;

/** How many full checks may run at once in so many bytes; at least two. */
export function fullChecksFor(memory: number): number {
  return Math.max(2, Math.min(MOST_FULL_CHECKS, Math.floor((memory - RESERVED_MEMORY) / PER_FULL_CHECK)));
}

/** The slots of runs that this process does itself, `most` of them at once, in the memory of the machine or the container. */
export function localSlots(most: number): Readonly<Record<Scope, Slots>> {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return {
    core: createSlots(most, createLoadMeter()),
    full: createSlots(Math.min(fullChecksFor(memory), most)),
    // A browser takes as much memory as all the rest.
    browser: createSlots(1),
  };
}

/** Over how long the load is measured, in ms: a single long task says nothing. */
const SPAN_MS = 100;
/** The share of that time in which a busy process works. */
const BUSY = 0.9;

/** Makes a function that returns whether this process has as much to do as it can. */
export function createLoadMeter(): () => boolean {
  let before = performance.eventLoopUtilization();
  let isBusy = false;
  return () => {
    const { active, idle, utilization } = performance.eventLoopUtilization(before);
    if (active + idle >= SPAN_MS) {
      isBusy = utilization > BUSY;
      before = performance.eventLoopUtilization();
    }
    return isBusy;
  };
}

/*
 * Names. `getaddrinfo` occupies one of the process's few threads until it ends, which for a name whose servers are silent
 * takes tens of seconds: a few of these would keep all others waiting.
 */

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
