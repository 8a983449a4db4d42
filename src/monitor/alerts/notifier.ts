/**
 * Sends what is due: at least once, in order for each incident and route, repeated until it is received. What waits is in
 * memory (`open-alerts.ts`); what becomes of it goes to the journal.
 */
import { once } from 'node:events';
import { sleep, type Cancel, type Timers } from '../clock/clock.ts';
import { iso } from '../../core/time.ts';
import type { Incident } from '../incident/incident.ts';
import type { Log, LogFields } from '../log/write.ts';
import type { AlertRoute } from '../settings.ts';
import type { Entry, Store } from '../store/store.ts';
import type { Notification, Send, SendFailure } from './alert.ts';
import type { OpenAlerts } from './open-alerts.ts';
import { delayAfter, GIVE_UP_MS, Pacing } from './pacing.ts';
import { isWaiting } from './plan.ts';

export interface NotifierOptions {
  readonly alerts: OpenAlerts;
  readonly send: Send;
  /** Writes an entry of the journal. Resolves when it is written, or need not be waited for any longer; never rejects. */
  readonly append: (entry: Entry) => Promise<void>;
  /** A notification was received. `incidents`: those of which it is the first one. Returns what is written with that. */
  readonly onSent?: (sent: Notification, incidents: readonly Incident[]) => Entry;
  /** Whether this process may send: not after another one has taken over. Default: always. */
  readonly maySend?: () => Promise<boolean>;
  readonly timers: Pick<Timers, 'after' | 'random'>;
  readonly now: () => number;
  readonly log: Log;
  /** Called each time, because the configuration may change. */
  readonly routes: () => readonly AlertRoute[];
  /** What receivers requested of an earlier process; as {@link retryAfters}. */
  readonly retryAfters?: ReadonlyMap<string, number>;
  /** What failed before is attempted once at once, unless there is a `Retry-After`: for a process that runs shortly. */
  readonly isEager?: boolean;
}

/** How often open alerts are sent again to receivers that consider them resolved otherwise: well within that time. */
export const RESEND_MS = 60_000;
/** How soon alerts that are due but have to wait are tried again, at most. The end of another one comes sooner. */
const WAITING_MS = 5_000;
/** The longest timer, because clocks can be set. */
const LONGEST_SLEEP_MS = 60_000;
const POLL_MS = 100;

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

const pairOf = ({ incident, route }: Pick<Notification, 'incident' | 'route'>): string => `${incident.id} ${route}`;

export class Notifier {
  readonly #options: NotifierOptions;
  readonly #pacing = new Pacing();
  /** What is being written: it is sent afterwards. */
  readonly #held = new Set<Notification>();
  /** What is due and has to wait for its turn: the end of another one starts it, without a look at all that waits. */
  #due: Notification[] = [];
  /** What is being sent, by incident and route. */
  readonly #sending = new Map<string, Promise<void>>();
  /** Keys of what was attempted since the start. */
  readonly #attempted = new Set<string>();
  readonly #stopping = new AbortController();
  /** Since the start. `failed`: failed attempts. */
  readonly counts = { sent: 0, failed: 0 };
  #timer: Cancel = () => {};
  #resendTimer: Cancel = () => {};
  #resending: Promise<unknown> | null = null;

  constructor(options: NotifierOptions) {
    this.#options = options;
    for (const pause of options.retryAfters ?? []) this.#pacing.retryAfter(...pause);
    this.#resend();
  }

  /** Writes an entry, then sends what is due of it. Never rejects. */
  async write(entry: Entry): Promise<void> {
    const { notifications = [] } = entry;
    for (const one of notifications) this.#held.add(one);
    await this.#options.append(entry);
    for (const one of notifications) this.#held.delete(one);
    if (notifications.some(isWaiting)) this.wake();
  }

  /** Sends what is about no incident, unless it waits already. */
  async notify(notifications: readonly Notification[]): Promise<void> {
    const { alerts } = this.#options;
    const added = notifications.filter((one) => alerts.find(one) === undefined);
    for (const one of added) alerts.add(one);
    if (added.length > 0) await this.write({ notifications: added });
  }

