/**
 * The store as those see it who send alerts: what could not be written yet is there as well, so that a full disk delays
 * no alert. After a crash it is sent again, under the same key.
 */
import type { OutboxEntry, PendingAlert } from '../alerts/outbox.ts';
import type { Incident } from '../incident/incident.ts';
import type { RoundCommit, Store } from '../store/store.ts';

/** What those who send alerts ask of a store. */
export type AlertStore = Pick<
  Store,
  'dueAlerts' | 'outboxState' | 'alertSent' | 'alertFailed' | 'incident' | 'incidents' | 'alertsOf'
>;

export interface HeldAlertsOptions {
  readonly store: Store;
  /** Whether writing fails: what waits no longer than usual is left to the database. */
  readonly isStuck: () => boolean;
  /** What waits to be written. */
  readonly waiting: () => readonly RoundCommit[];
  /** Hears of each alert that arrived. */
  readonly onSent: (key: string, at: number) => void;
}

/** What became of an alert that is not in the database yet. */
interface Tried {
  readonly attempts: number;
  readonly lastError: string | null;
  /** `null`: sent, or given up. */
  readonly dueAt: number | null;
  readonly sentAt: number | null;
}

export class HeldAlerts implements AlertStore {
  readonly #options: HeldAlertsOptions;
  readonly #tried = new Map<string, Tried>();

  constructor(options: HeldAlertsOptions) {
    this.#options = options;
  }

  async dueAlerts(now: number, limit: number): Promise<readonly PendingAlert[]> {
    const due = this.#first().flatMap((entry): readonly PendingAlert[] => {
      const { attempts, lastError, dueAt } = this.#triedOf(entry);
      return dueAt !== null && dueAt <= now ? [{ ...entry, attempts, lastError }] : [];
    });
    const stored = await this.#options.store.dueAlerts(now, limit).catch(unless(this.#entries().length > 0, []));
    return [...due, ...stored].slice(0, limit);
  }

  async outboxState(): ReturnType<Store['outboxState']> {
    const open = this.#entries().filter((entry) => this.#isOpen(entry));
    const none = { pending: 0, nextDueAt: null, oldestAt: null };
    const stored = await this.#options.store.outboxState().catch(unless(this.#entries().length > 0, none));
    return {
      pending: stored.pending + open.length,
      nextDueAt: least([stored.nextDueAt, ...this.#first().map((entry) => this.#triedOf(entry).dueAt)]),
      oldestAt: least([stored.oldestAt, ...open.map(({ createdAt }) => createdAt)]),
    };
  }

  async alertSent(entry: Pick<OutboxEntry, 'key'>, at: number): Promise<void> {
    const held = this.#find(entry.key);
    if (held === undefined) await this.#options.store.alertSent(entry, at);
    else this.#tried.set(entry.key, { ...this.#triedOf(held), dueAt: null, sentAt: at });
    this.#options.onSent(entry.key, at);
  }

  async alertFailed(...[entry, failure]: Parameters<Store['alertFailed']>): Promise<void> {
    const held = this.#find(entry.key);
    if (held === undefined) return this.#options.store.alertFailed(entry, failure);
    const attempts = this.#triedOf(held).attempts + 1;
    this.#tried.set(entry.key, { attempts, lastError: failure.error, dueAt: failure.dueAt, sentAt: null });
  }

  async incident(id: string): Promise<Incident | null> {
    const waiting = this.#options.waiting().flatMap(({ incidents }) => incidents);
    return waiting.findLast((incident) => incident.id === id) ?? this.#options.store.incident(id);
  }

  incidents(...[query]: Parameters<Store['incidents']>): ReturnType<Store['incidents']> {
    return this.#options.store.incidents(query);
  }

  async alertsOf(incident: string): ReturnType<Store['alertsOf']> {
    const held = this.#entries().filter((entry) => entry.incident.id === incident);
    const stored = await this.#options.store.alertsOf(incident).catch(unless(held.length > 0, []));
    return [...stored, ...held.map((entry) => ({ ...entry, sentAt: this.#triedOf(entry).sentAt }))];
  }

  /** These are in the database now: what was sent before is noted there. */
  async written(rounds: readonly RoundCommit[]): Promise<void> {
    for (const { key } of rounds.flatMap(({ outbox }) => outbox.add)) {
      const sentAt = this.#tried.get(key)?.sentAt ?? null;
      this.#tried.delete(key);
      // What cannot be noted is sent again, under the same key.
      if (sentAt !== null) await this.#options.store.alertSent({ key }, sentAt).catch(() => {});
    }
  }

  /** What waits, without what was cancelled since. */
  #entries(): readonly OutboxEntry[] {
    if (!this.#options.isStuck()) return [];
    const waiting = this.#options.waiting().map(({ outbox }) => outbox);
    const cancelled = new Set(waiting.flatMap(({ cancel }) => cancel));
    return waiting.flatMap(({ add }) => add).filter(({ key }) => !cancelled.has(key));
  }

  /** Of each incident and route the first that is open; what follows an alert in the database waits for it there. */
  #first(): readonly OutboxEntry[] {
    const begun = new Set<string>();
    const told = new Set<string>();
    return this.#entries().filter((entry) => {
      const pair = `${entry.incident.id} ${entry.route}`;
      if (entry.event === 'opened') begun.add(pair);
      if (!this.#isOpen(entry) || told.has(pair) || !begun.has(pair)) return false;
      told.add(pair);
      return true;
    });
  }

  #find(key: string): OutboxEntry | undefined {
    return this.#entries().find((entry) => entry.key === key);
  }

  #isOpen(entry: OutboxEntry): boolean {
    return this.#triedOf(entry).dueAt !== null;
  }

  #triedOf({ key, dueAt }: OutboxEntry): Tried {
    return this.#tried.get(key) ?? { attempts: 0, lastError: null, dueAt, sentAt: null };
  }
}

/** Takes an error for an answer where there is something else to tell. */
function unless<T>(isCovered: boolean, instead: T): (error: unknown) => T {
  return (error) => {
    if (!isCovered) throw error;
    return instead;
  };
}

function least(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** The incident that a key of the outbox is about, where it tells that one opened; else `null`. */
export function openedIn(key: string): Incident['id'] | null {
  const [incident = '', event] = key.split(':');
  return event === 'opened' ? incident : null;
}
