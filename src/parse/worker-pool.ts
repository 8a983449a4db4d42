/** Reads texts in a thread beside this one, so that reading and the network overlap and a hostile text can be ended. */
import type { Worker } from 'node:worker_threads';
import type { Options, ReaderName, Result } from './readers.ts';
import type { ReadInWorker, ReadLimit, ReadLimits } from './untrusted.ts';
import type { Job, WorkerAnswer } from './worker.ts';

/** The limits are those of each text. */
export type WorkerPoolOptions = Pick<ReadLimits, 'limitMs' | 'signal' | 'memoryMb'>;

const ENDED = { ok: false, limit: 'ended' } as const;

/** The thread starts at once, and again for the next text after one that ended it. Idle, it keeps no process alive. */
export function createWorkerPool(options: WorkerPoolOptions) {
  const { limitMs, signal } = options;
  /** In order. All are in the thread, which works on the first. */
  const jobs: Waiting[] = [];
  /** Readers that the thread has loaded. */
  const loaded = new Set<ReaderName>();
  let thread: Worker | undefined;
  let isEnded = false;
  /** Resolves when no thread of this pool runs any more: until then its memory is in use. */
  let stopped: Promise<unknown> = Promise.resolve();
  const timer = patientTimer(limitMs, () => lose({ ok: false, limit: 'time' }));

  const stop = (): Promise<unknown> => {
    timer.stop();
    stopped = Promise.all([stopped, thread?.terminate()]);
    thread = undefined;
    loaded.clear();
    return stopped;
  };
  const start = (): void => {
    try {
      const worker = startThread(options);
      // What a stopped thread still sends is about texts that another one has received.
      worker.on('message', (answer: WorkerAnswer) => worker === thread && answered(answer));
      worker.on('error', (error: NodeJS.ErrnoException) => worker === thread && fail(error));
      worker.on('exit', () => worker === thread && fail(new Error('The worker ended without an answer')));
      for (const { job } of jobs) send(worker, job);
      thread = worker;
      keepAlive();
    } catch (error) {
      fail(error as Error);
    }
  };
  const keepAlive = (): void => thread?.[jobs.length === 0 ? 'unref' : 'ref']();
  /** Of the text that the thread works on, once its reader is loaded. */
  const limitTime = (): void => {
    timer.stop();
    const [first] = jobs;
    if (first !== undefined && loaded.has(first.job.name)) timer.start();
  };
  const answered = (answer: WorkerAnswer): void => {
    const [first] = jobs;
    if (answer === 'begun') {
      if (first !== undefined) loaded.add(first.job.name);
      return limitTime();
    }
    jobs.shift();
    if ('error' in answer) first?.reject(new Error(answer.error));
    else first?.resolve(answer);
    limitTime();
    if (jobs.length === 0) keepAlive();
  };
  const fail = (error: NodeJS.ErrnoException): void => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return lose({ ok: false, limit: 'memory' });
    jobs[0]?.reject(error);
    lose({ ok: false, limit: 'ended' });
  };
  /** Replaces the thread, which the first text has cost. */
  const lose = (limit: ReadLimit): void => {
    jobs.shift()?.resolve(limit);
    void stop();
    if (jobs.length > 0) start();
  };
  const close = async (): Promise<void> => {
    isEnded = true;
    signal?.removeEventListener('abort', onAbort);
    for (const { resolve } of jobs.splice(0)) resolve(ENDED);
    await stop();
  };
  const onAbort = (): void => void close();
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted === true) onAbort();
  else start();
  /** A text that takes too much time or memory gives a limit. Rejects only when this machine cannot start a thread. */
  const read: ReadInWorker = <Name extends ReaderName>(name: Name, text: string, how: Options<Name>) => {
    if (isEnded) return Promise.resolve(ENDED);
    const waiting: Waiting = { job: { name, text, options: how }, ...Promise.withResolvers() };
    jobs.push(waiting);
    if (thread === undefined) start();
    else send(thread, waiting.job);
    if (jobs.length === 1) {
      keepAlive();
      limitTime();
    }
    return waiting.promise;
  };
  return { close, read };
}

/** The answer may have arrived already when the time is over, if this thread was too busy to take it. */
function patientTimer(ms: number, onEnd: () => void) {
  let timer: NodeJS.Timeout | undefined;
  return {
    start(): void {
      const own = setTimeout(() => setImmediate(() => setImmediate(() => timer === own && onEnd())), ms);
      timer = own;
    },
    stop(): void {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

interface Waiting extends PromiseWithResolvers<Result<ReaderName> | ReadLimit> {
  readonly job: Job;
}

function send(worker: Worker, job: Job): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage(job);
}

const MEMORY_MB = 256;

/** Throws when this machine cannot start a thread. */
function startThread({ memoryMb = MEMORY_MB }: WorkerPoolOptions): Worker {
  // Most runs start none.
  const threads = process.getBuiltinModule('node:worker_threads');
  return new threads.Worker(workerUrl(), {
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
  return new URL(`./worker.${extension}`, import.meta.url);
}
