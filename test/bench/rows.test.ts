import { expect, it } from 'vitest';
import { GROWTHS, ROWS } from './rows.ts';

const ids = [...ROWS, ...GROWTHS].map(({ id }) => id);

it('each has an id of its own', () => {
  expect(new Set(ids).size).toBe(ids.length);
});

it.each(ROWS.map((row) => [row.id, row] as const))('%s shows the figures that are demanded', (_, row) => {
  expect(row.targets.filter(({ figure }) => !row.figures.includes(figure))).toEqual([]);
});

it('contenders have names of their own', () => {
  const checkers = new Set(ROWS.flatMap((row) => row.checkers ?? []));
  expect(new Set([...checkers].map(({ name }) => name)).size).toBe(checkers.size);
});
