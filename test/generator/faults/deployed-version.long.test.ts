import { afterAll, describe, expect, it } from 'vitest';
import { rowsOf, runRow } from '../seeded.ts';
import { openServers } from '../servers.ts';
import { VERSION_FAULTS } from './deployed-version.ts';

const servers = openServers();
afterAll(async () => servers.close());

describe('deployed-version', () => {
  it.each(rowsOf(VERSION_FAULTS))('$name on a $kind, seed $seed', async (row) => {
    const { said, expected } = await runRow(row, servers);
    expect(said).toEqual(expected);
  });
});
