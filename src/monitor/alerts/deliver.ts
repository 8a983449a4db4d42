/**
 * Sends what is in the outbox: at least once, in order for each incident and route, again and again until it arrives. A row
 * leaves the outbox when the receiver has taken it, so that a process that is killed loses nothing.
 */
import type { Cancel } from '../clock/clock.ts';
import { iso } from '../iso-time.ts';
import type { AlertRoute } from '../settings.ts';
import { delayAfter, GIVE_UP_MS } from './backoff.ts';
import type { Deliverer, DelivererOptions } from './delivery.ts';
import { Due } from './due.ts';
import { freshAlert } from './fresh.ts';
import { Lanes } from './lanes.ts';
import { about } from './log-fields.ts';
import { Notes, STORE_RETRY_MS } from './notes.ts';
import type { PendingAlert } from './outbox.ts';
import { Refresher } from './refresh.ts';
import type { SendResult } from './send.ts';
import { waitFor } from './wait-for.ts';

export type { Deliverer, DelivererOptions } from './delivery.ts';

type Failure = Extract<SendResult, { ok: false }>;

/** Starts sending. */
export function startDeliverer(options: DelivererOptions): Deliverer {
  return new Postman(options);
}

/**
 * How soon what is due and has to wait is looked at again, at most: behind it something else may become due. What ends
 * wakes us by itself.
 */
const WAITING_MS = 5_000;
/** Clocks can be set: nothing is slept through for longer. */
const LONGEST_SLEEP_MS = 60_000;

class Postman implements Deliverer {
  readonly #options: DelivererOptions;
  readonly #lanes = new Lanes();
  readonly #due: Due;
  /** What is being sent, by incident and route. */
  readonly #flying = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #notes: Notes;
  readonly #refresher: Refresher;
  readonly #counts = { sent: 0, failed: 0 };
  #timer: Cancel = () => {};
  #looking: Promise<void> | null = null;
  #again = false;
  /** By how much the clock was set back, as far as what is in the outbox does not know of it yet. */
  #setBackMs = 0;

  constructor(options: DelivererOptions) {
    this.#options = options;
    this.#due = new Due(options.isEager ?? false);
    this.#notes = new Notes(options.store, options.log);
    this.#refresher = new Refresher(options, this.#stopping.signal, (pair, work) => this.#alone(pair, work));
    this.#refresher.start();
    this.wake();
  }

  wake(): void {
    if (this.#stopping.signal.aborted) return;
    this.#again = true;
    this.#looking ??= this.#look();
  }

  clockSetBack(ms: number): void {
    this.#setBackMs += ms;
    this.#lanes.clockSetBack(ms);
    this.#notes.clockSetBack(ms);
    this.wake();
  }

  busy(): number {
    return this.#flying.size + (this.#looking === null ? 0 : 1) + (this.#refresher.isBusy ? 1 : 0);
  }

  counters(): { readonly sent: number; readonly failed: number } {
    return { ...this.#counts };
  }

  async flush(ms: number, patienceMs = 0): Promise<number> {
    const { around, store, now } = this.#options;
    this.wake();
    await waitFor(
      {
        after: (delay, work) => around.after(delay, work),
        busy: () => this.busy(),
        settled: () => this.#settled(),
        nextInMs: async () => {
          const next = this.#due.isWaiting ? this.#lanes.nextStart(now()) : (await store.outboxState()).nextDueAt;
          return next === null ? Infinity : next - now();
        },
      },
      ms,
      patienceMs,
    );
    return store.outboxState().then(
      ({ pending }) => pending,
      () => this.#flying.size,
    );
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#timer();
    this.#refresher.stop();
    await this.#settled();
  }

  /** What goes on now has ended. */
  async #settled(): Promise<void> {
    await Promise.all([this.#looking, this.#refresher.settled(), ...this.#flying.values()]);
  }

  /** Looks into the outbox until there is no news. Never rejects. */
  async #look(): Promise<void> {
    while (this.#again && !this.#stopping.signal.aborted) {
      this.#again = false;
      this.#timer();
      const sleepMs = await this.#round().then(
        (ms) => {
          this.#notes.works();
          return ms;
        },
        (error: unknown) => {
          this.#notes.broken(error);
          return STORE_RETRY_MS;
        },
      );
      if (sleepMs !== null && !this.#stopping.signal.aborted) {
        this.#timer = this.#options.around.after(Math.min(sleepMs, LONGEST_SLEEP_MS), () => this.wake());
      }
    }
    // In the same breath in which there was no news: who wakes us later has to find nobody looking.
    this.#looking = null;
  }

  /** Starts what can be started; resolves with how long there is nothing to do, `null`: until something is written. */
  async #round(): Promise<number | null> {
    const { store, now } = this.#options;
    for (const [route, until] of await this.#notes.askedBefore()) this.#lanes.asked(route, until);
    await this.#notes.catchUp();
    await this.#bringForward();
    const at = now();
    await this.#due.read(store, at, (entry) => this.#start(entry));
    // What is due by now is on its way, and wakes us when it ends; or it waits.
    const { nextDueAt } = await store.outboxState(at);
    const laterMs = nextDueAt === null ? null : Math.max(0, nextDueAt - now());
    if (!this.#due.isWaiting && !this.#notes.isBehind && this.#setBackMs === 0) return laterMs;
    const startMs = this.#lanes.nextStart(now()) - now();
    return Math.min(startMs > 0 ? startMs : WAITING_MS, WAITING_MS, laterMs ?? Infinity);
  }

  /** What waits does not wait longer because the clock was set back. */
  async #bringForward(): Promise<void> {
    const ms = this.#setBackMs;
    if (ms === 0) return;
    const isDone = await this.#options.store.bringForward(ms).then(
      () => true,
      // A full disk must not hold up what can be sent; the next look tries again.
      () => false,
    );
    if (isDone) this.#setBackMs -= ms;
  }

