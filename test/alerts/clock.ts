/** A clock that stands until it is told to go on, and goes from timer to timer then. */
import type { Timers } from '../../src/monitor/clock/clock.ts';

export interface FakeClock extends Pick<Timers, 'after' | 'random'> {
  now(): number;
  /** Lets so much time pass: each timer is called at its time, and what it set going is waited for. */
  pass(ms: number): Promise<void>;
}

/** `settled`: resolves when nothing goes on any more that is real. */
export function startClock(from: number, settled: () => Promise<void>): FakeClock {
  let now = from;
  const timers = new Map<symbol, { readonly at: number; readonly work: () => void }>();
  const next = (until: number): [symbol, { readonly at: number; readonly work: () => void }] | undefined =>
    [...timers].filter(([, { at }]) => at <= until).toSorted(([, a], [, b]) => a.at - b.at)[0];
  return {
    now: () => now,
    // The longest jitter: what a delay is at most.
    random: () => 1,
    after(ms, work) {
      const id = Symbol('timer');
      timers.set(id, { at: now + Math.max(0, ms), work });
      return () => void timers.delete(id);
    },
    async pass(ms) {
      const until = now + ms;
      await settled();
      for (let due = next(until); due !== undefined; due = next(until)) {
        const [id, { at, work }] = due;
        timers.delete(id);
        now = Math.max(now, at);
        work();
        await settled();
      }
      now = until;
    },
  };
}
