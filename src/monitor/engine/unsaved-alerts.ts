/**
 * The store as those see it who send alerts: what could not be written yet is there as well, so that a full disk delays
 * no alert. After a crash it is sent again, under the same key.
 */
import type { DelivererOptions } from '../alerts/delivery.ts';
import type { KnownAlert, OutboxEntry, PendingAlert } from '../alerts/outbox.ts';
import type { Incident } from '../incident/incident.ts';
import type { RunCommit, Store } from '../store/store.ts';

/** What those who send alerts ask of a store. */
export type AlertStore = DelivererOptions['store'];

export interface UnsavedAlertsOptions {
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
