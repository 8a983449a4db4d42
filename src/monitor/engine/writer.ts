/**
 * Writes runs to the database, many in one transaction. While that fails (the disk is full) the history has a gap: only
 * runs with news of incidents are kept, and their alerts are sent from memory, each once.
 */
import type { OutboxEntry } from '../alerts/alert.ts';
import type { Cancel, Timers } from '../clock/clock.ts';
import type { Log } from '../log/write.ts';
import { hasNews, StoreError, type RunCommit, type Store, type StoreProblem } from '../store/store.ts';

export interface WriterOptions {
  readonly store: Pick<Store, 'commit'>;
  readonly timers: Pick<Timers, 'after'>;
  readonly now: () => number;
  readonly log: Log;
  readonly onWritten: (runs: readonly RunCommit[]) => void;
  /** Sends an alert that cannot be written; resolves with when it was received, `null`: it was not. Never rejects. */
  readonly send: (entry: OutboxEntry) => Promise<number | null>;
}

/** How long runs without news wait for others to be written with. */
const BATCH_MS = 500;
/** Runs in one transaction, so that it does not block the process. */
const BATCH_SIZE = 200;
/** Between two attempts to write; doubled after each failure. */
const RETRY_MS = 500;
export const LONGEST_RETRY_MS = 15_000;
/** Attempts that another program's transaction may take. */
const MOST_BUSY = 2;

/**
 * Problems that end without any change of what is written. `locked`: after its connection was lost, a server may take a
 * while to release the lock that this monitor had.
 */
const PASSING = new Set<StoreProblem>(['full', 'busy', 'corrupt', 'unreadable', 'read-only', 'missing', 'locked']);

