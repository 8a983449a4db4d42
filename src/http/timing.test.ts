import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Ended } from './failure.ts';
import { Stopwatch, untilAborted } from './timing.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const clock = (): number => performance.now();

describe('a stopwatch', () => {
  it('ends when its time is over', () => {
    const { signal } = new Stopwatch(clock, 100);
    vi.advanceTimersByTime(99);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.reason).toEqual(new Ended('timeout', 100));
  });

  it('does not count the time while it is paused', async () => {
    const watch = new Stopwatch(clock, 100);
    vi.advanceTimersByTime(60);
    const { promise, resolve } = Promise.withResolvers<void>();
    const resumed = watch.pausedUntil(promise);
    vi.advanceTimersByTime(10_000);
    resolve();
    await resumed;
    vi.advanceTimersByTime(39);
    expect(watch.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(watch.signal.aborted).toBe(true);
  });

  it('that was ended does not begin again', async () => {
    const watch = new Stopwatch(clock, 100);
    const { promise, resolve } = Promise.withResolvers<void>();
    const resumed = watch.pausedUntil(promise);
    watch.end(new Ended('interrupt'));
    resolve();
    await resumed;
    expect([watch.signal.reason, vi.getTimerCount()]).toEqual([new Ended('interrupt'), 0]);
  });

  it('does not charge a phase with the time while it is paused', async () => {
    const watch = new Stopwatch(clock);
    watch.restart('connect');
    vi.advanceTimersByTime(5);
    watch.enter('headers');
    const { promise, resolve } = Promise.withResolvers<void>();
    const resumed = watch.pausedUntil(promise);
    vi.advanceTimersByTime(1_000);
    resolve();
    await resumed;
    vi.advanceTimersByTime(7);
    watch.charge();
    expect(watch.timings()).toEqual({ dnsMs: null, connectMs: 5, tlsMs: null, firstByteMs: 7, totalMs: 12 });
  });
});

describe('what is awaited until a signal', () => {
  it('may fail later, whether the signal was aborted before or meanwhile', async () => {
    vi.useRealTimers();
    const unhandled = vi.fn<(error: unknown) => void>();
    process.on('unhandledRejection', unhandled);
    for (const isBefore of [true, false]) {
      const controller = new AbortController();
      if (isBefore) controller.abort(new Ended('interrupt'));
      const { promise, reject } = Promise.withResolvers<never>();
      const ended = untilAborted(promise, controller.signal);
      controller.abort(new Ended('interrupt'));
      await expect(ended).rejects.toEqual(new Ended('interrupt'));
      reject(new Error('late'));
      await setImmediate();
    }
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});
