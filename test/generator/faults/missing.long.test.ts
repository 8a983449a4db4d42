import { afterAll, describe, expect, it } from 'vitest';
import { rowsOf, runRow } from '../seeded.ts';
import { openServers } from '../servers.ts';
import { MISSING_FAULTS } from './missing.ts';

const servers = openServers();
afterAll(async () => servers.close());

describe('files that are not there', () => {
  it.each(rowsOf(MISSING_FAULTS))('$name on a $kind, seed $seed', async (row) => {
    const { said, expected } = await runRow(row, servers);
    expect(said).toEqual(expected);
  });
});
