import { expect, it } from 'vitest';
import { GROWTHS, ROWS } from './rows.ts';

const ids = [...ROWS, ...GROWTHS].map(({ id }) => id);

it('each has an id of its own', () => {
  expect(new Set(ids).size).toBe(ids.length);
});

it('contenders have names of their own', () => {
  const checkers = new Set(ROWS.flatMap((row) => row.checkers ?? []));
  expect(new Set([...checkers].map(({ name }) => name)).size).toBe(checkers.size);
});
