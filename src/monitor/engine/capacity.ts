/** How much goes on at once, by what this process is given. */
import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';

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
