/** Reads what a site sends under limits of time and memory that really interrupt it. */
import { READERS, type Options, type ReaderName, type Result } from './readers.ts';
import { withinTime } from './time-limit.ts';

/** Reading took more time or memory than allowed; `ended`: the caller no longer waits, and nothing is known. */
export interface ReadLimit {
  readonly ok: false;
  readonly limit: 'time' | 'memory' | 'ended';
}

export interface ReadLimits {
  /** In milliseconds. */
  readonly limitMs: number;
  /** How long of that may block this thread, in milliseconds; 0 for a worker from the start. */
  readonly inlineMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Of the worker's heap. */
  readonly memoryMb?: number;
  /** The worker of the run; otherwise one is started, and ends with the text. */
  readonly read?: ReadInWorker | undefined;
}

export type ReadInWorker = <Name extends ReaderName>(
  name: Name,
  text: string,
  options: Options<Name>,
) => Promise<Result<Name> | ReadLimit>;

const INLINE_MS = 100;
/** Runs one of whose texts was too slow for this thread, which was left with 20 MiB of garbage: their others may be, too. */
const slowRuns = new WeakSet<AbortSignal>();
const MEMORY_MB = 48;
/** More of a text is read in a worker from the start. In UTF-16 code units. */
export const LONGEST_HERE = 64 * 1024;

/**
 * Reads a short text in this thread: an empty worker costs 25 to 40 ms and 21 MiB. What is longer, or takes longer than a
 * moment, goes to a worker. Rejects only where this machine cannot start one.
 */
export async function readUntrusted<Name extends ReaderName>(
  name: Name,
  text: string,
  options: Options<Name>,
  limits: ReadLimits,
): Promise<Result<Name> | ReadLimit> {
  const { limitMs, inlineMs = INLINE_MS, signal, read } = limits;
  const isShort = text.length <= LONGEST_HERE;
  const reader = isShort && inlineMs > 0 ? await READERS[name]() : null;
  let left = limitMs;
  if (reader !== null && (signal === undefined || !slowRuns.has(signal))) {
    const here = Math.min(inlineMs, limitMs);
    try {
      const done = withinTime(here, () => reader(text, options));
      if (done.done) return done.value;
    } catch (error) {
      // Out of stack.
      if (error instanceof RangeError) return { ok: false, limit: 'memory' };
      throw error;
    }
    if (signal !== undefined) slowRuns.add(signal);
    left -= here;
  }
  if (left <= 0) return { ok: false, limit: 'time' };
  if (read !== undefined) return read(name, text, options);
  return readInTurn(name, text, options, { ...limits, limitMs: left });
}

/** Reads in a worker of its own, after the texts before it. */
function readInTurn<Name extends ReaderName>(
  name: Name,
  text: string,
  options: Options<Name>,
  { limitMs, signal, memoryMb = MEMORY_MB }: ReadLimits,
): Promise<Result<Name> | ReadLimit> {
  const inWorker = async (ms: number): Promise<Result<Name> | ReadLimit> => {
    const { createWorkerPool } = await import('./worker-pool.ts');
    const pool = createWorkerPool({ limitMs: ms, signal, memoryMb });
    try {
      return await pool.read(name, text, options);
    } finally {
      await pool.close();
    }
  };
  return queueOf(signal)(signal, async () => {
    const first = await quickQueue(signal, () => inWorker(Math.min(limitMs, QUICK_MS)));
    if (first.ok || first.limit !== 'time' || limitMs <= QUICK_MS) return first;
    return slowQueue(signal, () => inWorker(limitMs));
  });
}

/**
 * What takes longer is read again from the beginning, with the slow texts of other runs. An ordinary long text takes a tenth of
 * that, so that it never waits for them.
 */
const QUICK_MS = 500;

/** Reads one text at a time. */
type Queue = ReturnType<typeof createQueue>;

/* Shared by all runs: hostile texts cost the memory of two. */
const quickQueue = createQueue();
const slowQueue = createQueue();
/** One for each run: its hostile texts cost the memory of one. */
const ofRuns = new WeakMap<AbortSignal, Queue>();
const ofOthers = createQueue();

function queueOf(signal: AbortSignal | undefined): Queue {
  if (signal === undefined) return ofOthers;
  const queue = ofRuns.get(signal) ?? createQueue();
  ofRuns.set(signal, queue);
  return queue;
}

function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return async <T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T | ReadLimit> => {
    const result = last.then(work);
    last = result.catch(() => {});
    // The texts before it may be those of other runs, which end later.
    const { promise: ended, resolve } = Promise.withResolvers<ReadLimit>();
    const end = (): void => resolve({ ok: false, limit: 'ended' });
    signal?.addEventListener('abort', end);
    if (signal?.aborted === true) end();
    return Promise.race([result, ended]).finally(() => signal?.removeEventListener('abort', end));
  };
}
