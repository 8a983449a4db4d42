/**
 * Sends what is in the outbox: at least once, in order for each incident and route, repeated until it is received. A row
 * leaves the outbox when the receiver has accepted it, so a process that is killed loses nothing.
 */
import type { Cancel, Timers } from '../clock/clock.ts';
import { iso } from '../iso-time.ts';
import type { Log } from '../log/write.ts';
import type { AlertRoute } from '../settings.ts';
import type { Store } from '../store/store.ts';
import type { Alert, PendingAlert, Send, SendFailure } from './alert.ts';
import { CHANNELS } from './channels/index.ts';
import type { KnownAlerts } from './known-alerts.ts';
import { DueAlerts, Results, STORE_RETRY_MS, type ResultMethods } from './outbox.ts';
import { delayAfter, GIVE_UP_MS, Pacing } from './pacing.ts';

export interface DelivererOptions {
  readonly store: Pick<
    Store,
    'dueAlerts' | 'outboxState' | 'bringForward' | 'incident' | 'incidents' | 'alertsOf' | ResultMethods
  >;
  readonly send: Send;
  readonly timers: Pick<Timers, 'after' | 'random'>;
  /** ms since 1970. */
  readonly now: () => number;
  readonly log: Log;
  /** Called each time, because the configuration may change. */
  readonly routes: () => readonly AlertRoute[];
  /** Called each time: open incidents of other sites are not sent again. Absent: all sites. */
  readonly sites?: () => readonly { readonly id: string }[];
  /** What failed before is attempted once at once, unless there is a `Retry-After`: for a process that runs shortly. */
  readonly isEager?: boolean;
  /** Called for each alert that was received. */
  readonly onSent?: (alert: PendingAlert, at: number) => void;
  /** Receives the results. */
  readonly known?: Pick<KnownAlerts, 'attempted' | 'sent' | 'givenUp'>;
}

/** Starts sending. */
export function startDeliverer(options: DelivererOptions): Deliverer {
  return new Deliverer(options);
}

/** How often open alerts are sent again to receivers that consider them resolved otherwise: well within that time. */
export const RESEND_MS = 60_000;
/** Of these the oldest are sent again: more than any Alertmanager wants. */
const MOST_RESENT = 10_000;
/** How soon alerts that are due but have to wait are tried again, at most. The end of another one comes sooner. */
const WAITING_MS = 5_000;
/** The longest timer, because clocks can be set. */
const LONGEST_SLEEP_MS = 60_000;
/** How often `flush` looks whether something has started. */
const POLL_MS = 100;

