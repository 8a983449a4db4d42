import { describe, expect, it } from 'vitest';
import { growingPauses, type Reported } from './wait.ts';

const OLD: Reported = { refused: false, missing: false, retryAfterMs: 0 };
/** The lengths without chance. */
const middle = (): number => 0.5;

describe('pauses', () => {
  it('grow while nothing changes', () => {
    const pauses = growingPauses(middle);
    expect([1, 2, 3].map(() => pauses.afterBad(OLD))).toEqual([1_000, 1_500, 2_250]);
  });

  it.each<[name: string, told: Partial<Reported>, ms: number]>([
    ['after an old version', {}, 1_000],
    ['after files that are missing', { missing: true }, 1_000],
    ['after what the host asks for, which counts', { retryAfterMs: 7_000 }, 7_000],
    ['after a host that lets nobody in, which is asked less', { refused: true }, 5_000],
  ])('are as long as they may be: %s', (_, reported, ms) => {
    const pauses = growingPauses(middle, 1_000);
    pauses.afterBad(OLD);
    expect(pauses.afterBad({ ...OLD, ...reported })).toBe(ms);
  });

  it('before a run over everything are no shorter than the last one took', () => {
    expect([100, 3_000].map((tookMs) => growingPauses(middle, 1_000).beforeWhole(tookMs))).toEqual([1_000, 3_000]);
  });
});
