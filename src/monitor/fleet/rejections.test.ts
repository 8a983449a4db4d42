import { describe, expect, it } from 'vitest';
import { rejectionLog } from './rejections.ts';

const MINUTE = 60_000;

function started() {
  const lines: string[] = [];
  let now = 0;
  const rejections = rejectionLog(
    (level, event, fields) => void lines.push(`${level} ${event} ${JSON.stringify(fields)}`),
    (location) => location === 'paris',
    () => now,
  );
  const note = (location: string | null, count: number): void =>
    rejections.note([{ location, reason: 'invalid', count }]);
  return {
    ...rejections,
    lines,
    noteAt: (at: number, ...one: Parameters<typeof note>) => ((now = at), note(...one)),
    setNow: (at: number) => void (now = at),
  };
}

describe('what was removed from the queues', () => {
  it('is counted by location, and of unknown locations together', () => {
    const { noteAt, count } = started();
    noteAt(0, 'paris', 2);
    noteAt(1, 'elsewhere', 3);
    noteAt(2, null, 4);
    noteAt(3, 'paris', 1);
    expect([count('paris'), count('elsewhere'), count()]).toEqual([3, 0, 10]);
  });

  it('is logged when it begins, and again after ten minutes without', () => {
    const { noteAt, lines } = started();
    const line = (location: string): string =>
      `error results-rejected ${JSON.stringify({ location, reason: 'invalid' })}`;
    noteAt(0, 'paris', 1);
    noteAt(9 * MINUTE, 'paris', 1);
    noteAt(10 * MINUTE, 'elsewhere', 1);
    expect(lines).toEqual([line('paris'), line('unknown')]);
    noteAt(19 * MINUTE - 1, 'paris', 1);
    expect(lines).toHaveLength(2);
    noteAt(29 * MINUTE - 1, 'paris', 1);
    expect(lines).toEqual([line('paris'), line('unknown'), line('paris')]);
  });

  it('is a current problem for ten minutes', () => {
    const { noteAt, isCurrent, setNow } = started();
    expect(isCurrent()).toBe(false);
    noteAt(0, 'paris', 1);
    noteAt(MINUTE, null, 1);
    setNow(10 * MINUTE - 1);
    expect([isCurrent('paris'), isCurrent('bucharest'), isCurrent()]).toEqual([true, false, true]);
    setNow(11 * MINUTE - 1);
    expect([isCurrent('paris'), isCurrent()]).toEqual([false, true]);
    setNow(11 * MINUTE);
    expect(isCurrent()).toBe(false);
  });
});
