/** Bounds how many bodies are in memory at once, by the largest that has come so far. */

/** Of all bodies together, in bytes. */
const MOST_BYTES = 16 * 1024 * 1024;
const LEAST_AT_ONCE = 2;
const MOST_CONCURRENT = 24;

export class BodyLimit {
  #open = 0;
  #largest = 0;
  #answers = 0;
  readonly #waiting: (() => void)[] = [];

  /** Waits until another body has room. */
  async enter(): Promise<void> {
    if (this.#open < this.#most()) {
      this.#open++;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    await promise;
  }

  /** After `enter`, when a body of this length is not needed any more. */
  leave(bytes: number): void {
    this.#open--;
    this.#answers++;
    this.#largest = Math.max(this.#largest, bytes);
    while (this.#waiting.length > 0 && this.#open < this.#most()) {
      this.#open++;
      this.#waiting.shift()?.();
    }
  }

  /** Grows with the answers: before the first of them nothing is known of their sizes. */
  #most(): number {
    const fitting = Math.floor(MOST_BYTES / Math.max(this.#largest, 1));
    return Math.max(LEAST_AT_ONCE, Math.min(MOST_CONCURRENT, 6 + this.#answers, fitting));
  }
}
