import { afterAll, describe, expect, it } from 'vitest';
import { rowsOf, runRow } from '../seeded.ts';
import { openServers } from '../servers.ts';
import { LINK_FAULTS } from './links.ts';

const servers = openServers();
afterAll(async () => servers.close());

describe('links', () => {
  it.each(rowsOf(LINK_FAULTS))('$name on a $kind, seed $seed', async (row) => {
    const { said, expected } = await runRow(row, servers);
    expect(said).toEqual(expected);
  });
});
