import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/monitor/store/open.ts';
import { importFile } from '../../../src/monitor/store/postgres/import.ts';
import { openPostgres } from '../../../src/monitor/store/postgres/store.ts';
import type { Store } from '../../../src/monitor/store/store.ts';
import { openRows } from '../../fleet/fleet.ts';
import { postgresWanted, startPostgres, type Postgres } from '../../hosts/postgres.ts';
import { describeStore } from '../../store/contract.ts';
import { alertOf, commitOf, DAY, EVER, HOUR, incidentOf, NOON, opening, roundRecord } from '../../store/samples.ts';

/** Of the tables that the first store makes. Making them again for each test takes most of its time. */
const EMPTY_TABLES = `DO $$
  DECLARE name regclass;
  BEGIN
    SET LOCAL session_replication_role = replica;
    FOR name IN SELECT oid FROM pg_class WHERE relnamespace = to_regnamespace('docvitals') AND relkind IN ('r', 'p')
      AND NOT relispartition AND relname <> 'migration'
    LOOP EXECUTE 'DELETE FROM ' || name; END LOOP;
  END $$`;

describe.runIf(postgresWanted())('PostgreSQL', () => {
  let server: Postgres;
  let admin: ReturnType<typeof openRows>;
  beforeAll(async () => {
    server = await startPostgres();
    admin = openRows(server.url());
  });
  afterAll(async () => {
    await admin.close();
    await server.stop();
  });

  describeStore('PostgreSQL', async () => {
    await admin.rows(EMPTY_TABLES);
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

  describe('the server', () => {
    beforeEach(async () => {
      await admin.rows('DROP SCHEMA IF EXISTS docvitals CASCADE');
    });

    it('is left as it is by the commands beside a monitor', async () => {
      await expect(openStore(server.url(), { mode: 'shared' })).rejects.toMatchObject({ problem: 'missing' });
      expect(server.psql("SELECT to_regnamespace('docvitals') IS NULL")).toBe('t');
    });

    it('has one monitor, which the second one names', async () => {
      const since = 1_700_000_000_000;
      const store = await openStore(server.url(), { mode: 'own', now: () => since });
      const owner = { pid: process.pid, since };
      await expect(openStore(server.url(), { mode: 'own' })).rejects.toMatchObject({ problem: 'locked', owner });
      await store.close();
      await (await openStore(server.url(), { mode: 'own' })).close();
    });

    it('refuses tables of a later version, while who runs goes on', async () => {
      const store = await openStore(server.url(), { mode: 'own' });
      server.psql('INSERT INTO docvitals.migration VALUES (99)');
      for (const mode of ['own', 'shared'] as const)
        await expect(openStore(server.url(), { mode })).rejects.toHaveProperty(
          'problem',
          mode === 'own' ? 'locked' : 'newer',
        );
      await store.append([commitOf()]);
      await store.close();
      await expect(openStore(server.url(), { mode: 'own' })).rejects.toMatchObject({ problem: 'newer' });
    });

    it('may end every connection: they are opened again under the same lease', async () => {
      const store = await openStore(server.url(), { mode: 'own' });
      server.psql(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
      );
      await store.append([opening(incidentOf())]).catch(() => store.append([opening(incidentOf())]));
      expect(await store.incidents({})).toHaveLength(1);
      await expect(openStore(server.url(), { mode: 'own' })).rejects.toMatchObject({ problem: 'locked' });
      await store.close();
    });

    it('refuses what a monitor writes after another one has taken its lease', async () => {
      const old = await openPostgres(server.url(), { mode: 'own', isLockedOnce: true });
      await old.queue?.executeSql('CREATE TABLE docvitals.mark (by text)');
      const begun = old.queue?.executeSql("INSERT INTO docvitals.mark SELECT 'begun' FROM pg_sleep(20)");
      const ended = begun?.catch((error: Error) => error.message);
      server.psql('UPDATE docvitals.lease SET owner = NULL');
      const next = await openStore(server.url(), { mode: 'own' });
      expect(await ended).toContain('terminating connection');
      await expect(old.demandOwned()).rejects.toMatchObject({ problem: 'locked' });
      // The first statement finds that its connection has ended, the second that there is no other one.
      await old.append([commitOf()]).catch(() => {});
      await expect(old.append([commitOf()])).rejects.toMatchObject({ problem: 'locked' });
      const late = old.queue?.executeSql("INSERT INTO docvitals.mark VALUES ('late')");
      await expect(late).rejects.toMatchObject({ problem: 'locked' });
      await expect(old.lease?.lost).resolves.toContain('another monitor');
      await old.close();
      expect(server.psql('SELECT count(*) FROM docvitals.mark')).toBe('0');
      await next.append([commitOf()]);
      expect(await next.runs({ ...EVER, site: 'docs' })).toHaveLength(1);
      await next.close();
    });

    it('has a monitor again after one that ended without giving up its lease', async () => {
      await (await openStore(server.url(), { mode: 'own' })).close();
      server.psql(`UPDATE docvitals.lease SET owner = '{"pid": 1}', renewed_at = now() - interval '4 seconds'`);
      const store = await openStore(server.url(), { mode: 'own' });
      expect(server.psql('SELECT fence FROM docvitals.lease')).toBe('2');
      await store.close();
    });

    it('may be read-only, and be written again', async () => {
      const store = await openStore(server.url(), { mode: 'own' });
      const end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'docvitals%'";
      server.psql('ALTER DATABASE docvitals SET default_transaction_read_only = on', 'postgres');
      server.psql(end);
      await store.append([commitOf()]).catch(() => {});
      await expect(store.append([commitOf()])).rejects.toMatchObject({ problem: 'read-only' });
      server.psql('ALTER DATABASE docvitals RESET default_transaction_read_only', 'postgres');
      server.psql(end);
      await store.append([commitOf()]).catch(() => store.append([commitOf()]));
      expect(await store.runs({ ...EVER, site: 'docs' })).toHaveLength(1);
      await store.close();
    });

    it('takes over all that a file holds, as often as it is imported', async () => {
      const [folder, incident] = [mkdtempSync(path.join(tmpdir(), 'docvitals-import-')), incidentOf()];
      const file = path.join(folder, 'a.db');
      const from = await openStore(file, { mode: 'own' });
      const [sent, waiting] = [alertOf(), alertOf({ route: 'chat', dueAt: NOON + HOUR })];
      const picture = {
        site: 'docs',
        incident: incident.id,
        route: '#/guide',
        at: NOON,
        bytes: Uint8Array.of(1, 0, 2),
      };
      const received = { ...sent, state: 'sent', sentAt: NOON + 5 } as const;
      await from.append([{ ...opening(incident, received, waiting), pictures: [picture] }]);
      await from.startMaintenance({ id: 'm', site: 'docs', from: NOON, to: NOON + HOUR, reason: null });
      await from.setNote('n', 'text');
      const contents = (store: Store): Promise<unknown[]> =>
        Promise.all([
          store.states(),
          store.incidents({}),
          store.open(),
          store.waiting(9),
          store.maintenance(NOON),
          store.note('n'),
          store.pictures(incident),
          store.runs({ ...EVER, site: 'docs' }),
          store.buckets({ ...EVER, site: 'docs', resolution: 'minute' }),
        ]);
      const expected = await contents(from);
      await from.close();
      for (const runs of [1, 0]) {
        expect(await importFile(file, server.url())).toEqual({ sites: 1, runs, incidents: 1 });
        const into = await openStore(server.url(), { mode: 'own' });
        expect(await contents(into)).toEqual(expected);
        await into.close();
      }
      rmSync(folder, { recursive: true });
    });

    it('drops the partitions of old days', async () => {
      const store = await openStore(server.url(), { mode: 'own' });
      const days = [0, 1, 2, 3, 4, 5].map((day) => NOON - day * DAY);
      await store.append(days.map((startedAt) => commitOf({ run: roundRecord({ startedAt }) })));
      const partitions = "SELECT count(*) FROM pg_inherits WHERE inhparent = 'docvitals.run'::regclass";
      expect(server.psql(partitions)).toBe('7');
      expect(await store.prune(NOON, { rawMs: 3 * DAY, minuteMs: 3 * DAY, hourMs: 9 * DAY, dayMs: 9 * DAY })).toBe(4);
      expect(server.psql(partitions)).toBe('5');
      expect(server.psql('SELECT count(*) FROM docvitals.run_check')).toBe('4');
      await store.append([commitOf({ run: roundRecord({ startedAt: NOON - 5 * DAY + HOUR }) })]);
      await store.close();
    });
  });
});
