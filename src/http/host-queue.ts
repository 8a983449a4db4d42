import type { Pace } from './pace.ts';

/** Calls back after some milliseconds; answers what takes it back. */
export type Schedule = (callback: () => void, ms: number) => () => void;

/** `setTimeout` as a {@link Schedule}. */
export const onTimer: Schedule = (callback, ms) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};

/** Bounds how many requests are under way to all hosts together. */
export class Capacity {
  #free: number;
  readonly #blocked = new Set<HostQueue>();

  constructor(most: number) {
    this.#free = most;
  }

  /** Takes a place; where there is none, the turns are told when there may be one. */
  take(queue: HostQueue): boolean {
    if (this.#free === 0) {
      this.#blocked.add(queue);
      return false;
    }
    this.#free -= 1;
    return true;
  }

  give(): void {
    this.#free += 1;
    const [longest] = this.#blocked;
    if (longest === undefined) return;
    // To the end of the line, so that one host's long queue does not keep the others waiting.
    this.#blocked.delete(longest);
    longest.goOn();
  }
}

interface Waiting {
  readonly begin: () => void;
  readonly fail: (reason: Error) => void;
}

/** Who may ask one host next: first come, first served, at the host's pace. */
export class HostQueue {
  readonly pace: Pace;
  readonly #capacity: Capacity;
  readonly #clock: () => number;
  readonly #schedule: Schedule;
  readonly #queue = new Set<Waiting>();
  /** Those who have been waiting already: the next hop of a redirect, another try. */
  readonly #again = new Set<Waiting>();
  #running = 0;
  #unschedule: (() => void) | undefined;
  #ended: { readonly reason: Error } | undefined;

  constructor(pace: Pace, capacity: Capacity, clock: () => number, schedule: Schedule) {
    this.pace = pace;
    this.#capacity = capacity;
    this.#clock = clock;
    this.#schedule = schedule;
  }

  /** Whether nobody has a turn or waits for one. */
  get isIdle(): boolean {
    return this.#running === 0 && this.#queue.size === 0 && this.#again.size === 0;
  }

  /** Takes a turn if one is free at once. */
  takeNow(): boolean {
    if (this.#queue.size > 0 || this.#again.size > 0 || this.#ended !== undefined) return false;
    if (this.#running >= this.pace.concurrency || this.pace.waitMs(this.#clock()) > 0) return false;
    if (!this.#capacity.take(this)) return false;
    this.#begin();
    return true;
  }

  /** Resolves when it is the caller's turn; `isAgain`: before those who come for the first time. */
  take(isAgain: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended.reason);
      (isAgain ? this.#again : this.#queue).add({ begin: resolve, fail: reject });
      this.goOn();
    });
  }

  /** Ends a turn. */
  give(): void {
    this.#running -= 1;
    this.#capacity.give();
    this.goOn();
  }

  /** Rejects everybody who waits, and whoever comes. */
  end(reason: Error): void {
    this.#ended ??= { reason };
    this.#unschedule?.();
    for (const queue of [this.#again, this.#queue]) {
      for (const waiting of queue) waiting.fail(reason);
      queue.clear();
    }
  }

  /** Lets as many begin as may. */
  goOn(): void {
    this.#unschedule?.();
    this.#unschedule = undefined;
    for (;;) {
      const queue = this.#again.size > 0 ? this.#again : this.#queue;
      const [next] = queue;
      if (next === undefined || this.#running >= this.pace.concurrency) return;
      const waitMs = this.pace.waitMs(this.#clock());
      if (waitMs > 0) {
        this.#unschedule = this.#schedule(() => this.goOn(), Math.ceil(waitMs));
        return;
      }
      if (!this.#capacity.take(this)) return;
      queue.delete(next);
      this.#begin();
      next.begin();
    }
  }

  #begin(): void {
    this.#running += 1;
    this.pace.sent(this.#clock());
  }
}
