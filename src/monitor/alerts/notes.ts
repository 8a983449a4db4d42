/** Notes in the database what came of alerts, and remembers it where the database cannot be written to. */
import type { Log } from '../log/log.ts';
import type { Store } from '../store/store.ts';

/** How soon a database that could not be used is tried again. */
export const STORE_RETRY_MS = 5_000;

export class Notes {
  readonly #store: Pick<Store, 'alertSent' | 'alertFailed'>;
  readonly #log: Log;
  /** What has arrived and could not be noted, and when it arrived: not sent again by this process. */
  readonly #sent = new Map<string, number>();
  /** What failed and could not be noted: not tried before. */
  readonly #held = new Map<string, number>();
  #isBroken = false;

  constructor(store: Pick<Store, 'alertSent' | 'alertFailed'>, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** Whether an alert has arrived though the database still holds it. */
  hasArrived(key: string): boolean {
    return this.#sent.has(key);
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
      this.broken(error);
    }
  }

  /** `dueAt`: when it is tried again; `null`: it is given up. */
  async failed(key: string, error: string, dueAt: number | null, now: number): Promise<void> {
    try {
      await this.#store.alertFailed({ key }, { error, dueAt });
      this.#held.delete(key);
    } catch (failure) {
      this.#held.set(key, dueAt ?? now + STORE_RETRY_MS);
      this.broken(failure);
    }
  }

  /** Writes what could not be written before. */
  async catchUp(): Promise<void> {
    for (const [key, at] of this.#sent) await this.sent(key, at);
  }

  /** The database could not be used. Told once, until it works again. */
  broken(error: unknown): void {
    const { problem } = error as { problem?: unknown };
    if (!this.#isBroken)
      this.#log('error', 'outbox-failed', { error: typeof problem === 'string' ? problem : 'unreadable' });
    this.#isBroken = true;
  }

  works(): void {
    if (this.#isBroken && this.#sent.size === 0) {
      this.#log('info', 'outbox-works');
      this.#isBroken = false;
    }
  }
}