  /** `false`: it has to wait. */
  #start(entry: PendingAlert): boolean {
    const { key, route: id } = entry;
    const now = this.#options.now();
    const pair = `${entry.incident.id} ${id}`;
    if (this.#flying.has(pair) || this.#notes.hasArrived(key)) return true;
    const route = this.#options.routes().find((one) => one.id === id);
    if (route !== undefined && (this.#notes.isHeld(key, now) || !this.#lanes.mayStart(entry, now))) return false;
    if (this.#stopping.signal.aborted) return false;
    this.#lanes.start(id);
    void this.#alone(pair, () =>
      route === undefined ? this.#giveUp(entry, 'route-removed') : this.#deliver(entry, route),
    ).finally(() => {
      this.#lanes.end(id);
      this.#due.ended(key);
      if (!this.#due.startMore((other) => this.#start(other))) this.wake();
    });
    return true;
  }

  /** One thing at a time for an incident and a route. `work` never rejects. */
  #alone(pair: string, work: () => Promise<void>): Promise<void> {
    const before = this.#flying.get(pair) ?? Promise.resolve();
    const after = before.then(work).finally(() => {
      if (this.#flying.get(pair) === after) this.#flying.delete(pair);
    });
    this.#flying.set(pair, after);
    return after;
  }

  async #deliver(entry: PendingAlert, route: AlertRoute): Promise<void> {
    const { store, send, log, now } = this.#options;
    const { signal } = this.#stopping;
    const began = now();
    const result = await send(route, await freshAlert(entry, store), signal);
    if (!result.ok) {
      // What we have broken off has not failed.
      if (!signal.aborted) await this.#failed(entry, route, result, began);
      return;
    }
    this.#counts.sent += 1;
    this.#lanes.worked(route.id);
    const at = now();
    this.#options.book?.sent(entry.key, at);
    this.#options.onSent?.(entry, at);
    log('info', 'alert-sent', { ...about(entry), attempts: entry.attempts + 1, tookMs: at - began });
    await this.#notes.sent(entry.key, at);
  }

  async #failed(entry: PendingAlert, route: AlertRoute, result: Failure, beganAt: number): Promise<void> {
    const { now, log, around, book } = this.#options;
    this.#counts.failed += 1;
    book?.tried(entry.key);
    const at = now();
    const { error, permanent, retryAfterMs } = result;
    // The receiver itself does not answer: the others that wait for it are not tried one after another.
    if (!permanent) {
      const ms = delayAfter(this.#lanes.failures(route.id) + 1, result, around.random);
      this.#lanes.failed(route.id, { beganAt, at, ms });
    }
    if (at - entry.createdAt > GIVE_UP_MS + route.afterMs) return this.#giveUp(entry, 'too-old', error);
    const attempts = entry.attempts + 1;
    const dueAt = at + delayAfter(attempts, result, around.random);
    if (retryAfterMs !== null) {
      this.#lanes.asked(route.id, dueAt);
      await this.#notes.asked(route.id, dueAt, at);
    }
    log('warn', 'alert-failed', { ...about(entry), attempts, error, permanent, retryAt: iso(dueAt) });
    await this.#notes.failed(entry.key, error, dueAt, at);
  }

  async #giveUp(entry: PendingAlert, reason: 'too-old' | 'route-removed', error: string | null = null): Promise<void> {
    this.#options.log('error', 'alert-given-up', { ...about(entry), reason, attempts: entry.attempts, error });
    // What was told of an alert that is too old is not told anew for that.
    if (reason === 'route-removed') this.#options.book?.givenUp(entry.key);
    await this.#notes.failed(entry.key, error ?? reason, null, this.#options.now());
  }
}
