/** Reads Markdown in a thread beside this one, so that parsing and the network overlap and a hostile text can be ended. */
import type { Worker } from 'node:worker_threads';
import type { WorkerAnswer, WorkerInput } from './markdown-worker.ts';
import type { MarkdownFacts, MarkdownLimit, MarkdownOutline } from './markdown.ts';

export interface MarkdownPoolOptions extends Partial<WorkerInput> {
  /** Longest time for one text, in milliseconds. */
  readonly limitMs: number;
  /** Ends the pool. */
  readonly signal?: AbortSignal | undefined;
  /** Largest heap of the thread, in MiB. */
  readonly memoryMb?: number;
}

/** Reads texts in a thread, one after another. The thread does not keep the process alive when it is idle. */
export interface MarkdownPool<T = MarkdownFacts> {
  /**
   * A text that takes too much time or memory costs the thread, and gives a limit for itself only; after the end of the
   * pool every text gives `ended`. Rejects only when this machine cannot start a thread.
   */
  readonly parse: (text: string) => Promise<T | MarkdownLimit>;
  /** Ends the thread; what is not parsed yet gives `ended`. */
  readonly close: () => Promise<void>;
}

/**
 * A pool of one thread: this one has the network to do, and what serves the site may run on the same machine. The thread
 * is started by the first text, and again after one that it did not survive.
 */
export function createMarkdownPool<T extends MarkdownFacts | MarkdownOutline = MarkdownFacts>(
  options: MarkdownPoolOptions,
): MarkdownPool<T> {
  const pool = new Pool<T>(options);
  const { signal } = options;
  const end = (): void => void pool.close();
  if (signal?.aborted === true) end();
  else signal?.addEventListener('abort', end, { once: true });
  return {
    parse: (text) => pool.parse(text),
    close: () => {
      signal?.removeEventListener('abort', end);
      return pool.close();
    },
  };
}

const MEMORY_MB = 256;
/** How many texts are queued in the thread, so that it need not wait for this one. */
const AHEAD = 16;

interface Job<T> {
  readonly text: string;
  readonly resolve: (parsed: T | MarkdownLimit) => void;
  readonly reject: (error: unknown) => void;
}

class Pool<T extends MarkdownFacts | MarkdownOutline> {
  readonly #options: MarkdownPoolOptions;
  /** In order. The first `#sent` of them are in the thread, which works on the first. */
  readonly #jobs: Job<T>[] = [];
  #sent = 0;
  #thread: Worker | null = null;
  #ready = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: MarkdownPoolOptions) {
    this.#options = options;
  }

  async parse(text: string): Promise<T | MarkdownLimit> {
    if (this.#closed) return { ok: false, limit: 'ended' };
    const { promise, resolve, reject } = Promise.withResolvers<T | MarkdownLimit>();
    this.#jobs.push({ text, resolve, reject });
    this.#send();
    return promise;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { resolve } of this.#jobs.splice(0)) resolve({ ok: false, limit: 'ended' });
    await this.#end();
  }

  /** Sends what waits, as far as the thread is to have it. */
  #send(): void {
    if (this.#jobs.length === 0) return;
    try {
      this.#thread ??= this.#start();
    } catch (error) {
      this.#lost(error);
      return;
    }
    const isIdle = this.#sent === 0;
    for (; this.#sent < Math.min(this.#jobs.length, AHEAD); this.#sent++) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      this.#thread.postMessage(this.#jobs[this.#sent]?.text);
    }
    if (!isIdle) return;
    this.#thread.ref();
    this.#watch();
  }

  #start(): Worker {
    const { wanted = null, longest = Infinity, most = Infinity, memoryMb = MEMORY_MB } = this.#options;
    const thread = startThread({ wanted, longest, most }, memoryMb);
    this.#ready = false;
    // What an ended thread still says is about texts that another has been given.
    const ofThis =
      <V>(handle: (value: V) => void) =>
      (value: V): void => {
        if (this.#thread === thread) handle(value);
      };
    const onMessage = ofThis((answer: WorkerAnswer) => this.#answered(answer));
    const onError = ofThis((error: unknown) => this.#lost(error));
    const onExit = ofThis(() => this.#lost(new Error('The Markdown worker ended without an answer')));
    // Last: a listener for messages keeps the process alive again.
    thread.on('message', onMessage).on('error', onError).on('exit', onExit).unref();
    return thread;
  }

  /** Limits the time of the first text, once the thread is ready to begin it. */
  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#jobs.length === 0 || !this.#ready) return;
    const timer = setTimeout(() => {
      // Its answer may be there already, where this thread was too busy to take it.
      setImmediate(() => setImmediate(() => this.#timer === timer && this.#failed('time')));
    }, this.#options.limitMs);
    this.#timer = timer;
  }

  #answered(answer: WorkerAnswer): void {
    if (answer === 'ready') {
      this.#ready = true;
    } else {
      const job = this.#jobs.shift();
      this.#sent--;
      if ('error' in answer) job?.reject(new Error(answer.error));
      else job?.resolve(answer as T | MarkdownLimit);
      if (this.#jobs.length === 0) this.#thread?.unref();
    }
    this.#watch();
    this.#send();
  }

  /** The thread is gone, through the text that it was at. */
  #lost(error: unknown): void {
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') {
      this.#failed('memory');
      return;
    }
    this.#jobs.shift()?.reject(error);
    void this.#end();
    this.#send();
  }

  #failed(limit: MarkdownLimit['limit']): void {
    this.#jobs.shift()?.resolve({ ok: false, limit });
    void this.#end();
    this.#send();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const thread = this.#thread;
    this.#thread = null;
    this.#sent = 0;
    await thread?.terminate();
  }
}

/** Starts a thread with a heap of at most `memoryMb` MiB. Throws when this machine cannot. */
function startThread(input: WorkerInput, memoryMb: number): Worker {
  // Most runs start none.
  const threads = process.getBuiltinModule('node:worker_threads');
  return new threads.Worker(workerUrl(), {
    workerData: input,
    // Of young objects Node would let 192 MiB pile up, which makes parsing no faster.
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: memoryMb / 4 },
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
