import { describe, expect, it } from 'vitest';
import { resultOf } from './results.ts';
import type { Row, Target } from './row.ts';
import { rowTables, short, targetTable } from './table.ts';

const row: Row = {
  id: 'x/y',
  work: 'work',
  against: 'other',
  figures: ['wallMs', 'peakMiB'],
  needs: [],
  pairs: 2,
  measure: () => Promise.reject(new Error('not measured here')),
};

const targets = (): readonly Target[] => [
  { figure: 'wallMs', of: 'ratio', atMost: 0.5, aim: 0.4 },
  { figure: 'peakMiB', of: 'ours', atMost: 75 },
];

const pairs = { ours: [{ wallMs: 20, peakMiB: 80 }], theirs: [{ wallMs: 50, peakMiB: 10 }] };
const result = resultOf(row, pairs, new Date('2026-01-01'));

describe('a number', () => {
  it.each([
    [0.1234, '0.123'],
    [9.999, '10.0'],
    [12.34, '12.3'],
    [123.4, '123'],
    [NaN, '–'],
  ])('%d is written %s', (value, text) => {
    expect(short(value)).toBe(text);
  });
});

describe('the tables', () => {
  const lines = (text: string): string[][] =>
    text
      .trim()
      .split('\n')
      .slice(2)
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );

  it('report what is demanded and what was measured', () => {
    expect(lines(targetTable([row], { 'x/y': result }, targets))).toEqual([
      ['work, wall', 'other', '≤ 0.5, aim 0.4', '0.400 (0.400–0.400)', 'yes'],
      ['work, peak memory', 'itself', '≤ 75 MiB', '80.0 (80.0–80.0)', '**no**'],
    ]);
  });

  it('report what was not measured', () => {
    expect(lines(targetTable([row], {}, targets)).map((cells) => cells.slice(3))).toEqual([
      ['–', 'not measured'],
      ['–', 'not measured'],
    ]);
  });

  it('report what both took', () => {
    const [cells] = lines(rowTables([row], { 'x/y': result }));
    expect(cells).toEqual([
      '`x/y`',
      'other',
      '20.0 : 50.0',
      '0.400 (0.400–0.400)',
      '80.0 : 10.0',
      '8.00 (8.00–8.00)',
      '1',
    ]);
  });

  it('are as many as there are kinds of figures', () => {
    const other: Row = { ...row, figures: ['checksPerSecond'] };
    expect(rowTables([row, other, row], {}).match(/^\| row /gm)).toHaveLength(2);
  });
});
