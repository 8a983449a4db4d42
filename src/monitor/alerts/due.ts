/** What is due and has to wait for its receiver, so that the outbox is not read anew for each alert that has ended. */
import type { Store } from '../store/store.ts';
import type { PendingAlert } from './outbox.ts';

/** Rows that are read first, and at most where those at the front have to wait. */
const FEW = 100;
const MOST = 10_000;

/** Starts an alert; `false`: it has to wait. */
type Start = (entry: PendingAlert) => boolean;

export class Due {
  readonly #isEager: boolean;
  #waiting: readonly PendingAlert[] = [];
  readonly #ended = new Set<string>();
  /** What was tried since the begin. */
  readonly #tried = new Set<string>();

  /** `isEager`: what failed before is due once at once. */
  constructor(isEager: boolean) {
    this.#isEager = isEager;
  }

  /** Whether something that is due has to wait. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** An alert has ended: what was read before that may still have it. */
  ended(key: string): void {
    this.#ended.add(key);
    if (this.#isEager) this.#tried.add(key);
  }

  /** Reads what is due by now, and starts what can be started. Rejects as the store does. */
  async read(store: Pick<Store, 'dueAlerts'>, now: number, start: Start): Promise<void> {
    this.#ended.clear();
    for (let limit = FEW; ; limit = Math.min(MOST, limit * 5)) {
      const read = await store.dueAlerts(this.#isEager ? Number.MAX_SAFE_INTEGER : now, limit);
      const due = read.filter((entry) => entry.dueAt <= now || this.#isEarly(entry));
      this.#waiting = due.filter((entry) => !this.#ended.has(entry.key) && !start(entry));
      // All of them may wait for the same receiver: behind them may be one for another.
      if (read.length < limit || limit === MOST) return;
    }
  }

  #isEarly({ key, attempts }: PendingAlert): boolean {
    return this.#isEager && attempts > 0 && !this.#tried.has(key);
  }

  /** Starts what can be started of what was read; `false`: nothing of it. */
  startMore(start: Start): boolean {
    const before = this.#waiting;
    this.#waiting = before.filter((entry) => !start(entry));
    return this.#waiting.length < before.length;
  }
}
