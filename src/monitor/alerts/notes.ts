/** Notes in the database what came of alerts, and remembers it where the database cannot be written to. */
import type { Log } from '../log/write.ts';
import type { Store } from '../store/store.ts';

type NoteStore = Pick<Store, 'alertSent' | 'alertFailed' | 'note' | 'setNote'>;

/** Under this name the database has which receivers want to be left alone until when, by route; ms since 1970. */
const ASKED = 'alerts-asked';

/** Until when receivers asked not to be sent anything (`Retry-After`), by route; ms since 1970. */
export async function retryAfters(store: Pick<Store, 'note'>): Promise<ReadonlyMap<string, number>> {
  const note = await store.note(ASKED).catch(() => null);
  return new Map(JSON.parse(note ?? '[]') as [string, number][]);
}

/** How soon a database that could not be used is tried again. */
export const STORE_RETRY_MS = 5_000;

export class Notes {
  readonly #store: NoteStore;
  readonly #log: Log;
  /** What has arrived and could not be noted, and when it arrived: not sent again by this process. */
  readonly #sent = new Map<string, number>();
  /** What failed and could not be noted: not tried before. */
  readonly #held = new Map<string, number>();
  #isBroken = false;
  /** What an earlier process noted was told. */
  #isRead = false;

  constructor(store: NoteStore, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** Whether an alert has arrived though the database still holds it. */
  hasArrived(key: string): boolean {
    return this.#sent.has(key);
  }

  /** Whether something is still to be noted. */
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

  /** A receiver wants to be left alone: whoever starts next is to know. */
  async asked(route: string, until: number, now: number): Promise<void> {
    const others = [...(await retryAfters(this.#store))].filter(([id, end]) => id !== route && end > now);
    // What cannot be noted is asked for again.
    await this.#store.setNote(ASKED, JSON.stringify([...others, [route, until]])).catch(() => {});
  }

  /** The routes whose receivers wanted an earlier process to leave them alone, and until when; told once. */
  async askedBefore(): Promise<readonly (readonly [string, number])[]> {
    if (this.#isRead) return [];
    this.#isRead = true;
    return [...(await retryAfters(this.#store))];
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
