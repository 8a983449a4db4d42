import { describe, expect, it } from 'vitest';
import { DEFAULT_MONITOR } from '../settings.ts';
import type { Core } from './core.ts';
import { prune } from './start.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;
const BEGIN = Date.UTC(2026, 2, 2);

/** The times by which a store forgot, in days after the begin, when the clock shows these times one after another. */
async function forgottenAt(times: readonly number[]): Promise<number[]> {
  let note: string | null = null;
  const pruned: number[] = [];
  for (const time of times) {
    const store = {
      note: async () => note,
      setNote: async (_name: string, text: string) => {
        note = text;
      },
      prune: async (now: number) => pruned.push((now - BEGIN) / DAY),
    };
    const core = { clock: { now: () => BEGIN + time }, settings: DEFAULT_MONITOR, options: { store, log: () => {} } };
    await prune(core as unknown as Core);
  }
  return pruned;
}

describe('a monitor forgets', () => {
  it.each([
    { name: 'nothing at first, whatever the clock says', times: [12 * YEAR], at: [] },
    { name: 'by the clock, from hour to hour', times: [0, HOUR, 2 * HOUR], at: [1 / 24, 2 / 24] },
    { name: 'once an hour, however often it is asked to', times: [0, 1, HOUR - 1, HOUR, HOUR + 1], at: [1 / 24] },
    { name: 'little while the clock is years ahead', times: [0, 12 * YEAR, HOUR, 2 * HOUR], at: [1, 1 / 24, 2 / 24] },
    { name: 'by a clock that was ahead at first', times: [12 * YEAR, 0, HOUR], at: [0, 1 / 24] },
    {
      name: 'step by step after a long rest',
      times: [0, 3 * DAY, 3 * DAY + HOUR, 3 * DAY + 2 * HOUR, 3 * DAY + 3 * HOUR, 3 * DAY + 4 * HOUR],
      at: [1, 2, 3, 3 + 3 / 24, 3 + 4 / 24],
    },
  ])('$name', async ({ times, at }) => {
    expect(await forgottenAt(times)).toEqual(at);
  });
});
