/**
 * Sends what is in the outbox: at least once, in order for each incident and route, repeated until it is received. A row
 * leaves the outbox when the receiver has accepted it, so a process that is killed loses nothing.
 */
import { once } from 'node:events';
import { sleep, type Cancel, type Timers } from '../clock/clock.ts';
import { iso } from '../../core/time.ts';
import type { Log, LogFields } from '../log/write.ts';
import type { AlertRoute } from '../settings.ts';
import type { Store } from '../store/store.ts';
import type { OutboxEntry, PendingAlert, Send, SendFailure } from './alert.ts';
import { delayAfter, GIVE_UP_MS, Pacing } from './pacing.ts';
import type { AlertBook } from './plan.ts';

export interface DelivererOptions {
  readonly store: Store;
  /** What is known of open incidents, and is informed of what becomes of their alerts. */
  readonly book: AlertBook;
  readonly send: Send;
  readonly timers: Pick<Timers, 'after' | 'random'>;
  readonly now: () => number;
  readonly log: Log;
  /** Called each time, because the configuration may change. */
  readonly routes: () => readonly AlertRoute[];
  /** Whether an alert of the database is cancelled, which could not be written yet. */
  readonly isCancelled?: (key: string) => boolean;
  /** What failed before is attempted once at once, unless there is a `Retry-After`: for a process that runs shortly. */
  readonly isEager?: boolean;
  readonly onSent?: (entry: OutboxEntry, at: number) => void;
}

/** How often open alerts are sent again to receivers that consider them resolved otherwise: well within that time. */
export const RESEND_MS = 60_000;
/** How soon alerts that are due but have to wait are tried again, at most. The end of another one comes sooner. */
const WAITING_MS = 5_000;
/** How soon a database that failed is used again. */
const STORE_RETRY_MS = 5_000;
/** The longest timer, because clocks can be set. */
const LONGEST_SLEEP_MS = 60_000;
const POLL_MS = 100;
/** Rows that are read first, and at most where those at the front have to wait. */
const FEW = 100;
const MOST = 10_000;

/** The note of the database with each receiver's `Retry-After`, as the time when it ends; ms since 1970. */
const PAUSES = 'alerts-asked';

/** Until when receivers want no requests (`Retry-After`), by route; ms since 1970. */
export async function retryAfters(store: Pick<Store, 'note'>): Promise<ReadonlyMap<string, number>> {
  try {
    return new Map(JSON.parse((await store.note(PAUSES)) ?? '[]') as [string, number][]);
  } catch {
    // What cannot be read, the receiver will request again.
    return new Map();
  }
}

/** The result of an attempt. `dueAt`: when the next one is; `null`: there is none. */
type Result =
  | { readonly sentAt: number; readonly dueAt: null }
  | { readonly error: string; readonly dueAt: number | null };

