import { afterAll, describe, expect, it } from 'vitest';
import { rowsOf, runRow } from '../seeded.ts';
import { openServers } from '../servers.ts';
import { HEADER_FAULTS } from './headers.ts';

const servers = openServers();
afterAll(async () => servers.close());

describe('headers', () => {
  it.each(rowsOf(HEADER_FAULTS))('$name on a $kind, seed $seed', async (row) => {
    const { said, expected } = await runRow(row, servers);
    expect(said).toEqual(expected);
  });
});
