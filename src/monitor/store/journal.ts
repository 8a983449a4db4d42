/**
 * The only writer of a monitor: entries in their order, many in one transaction, again until it works. While it does not (the
 * disk is full) the history has a gap: of runs only those with news of incidents are kept, and of each state, incident and
 * notification the last one.
 */
import type { Cancel, Timers } from '../clock/clock.ts';
import type { Log } from '../log/write.ts';
import type { SiteState } from '../incident/state.ts';
import { hasNews, isSeries, StoreError, type Entry, type Store, type StoreProblem } from './store.ts';

export interface JournalOptions {
  readonly store: Pick<Store, 'append'>;
  readonly timers: Pick<Timers, 'after'>;
  readonly log: Log;
  /** How long who appends waits for the database at most, in ms; `Infinity`: nothing goes on without it. */
  readonly patienceMs: number;
}

/** How long a monitor waits for its own database: then it notifies from memory. */
export const PATIENCE_MS = 2_000;
/** How long entries without news wait for others to be written with. */
const BATCH_MS = 500;
/** Entries in one transaction, so that it does not block the process. */
const BATCH_SIZE = 200;
/** Between two attempts to write; doubled after each failure. */
const RETRY_MS = 500;
const LONGEST_RETRY_MS = 15_000;
/** Attempts that another program's transaction may take. */
const MOST_BUSY = 2;

/**
 * Problems that end without any change of what is written. `locked`: after its connection was lost, a server may take a
 * while to release the lock that this monitor had.
 */
const PASSING = new Set<StoreProblem>(['full', 'busy', 'corrupt', 'unreadable', 'read-only', 'missing', 'locked']);

