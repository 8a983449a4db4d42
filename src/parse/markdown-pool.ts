/** Reads Markdown in a thread beside this one, so that parsing and the network overlap and a hostile text can be ended. */
import { once } from 'node:events';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { WorkerInput } from './markdown-worker.ts';
import type { MarkdownFacts, MarkdownLimit, MarkdownOutline } from './markdown.ts';

export interface MarkdownPoolOptions extends Partial<WorkerInput> {
  /** Longest time for one text, in milliseconds. */
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Of the thread's heap. */
  readonly memoryMb?: number;
}

export interface MarkdownPool<T = MarkdownFacts> {
  /** A text that takes too much time or memory gives a limit. Rejects only when this machine cannot start a thread. */
  readonly parse: (text: string) => Promise<T | MarkdownLimit>;
  readonly close: () => Promise<void>;
}

const ENDED = { ok: false, limit: 'ended' } as const;

/** The thread is started by the first text, and again after one that ended it. Idle, it keeps no process alive. */
export function createMarkdownPool<T extends MarkdownFacts | MarkdownOutline = MarkdownFacts>(
  options: MarkdownPoolOptions,
): MarkdownPool<T> {
  const { limitMs, signal } = options;
  const closing = new AbortController();
  const end = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]);
  let thread: ReturnType<typeof startThread> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const stop = async (): Promise<void> => {
    const stopped = thread;
    thread = undefined;
    await stopped?.worker.terminate();
  };
  end.addEventListener('abort', () => void stop(), { once: true });
  const read = async (text: string): Promise<T | MarkdownLimit> => {
    const done = new AbortController();
    try {
      end.throwIfAborted();
      thread ??= startThread(options);
      const { worker, ready } = thread;
      worker.ref();
      const ended = once(end, 'abort', { signal: done.signal }).then(() => ENDED);
      if ((await Promise.race([ready, ended])) === ENDED) return ENDED;
      send(worker, text);
      const answered = once(worker, 'message', { signal: done.signal }).then(([answer]) => answer as T | MarkdownLimit);
      const parsed = await Promise.race([answered, ended, timeUp(limitMs, done.signal)]);
      if (parsed.ok) worker.unref();
      else void stop();
      return parsed;
    } catch (error) {
      void stop();
      if (end.aborted) return ENDED;
      if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') return { ok: false, limit: 'memory' };
      throw error;
    } finally {
      done.abort();
    }
  };
  return {
    close: async () => {
      const stopped = stop();
      closing.abort();
      await stopped;
    },
    parse(text) {
      const parsed = last.then(() => read(text));
      last = parsed.catch(() => {});
      return parsed;
    },
  };
}

async function timeUp(limitMs: number, signal: AbortSignal): Promise<MarkdownLimit> {
  await sleep(limitMs, undefined, { signal });
  // The answer may have arrived already, if this thread was too busy to take it.
  await immediate();
  await immediate();
  return { ok: false, limit: 'time' };
}

function send(worker: Worker, text: string): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage(text);
}

const MEMORY_MB = 256;

/** Throws when this machine cannot start a thread. */
function startThread(options: MarkdownPoolOptions) {
  const { wanted = null, longest = Infinity, most = Infinity, memoryMb = MEMORY_MB } = options;
  // Most runs start none.
  const threads = process.getBuiltinModule('node:worker_threads');
  const worker = new threads.Worker(workerUrl(), {
    workerData: { wanted, longest, most } satisfies WorkerInput,
    // Of young objects Node would let 192 MiB pile up, which makes parsing no faster.
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: memoryMb / 4 },
    // Nothing of this process may reach the worker (loaders, NODE_OPTIONS) and nothing it prints may come out.
    execArgv: [],
    env: {},
    stdout: true,
    stderr: true,
  });
  // Nobody waits for one that was stopped, which may still run out of memory.
  worker.on('error', () => {});
  return { worker, ready: once(worker, 'message') };
}

/** Set by the build in a bundle that has no files beside it: a thread is started from the bundle itself. */
declare const DOCVITALS_ONE_FILE: boolean | undefined;

/** Beside this file: `.ts` in the sources (Node strips the types), `.js` in the library and in the bundle. */
function workerUrl(): URL {
  if (typeof DOCVITALS_ONE_FILE === 'boolean') return new URL(import.meta.url);
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./markdown-worker.${extension}`, import.meta.url);
}
