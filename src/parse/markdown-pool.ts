/**
 * Parses the pages of a whole site: ordinary ones, which take no time worth mentioning, here, the others in a thread beside
 * this one, so that parsing and the network overlap.
 */
import type { Worker } from 'node:worker_threads';
import { boundedFacts } from './bounded-facts.ts';
import { prepare, readOrdinaryFacts } from './markdown-facts.ts';
import { isOutOfHeap, startThread } from './markdown-thread.ts';
import type { MarkdownFacts, MarkdownLimit } from './markdown-types.ts';
import type { Alive, WorkerAnswer } from './markdown-worker.ts';

/** What bounds a pool. */
export interface MarkdownPoolOptions {
  /**
   * Longest time for one text, or for one part of 64 KiB or less of a longer one, in milliseconds. A longer one has
   * twice that time in all: otherwise one large page could use up the time of a whole site.
   */
  readonly limitMs: number;
  /** Ends the pool. */
  readonly signal?: AbortSignal | undefined;
  /** Largest heap of the thread, in MiB; 256 unless told. */
  readonly memoryMb?: number;
  /** Most entries of each list of the facts of a text; no bound unless told. */
  readonly most?: number;
}

/** Parses texts, however long, in a thread one after another. The thread does not keep the process alive when it is idle. */
export interface MarkdownPool {
  /**
   * The facts of a whole text. A text that takes too much time or memory costs the thread, and gives a limit for itself
   * only; after the end of the pool every text gives `ended`. Rejects only when this machine cannot start a thread.
   */
  readonly parse: (text: string) => Promise<MarkdownFacts | MarkdownLimit>;
  /** Ends the thread; what is not parsed yet gives `ended`. */
  readonly close: () => Promise<void>;
}

/**
 * A pool of one thread: this one has the network to do, and what serves the site may run on the same machine. The thread
 * is started by the first text that is not ordinary, and again after one that it did not survive.
 */
export function createMarkdownPool(options: MarkdownPoolOptions): MarkdownPool {
  const pool = new Pool(options);
  const end = (): void => void pool.close();
  if (options.signal?.aborted === true) end();
  else options.signal?.addEventListener('abort', end, { once: true });
  return {
    parse: (text) => pool.parse(text),
    close: () => {
      options.signal?.removeEventListener('abort', end);
      return pool.close();
    },
  };
}

/** Longest text that is read in this thread, in UTF-16 code units: a few milliseconds. */
const LONGEST_HERE = 128 * 1024;

/** The facts of an ordinary text, `null` of any other. */
async function readHere(text: string, most: number): Promise<MarkdownFacts | null> {
  const facts = await readOrdinaryFacts(prepare(text, Infinity), (stage) => stage());
  return facts && boundedFacts(facts, most);
}

const MEMORY_MB = 256;
/** How many texts lie with the thread, so that it need not wait for this one. */
const AHEAD = 16;

interface Job {
  readonly text: string;
  readonly resolve: (parsed: MarkdownFacts | MarkdownLimit) => void;
  readonly reject: (error: unknown) => void;
}

class Pool {
  readonly #limitMs: number;
  readonly #memoryMb: number;
  readonly #most: number;
  /** In order. The first `#sent` of them lie with the thread, which works on the first. */
  readonly #jobs: Job[] = [];
  #sent = 0;
  #thread: Worker | null = null;
  #ready = false;
  #timer: NodeJS.Timeout | undefined;
  /** Runs on while the thread tells that it is alive. */
  #wholeTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor({ limitMs, memoryMb = MEMORY_MB, most = Infinity }: MarkdownPoolOptions) {
    this.#limitMs = limitMs;
    this.#memoryMb = memoryMb;
    this.#most = most;
  }

  async parse(text: string): Promise<MarkdownFacts | MarkdownLimit> {
    const facts = this.#closed || text.length > LONGEST_HERE ? null : await readHere(text, this.#most);
    if (this.#closed) return { ok: false, limit: 'ended' };
    return facts ?? this.#parseApart(text);
  }

  #parseApart(text: string): Promise<MarkdownFacts | MarkdownLimit> {
    const { promise, resolve, reject } = Promise.withResolvers<MarkdownFacts | MarkdownLimit>();
    this.#jobs.push({ text, resolve, reject });
    this.#send();
    return promise;
  }

  #start(): void {
    if (this.#closed || this.#thread !== null) return;
    const thread = startThread({ most: this.#most }, this.#memoryMb);
    this.#thread = thread;
    this.#ready = false;
    // What an ended thread still says is about texts that another has been given.
    const ofThis =
      <T>(handle: (value: T) => void) =>
      (value: T): void => {
        if (this.#thread === thread) handle(value);
      };
    const onMessage = ofThis((answer: WorkerAnswer | Alive) => this.#answered(answer));
    const onError = ofThis((error: unknown) => this.#lost(error));
    const onExit = ofThis(() => this.#lost(new Error('The Markdown worker ended without an answer')));
    // Last: a listener for messages keeps the process alive again.
    thread.on('message', onMessage).on('error', onError).on('exit', onExit).unref();
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
      this.#start();
    } catch (error) {
      this.#lost(error);
      return;
    }
    const first = this.#sent === 0;
    for (; this.#sent < Math.min(this.#jobs.length, AHEAD); this.#sent++) {
      this.#thread?.postMessage(this.#jobs[this.#sent]?.text);
    }
    if (!first) return;
    this.#thread?.ref();
    this.#watch('whole');
  }

  /** Limits the time of the first text, or only that of its next part, once the thread is ready to begin it. */
  #watch(what: 'whole' | 'part'): void {
    this.#unwatch(what);
    if (this.#jobs.length === 0 || !this.#ready) return;
    const after = (ms: number, isCurrent: (timer: NodeJS.Timeout) => boolean): NodeJS.Timeout => {
      const timer: NodeJS.Timeout = setTimeout(() => {
        // Its answer may be there already, where this thread was too busy to take it.
        setImmediate(() => setImmediate(() => isCurrent(timer) && this.#outOf('time')));
      }, ms);
      return timer;
    };
    this.#timer = after(this.#limitMs, (timer) => this.#timer === timer);
    if (what === 'whole') this.#wholeTimer = after(2 * this.#limitMs, (timer) => this.#wholeTimer === timer);
  }

  #unwatch(what: 'whole' | 'part'): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (what === 'part') return;
    clearTimeout(this.#wholeTimer);
    this.#wholeTimer = undefined;
  }

  #answered(answer: WorkerAnswer | Alive): void {
    const began = answer !== 'alive' || !this.#ready;
    if (answer === 'alive') {
      this.#ready = true;
    } else {
      const job = this.#jobs.shift();
      this.#sent--;
      if (answer.ok || 'limit' in answer) job?.resolve(answer);
      else job?.reject(new Error(answer.error));
      if (this.#jobs.length === 0) this.#thread?.unref();
    }
    this.#watch(began ? 'whole' : 'part');
    this.#send();
  }

  /** The thread is gone, through the text that it was at. */
  #lost(error: unknown): void {
    if (isOutOfHeap(error)) {
      this.#outOf('memory');
      return;
    }
    this.#jobs.shift()?.reject(error);
    void this.#end();
    this.#send();
  }

  #outOf(limit: MarkdownLimit['limit']): void {
    this.#jobs.shift()?.resolve({ ok: false, limit });
    void this.#end();
    this.#send();
  }

  async #end(): Promise<void> {
    this.#unwatch('whole');
    const thread = this.#thread;
    this.#thread = null;
    this.#sent = 0;
    await thread?.terminate();
  }
}