export class Journal {
  readonly #options: JournalOptions;
  #unwritten: Entry[] = [];
  /** Who waits for an entry. */
  readonly #waiting = new Map<Entry, () => void>();
  #writing: Promise<void> | null = null;
  #cancel: Cancel | null = null;
  /** Why nothing can be written now; `null`: it can, or will be in a moment. */
  problem: StoreProblem | null = null;
  /** In a row. */
  #failures = 0;
  /** Runs that are not written any more. */
  #dropped = 0;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** How many runs, and incidents among them, are not in the database. */
  get unwritten(): { readonly runs: number; readonly incidents: number } {
    const incidents = new Set(this.#unwritten.flatMap((entry) => (entry.incidents ?? []).map(({ id }) => id)));
    return { runs: countRuns(this.#unwritten) + this.#dropped, incidents: incidents.size };
  }

  get isBusy(): boolean {
    return this.#writing !== null;
  }

  /** News are written at once: resolves when they are, or need not be waited for any longer. */
  async append(entry: Entry): Promise<void> {
    const { patienceMs, timers } = this.#options;
    const isWaitedFor = hasNews(entry) && (this.problem === null || patienceMs === Infinity);
    const { promise, resolve } = Promise.withResolvers<void>();
    if (isWaitedFor) this.#waiting.set(entry, resolve);
    this.#unwritten.push(entry);
    if (this.problem !== null) this.#compact();
    if (this.#failures === 0) {
      const isUrgent = hasNews(entry) || this.#unwritten.length >= BATCH_SIZE;
      if (isUrgent) void this.#write();
      else if (this.#cancel === null) this.#writeAfter(BATCH_MS);
    }
    if (!isWaitedFor) return;
    const cancel = patienceMs === Infinity ? () => {} : timers.after(patienceMs, () => this.#release([entry]));
    await promise;
    cancel();
  }

  /** Writes all that waits; resolves with whether nothing was lost. */
  async flush(): Promise<boolean> {
    do await this.#write();
    while (this.#unwritten.length > 0 && this.problem === null);
    return this.#unwritten.length === 0;
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#release([...this.#waiting.keys()]);
  }

  #release(entries: Iterable<Entry>): void {
    for (const entry of entries) {
      this.#waiting.get(entry)?.();
      this.#waiting.delete(entry);
    }
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
      if (this.#unwritten.length === 0) return;
      if (this.#failures > 0) this.#writeAfter(Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** (this.#failures - 1)));
      else if (this.#unwritten.some(hasNews)) void this.#write();
      else if (this.#cancel === null) this.#writeAfter(0);
    });
    return this.#writing;
  }

  async #writeBatch(): Promise<void> {
    const batch = this.#unwritten.slice(0, BATCH_SIZE);
    if (batch.length === 0) return;
    try {
      await this.#append(batch);
    } catch (error) {
      if (isPassing(error)) this.#failed(error);
      else await this.#writeParts(batch);
    }
  }

  async #append(batch: readonly Entry[]): Promise<void> {
    const { store, log } = this.#options;
    await store.append(batch);
    this.#remove(batch);
    if (this.problem !== null) {
      log('info', 'database-writable', { waiting: this.#unwritten.length, leftOut: this.#dropped });
      this.#dropped = 0;
    }
    this.problem = null;
    this.#failures = 0;
  }

  /** Something in them is refused, for whatever reason: nothing else must suffer from it. */
  async #writeParts(batch: readonly Entry[]): Promise<void> {
    for (const entry of batch) {
      for (const part of partsOf(entry)) {
        try {
          await this.#options.store.append([part]);
        } catch (error) {
          if (isPassing(error)) return this.#failed(error);
          const news = hasNews(part);
          const site = part.runs?.[0]?.site ?? [...(part.states?.keys() ?? [])][0] ?? part.incidents?.[0]?.site ?? null;
          this.#options.log('error', 'run-not-kept', { site, news, error: (error as Error).message });
        }
      }
      this.#remove([entry]);
    }
  }

  #failed({ problem, message }: StoreError): void {
    this.#failures += 1;
    // Another program that writes is waited for.
    if (problem === 'busy' && this.#failures <= MOST_BUSY) return;
    if (this.problem !== problem) {
      const waiting = this.#unwritten.length;
      this.#options.log('error', 'database-not-writable', { problem, error: message, waiting });
    }
    this.problem = problem;
    this.#compact();
    if (this.#options.patienceMs !== Infinity) this.#release([...this.#waiting.keys()]);
  }

  /** One entry instead of all that cannot be written; who waits for one waits for it. */
  #compact(): void {
    const before = this.#unwritten;
    const kept = before.filter(hasNews);
    this.#dropped += countRuns(before) - countRuns(kept);
    const merged = mergeEntries(before.map((entry) => (hasNews(entry) ? entry : { ...entry, runs: [], pictures: [] })));
    this.#unwritten = [merged];
    const waiting = before.flatMap((entry) => this.#waiting.get(entry) ?? []);
    for (const entry of before) this.#waiting.delete(entry);
    if (waiting.length > 0) this.#waiting.set(merged, () => waiting.forEach((resolve) => resolve()));
  }

  #remove(batch: readonly Entry[]): void {
    const removed = new Set(batch);
    this.#unwritten = this.#unwritten.filter((entry) => !removed.has(entry));
    this.#release(batch);
  }
}

/** How many runs they are of, as seen from all locations together. */
const countRuns = (entries: readonly Entry[]): number =>
  entries.flatMap(({ runs = [] }) => runs).filter(({ site }) => !isSeries(site)).length;

/** All of them in one: of what has a name, the last. */
export function mergeEntries(entries: readonly Entry[]) {
  const named = <T>(all: readonly T[], name: (one: T) => string): readonly T[] => [
    ...new Map(all.map((one) => [name(one), one])).values(),
  ];
  return {
    runs: entries.flatMap(({ runs = [] }) => runs),
    states: new Map(entries.flatMap(({ states }) => [...(states ?? [])])),
    incidents: named(
      entries.flatMap(({ incidents = [] }) => incidents),
      ({ id }) => id,
    ),
    notifications: named(
      entries.flatMap(({ notifications = [] }) => notifications),
      ({ key }) => key,
    ),
    pictures: entries.flatMap(({ pictures = [] }) => pictures),
    settles: entries.flatMap(({ settles = [] }) => settles),
    notes: new Map(entries.flatMap(({ notes }) => [...(notes ?? [])])),
  };
}

/** The same in entries of one thing each. */
function partsOf(entry: Entry): readonly Entry[] {
  const { runs = [], incidents = [], notifications = [], pictures = [], settles = [] } = entry;
  const { states = new Map(), notes = new Map() } = entry;
  return [
    ...runs.map((one): Entry => ({ runs: [one] })),
    ...[...states].map((one: [string, SiteState]): Entry => ({ states: new Map([one]) })),
    ...incidents.map((one): Entry => ({ incidents: [one] })),
    ...notifications.map((one): Entry => ({ notifications: [one] })),
    ...pictures.map((one): Entry => ({ pictures: [one] })),
    ...(settles.length === 0 ? [] : [{ settles }]),
    ...[...notes].map((one: [string, string]): Entry => ({ notes: new Map([one]) })),
  ];
}

function isPassing(error: unknown): error is StoreError {
  return error instanceof StoreError && PASSING.has(error.problem);
}
