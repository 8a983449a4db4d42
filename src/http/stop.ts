/** What tells that somebody has to stop: an `AbortSignal`, or as much of it as is needed here. */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason: Error;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Tells it once. There is one for each request, which an `AbortController` is too large for. */
export class Stop implements StopSignal {
  aborted = false;
  declare reason: Error;
  #listeners: (() => void)[] = [];

  addEventListener(_type: 'abort', listener: () => void): void {
    if (!this.aborted) this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const index = this.#listeners.indexOf(listener);
    if (index !== -1) this.#listeners.splice(index, 1);
  }

  abort(reason: Error): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.#listeners.splice(0)) listener();
  }
}
