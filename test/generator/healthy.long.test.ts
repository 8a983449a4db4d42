import { afterAll, beforeAll, it } from 'vitest';
import { expectHealthy, ROWS } from './healthy.ts';
import { openServer, type SiteServer } from './serve.ts';

let server: SiteServer;
beforeAll(async () => {
  server = await openServer();
});
afterAll(async () => server.close());

it.each(ROWS)('$name on a $kind, seed $seed: every page is asked for, no decoy is, nothing is wrong', async (row) => {
  await expectHealthy(server, row);
});
