/** Reads the outbox of the database, and records results in it: in memory for as long as the database cannot be written. */
import type { Log } from '../log/write.ts';
import type { Store } from '../store/store.ts';
import type { PendingAlert } from './alert.ts';

/** How soon a database that failed is used again. */
export const STORE_RETRY_MS = 5_000;

/** Rows that are read first, and at most where those at the front have to wait. */
const FEW = 100;
const MOST = 10_000;

/** The note of the database with each receiver's `Retry-After`, as the time when it ends; ms since 1970. */
const ASKED = 'alerts-asked';

/** Until when receivers want no requests (`Retry-After`), by route; ms since 1970. */
export async function retryAfters(store: Pick<Store, 'note'>): Promise<ReadonlyMap<string, number>> {
  const note = await store.note(ASKED).catch(() => null);
  return new Map(JSON.parse(note ?? '[]') as [string, number][]);
}

/** Starts an alert; `false`: it has to wait. */
type Start = (entry: PendingAlert) => boolean;

/** The due alerts that have to wait, so that the outbox is not read again after each alert. */
export class DueAlerts {
  readonly #isEager: boolean;
  #waiting: readonly PendingAlert[] = [];
  readonly #ended = new Set<string>();
  /** What was attempted since the start. */
  readonly #attempted = new Set<string>();

  /** `isEager`: what failed before is due once at once. */
  constructor(isEager: boolean) {
    this.#isEager = isEager;
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** An alert has ended; what was read before that may still contain it. */
  ended(key: string): void {
    this.#ended.add(key);
    if (this.#isEager) this.#attempted.add(key);
  }

  /** Reads what is due, and starts what can be started. Rejects as the store does. */
  async read(store: Pick<Store, 'dueAlerts'>, now: number, start: Start): Promise<void> {
    this.#ended.clear();
    const isDue = ({ key, dueAt, attempts }: PendingAlert): boolean =>
      dueAt <= now || (this.#isEager && attempts > 0 && !this.#attempted.has(key));
    for (let limit = FEW; ; limit = Math.min(MOST, limit * 5)) {
      const read = await store.dueAlerts(this.#isEager ? Number.MAX_SAFE_INTEGER : now, limit);
      this.#waiting = read.filter((entry) => isDue(entry) && !this.#ended.has(entry.key) && !start(entry));
      // All of them may wait for the same receiver, with one for another receiver behind them.
      if (read.length < limit || limit === MOST) return;
    }
  }

  /** Starts what can be started of what was read; `false`: nothing. */
  startMore(start: Start): boolean {
    const before = this.#waiting;
    this.#waiting = before.filter((entry) => !start(entry));
    return this.#waiting.length < before.length;
  }
}

export type ResultMethods = 'alertSent' | 'alertFailed' | 'note' | 'setNote';

/** Records results. What cannot be written is remembered, so that this process neither repeats nor hurries it. */
export class Results {
  readonly #store: Pick<Store, ResultMethods>;
  readonly #log: Log;
  /** What was received but could not be recorded, and when. */
  readonly #sent = new Map<string, number>();
  /** What failed but could not be recorded, and when the next attempt may be. */
  readonly #held = new Map<string, number>();
  #isBroken = false;
  #wereAskedRead = false;

  constructor(store: Pick<Store, ResultMethods>, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** Whether an alert was received although it is still in the outbox. */
  wasSent(key: string): boolean {
    return this.#sent.has(key);
  }

  /** Whether something is still to be recorded. */
  get isBehind(): boolean {
    return this.#sent.size > 0;
  }

  isHeld(key: string, now: number): boolean {
    return (this.#held.get(key) ?? 0) > now;
  }

  /** Nothing is held for longer because the clock was set back. */
  clockSetBack(ms: number): void {
    for (const [key, until] of this.#held) this.#held.set(key, until - ms);
  }

  async sent(key: string, at: number): Promise<void> {
    this.#sent.set(key, at);
    try {
      await this.#store.alertSent({ key }, at);
      this.#sent.delete(key);
    } catch (error) {
      this.storeFailed(error);
    }
  }

  /** `dueAt`: when the next attempt is; `null`: none. */
  async failed(key: string, error: string, dueAt: number | null, now: number): Promise<void> {
    try {
      await this.#store.alertFailed({ key }, { error, dueAt });
      this.#held.delete(key);
    } catch (failure) {
      this.#held.set(key, dueAt ?? now + STORE_RETRY_MS);
      this.storeFailed(failure);
    }
  }

  /** Records a `Retry-After` for the next process. */
  async asked(route: string, until: number, now: number): Promise<void> {
    const others = [...(await retryAfters(this.#store))].filter(([id, end]) => id !== route && end > now);
    // What cannot be recorded, the receiver will ask for again.
    await this.#store.setNote(ASKED, JSON.stringify([...others, [route, until]])).catch(() => {});
  }

  /** The `Retry-After` times that an earlier process recorded; only once. */
  async askedBefore(): Promise<ReadonlyMap<string, number>> {
    if (this.#wereAskedRead) return new Map();
    this.#wereAskedRead = true;
    return retryAfters(this.#store);
  }

  /** Records what could not be recorded before. */
  async catchUp(): Promise<void> {
    for (const [key, at] of this.#sent) await this.sent(key, at);
  }

  /** The database failed. Logged once, until it works again. */
  storeFailed(error: unknown): void {
    const { problem } = error as { problem?: unknown };
    if (!this.#isBroken) {
      this.#log('error', 'outbox-failed', { error: typeof problem === 'string' ? problem : 'unreadable' });
    }
    this.#isBroken = true;
  }

  storeWorks(): void {
    if (!this.#isBroken || this.#sent.size > 0) return;
    this.#log('info', 'outbox-works');
    this.#isBroken = false;
  }
}