export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #pacing = new Pacing();
  /** Due alerts that have to wait, so that the outbox is not read again after each alert. */
  #waiting: readonly PendingAlert[] = [];
  /** Alerts that have ended since the outbox was read: what was read may still contain them. */
  readonly #ended = new Set<string>();
  /** What was attempted since the start, if eager. */
  readonly #attempted = new Set<string>();
  /** Results that are not in the database yet, by key: so that this process neither repeats nor hurries these alerts. */
  readonly #unrecorded = new Map<string, Result>();
  /** What is being sent, by incident and route. */
  readonly #sending = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  /** Since the start. `failed`: failed attempts. */
  readonly counts = { sent: 0, failed: 0 };
  #timer: Cancel = () => {};
  #resendTimer: Cancel = () => {};
  #resending: Promise<unknown> | null = null;
  #reading: Promise<void> | null = null;
  #isRestored = false;
  #hasNews = false;
  #isStoreBroken = false;
  /** By how much the clock was set back, until the outbox is adjusted. */
  #setBackMs = 0;

  constructor(options: DelivererOptions) {
    this.#options = options;
    this.#resend();
    this.wake();
  }

  /** Something was written to the outbox. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    this.#hasNews = true;
    this.#reading ??= this.#readAll();
  }

  /** The clock was set back by this much: no alert waits longer because of it. */
  clockSetBack(ms: number): void {
    this.#setBackMs += ms;
    this.#pacing.clockSetBack(ms);
    for (const [key, result] of this.#unrecorded) {
      if (result.dueAt !== null) this.#unrecorded.set(key, { ...result, dueAt: result.dueAt - ms });
    }
    this.wake();
  }

  /** How much is being done; 0: nothing happens before the next timer. */
  busy(): number {
    return this.#sending.size + (this.#reading === null ? 0 : 1) + (this.#resending === null ? 0 : 1);
  }

  /**
   * Attempts what is due until nothing is, or this many milliseconds have passed. What failed is attempted again if it is
   * due again within `patienceMs`. Resolves with how many alerts still wait.
   */
  async flush(ms: number, patienceMs = 0): Promise<number> {
    const { timers, store } = this.#options;
    this.wake();
    const over = new AbortController();
    const cancel = timers.after(ms, () => over.abort());
    const ended = once(over.signal, 'abort');
    while (!over.signal.aborted) {
      while (this.busy() > 0 && !over.signal.aborted) await Promise.race([this.#settled(), ended]);
      const nextMs = patienceMs === 0 ? Infinity : await this.#nextMs().catch(() => Infinity);
      if (nextMs > patienceMs) break;
      await sleep(timers, POLL_MS, over.signal);
    }
    cancel();
    const outbox = await store.outboxState().catch(() => null);
    return outbox?.pending ?? this.#sending.size;
  }

  /** Starts nothing more and aborts what is being sent, which stays in the outbox. Idempotent. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#timer();
    this.#resendTimer();
    await this.#settled();
  }

  /**
   * Sends an alert once that the database cannot take; resolves with when it was received, `null`: it was not. `retryMs`:
   * when the caller tries again. Never rejects.
   */
  async sendUnwritten(entry: OutboxEntry, retryMs: number): Promise<number | null> {
    const { send, now } = this.#options;
    const route = this.#routeOf(entry);
    if (route === undefined) return null;
    const began = now();
    const result = await send(route, entry, this.#stopping.signal);
    const at = now();
    if (result.ok) this.#succeeded(entry, { tookMs: at - began });
    else this.#logFailure(entry, result, at + retryMs);
    return result.ok ? at : null;
  }

  async #settled(): Promise<void> {
    await Promise.all([this.#reading, this.#resending, ...this.#sending.values()]);
  }

  /** How long until the next attempt. May reject. */
  async #nextMs(): Promise<number> {
    const { store, now } = this.#options;
    const next = this.#waiting.length > 0 ? this.#pacing.nextStart(now()) : (await store.outboxState()).nextDueAt;
    return next === null ? Infinity : next - now();
  }

  /** Reads the outbox until nothing is new. Never rejects. */
  async #readAll(): Promise<void> {
    while (this.#hasNews && !this.#stopping.signal.aborted) {
      this.#hasNews = false;
      this.#timer();
      const sleepMs = await this.#read().catch((error: unknown) => {
        this.#storeFailed(error);
        return STORE_RETRY_MS;
      });
      if (sleepMs !== null && !this.#stopping.signal.aborted) {
        this.#timer = this.#options.timers.after(Math.min(sleepMs, LONGEST_SLEEP_MS), () => this.wake());
      }
    }
    // In the same tick in which there was no news: a later `wake` has to start reading again.
    this.#reading = null;
  }

  /** Starts what can be started; resolves with how long there is nothing to do, `null`: until something is written. */
  async #read(): Promise<number | null> {
    const { store, now, log } = this.#options;
    if (!this.#isRestored) for (const pause of await retryAfters(store)) this.#pacing.retryAfter(...pause);
    this.#isRestored = true;
    for (const [key, result] of this.#unrecorded) if (!(await this.#record(key, result))) break;
    // A full disk must not delay what can be sent; this is tried again at the next read.
    await this.#bringForward(this.#setBackMs).catch(() => {});
    const at = now();
    await this.#startDue(at);
    // What is due now is being sent, and wakes us when it ends; or it waits.
    const { nextDueAt } = await store.outboxState(at);
    if (this.#isStoreBroken && this.#unrecorded.size === 0) {
      log('info', 'notifications-kept');
      this.#isStoreBroken = false;
    }
    const laterMs = nextDueAt === null ? null : Math.max(0, nextDueAt - now());
    if (this.#waiting.length === 0 && this.#unrecorded.size === 0 && this.#setBackMs === 0) return laterMs;
    const startMs = this.#pacing.nextStart(now()) - now();
    return Math.min(startMs > 0 ? startMs : WAITING_MS, WAITING_MS, laterMs ?? Infinity);
  }

  async #bringForward(ms: number): Promise<void> {
    if (ms === 0) return;
    await this.#options.store.bringForward(ms);
    this.#setBackMs -= ms;
  }

  async #startDue(now: number): Promise<void> {
    const { store, isEager = false } = this.#options;
    this.#ended.clear();
    const isDue = ({ key, dueAt, attempts }: PendingAlert): boolean =>
      dueAt <= now || (isEager && attempts > 0 && !this.#attempted.has(key));
    for (let limit = FEW; ; limit = Math.min(MOST, limit * 5)) {
      const read = await store.dueAlerts(isEager ? Number.MAX_SAFE_INTEGER : now, limit);
      this.#waiting = read.filter((entry) => isDue(entry) && !this.#ended.has(entry.key) && !this.#start(entry));
      // All of them may wait for the same receiver, with one for another receiver behind them.
      if (read.length < limit || limit === MOST) return;
    }
  }

  /** `false`: it has to wait. */
  #start(entry: PendingAlert): boolean {
    const { key, route: id } = entry;
    const now = this.#options.now();
    const pair = `${entry.incident.id} ${id}`;
    const result = this.#unrecorded.get(key);
    if (this.#sending.has(pair) || result?.dueAt === null || this.#options.isCancelled?.(key) === true) return true;
    const route = this.#routeOf(entry);
    if (this.#stopping.signal.aborted) return false;
    if (route !== undefined && ((result?.dueAt ?? 0) > now || !this.#pacing.start(entry, now))) return false;
    void this.#begin(pair, async () => {
      await (route === undefined ? this.#giveUp(entry, 'route-removed') : this.#deliver(entry, route));
      if (route !== undefined) this.#pacing.end(id);
      this.#ended.add(key);
      if (this.#options.isEager) this.#attempted.add(key);
    });
    return true;
  }

  /** One task at a time for an incident and a route; its end makes room for others. `task` never rejects. */
  async #begin(pair: string, task: () => Promise<void>): Promise<void> {
    const running = task();
    this.#sending.set(pair, running);
    await running;
    this.#sending.delete(pair);
    const before = this.#waiting;
    this.#waiting = before.filter((other) => !this.#start(other));
    if (this.#waiting.length === before.length) this.wake();
  }

  async #deliver(entry: PendingAlert, route: AlertRoute): Promise<void> {
    const { book, send, now } = this.#options;
    const { signal } = this.#stopping;
    const began = now();
    const result = await send(route, book.current(entry), signal);
    if (result.ok) {
      this.#pacing.succeeded(route.id);
      const at = this.#succeeded(entry, { attempts: entry.attempts + 1, tookMs: now() - began });
      await this.#record(entry.key, { sentAt: at, dueAt: null });
      return;
    }
    // What was aborted has not failed.
    if (!signal.aborted) await this.#failed(entry, route, result, began);
  }

  /** Returns when it was received. */
  #succeeded(entry: OutboxEntry, fields: LogFields): number {
    const { book, now, log, onSent } = this.#options;
    const at = now();
    this.counts.sent += 1;
    book.sent(entry.key, at);
    onSent?.(entry, at);
    log('info', 'notification-sent', { ...logFields(entry), ...fields });
    return at;
  }

  async #failed(entry: PendingAlert, route: AlertRoute, failure: SendFailure, beganAt: number): Promise<void> {
    const { store, book, now, timers } = this.#options;
    book.attempted(entry.key);
    const at = now();
    if (!failure.permanent) this.#pacing.failed(route.id, beganAt, at, failure, timers.random);
    if (at - entry.createdAt > GIVE_UP_MS + route.afterMs) {
      this.counts.failed += 1;
      return this.#giveUp(entry, 'too-old', failure.error);
    }
    const attempts = entry.attempts + 1;
    const dueAt = at + delayAfter(attempts, failure, timers.random);
    if (failure.retryAfterMs !== null) {
      this.#pacing.retryAfter(route.id, dueAt);
      // For the next process, too. What cannot be recorded, the receiver will request again.
      await store.setNote(PAUSES, JSON.stringify(this.#pacing.retryAfters(at))).catch(() => {});
    }
    this.#logFailure(entry, failure, dueAt, { attempts });
    await this.#record(entry.key, { error: failure.error, dueAt });
  }

  #logFailure(entry: OutboxEntry, { error, permanent }: SendFailure, retryAt: number, fields: LogFields = {}): void {
    const { log } = this.#options;
    this.counts.failed += 1;
    log('warn', 'notification-failed', { ...logFields(entry), ...fields, error, permanent, retryAt: iso(retryAt) });
  }

  async #giveUp(entry: PendingAlert, reason: 'too-old' | 'route-removed', error: string | null = null): Promise<void> {
    const { book, log } = this.#options;
    log('error', 'notification-given-up', { ...logFields(entry), reason, attempts: entry.attempts, error });
    // An alert that is too old counts as known, so that it is not planned again.
    if (reason === 'route-removed') book.givenUp(entry.key);
    await this.#record(entry.key, { error: error ?? reason, dueAt: null });
  }

  /** `false`: the database cannot be written now. */
  async #record(key: string, result: Result): Promise<boolean> {
    const { store } = this.#options;
    this.#unrecorded.set(key, result);
    try {
      await ('error' in result ? store.alertFailed({ key }, result) : store.alertSent({ key }, result.sentAt));
    } catch (error) {
      this.#storeFailed(error);
      return false;
    }
    if (this.#unrecorded.get(key) === result) this.#unrecorded.delete(key);
    return true;
  }

  /** Logged once, until it works again. */
  #storeFailed(error: unknown): void {
    const { problem } = error as { problem?: unknown };
    if (!this.#isStoreBroken) {
      this.#options.log('error', 'notifications-not-kept', {
        error: typeof problem === 'string' ? problem : 'unreadable',
      });
    }
    this.#isStoreBroken = true;
  }

  /** Sends open alerts again, not through the outbox. At once after a start: they may be about to resolve. */
  #resend(): void {
    const { timers, routes } = this.#options;
    this.#resendTimer = timers.after(RESEND_MS, () => this.#resend());
    const resent = routes().filter(({ channel }) => 'isResent' in channel);
    this.#resending ??= Promise.all(resent.map((route) => this.#resendThrough(route))).finally(() => {
      this.#resending = null;
    });
  }

  async #resendThrough(route: AlertRoute): Promise<void> {
    const { book, send, log } = this.#options;
    const { signal } = this.#stopping;
    for (const { id } of book.notified(route.id)) {
      const incident = book.open(id);
      const pair = `${id} ${route.id}`;
      // Its recovery may have been sent in the meantime.
      if (incident === undefined || this.#sending.has(pair) || signal.aborted) continue;
      await this.#begin(pair, async () => {
        const alert = { key: `${id}:refresh:${route.id}`, event: 'reminder' as const, incident, alsoSites: [] };
        const result = await send(route, alert, signal);
        if (result.ok || signal.aborted) return;
        const { error } = result;
        log('warn', 'notification-refresh-failed', { route: route.id, incident: id, site: incident.site, error });
      });
    }
  }

  #routeOf({ route }: OutboxEntry): AlertRoute | undefined {
    return this.#options.routes().find(({ id }) => id === route);
  }
}

function logFields({ key, route, event, incident }: OutboxEntry): LogFields {
  return { key, route, notification: event, incident: incident.id, site: incident.site };
}
