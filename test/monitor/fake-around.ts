/** A world whose time goes on only when it is told to. */
import type { Timers, Cancel } from '../../src/monitor/clock/clock.ts';

interface Timer {
  readonly at: number;
  readonly work: () => void;
}

export class FakeAround implements Timers {
  /** Since this world began; never set back. */
  #passed = 0;
  /** ms since 1970 at its begin; moves when the clock is set. */
  #epoch: number;
  #asleep = 0;
  #used = 0;
  #seed: number;
  readonly #timers = new Set<Timer>();

  constructor(epoch = Date.parse('2026-03-02T00:00:00Z'), seed = 1) {
    this.#epoch = epoch;
    this.#seed = seed;
  }

  // Functions of their own, since they are handed on without their object.
  readonly wall = (): number => this.#epoch + this.#passed;

  readonly monotonic = (): number => this.#passed;

  readonly uptime = (): number => this.#passed + this.#asleep;

  readonly used = (): number => this.#used;

  /** The same sequence in each run (Park and Miller's generator). */
  readonly random = (): number => {
    this.#seed = (this.#seed * 48_271) % 2_147_483_647;
    return this.#seed / 2_147_483_647;
  };

  readonly after = (ms: number, work: () => void): Cancel => {
    const timer = { at: this.#passed + Math.max(0, ms), work };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  /** How long until the next timer; `null`: there is none. */
  untilNext(): number | null {
    const times = [...this.#timers].map(({ at }) => at);
    return times.length === 0 ? null : Math.min(...times) - this.#passed;
  }

  /** Lets time pass, each timer at its moment. */
  advance(ms: number): void {
    const end = this.#passed + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#passed = Math.max(this.#passed, next.at);
      next.work();
    }
    this.#passed = end;
  }

  /** The machine is suspended: the wall goes on, timers and the monotonic clock stand still. */
  sleep(ms: number): void {
    this.#epoch += ms;
    this.#asleep += ms;
  }

  /** The process is stopped: all clocks go on, and its timers come late, all at once. */
  stall(ms: number): void {
    this.#passed += ms;
  }

  /** The process works for so long without a pause, on a machine that it has half of. */
  block(ms: number): void {
    this.#passed += ms;
    this.#used += ms / 2;
  }

  /** The wall's clock is set, forwards or backwards. */
  setWall(byMs: number): void {
    this.#epoch += byMs;
  }
}
