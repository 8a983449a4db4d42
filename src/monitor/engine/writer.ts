/**
 * Writes what runs come to, many of them in one transaction. What cannot be written now (the disk is full) is kept in
 * memory, within bounds, and written as soon as it can be.
 */
import type { Timers, Cancel } from '../clock/clock.ts';
import type { Log } from '../log/write.ts';
import { StoreError, type StoreProblem, type RunCommit, type Store } from '../store/store.ts';
import type { DelivererOptions } from '../alerts/deliver.ts';
import type { KnownAlert, OutboxEntry, PendingAlert } from '../alerts/alert.ts';
import type { Incident } from '../incident/incident.ts';

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
  /** What of it was reported. */
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

/*
 * The store as those see it who send alerts: what could not be written yet is there as well, so that a full disk delays
 * no alert. After a crash it is sent again, under the same key.
 */

/** What those who send alerts ask of a store. */
type AlertStore = DelivererOptions['store'];

interface UnsavedAlertsOptions {
  readonly store: Store;
  /** Whether writing fails: what waits no longer than usual is left to the database. */
  readonly isStuck: () => boolean;
  /** What waits to be written. */
  readonly waiting: () => readonly RunCommit[];
}

/** What became of an alert that is not in the database yet. */
interface Tried {
  readonly attempts: number;
  readonly lastError: string | null;
  /** `null`: sent, or given up. */
  readonly dueAt: number | null;
  readonly sentAt: number | null;
}

export class UnsavedAlerts implements AlertStore {
  readonly #options: UnsavedAlertsOptions;
  readonly #tried = new Map<string, Tried>();
  /** What has arrived, and when, of which the database does not know yet. */
  readonly #arrived = new Map<string, number>();
  /** By how much what is held was brought forward, and what the database has was not. */
  #aheadMs = 0;
  /** Incidents and routes about which nothing waits in the database, so that what is held need not wait for it. */
  readonly #free = new Set<string>();

  constructor(options: UnsavedAlertsOptions) {
    this.#options = options;
  }