export class Writer {
  readonly #options: WriterOptions;
  #waiting: RunCommit[] = [];
  /** Alerts of runs that the database refused. */
  #refused: OutboxEntry[] = [];
  /** When alerts were sent that are not in the database yet. */
  readonly #sent = new Map<string, number>();
  /** What is being sent from memory, by incident and route. */
  readonly #sending = new Map<string, Promise<void>>();
  #writing: Promise<void> | null = null;
  #cancel: Cancel | null = null;
  /** Why nothing can be written now; `null`: it can, or will be in a moment. */
  problem: StoreProblem | null = null;
  /** In a row. */
  #failures = 0;
  #dropped = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** How many runs, and incidents among them, are not in the database. */
  get unwritten(): { readonly runs: number; readonly incidents: number } {
    const incidents = new Set(this.#waiting.flatMap((run) => run.incidents.map(({ id }) => id)));
    return { runs: this.#waiting.length + this.#dropped, incidents: incidents.size };
  }

  /** Alerts that can neither be written now nor have been sent. */
  get unsent(): readonly OutboxEntry[] {
    const unsent = new Map(this.#refused.map((entry) => [entry.key, entry]));
    // In the order in which the database would have them: an alert that is written again is cancelled first.
    for (const { outbox } of this.#waiting) {
      for (const key of outbox.cancel) unsent.delete(key);
      if (this.problem !== null) for (const entry of outbox.add) unsent.set(entry.key, entry);
    }
    return [...unsent.values()].filter(({ key }) => !this.#sent.has(key));
  }

  /** Whether an alert is cancelled by what is not in the database yet. */
  isCancelled(key: string): boolean {
    const last = this.#waiting.findLast(({ outbox: { add, cancel } }) => {
      return cancel.includes(key) || add.some((entry) => entry.key === key);
    });
    return last !== undefined && !last.outbox.add.some((entry) => entry.key === key);
  }

  get isBusy(): boolean {
    return this.#writing !== null || this.#sending.size > 0;
  }

  /** News of incidents are written at once. */
  add(commit: RunCommit): void {
    if (this.problem !== null) {
      // While nothing can be written, runs without news are not kept.
      const kept = this.#waiting.filter(hasNews);
      this.#dropped += this.#waiting.length - kept.length;
      this.#waiting = kept;
    }
    this.#waiting.push(commit);
    this.#sendUnsent();
    if (this.#failures > 0) return;
    if (hasNews(commit) || this.#waiting.length >= BATCH_SIZE) this.#writeAfter(0);
    else if (this.#cancel === null) this.#writeAfter(BATCH_MS);
  }

  /** Writes all that waits; resolves with whether nothing was lost. */
  async flush(): Promise<boolean> {
    do await this.#write();
    while (this.#waiting.length > 0 && this.problem === null);
    await Promise.all(this.#sending.values());
    return this.#waiting.length === 0;
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #writeAfter(ms: number): void {
    this.#cancel?.();
    this.#cancel = this.#options.timers.after(ms, () => {
      this.#cancel = null;
      void this.#write();
    });
  }

  /** One transaction at a time; never rejects. */
  #write(): Promise<void> {
    this.#writing ??= this.#writeBatch().finally(() => {
      this.#writing = null;
      if (this.#waiting.length === 0 || this.#cancel !== null) return;
      this.#writeAfter(this.#failures === 0 ? 0 : Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** (this.#failures - 1)));
    });
    return this.#writing;
  }

  async #writeBatch(): Promise<void> {
    // An alert that is being sent from memory must not be sent from the database as well.
    await Promise.all(this.#sending.values());
    const batch = this.#waiting.slice(0, BATCH_SIZE);
    if (batch.length === 0) return;
    try {
      await this.#commit(batch);
    } catch (error) {
      if (isPassing(error)) this.#failed(error);
      else await this.#writeEach(batch);
    }
  }

  async #commit(batch: readonly RunCommit[]): Promise<void> {
    const { store, log, onWritten } = this.#options;
    const sent = this.#sent;
    await store.commit(sent.size === 0 ? batch : batch.map((commit) => ({ ...commit, sent })));
    this.#remove(batch);
    if (this.problem !== null) {
      log('info', 'database-writable', { waiting: this.#waiting.length, leftOut: this.#dropped });
      this.#dropped = 0;
    }
    this.problem = null;
    this.#failures = 0;
    onWritten(batch);
  }

  /** One of them is refused, for whatever reason: the other sites must not suffer from it. */
  async #writeEach(batch: readonly RunCommit[]): Promise<void> {
    for (const commit of batch) {
      try {
        await this.#commit([commit]);
      } catch (error) {
        if (isPassing(error)) return this.#failed(error);
        const fields = { site: commit.run.site, news: hasNews(commit), error: (error as Error).message };
        this.#options.log('error', 'run-not-kept', fields);
        this.#remove([commit]);
        this.#refused.push(...commit.outbox.add);
        this.#sendUnsent();
      }
    }
  }

  #failed({ problem, message }: StoreError): void {
    this.#failures += 1;
    // Another program that writes is waited for.
    if (problem === 'busy' && this.#failures <= MOST_BUSY) return;
    if (this.problem !== problem) {
      const waiting = this.#waiting.length;
      this.#options.log('error', 'database-not-writable', { problem, error: message, waiting });
    }
    this.problem = problem;
    this.#sendUnsent();
  }

  #remove(batch: readonly RunCommit[]): void {
    const removed = new Set(batch);
    this.#waiting = this.#waiting.filter((commit) => !removed.has(commit));
    for (const { key } of batch.flatMap(({ outbox }) => outbox.add)) this.#sent.delete(key);
    const cancelled = new Set(batch.flatMap(({ outbox }) => outbox.cancel));
    this.#refused = this.#refused.filter(({ key }) => !cancelled.has(key));
  }

  /** Sends what is due, in order for each incident and route. What fails is sent again after the next attempt to write. */
  #sendUnsent(): void {
    for (const [pair, entries] of Map.groupBy(this.unsent, ({ incident, route }) => `${incident.id} ${route}`)) {
      if (this.#sending.has(pair)) continue;
      const sending = this.#sendInOrder(entries).finally(() => this.#sending.delete(pair));
      this.#sending.set(pair, sending);
    }
  }

  async #sendInOrder(entries: readonly OutboxEntry[]): Promise<void> {
    for (const entry of entries) {
      const at = entry.dueAt <= this.#options.now() ? await this.#options.send(entry) : null;
      if (at === null) return;
      if (this.#refused.includes(entry)) this.#refused = this.#refused.filter((other) => other !== entry);
      else this.#sent.set(entry.key, at);
    }
  }
}

function isPassing(error: unknown): error is StoreError {
  return error instanceof StoreError && PASSING.has(error.problem);
}
