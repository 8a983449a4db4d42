import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Ended } from './ended.ts';
import { Phases, timeLimit } from './timing.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const clock = (): number => performance.now();

describe('a time limit', () => {
  it('ends when its time is over', () => {
    const limit = timeLimit(100, clock);
    limit.start();
    vi.advanceTimersByTime(99);
    expect(limit.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(limit.signal.reason).toEqual(new Ended('timeout', 100));
  });

  it('does not count the time while it is stopped', () => {
    const limit = timeLimit(100, clock);
    limit.start();
    vi.advanceTimersByTime(60);
    limit.stop();
    vi.advanceTimersByTime(10_000);
    limit.start();
    vi.advanceTimersByTime(39);
    expect(limit.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(limit.signal.aborted).toBe(true);
  });

  it('that was ended does not begin again', () => {
    const limit = timeLimit(100, clock);
    limit.end(new Ended('interrupt'));
    limit.start();
    expect([limit.signal.reason, vi.getTimerCount()]).toEqual([new Ended('interrupt'), 0]);
  });
});

describe('phases', () => {
  it('do not count the time while they are suspended', () => {
    const phases = new Phases(clock);
    phases.restart('connect');
    vi.advanceTimersByTime(5);
    phases.enter('headers');
    phases.suspend();
    vi.advanceTimersByTime(1_000);
    phases.resume();
    vi.advanceTimersByTime(7);
    phases.charge();
    expect(phases.timings()).toEqual({ dnsMs: null, connectMs: 5, tlsMs: null, firstByteMs: 7, totalMs: 12 });
  });
});
