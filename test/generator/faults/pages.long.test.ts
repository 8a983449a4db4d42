import { afterAll, describe, expect, it } from 'vitest';
import { rowsOf, runRow } from '../seeded.ts';
import { openServers } from '../servers.ts';
import { PAGE_FAULTS } from './pages.ts';

const servers = openServers();
afterAll(async () => servers.close());

describe('pages', () => {
  it.each(rowsOf(PAGE_FAULTS))('$name on a $kind, seed $seed', async (row) => {
    const { said, expected } = await runRow(row, servers);
    expect(said).toEqual(expected);
  });
});
