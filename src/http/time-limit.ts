import { Ended } from './ended.ts';
import { Stop, type StopSignal } from './stop.ts';

/** Bounds one attempt of one request. Time counts from `start` to `stop`, as often as they are called. */
export class TimeLimit {
  readonly #limit = new Stop();
  readonly #limitMs: number;
  readonly #clock: () => number;
  #leftMs: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number, clock: () => number) {
    this.#limitMs = this.#leftMs = limitMs;
    this.#clock = clock;
  }

  /** Aborted with an {@link Ended} when the time is over, or with the reason given to `end`. */
  get signal(): StopSignal {
    return this.#limit;
  }

  start(): void {
    if (this.#timer !== undefined || this.#limit.aborted) return;
    this.#startedAt = this.#clock();
    // Timers of the same length are one to Node.
    const ms = Math.ceil(this.#leftMs);
    this.#timer = setTimeout(() => this.#limit.abort(new Ended('timeout', this.#limitMs)), ms);
  }

  stop(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs = Math.max(1, this.#leftMs - (this.#clock() - this.#startedAt));
  }

  /** Ends the attempt before its time. */
  end(reason: Error): void {
    this.stop();
    this.#limit.abort(reason);
  }
}
