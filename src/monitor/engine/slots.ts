import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { performance } from 'node:perf_hooks';

/** How many runs go on at once. */

/** Who waits for a place: a failure that is being confirmed first, a site that was slow last time last. */
export type Urgency = 'urgent' | 'usual' | 'slow';

/** A place that was taken. */
export interface Slot {
  /** It takes long: goes on among the slow ones, if there is room, and leaves its place to others. */
  slowDown(): void;
  /** Gives it back. Idempotent. */
  release(): void;
}

type Kind = 'quick' | 'slow';

/** So many quick ones keep a processor at work, whatever they wait for. */
const ENOUGH_TO_DO = 64;

/**
 * Places for what goes on at the same time, half of them for what is quick, half for what is slow. However many sites
 * are silent, and for however long, the others begin when they are due.
 *
 * More at once than this process can see to would only wait for each other: their times would be ours, not the sites'.
 */
export class Slots {
  readonly #most: number;
  readonly #isBusy: () => boolean;
  readonly #queues: Readonly<Record<Urgency, Set<() => void>>> = {
    urgent: new Set(),
    usual: new Set(),
    slow: new Set(),
  };
  readonly #taken: Record<Kind, number> = { quick: 0, slow: 0 };

  /** `most`: of both kinds together; at least one of each. `isBusy`: this process has as much to do as it can. */
  constructor(most: number, isBusy: () => boolean = () => false) {
    this.#most = Math.max(1, Math.floor(most / 2));
    this.#isBusy = isBusy;
  }

  /** How many go on. */
  get taken(): number {
    return this.#taken.quick + this.#taken.slow;
  }

  /** Resolves with a place, once there is one; with `null` when `signal` is aborted before. */
  take(urgency: Urgency, signal: AbortSignal): Promise<Slot | null> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(null);
      const kind = urgency === 'slow' ? 'slow' : 'quick';
      // No one waits while a slot is free.
      if (this.#hasSlot(kind)) return resolve(this.#slot(kind));
      const queue = this.#queues[urgency];
      const begin = (): void => {
        queue.delete(begin);
        signal.removeEventListener('abort', leave);
        resolve(this.#slot(kind));
      };
      const leave = (): void => {
        queue.delete(begin);
        resolve(null);
      };
      signal.addEventListener('abort', leave, { once: true });
      queue.add(begin);
    });
  }

  #hasSlot(kind: Kind): boolean {
    const taken = this.#taken[kind];
    return taken < this.#most && (kind === 'slow' || taken < ENOUGH_TO_DO || !this.#isBusy());
  }

  #slot(first: Kind): Slot {
    let kind: Kind | null = first;
    this.#taken[first] += 1;
    return {
      slowDown: () => {
        if (kind !== 'quick' || this.#taken.slow >= this.#most) return;
        kind = 'slow';
        this.#taken.quick -= 1;
        this.#taken.slow += 1;
        this.#goOn();
      },
      release: () => {
        if (kind === null) return;
        this.#taken[kind] -= 1;
        kind = null;
        this.#goOn();
      },
    };
  }

  /** Lets as many begin as there are places for. */
  #goOn(): void {
    const { urgent, usual, slow } = this.#queues;
    while (this.#hasSlot('quick')) {
      const next = firstOf(urgent) ?? firstOf(usual);
      if (next === undefined) break;
      next();
    }
    while (this.#hasSlot('slow')) {
      const next = firstOf(slow);
      if (next === undefined) break;
      next();
    }
  }
}

function firstOf<T>(queue: ReadonlySet<T>): T | undefined {
  const [first] = queue;
  return first;
}

/* How much goes on at once, by what this process is given. */

/** Runs at once where there are descriptors for more, half of them for slow sites. */
const MOST_CONCURRENT = 512;
/** Descriptors of a run: a connection for each of the core checks, what they lead to, and those that are being closed. */
const PER_RUN = 8;
/** Descriptors that everything else takes: the database, the server's clients, alerts, Node itself. */
const RESERVED = 128;
/** What every system allows, where this one does not say. */
const USUAL_LIMIT = 1_024;

/** How many runs may go on at once, by how many descriptors this process may have. */
export async function runsAtOnce(): Promise<number> {
  return runsFor(await descriptorLimit());
}

/** The same for a number of descriptors; at least one. */
export function runsFor(descriptors: number): number {
  return Math.max(1, Math.min(MOST_CONCURRENT, Math.floor((descriptors - RESERVED) / PER_RUN)));
}

async function descriptorLimit(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, soft = ''] = /^Max open files\s+(\d+|unlimited)/m.exec(limits) ?? [];
  if (soft === 'unlimited') return Infinity;
  return soft === '' ? USUAL_LIMIT : Number(soft);
}

/** Full checks at once over all sites, where there is memory for them. */
const MOST_FULL_CHECKS = 6;
const MIB = 1024 * 1024;
/** What one takes at most of a hostile site, in bytes. */
const PER_FULL_CHECK = 192 * MIB;
/** What everything else takes. */
const RESERVED_MEMORY = 128 * MIB;

/** How many full checks may run at once in this process, by the memory that the machine or the container has; at least two. */
export function fullChecksAtOnce(): number {
  const limit = process.constrainedMemory();
  return fullChecksFor(Math.min(totalmem(), limit > 0 ? limit : Infinity));
}

/** The same for a number of bytes. */
export function fullChecksFor(memory: number): number {
  return Math.max(2, Math.min(MOST_FULL_CHECKS, Math.floor((memory - RESERVED_MEMORY) / PER_FULL_CHECK)));
}

/** Threads that Node has for names, files and the like, unless `UV_THREADPOOL_SIZE` says otherwise. */
const USUAL_THREADS = 4;

/** Names that may be looked up at once: libuv lets them have half of the threads. */
export function lookupsAtOnce(env: NodeJS.ProcessEnv): number {
  const threads = Number(env['UV_THREADPOOL_SIZE'] ?? '') || USUAL_THREADS;
  return Math.max(1, Math.floor(threads / 2));
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
