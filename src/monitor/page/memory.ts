/** What pages remember between requests, so that many visitors cost a monitor no more than one. */

interface Entry<T> {
  readonly until: number;
  readonly value: Promise<T>;
}

/** Values that are made once and kept for a while; a value that could not be made is not kept. Bounded. */
export class Memory<T> {
  readonly #kept = new Map<string, Entry<T>>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** The value of a key, made again where it is older than `ms`. `now`: ms since 1970. */
  get(key: string, now: number, ms: number, create: () => Promise<T>): Promise<T> {
    const kept = this.#kept.get(key);
    // A clock that was set back must not keep a value for hours.
    if (kept !== undefined && now < kept.until && kept.until - now <= ms) return kept.value;
    const value = create();
    this.#kept.delete(key);
    this.#kept.set(key, { until: now + ms, value });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#most) break;
      this.#kept.delete(oldest);
    }
    value.catch(() => {
      if (this.#kept.get(key)?.value === value) this.#kept.delete(key);
    });
    return value;
  }
}
