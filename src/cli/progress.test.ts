import { expect, it } from 'vitest';
import { cut } from './progress.ts';

it.each([
  ['that fits is whole', 'round 4 · 0:42 of 5:00', 30, 'round 4 · 0:42 of 5:00'],
  ['that is too long is cut', 'round 4 · 0:42 of 5:00', 7, 'round 4'],
  ['counts columns, not letters', '文档文档', 5, '文档'],
])('a line of progress %s', (_, line, columns, shown) => {
  expect(cut(line, columns)).toBe(shown);
});
