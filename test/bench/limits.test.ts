import { describe, expect, it } from 'vitest';
import { beyond, readLimits } from './limits.ts';
import type { Result } from './results.ts';
import { ROWS } from './rows.ts';

const spread = (median: number) => ({ median, low: median, high: median });
const result = (ours: number, ratio?: number): Result => ({
  date: '2026-01-01',
  pairs: 3,
  figures: { wallMs: { ours: spread(ours), ...(ratio === undefined ? {} : { ratio: spread(ratio) }) } },
});

describe('a limit', () => {
  it.each([
    ['is kept', { wallMs: { of: 'ratio', atMost: 1 } }, result(500, 1), 0],
    ['of the ratio is passed', { wallMs: { of: 'ratio', atMost: 1 } }, result(0, 1.01), 1],
    ['of ours is passed', { wallMs: { of: 'ours', atMost: 100 } }, result(101, 0.5), 1],
    ['is not kept by what was not measured', { wallMs: { of: 'ratio', atMost: 1 } }, result(0), 1],
    ['may be exceeded in CI', { wallMs: { of: 'ratio', atMost: 1, inCi: 2 } }, result(0, 2), 0],
    ['of CI is passed', { wallMs: { of: 'ratio', atMost: 1, inCi: 2 } }, result(0, 2.1), 1],
    ['is none', {}, result(500, 100), 0],
  ] as const)('%s', (_, limits, measured, problems) => {
    expect(beyond(measured, limits)).toHaveLength(problems);
  });
});

describe('the committed limits', () => {
  it.each(Object.entries(readLimits()))('of %s are of figures that it has', (id, limits) => {
    const row = ROWS.find((one) => one.id === id);
    expect(Object.keys(limits).filter((figure) => !row?.figures.includes(figure as never))).toEqual([]);
    expect(row).toBeDefined();
  });
});
