import { prepare, readFacts, type RunStage } from './markdown-facts.ts';
import type { MarkdownFacts, MarkdownLimit, Prepared, Wanted } from './markdown-types.ts';
import { isOutOfHeap, startThread } from './markdown-thread.ts';
import { withinTime } from './time-limit.ts';

export { bareUrls } from './bare-urls.ts';
export type { MarkdownFacts, MarkdownLimit, Wanted } from './markdown-types.ts';

/** What bounds `parseMarkdown`. */
export interface MarkdownLimits {
  /** Longest time for the whole parse, in milliseconds. */
  readonly limitMs: number;
  /** How long of that may block this thread, in milliseconds; 100 unless told, 0 for a worker from the start. */
  readonly inlineMs?: number;
  /** Ends the parse with the limit `ended`. */
  readonly signal?: AbortSignal | undefined;
  /** Largest heap of the worker, in MiB; 48 unless told. */
  readonly memoryMb?: number;
  /** Where all of this is found, what comes after it may be missing in the facts. */
  readonly enough?: readonly Wanted[] | undefined;
}

const INLINE_MS = 100;
/** The same while another text is with a worker: several hostile texts at once must not fill this thread's heap. */
const INLINE_BESIDE_MS = 10;
const MEMORY_MB = 48;

/**
 * Parses the first 64 KiB of CommonMark with GFM's tables and bare URLs under a limit of time and memory that really interrupts it. Begins in
 * this thread; what takes longer there goes to a worker thread of its own, which is ended with the call.
 * A hostile text is a value, never a rejection; it rejects only when this machine cannot start a thread.
 */
export async function parseMarkdown(text: string, limits: MarkdownLimits): Promise<MarkdownFacts | MarkdownLimit> {
  const prepared = prepare(text);
  const inlineMs = Math.min(limits.inlineMs ?? INLINE_MS, limits.limitMs);
  if (inlineMs > 0) {
    const parsed = await parseHere(prepared, inlineMs, limits.enough);
    if (parsed !== undefined) return parsed;
  }
  const left = limits.limitMs - inlineMs;
  if (left <= 0) return { ok: false, limit: 'time' };
  apart += 1;
  try {
    return await inTurn(() => parseApart(prepared, left, limits));
  } finally {
    apart -= 1;
  }
}

/** How many texts are with a worker, or wait for one. */
let apart = 0;

let lastTurn: Promise<unknown> = Promise.resolve();

let lastEnd: Promise<unknown> = Promise.resolve();

/** One worker at a time, so that several hostile bodies cost the memory of one. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = lastTurn.then(work);
  lastTurn = turn.catch(() => {});
  return turn;
}

/** Parses in this thread; `undefined` when the time of all stages ran out. */
async function parseHere(
  prepared: Prepared,
  ms: number,
  enough: MarkdownLimits['enough'],
): Promise<MarkdownFacts | MarkdownLimit | undefined> {
  let usedMs = 0;
  const run: RunStage = (stage) => {
    const began = performance.now();
    const limited = withinTime((apart > 0 ? Math.min(ms, INLINE_BESIDE_MS) : ms) - usedMs, stage);
    usedMs += performance.now() - began;
    if (!limited.done) throw new OutOfTime();
    return limited.value;
  };
  try {
    return await readFacts(prepared, run, enough);
  } catch (error) {
    if (error instanceof OutOfTime) return undefined;
    return failed(error);
  }
}

class OutOfTime extends Error {}

/** Parses in a worker thread that is ended after `ms` milliseconds. */
async function parseApart(
  prepared: Prepared,
  ms: number,
  { signal, memoryMb = MEMORY_MB }: MarkdownLimits,
): Promise<MarkdownFacts | MarkdownLimit> {
  await lastEnd;
  if (signal?.aborted === true) return { ok: false, limit: 'ended' };
  const worker = startThread(prepared, memoryMb);
  const { promise, resolve, reject } = Promise.withResolvers<MarkdownFacts | MarkdownLimit>();
  const stop = (): void => resolve({ ok: false, limit: 'ended' });
  const timer = setTimeout(() => resolve({ ok: false, limit: 'time' }), ms);
  signal?.addEventListener('abort', stop);
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('The Markdown worker ended without an answer')));
  try {
    return await promise;
  } catch (error) {
    return failed(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    // On a busy machine the thread takes long to end: only the next one waits for it.
    lastEnd = worker.terminate();
  }
}

/** Running out of heap or stack is a limit; anything else is a fault of ours and passes on. */
function failed(error: unknown): MarkdownLimit {
  if (isOutOfHeap(error) || error instanceof RangeError) return { ok: false, limit: 'memory' };
  throw error;
}