export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #pacing = new Pacing();
  readonly #due: DueAlerts;
  readonly #results: Results;
  /** What is being sent, by incident and route. */
  readonly #sending = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #counts = { sent: 0, failed: 0 };
  #timer: Cancel = () => {};
  #resendTimer: Cancel = () => {};
  #resending: Promise<void> | null = null;
  #reading: Promise<void> | null = null;
  #hasNews = false;
  /** By how much the clock was set back, until the outbox is adjusted. */
  #setBackMs = 0;

  constructor(options: DelivererOptions) {
    this.#options = options;
    this.#due = new DueAlerts(options.isEager ?? false);
    this.#results = new Results(options.store, options.log);
    this.#startResending();
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
    this.#results.clockSetBack(ms);
    this.wake();
  }

  /** How much is being done; 0: nothing happens before the next timer. */
  busy(): number {
    return this.#sending.size + (this.#reading === null ? 0 : 1) + (this.#resending === null ? 0 : 1);
  }

  /** Counts since the start. `failed`: failed attempts. */
  counters(): { readonly sent: number; readonly failed: number } {
    return { ...this.#counts };
  }

  /**
   * Attempts what is due until nothing is, or this many milliseconds have passed. What failed is attempted again if it is
   * due again within `patienceMs`. Resolves with how many alerts still wait.
   */
  async flush(ms: number, patienceMs = 0): Promise<number> {
    const { timers, store } = this.#options;
    this.wake();
    const over = new AbortController();
    const ended = new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve()));
    const cancel = timers.after(ms, () => over.abort());
    while (!over.signal.aborted) {
      while (this.busy() > 0 && !over.signal.aborted) await Promise.race([this.#settled(), ended]);
      const nextMs = patienceMs === 0 ? Infinity : await this.#nextMs().catch(() => Infinity);
      if (nextMs > patienceMs) break;
      await Promise.race([ended, new Promise<void>((resolve) => void timers.after(POLL_MS, resolve))]);
    }
    cancel();
    return store.outboxState().then(
      ({ pending }) => pending,
      () => this.#sending.size,
    );
  }

  /** Starts nothing more and aborts what is being sent, which stays in the outbox. Idempotent. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#timer();
    this.#resendTimer();
    await this.#settled();
  }

  /** Resolves when all that is being done has ended. */
  async #settled(): Promise<void> {
    await Promise.all([this.#reading, this.#resending, ...this.#sending.values()]);
  }

  /** How long until the next attempt. May reject. */
  async #nextMs(): Promise<number> {
    const { store, now } = this.#options;
    const next = this.#due.isWaiting ? this.#pacing.nextStart(now()) : (await store.outboxState()).nextDueAt;
    return next === null ? Infinity : next - now();
  }

  /** Reads the outbox until nothing is new. Never rejects. */
  async #readAll(): Promise<void> {
    while (this.#hasNews && !this.#stopping.signal.aborted) {
      this.#hasNews = false;
      this.#timer();
      const sleepMs = await this.#read().then(
        (ms) => {
          this.#results.storeWorks();
          return ms;
        },
        (error: unknown) => {
          this.#results.storeFailed(error);
          return STORE_RETRY_MS;
        },
      );
      if (sleepMs !== null && !this.#stopping.signal.aborted) {
        this.#timer = this.#options.timers.after(Math.min(sleepMs, LONGEST_SLEEP_MS), () => this.wake());
      }
    }
    // In the same tick in which there was no news: a later `wake` has to start reading again.
    this.#reading = null;
  }

  /** Starts what can be started; resolves with how long there is nothing to do, `null`: until something is written. */
  async #read(): Promise<number | null> {
    const { store, now } = this.#options;
    for (const [route, until] of await this.#results.askedBefore()) this.#pacing.asked(route, until);
    await this.#results.catchUp();
    await this.#bringForward();
    const at = now();
    await this.#due.read(store, at, (entry) => this.#start(entry));
    // What is due now is being sent, and wakes us when it ends; or it waits.
    const { nextDueAt } = await store.outboxState(at);
    const laterMs = nextDueAt === null ? null : Math.max(0, nextDueAt - now());
    if (!this.#due.isWaiting && !this.#results.isBehind && this.#setBackMs === 0) return laterMs;
    const startMs = this.#pacing.nextStart(now()) - now();
    return Math.min(startMs > 0 ? startMs : WAITING_MS, WAITING_MS, laterMs ?? Infinity);
  }

  /** No alert waits longer because the clock was set back. */
  async #bringForward(): Promise<void> {
    const ms = this.#setBackMs;
    if (ms === 0) return;
    await this.#options.store.bringForward(ms).then(
      () => (this.#setBackMs -= ms),
      // A full disk must not delay what can be sent; this is tried again at the next read.
      () => {},
    );
  }

  /** `false`: it has to wait. */
  #start(entry: PendingAlert): boolean {
    const { key, route: id } = entry;
    const now = this.#options.now();
    const pair = `${entry.incident.id} ${id}`;
    if (this.#sending.has(pair) || this.#results.wasSent(key)) return true;
    const route = this.#options.routes().find((one) => one.id === id);
    if (route !== undefined && (this.#results.isHeld(key, now) || !this.#pacing.mayStart(entry, now))) return false;
    if (this.#stopping.signal.aborted) return false;
    this.#pacing.start(id);
    void this.#alone(pair, () =>
      route === undefined ? this.#giveUp(entry, 'route-removed') : this.#deliver(entry, route),
    ).finally(() => {
      this.#pacing.end(id);
      this.#due.ended(key);
      if (!this.#due.startMore((other) => this.#start(other))) this.wake();
    });
    return true;
  }

  /** One task at a time for an incident and a route. `task` never rejects. */
  #alone(pair: string, task: () => Promise<void>): Promise<void> {
    const before = this.#sending.get(pair) ?? Promise.resolve();
    const after = before.then(task).finally(() => {
      if (this.#sending.get(pair) === after) this.#sending.delete(pair);
    });
    this.#sending.set(pair, after);
    return after;
  }

  async #deliver(entry: PendingAlert, route: AlertRoute): Promise<void> {
    const { store, send, log, now, known, onSent } = this.#options;
    const { signal } = this.#stopping;
    const began = now();
    const result = await send(route, await currentAlert(entry, store), signal);
    if (!result.ok) {
      // What was aborted has not failed.
      if (!signal.aborted) await this.#failed(entry, route, result, began);
      return;
    }
    this.#counts.sent += 1;
    this.#pacing.succeeded(route.id);
    const at = now();
    known?.sent(entry.key, at);
    onSent?.(entry, at);
    log('info', 'alert-sent', { ...logFields(entry), attempts: entry.attempts + 1, tookMs: at - began });
    await this.#results.sent(entry.key, at);
  }

  async #failed(entry: PendingAlert, route: AlertRoute, result: SendFailure, beganAt: number): Promise<void> {
    const { now, log, timers, known } = this.#options;
    this.#counts.failed += 1;
    known?.attempted(entry.key);
    const at = now();
    const { error, permanent, retryAfterMs } = result;
    // The receiver itself does not respond: the other alerts for it are not attempted one after another.
    if (!permanent) {
      const ms = delayAfter(this.#pacing.failures(route.id) + 1, result, timers.random);
      this.#pacing.failed(route.id, { beganAt, at, ms });
    }
    if (at - entry.createdAt > GIVE_UP_MS + route.afterMs) return this.#giveUp(entry, 'too-old', error);
    const attempts = entry.attempts + 1;
    const dueAt = at + delayAfter(attempts, result, timers.random);
    if (retryAfterMs !== null) {
      this.#pacing.asked(route.id, dueAt);
      await this.#results.asked(route.id, dueAt, at);
    }
    log('warn', 'alert-failed', { ...logFields(entry), attempts, error, permanent, retryAt: iso(dueAt) });
    await this.#results.failed(entry.key, error, dueAt, at);
  }

  async #giveUp(entry: PendingAlert, reason: 'too-old' | 'route-removed', error: string | null = null): Promise<void> {
    const { log, known, now } = this.#options;
    log('error', 'alert-given-up', { ...logFields(entry), reason, attempts: entry.attempts, error });
    // An alert that is too old counts as known, so that it is not planned again.
    if (reason === 'route-removed') known?.givenUp(entry.key);
    await this.#results.failed(entry.key, error ?? reason, null, now());
  }

  /** Sends open alerts again, not through the outbox. At once after a start: they may be about to resolve. */
  #startResending(): void {
    this.#resendTimer = this.#options.timers.after(RESEND_MS, () => this.#startResending());
    if (!this.#options.routes().some(isResent)) return;
    this.#resending ??= this.#resendAll()
      // There is a next time soon.
      .catch(() => {})
      .finally(() => {
        this.#resending = null;
      });
  }

  async #resendAll(): Promise<void> {
    const { store, routes, sites } = this.#options;
    for (const incident of await store.incidents({ open: true, limit: MOST_RESENT })) {
      if (this.#stopping.signal.aborted) return;
      if (sites?.().some(({ id }) => id === incident.site) === false) continue;
      const alerts = await store.alertsOf(incident.id);
      const isNotified = ({ id }: AlertRoute): boolean =>
        alerts.some(({ event, sentAt, route }) => event === 'opened' && sentAt !== null && route === id);
      const resent = routes().filter((route) => isResent(route) && isNotified(route));
      await Promise.all(
        resent.map((route) => this.#alone(`${incident.id} ${route.id}`, () => this.#resend(incident.id, route))),
      );
    }
  }

  async #resend(id: string, route: AlertRoute): Promise<void> {
    const { store, send, log } = this.#options;
    // Its recovery may have been sent in the meantime.
    const incident = await store.incident(id).catch(() => null);
    if (incident === null || incident.recoveredAt !== null) return;
    const alert = { key: `${id}:refresh:${route.id}`, event: 'reminder' as const, incident, alsoSites: [] };
    const result = await send(route, alert, this.#stopping.signal);
    if (!result.ok && !this.#stopping.signal.aborted) {
      log('warn', 'alert-refresh-failed', { route: route.id, incident: id, site: incident.site, error: result.error });
    }
  }
}

/** Whether the receiver considers an alert resolved that is not sent again. */
function isResent({ channel }: AlertRoute): boolean {
  return CHANNELS.some(({ kind, isResent: isIt }) => kind === channel.kind && isIt);
}

/**
 * What an entry of the outbox says now. It may have waited for minutes to escalate, or for hours for its receiver: an open
 * incident is described as it is now; an incident that is over, as it was, with the time of its first alert.
 */
async function currentAlert(entry: PendingAlert, store: Pick<Store, 'incident'>): Promise<Alert> {
  const { key, event, incident, alsoSites, goesOn } = entry;
  const alert = { key, event, incident, alsoSites, ...(goesOn === undefined ? {} : { goesOn }) };
  // If the database cannot be read, what was written with the alert is sent.
  const now = await store.incident(incident.id).catch(() => null);
  if (now === null) return alert;
  const isOpen = event !== 'recovered' && now.recoveredAt === null;
  const notifiedAt = incident.notifiedAt ?? now.notifiedAt;
  return { ...alert, incident: isOpen ? { ...now, notifiedAt } : { ...incident, notifiedAt } };
}

function logFields({ key, route, event, incident }: PendingAlert): Readonly<Record<string, string>> {
  return { key, route, alert: event, incident: incident.id, site: incident.site };
}
