import { describe, expect, it } from 'vitest';
import { fitted, shortened } from './progress.ts';

const LINE = 'waiting for the new version: guide.md is still old';
const lineOf = (over: number): string => `${shortened(LINE, over)} · round 4 · 0:42 of 5:00`;

describe('a line of progress', () => {
  it.each([
    ['that fits is whole', 90, `${LINE} · round 4 · 0:42 of 5:00`],
    ['of 70 columns keeps its numbers', 70, 'waiting for the new version: guide.md is sti… · round 4 · 0:42 of 5:00'],
    ['of few columns keeps some words', 37, 'waiting for… · round 4 · 0:42 of 5:00'],
    ['of fewer columns is cut', 20, 'waiting for… · round'],
  ])('%s', (_, columns, line) => {
    expect(fitted(lineOf, columns)).toBe(line);
  });

  it('counts columns, not letters', () => {
    expect(fitted((over) => `${shortened('文档文档文档文档', over)} 1`, 15)).toBe('文档文档文档… 1');
  });
});