  /** Starts what is due, and sleeps until the next one is. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    this.#timer();
    const now = this.#options.now();
    this.#due = [];
    let next = LONGEST_SLEEP_MS;
    for (const one of this.#options.alerts.waiting()) {
      const ms = this.#start(one, now);
      if (ms !== null && one.dueAt <= now) this.#due.push(one);
      next = Math.min(next, ms ?? next);
    }
    this.#timer = this.#options.timers.after(Math.max(0, next), () => this.wake());
  }

  #startNext(): void {
    if (this.#stopping.signal.aborted) return;
    const { alerts, now } = this.#options;
    const at = this.#due.findIndex((one) => alerts.find(one) === one && this.#start(one, now()) === null);
    if (at === -1) this.wake();
    else this.#due.splice(at, 1);
  }

  /** The clock was set back by this much: no alert waits longer because of it. */
  clockSetBack(ms: number): void {
    this.#pacing.clockSetBack(ms);
    void this.write({ notifications: this.#options.alerts.bringForward(ms) });
  }

  /** How much is being done; 0: nothing happens before the next timer. */
  busy(): number {
    return this.#sending.size + (this.#resending === null ? 0 : 1);
  }

  /**
   * Attempts what is due until nothing is, or this many milliseconds have passed. What failed is attempted again if it is
   * due again within `patienceMs`. Resolves with how many notifications still wait.
   */
  async flush(ms: number, patienceMs = 0): Promise<number> {
    const { alerts, timers } = this.#options;
    this.wake();
    const over = new AbortController();
    const cancel = timers.after(ms, () => over.abort());
    const ended = once(over.signal, 'abort');
    while (!over.signal.aborted) {
      while (this.busy() > 0 && !over.signal.aborted) await Promise.race([this.#settled(), ended]);
      if (patienceMs === 0 || this.#nextMs() > patienceMs) break;
      await sleep(timers, POLL_MS, over.signal);
    }
    cancel();
    return alerts.stored().notifications.filter(isWaiting).length;
  }

  /** Starts nothing more and aborts what is being sent, which waits for the next process. Idempotent. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#timer();
    this.#resendTimer();
    await this.#settled();
  }

  async #settled(): Promise<void> {
    await Promise.all([this.#resending, ...this.#sending.values()]);
  }

  /** How long until the next attempt. */
  #nextMs(): number {
    const now = this.#options.now();
    const [first] = this.#options.alerts.waiting();
    return first === undefined ? Infinity : Math.max(first.dueAt, this.#pacing.nextStart(now)) - now;
  }

  /** How long it waits, in ms; `null`: it is started, or the end of what is being written or sent starts it. */
  #start(one: Notification, now: number): number | null {
    if (this.#held.has(one) || this.#sending.has(pairOf(one))) return null;
    const { routes, isEager = false } = this.#options;
    const isHurried = isEager && one.attempts > 0 && !this.#attempted.has(one.key);
    if (one.dueAt > now && !isHurried) return one.dueAt - now;
    const route = routes().find(({ id }) => id === one.route);
    if (route === undefined) this.#giveUp(one, 'route-removed');
    else if (this.#pacing.start(one, now)) void this.#begin(pairOf(one), () => this.#deliver(one, route));
    else {
      const pausedMs = this.#pacing.nextStart(now) - now;
      return pausedMs > 0 ? Math.min(pausedMs, WAITING_MS) : WAITING_MS;
    }
    return null;
  }

  /** One task at a time for an incident and a route; its end makes room for others. `task` never rejects. */
  async #begin(pair: string, task: () => Promise<void>): Promise<void> {
    const running = task();
    this.#sending.set(pair, running);
    await running;
    this.#sending.delete(pair);
    this.#startNext();
  }

  async #deliver(one: Notification, route: AlertRoute): Promise<void> {
    const { alerts, send, now, maySend = async () => true } = this.#options;
    const { signal } = this.#stopping;
    const began = now();
    if (await maySend()) {
      const result = await send(route, alerts.current(one), signal);
      // It may have changed meanwhile: the clock was set, or it is not needed any more.
      const latest = alerts.find(one) ?? one;
      if (result.ok) this.#succeeded(latest, route, now() - began);
      // What was aborted has not failed.
      else if (!signal.aborted) this.#failed(latest, route, result, began);
    } else this.#pacing.failed(route.id, began, now(), NOT_OURS, () => 1);
    this.#pacing.end(route.id);
    this.#attempted.add(one.key);
  }

  #succeeded(one: Notification, route: AlertRoute, tookMs: number): void {
    const { alerts, now, log, onSent = () => ({}) } = this.#options;
    this.#pacing.succeeded(route.id);
    const at = now();
    const sent: Notification = { ...one, state: 'sent', sentAt: at };
    const incidents = alerts.received(sent, at);
    this.counts.sent += 1;
    log('info', 'notification-sent', { ...logFields(one), attempts: one.attempts + 1, tookMs });
    void this.write({ ...onSent(sent, incidents), incidents, notifications: [sent] });
  }

  #failed(one: Notification, route: AlertRoute, failure: SendFailure, beganAt: number): void {
    const { alerts, now, timers, log } = this.#options;
    const { error, permanent, retryAfterMs } = failure;
    const at = now();
    this.counts.failed += 1;
    if (!permanent) this.#pacing.failed(route.id, beganAt, at, failure, timers.random);
    if (at - one.createdAt > GIVE_UP_MS + route.afterMs) return this.#giveUp(one, 'too-old', error);
    const attempts = one.attempts + 1;
    const dueAt = at + delayAfter(attempts, failure, timers.random);
    if (retryAfterMs !== null) this.#pacing.retryAfter(route.id, dueAt);
    const retryAt = iso(dueAt);
    log('warn', 'notification-failed', { ...logFields(one), attempts, error, permanent, retryAt });
    const failed: Notification = { ...one, attempts, dueAt, lastError: error };
    alerts.replace(failed);
    // For the next process, too.
    const paused = new Map([[PAUSES, JSON.stringify(this.#pacing.retryAfters(at))]]);
    void this.write({ notifications: [failed], ...(retryAfterMs === null ? {} : { notes: paused }) });
  }

  #giveUp(one: Notification, reason: 'too-old' | 'route-removed', lastError: string | null = null): void {
    const { alerts, log } = this.#options;
    log('error', 'notification-given-up', { ...logFields(one), reason, attempts: one.attempts, error: lastError });
    // An alert that is too old counts as known, so that it is not planned again; a route may return.
    const state = reason === 'too-old' ? 'given up' : 'cancelled';
    const ended: Notification = { ...one, state, lastError: lastError ?? reason };
    alerts.replace(ended);
    void this.write({ notifications: [ended] });
  }

  /** Sends open alerts again. At once after a start: they may be about to resolve. */
  #resend(): void {
    const { timers, routes } = this.#options;
    this.#resendTimer = timers.after(RESEND_MS, () => this.#resend());
    const resent = routes().filter(({ channel }) => 'isResent' in channel);
    this.#resending ??= Promise.all(resent.map((route) => this.#resendThrough(route))).finally(() => {
      this.#resending = null;
    });
  }

  async #resendThrough(route: AlertRoute): Promise<void> {
    const { alerts, send, log } = this.#options;
    const { signal } = this.#stopping;
    for (const incident of alerts.notified(route.id)) {
      const { id } = incident;
      const pair = pairOf({ incident, route: route.id });
      // Its recovery may have been sent in the meantime.
      if (!alerts.isOpen(id) || this.#sending.has(pair) || signal.aborted) continue;
      await this.#begin(pair, async () => {
        const alert = { key: `${id}:refresh:${route.id}`, event: 'reminder' as const, incident, alsoSites: [] };
        const result = await send(route, alert, signal);
        if (result.ok || signal.aborted) return;
        const { error } = result;
        log('warn', 'notification-refresh-failed', { route: route.id, incident: id, site: incident.site, error });
      });
    }
  }
}

/** Another process may have taken over: whether it has shows soon. */
const NOT_OURS: SendFailure = { ok: false, error: '', permanent: false, retryAfterMs: null };

function logFields({ key, route, event, incident }: Notification): LogFields {
  return { key, route, notification: event, incident: incident.id, site: incident.site };
}
