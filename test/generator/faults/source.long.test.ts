import { afterAll, describe, expect, it } from 'vitest';
import { rowsOf, runRow } from '../seeded.ts';
import { openServers } from '../servers.ts';
import { SOURCE_FAULTS } from './source.ts';

const servers = openServers();
afterAll(async () => servers.close());

describe('source', () => {
  it.each(rowsOf(SOURCE_FAULTS))('$name on a $kind, seed $seed', async (row) => {
    const { said, expected } = await runRow(row, servers);
    expect(said).toEqual(expected);
  });
});
