import { afterAll, describe, expect, it } from 'vitest';
import { rowsOf, runRow } from '../seeded.ts';
import { openServers } from '../servers.ts';
import { CONTENT_FAULTS } from './content.ts';

const servers = openServers();
afterAll(async () => servers.close());

describe('content', () => {
  it.each(rowsOf(CONTENT_FAULTS))('$name on a $kind, seed $seed', async (row) => {
    const { said, expected } = await runRow(row, servers);
    expect(said).toEqual(expected);
  });
});