  async dueAlerts(now: number, limit: number): Promise<readonly PendingAlert[]> {
    const due = (await this.#first()).flatMap((entry): readonly PendingAlert[] => {
      const { attempts, lastError, dueAt } = this.#triedOf(entry);
      return dueAt !== null && dueAt <= now ? [{ ...entry, attempts, lastError }] : [];
    });
    const stored = await this.#stored(now, limit).catch(unless(this.#entries().length > 0, []));
    return [...due, ...stored].slice(0, limit);
  }

  async outboxState(after = -Infinity): ReturnType<Store['outboxState']> {
    const open = this.#entries().filter((entry) => this.#isOpen(entry));
    const none = { pending: 0, nextDueAt: null, oldestAt: null };
    const stored = await this.#storedState(after).catch(unless(this.#entries().length > 0, none));
    return {
      pending: stored.pending + open.length,
      nextDueAt: least([stored.nextDueAt, ...(await this.#first()).map((entry) => this.#triedOf(entry).dueAt)], after),
      oldestAt: least([stored.oldestAt, ...open.map(({ createdAt }) => createdAt)]),
    };
  }

  async alertSent(entry: Pick<OutboxEntry, 'key'>, at: number): Promise<void> {
    const unsaved = this.#find(entry.key);
    if (unsaved !== undefined) {
      this.#tried.set(entry.key, { ...this.#triedOf(unsaved), dueAt: null, sentAt: at });
      return;
    }
    this.#arrived.set(entry.key, at);
    await this.#options.store.alertSent(entry, at);
    this.#arrived.delete(entry.key);
  }

  async alertFailed(...[entry, failure]: Parameters<Store['alertFailed']>): Promise<void> {
    const unsaved = this.#find(entry.key);
    if (unsaved === undefined) return this.#options.store.alertFailed(entry, failure);
    const attempts = this.#triedOf(unsaved).attempts + 1;
    this.#tried.set(entry.key, { attempts, lastError: failure.error, dueAt: failure.dueAt, sentAt: null });
  }

  async bringForward(ms: number): Promise<void> {
    // A full disk must not hold up what is held in memory for it.
    const newMs = Math.max(0, ms - this.#aheadMs);
    for (const [key, { dueAt, ...tried }] of this.#tried)
      this.#tried.set(key, { ...tried, dueAt: dueAt === null ? null : dueAt - newMs });
    this.#aheadMs += newMs;
    await this.#options.store.bringForward(ms);
    this.#aheadMs = 0;
  }

  note(name: string): Promise<string | null> {
    return this.#options.store.note(name);
  }

  setNote(name: string, text: string): Promise<void> {
    return this.#options.store.setNote(name, text);
  }

  async incident(id: string): Promise<Incident | null> {
    const waiting = this.#options.waiting().flatMap(({ incidents }) => incidents);
    return waiting.findLast((incident) => incident.id === id) ?? this.#options.store.incident(id);
  }

  incidents(...[query]: Parameters<Store['incidents']>): ReturnType<Store['incidents']> {
    return this.#options.store.incidents(query);
  }

  async alertsOf(incident: string): ReturnType<Store['alertsOf']> {
    const unsaved = this.#entries().filter((entry) => entry.incident.id === incident);
    const stored = await this.#options.store.alertsOf(incident).catch(unless(unsaved.length > 0, []));
    const cancelled = this.#cancelled();
    return [
      ...stored
        .filter(({ key, sentAt }) => sentAt !== null || !cancelled.has(key))
        .map((alert) => ({ ...alert, sentAt: alert.sentAt ?? this.#arrived.get(alert.key) ?? null })),
      ...unsaved.map((entry) => ({ ...entry, sentAt: this.#triedOf(entry).sentAt })),
    ];
  }

  /** These are in the database now: what was sent before is noted there. */
  async written(runs: readonly RunCommit[]): Promise<void> {
    this.#free.clear();
    for (const { key } of runs.flatMap(({ outbox }) => outbox.add)) {
      const sentAt = this.#tried.get(key)?.sentAt ?? null;
      if (sentAt !== null) this.#arrived.set(key, sentAt);
      this.#tried.delete(key);
    }
    const waiting = new Set(this.#added().map(({ key }) => key));
    for (const key of this.#tried.keys()) if (!waiting.has(key)) this.#tried.delete(key);
    for (const [key, at] of this.#arrived) {
      // What cannot be noted is noted with the next; by another process it is sent again, under the same key.
      if (!(await this.#isNoted(key, at))) return;
      this.#arrived.delete(key);
    }
  }

  #isNoted(key: string, at: number): Promise<boolean> {
    return this.#options.store.alertSent({ key }, at).then(
      () => true,
      () => false,
    );
  }

  /** What of the database is due, as far as it is not over. */
  async #stored(now: number, limit: number): Promise<readonly PendingAlert[]> {
    const over = this.#over();
    const due = await this.#options.store.dueAlerts(now, limit + over.size);
    return due.filter(({ key }) => !over.has(key));
  }

  /** The same of its outbox. */
  async #storedState(after: number): ReturnType<Store['outboxState']> {
    const over = this.#over();
    const state = await this.#options.store.outboxState(...(after === -Infinity ? [] : [after]));
    if (over.size === 0) return state;
    const first = await this.#options.store.dueAlerts(Number.MAX_SAFE_INTEGER, over.size + 1);
    const open = first.filter(({ key }) => !over.has(key));
    return {
      ...state,
      pending: Math.max(0, state.pending - (first.length - open.length)),
      // Of what is due later some may be over as well: nobody is harmed by a look too many.
      nextDueAt: after === -Infinity ? (open[0]?.dueAt ?? null) : state.nextDueAt,
    };
  }

  /** What is not to be sent any more though the database may still have it: cancelled, arrived, given up. */
  #over(): ReadonlySet<string> {
    const tried = [...this.#tried].flatMap(([key, { dueAt }]) => (dueAt === null ? [key] : []));
    return new Set([...this.#cancelled(), ...this.#arrived.keys(), ...tried]);
  }

  #cancelled(): ReadonlySet<string> {
    return new Set(this.#options.waiting().flatMap(({ outbox }) => outbox.cancel));
  }

  #added(): readonly OutboxEntry[] {
    return this.#options.waiting().flatMap(({ outbox }) => outbox.add);
  }

  /** What waits longer than usual, without what was cancelled since. */
  #entries(): readonly OutboxEntry[] {
    if (!this.#options.isStuck()) return [];
    const cancelled = this.#cancelled();
    return this.#added().filter(({ key }) => !cancelled.has(key));
  }

  /** Of each incident and route the first that is open; what follows an alert that waits in the database waits for it. */
  async #first(): Promise<readonly OutboxEntry[]> {
    const begun = new Set<string>();
    const reported = new Set<string>();
    const over = this.#over();
    const first: OutboxEntry[] = [];
    for (const entry of this.#entries()) {
      const pair = pairOf(entry);
      if (entry.event === 'opened') begun.add(pair);
      if (!this.#isOpen(entry) || reported.has(pair)) continue;
      reported.add(pair);
      if (begun.has(pair) || (await this.#isFree(entry, over))) first.push(entry);
    }
    return first;
  }

  /** Whether nothing waits in the database about an incident, for a route; where that cannot be read it may. */
  async #isFree({ incident, route }: OutboxEntry, over: ReadonlySet<string>): Promise<boolean> {
    const pair = pairOf({ incident, route });
    if (this.#free.has(pair)) return true;
    const stored = await this.#options.store.alertsOf(incident.id).catch(() => null);
    const waits = (alert: KnownAlert): boolean =>
      alert.route === route && alert.sentAt === null && !over.has(alert.key);
    if (stored === null || stored.some(waits)) return false;
    this.#free.add(pair);
    return true;
  }

  #find(key: string): OutboxEntry | undefined {
    return this.#added().find((entry) => entry.key === key);
  }

  #isOpen(entry: OutboxEntry): boolean {
    return this.#triedOf(entry).dueAt !== null;
  }

  #triedOf({ key, dueAt }: OutboxEntry): Tried {
    return this.#tried.get(key) ?? { attempts: 0, lastError: null, dueAt, sentAt: null };
  }
}

function pairOf({ incident, route }: Pick<OutboxEntry, 'incident' | 'route'>): string {
  return `${incident.id} ${route}`;
}

/** Takes an error for an answer where there is something else to tell. */
function unless<T>(isCovered: boolean, instead: T): (error: unknown) => T {
  return (error) => {
    if (!isCovered) throw error;
    return instead;
  };
}

/** The least of those above a bound. */
function least(times: readonly (number | null)[], above = -Infinity): number | null {
  const known = times.filter((time) => time !== null).filter((time) => time > above);
  return known.length === 0 ? null : Math.min(...known);
}
