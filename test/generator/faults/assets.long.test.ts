import { afterAll, describe, expect, it } from 'vitest';
import { rowsOf, runRow } from '../seeded.ts';
import { openServers } from '../servers.ts';
import { ASSET_FAULTS } from './assets.ts';

const servers = openServers();
afterAll(async () => servers.close());

describe('assets', () => {
  it.each(rowsOf(ASSET_FAULTS))('$name on a $kind, seed $seed', async (row) => {
    const { said, expected } = await runRow(row, servers);
    expect(said).toEqual(expected);
  });
});
