import { afterAll, beforeAll, describe } from 'vitest';
import { openStore } from '../../src/monitor/store/open.ts';
import { postgresWanted, startPostgres, type Postgres } from '../hosts/postgres.ts';
import { describeStore } from './contract.ts';

describe.runIf(postgresWanted())('PostgreSQL', () => {
  let server: Postgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  describeStore('PostgreSQL', async () => {
    server.psql('DROP SCHEMA IF EXISTS docvitals CASCADE');
    let store = await openStore(server.url(), { mode: 'own' });
    return {
      store,
      async reopen() {
        await store.close();
        store = await openStore(server.url(), { mode: 'own' });
        return store;
      },
      dispose: () => store.close(),
    };
  });
});
