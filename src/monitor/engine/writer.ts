/**
 * Writes what runs come to, many of them in one transaction. What cannot be written now (the disk is full) is kept in
 * memory, within bounds, and written as soon as it can be.
 */
import type { Timers, Cancel } from '../clock/timers.ts';
import type { Log } from '../log/log.ts';
import { StoreError, type StoreProblem } from '../store/store-error.ts';
import type { RunCommit, Store } from '../store/store.ts';

export interface WriterOptions {
  readonly store: Pick<Store, 'commit'>;
  readonly timers: Pick<Timers, 'after'>;
  readonly log: Log;
  /** Called after each transaction with what is in the database now. */
  readonly onWritten: (runs: readonly RunCommit[]) => Promise<void> | void;
  /** Called when news wait that cannot be written: others may do something about them meanwhile. */
  readonly onHeld: () => void;
}

/** How long runs without news wait for others to be written with. */
const BATCH_MS = 500;
/** Runs in one transaction, so that it does not hold up the process. */
const BATCH_SIZE = 200;
/** Between two tries to write what could not be written. */
const RETRY_MS = 500;
const LONGEST_RETRY_MS = 15_000;
/** Tries that another program's transaction may take. */
const MOST_BUSY = 2;
/** Runs that wait in memory; those with news of incidents are kept beyond it. */
const MOST_WAITING = 10_000;

/** Tries at a run with news that is refused though the others are not: some ten minutes. Meanwhile alerts go out. */
const MOST_REFUSALS = 45;

/** What stands in the way of writing. `refused`: the database works, and does not take what there is. */
export type WriteProblem = StoreProblem | 'refused';

/** What ends by itself, or by somebody's doing, without the runs being to blame. */
const PASSING: ReadonlySet<StoreProblem> = new Set(['full', 'busy', 'corrupt', 'unreadable', 'read-only', 'missing']);

export class Writer {
  readonly #options: WriterOptions;
  #waiting: RunCommit[] = [];
  #writing: Promise<void> | null = null;
  #cancel: Cancel | null = null;
  /** Why the last transaction failed; `null`: it did not. */
  #problem: WriteProblem | null = null;
  /** What of it was told. */
  #reported: WriteProblem | null = null;
  #failures = 0;
  /** How often runs with news were refused. */
  readonly #refusals = new Map<RunCommit, number>();
  #leftOut = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Why nothing can be written now; `null`: it can, or will be in a moment. */
  get problem(): WriteProblem | null {
    return this.#reported;
  }

  /** What is not in the database yet, oldest first. */
  get waiting(): readonly RunCommit[] {
    return this.#waiting;
  }

  /** Whether a transaction goes on. */
  get isWriting(): boolean {
    return this.#writing !== null;
  }

  /** Takes a run up; news of incidents are written at once. */
  add(commit: RunCommit): void {
    this.#waiting.push(commit);
    if (this.#waiting.length > MOST_WAITING) this.#leaveOut();
    if (this.#problem !== null) return hasUrgent(commit) ? this.#options.onHeld() : undefined;
    if (hasUrgent(commit) || this.#waiting.length >= BATCH_SIZE) this.#writeAfter(0);
    else if (this.#cancel === null) this.#writeAfter(BATCH_MS);
  }

  /** Writes all that waits; resolves with whether that worked out. */
  async flush(): Promise<boolean> {
    do await this.#write();
    while (this.#waiting.length > 0 && (this.#problem === null || this.#isShort(this.#problem)));
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
      if (this.#waiting.length > 0 && this.#cancel === null)
        this.#writeAfter(this.#problem === null ? 0 : this.#pause());
    });
    return this.#writing;
  }

  #pause(): number {
    return Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** (this.#failures - 1));
  }

  async #writeBatch(): Promise<void> {
    const batch = this.#waiting.slice(0, BATCH_SIZE);
    if (batch.length === 0) return;
    try {
      await this.#options.store.commit(batch);
    } catch (error) {
      if (isPassing(error)) this.#failed(error.problem, error.message);
      else await this.#writeEach(batch);
      return;
    }
    this.#forget(batch);
    this.#works();
    await this.#options.onWritten(batch);
  }

  /** One of them cannot be written, whatever the reason: the other sites must not suffer for it. */
  async #writeEach(batch: readonly RunCommit[]): Promise<void> {
    /** Sites of which nothing later may be written, for an incident would open after it has ended. */
    const refused = new Map<string, string>();
    for (const commit of batch) {
      const { site } = commit.run;
      if (refused.has(site)) continue;
      try {
        await this.#options.store.commit([commit]);
      } catch (error) {
        const { message } = error as Error;
        if (isPassing(error)) return this.#failed(error.problem, message);
        if (this.#isTriedAgain(commit)) refused.set(site, message);
        else this.#giveUp(commit, message);
        continue;
      }
      this.#forget([commit]);
      await this.#options.onWritten([commit]);
    }
    const [error] = refused.values();
    if (error === undefined) this.#works();
    else this.#failed('refused', error);
  }

  /** Whether a run that was refused is worth another try: it has news. */
  #isTriedAgain(commit: RunCommit): boolean {
    const refusals = (this.#refusals.get(commit) ?? 0) + 1;
    this.#refusals.set(commit, refusals);
    return hasUrgent(commit) && refusals < MOST_REFUSALS;
  }

  #giveUp(commit: RunCommit, error: string): void {
    this.#options.log('error', 'round-not-kept', { site: commit.run.site, news: hasUrgent(commit), error });
    this.#forget([commit]);
  }

  /** These do not wait any more. */
  #forget(batch: readonly RunCommit[]): void {
    const gone = new Set(batch);
    this.#waiting = this.#waiting.filter((commit) => !gone.has(commit));
    for (const commit of batch) this.#refusals.delete(commit);
  }

  #works(): void {
    if (this.#reported !== null) {
      this.#options.log('info', 'database-writable', { waiting: this.#waiting.length, leftOut: this.#leftOut });
      this.#leftOut = 0;
    }
    this.#problem = this.#reported = null;
    this.#failures = 0;
  }

  #failed(problem: WriteProblem, error: string): void {
    this.#failures += 1;
    this.#problem = problem;
    // Somebody else who writes is waited for; that is no news before it lasts.
    if (this.#isShort(problem)) return;
    if (this.#reported !== problem) {
      this.#options.log('error', 'database-not-writable', { problem, error, waiting: this.#waiting.length });
    }
    this.#reported = problem;
    if (this.#waiting.some(hasUrgent)) this.#options.onHeld();
  }

  /** Whether another program is writing, which will be over soon. */
  #isShort(problem: WriteProblem): boolean {
    return problem === 'busy' && this.#failures <= MOST_BUSY;
  }

  /** The oldest run without news goes: what is known of a site now is in a later one. */
  #leaveOut(): void {
    const oldest = this.#waiting.findIndex((commit) => !hasUrgent(commit));
    if (oldest === -1) return;
    this.#waiting.splice(oldest, 1);
    this.#leftOut += 1;
  }
}

function hasUrgent({ incidents, outbox }: RunCommit): boolean {
  return incidents.length > 0 || outbox.add.length > 0 || outbox.cancel.length > 0;
}

function isPassing(error: unknown): error is StoreError {
  return error instanceof StoreError && PASSING.has(error.problem);
}
