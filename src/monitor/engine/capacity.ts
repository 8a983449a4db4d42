/** How much goes on at once, by what this process is given. */
import { readFile } from 'node:fs/promises';

/** Rounds at once where there are descriptors for more, half of them for slow sites. */
const MOST_AT_ONCE = 512;
/** Descriptors of a round: a connection for each of the five, what they lead to, and those that are being closed. */
const PER_ROUND = 8;
/** Descriptors that everything else takes: the database, the server's clients, alerts, Node itself. */
const RESERVED = 128;
/** What every system allows, where this one does not say. */
const USUAL_LIMIT = 1_024;

/** How many rounds may go on at once, by how many descriptors this process may have. */
export async function roundsAtOnce(): Promise<number> {
  return roundsFor(await descriptorLimit());
}

/** The same for a number of descriptors; at least one. */
export function roundsFor(descriptors: number): number {
  return Math.max(1, Math.min(MOST_AT_ONCE, Math.floor((descriptors - RESERVED) / PER_ROUND)));
}

async function descriptorLimit(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, soft = ''] = /^Max open files\s+(\d+|unlimited)/m.exec(limits) ?? [];
  if (soft === 'unlimited') return Infinity;
  return soft === '' ? USUAL_LIMIT : Number(soft);
}

/** Threads that Node has for names, files and the like, unless `UV_THREADPOOL_SIZE` says otherwise. */
const USUAL_THREADS = 4;

/** Names that may be looked up at once: libuv lets them have half of the threads. */
export function lookupsAtOnce(env: NodeJS.ProcessEnv): number {
  const threads = Number(env['UV_THREADPOOL_SIZE'] ?? '') || USUAL_THREADS;
  return Math.max(1, Math.floor(threads / 2));
}
