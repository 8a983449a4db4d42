/** Reads Markdown in a thread beside this one, so that parsing and the network overlap and a hostile text can be ended. */
import type { Worker } from 'node:worker_threads';
import type { WorkerAnswer, WorkerInput } from './markdown-worker.ts';
import type { MarkdownFacts, MarkdownLimit, MarkdownLimits, MarkdownOutline } from './markdown.ts';

/** The limits are those of each text. */
export type MarkdownPoolOptions = Omit<MarkdownLimits, 'inlineMs'> & Partial<WorkerInput>;

const ENDED = { ok: false, limit: 'ended' } as const;

/** The thread starts at once, and again for the next text after one that ended it. Idle, it keeps no process alive. */
export function createMarkdownPool<T extends MarkdownFacts | MarkdownOutline = MarkdownFacts>(
  options: MarkdownPoolOptions,
) {
  const { limitMs, signal } = options;
  /** In order. All are in the thread, which works on the first. */
  const jobs: Job<T>[] = [];
  let thread: Worker | undefined;
  let isReady = false;
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;

  const stop = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const stopped = thread;
    thread = undefined;
    isReady = false;
    await stopped?.terminate();
  };
  const start = (): void => {
    try {
      const worker = startThread(options);
      // What a stopped thread still sends is about texts that another one has received.
      worker.on('message', (answer: WorkerAnswer) => worker === thread && answered(answer));
      worker.on('error', (error: NodeJS.ErrnoException) => worker === thread && fail(error));
      worker.on('exit', () => worker === thread && fail(new Error('The Markdown worker ended without an answer')));
      for (const { text } of jobs) send(worker, text);
      thread = worker;
    } catch (error) {
      fail(error as Error);
    }
  };
  const limitTime = (): void => {
    clearTimeout(timer);
    thread?.[jobs.length === 0 ? 'unref' : 'ref']();
    if (jobs.length === 0) return;
    const own = setTimeout(() => {
      // The answer may have arrived already, if this thread was too busy to take it.
      setImmediate(() => setImmediate(() => timer === own && lose({ ok: false, limit: 'time' })));
    }, limitMs);
    timer = own;
  };
  const answered = (answer: WorkerAnswer): void => {
    isReady = true;
    if (answer !== 'ready') {
      const job = jobs.shift();
      if ('error' in answer) job?.reject(new Error(answer.error));
      else job?.resolve(answer as T | MarkdownLimit);
    }
    limitTime();
  };
  const fail = (error: NodeJS.ErrnoException): void => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return lose({ ok: false, limit: 'memory' });
    jobs[0]?.reject(error);
    lose({ ok: false, limit: 'ended' });
  };
  /** Replaces the thread, which the first text has cost. */
  const lose = (limit: MarkdownLimit): void => {
    jobs.shift()?.resolve(limit);
    void stop();
    if (jobs.length > 0) start();
  };
  const close = (): Promise<void> => {
    isEnded = true;
    signal?.removeEventListener('abort', onAbort);
    for (const { resolve } of jobs.splice(0)) resolve(ENDED);
    return stop();
  };
  const onAbort = (): void => void close();
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted === true) onAbort();
  else start();
  return {
    close,
    /** A text that takes too much time or memory gives a limit. Rejects only when this machine cannot start a thread. */
    parse: (text: string): Promise<T | MarkdownLimit> => {
      if (isEnded) return Promise.resolve(ENDED);
      const job: Job<T> = { text, ...Promise.withResolvers() };
      jobs.push(job);
      if (thread === undefined) start();
      else send(thread, text);
      if (isReady && jobs.length === 1) limitTime();
      return job.promise;
    },
  };
}

interface Job<T> extends PromiseWithResolvers<T | MarkdownLimit> {
  readonly text: string;
}

function send(worker: Worker, text: string): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage(text);
}

const MEMORY_MB = 256;

/** Throws when this machine cannot start a thread. */
function startThread(options: MarkdownPoolOptions): Worker {
  const { wanted = null, longest = Infinity, most = Infinity, memoryMb = MEMORY_MB } = options;
  // Most runs start none.
  const threads = process.getBuiltinModule('node:worker_threads');
  return new threads.Worker(workerUrl(), {
    workerData: { wanted, longest, most } satisfies WorkerInput,
    // Of young objects Node would let 192 MiB pile up. More than 16 makes parsing no faster, and two large texts fill it.
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: memoryMb / 16 },
    // Nothing of this process may reach the worker (loaders, NODE_OPTIONS) and nothing it prints may come out.
    execArgv: [],
    env: {},
    stdout: true,
    stderr: true,
  });
}

/** Set by the build in a bundle that has no files beside it: a thread is started from the bundle itself. */
declare const DOCVITALS_ONE_FILE: boolean | undefined;

/** Beside this file: `.ts` in the sources (Node strips the types), `.js` in the library and in the bundle. */
function workerUrl(): URL {
  if (typeof DOCVITALS_ONE_FILE === 'boolean') return new URL(import.meta.url);
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./markdown-worker.${extension}`, import.meta.url);
}
