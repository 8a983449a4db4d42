import { afterAll, describe, expect, it } from 'vitest';
import { rowsOf, runRow } from '../seeded.ts';
import { openServers } from '../servers.ts';
import { HEALTHY_ODDITIES } from './oddities.ts';

const servers = openServers();
afterAll(async () => servers.close());

describe('healthy sites that look odd', () => {
  it.each(rowsOf(HEALTHY_ODDITIES))('$name on a $kind, seed $seed', async (row) => {
    const { said, expected } = await runRow(row, servers);
    expect(said).toEqual(expected);
  });
});
