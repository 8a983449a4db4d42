/**
 * What somebody may do who has taken over a runner of Paris: everything that its role may do in the database. It must
 * neither speak for another location, nor read anything, nor keep the others from working.
 */
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fittingApi } from '../contracts.ts';
import { freePort } from '../hosts/port.ts';
import { postgresWanted } from '../hosts/postgres.ts';
import { startFleet, until, type Fleet, type Service } from './fleet.ts';

const MIB = 1024 * 1024;

/** Measurements of another shape, and one that is as large as it may be. */
const MEASURED = ['null', '[]', '{"report":null}', '{"report":{"checks":[null]}}', `[${'{},'.repeat(MIB / 3 - 2)}{}]`];

const NO_RUN = "'00000000-0000-4000-8000-000000000000'";

describe.runIf(postgresWanted())('the role of a location', { timeout: 120_000 }, () => {
  let fleet: Fleet;
  let port: number;
  let coordinator: Service;

  beforeAll(async () => {
    port = await freePort();
    const locations = ['paris', 'virginia'].map((id) => ({ id }));
    fleet = await startFleet({ monitor: { locations, listen: `127.0.0.1:${port}` }, site: { every: '1s' } });
    // As an earlier version had it.
    fleet.server.psql(
      'CREATE ROLE docvitals_runner LOGIN; GRANT USAGE ON SCHEMA docvitals, docvitals_queue TO docvitals_runner',
    );
    coordinator = await fleet.coordinator();
    await fleet.runner('virginia');
    await becomesChecked();
  }, 120_000);
  afterAll(() => fleet.stop());

  const count = async (query: string): Promise<number> => Number((await fleet.sql(`SELECT count(*) FROM ${query}`))[0]);
  const becomesChecked = async (): Promise<void> => {
    const runs = (): Promise<number> => count("docvitals.run WHERE site = 'docs1@virginia' AND verdict = 'healthy'");
    const before = await runs();
    await until('the site is checked from Virginia', async () => (await runs()) > before + 2);
  };
  const served = async (path: string): Promise<string> => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  const beat = (changes: Readonly<Record<string, string>> = {}): string => {
    const values = { id: "'evil'", host: "'h'", problems: "'{}'", ...changes };
    return `SELECT docvitals.runner_beat(${values.id}, '1', ${values.host}, 1, 0, ${values.problems}::text[], '{}', '{}')`;
  };
  /** Resolves with the next run of Paris, which is only requested while a runner there is alive. */
  const takeOne = async (): Promise<readonly string[]> => {
    for (;;) {
      await fleet.asParis(beat());
      const [run] = await fleet.asParis('SELECT id, attempt FROM docvitals.take_runs(1, true)');
      if (run !== undefined) return run.split('|');
    }
  };

  it.each([
    'SELECT * FROM docvitals.incident',
    'SELECT * FROM docvitals.notification',
    'SELECT * FROM docvitals.site_state',
    'SELECT * FROM docvitals.run',
    'SELECT * FROM docvitals.note',
    'SELECT * FROM docvitals.lease',
    'SELECT * FROM docvitals.member',
    'SELECT * FROM docvitals.migration',
    'SELECT * FROM docvitals.location_role',
    "INSERT INTO docvitals.location_role VALUES ('docvitals_paris', 'virginia')",
    "UPDATE docvitals.location_role SET location = 'virginia'",
    'UPDATE docvitals.lease SET fence = fence + 1',
    "UPDATE docvitals.notification SET state = 'sent'",
    'DELETE FROM docvitals.incident',
    'TRUNCATE docvitals.member',
    'DROP TABLE docvitals.member',
    'CREATE TABLE docvitals.own (id int)',
    'CREATE SCHEMA own',
    'SELECT data FROM docvitals_queue.job',
    'SELECT * FROM docvitals_queue.queue',
    "INSERT INTO docvitals_queue.job (name, data) VALUES ('result', '{}')",
    'DELETE FROM docvitals_queue.job',
    'UPDATE docvitals_queue.version SET version = 1',
    // What is in this table, coordinators execute.
    "INSERT INTO docvitals_queue.bam (name, version, table_name, command) VALUES ('x', 1, 'x', 'SELECT 1')",
    'CREATE OR REPLACE FUNCTION docvitals.runner_location() RETURNS text LANGUAGE sql AS $$ SELECT $$',
    'SET ROLE docvitals_coordinator',
    'SET SESSION AUTHORIZATION docvitals_virginia',
    ...['docvitals.lease', 'docvitals.member', 'docvitals.run', 'docvitals.migration', 'docvitals_queue.job'].map(
      (table) => `DO $$ BEGIN LOCK TABLE ${table} IN ACCESS SHARE MODE; END $$`,
    ),
    'SELECT pg_advisory_lock(1)',
    'SELECT pg_try_advisory_lock(1, 1)',
    'SELECT pg_advisory_xact_lock_shared(1)',
  ])('may not: %s', async (query) => {
    await expect(fleet.asParis(query)).rejects.toThrow(/permission denied|must be owner/);
  });

  it('takes runs of its location only', async () => {
    await fleet.asParis(beat());
    const taken: string[] = [];
    await until('a run', async () => {
      taken.push(...(await fleet.asParis("SELECT data->>'location' FROM docvitals.take_runs(200, true)")));
      return taken.length > 0;
    });
    expect(new Set(taken)).toEqual(new Set(['paris']));
  });

  it('hands in no result of another location, of another run, or a second one', async () => {
    const handIn = (run: string, attempt: string): Promise<readonly string[]> =>
      fleet.asParis(`SELECT docvitals.hand_in(${run}, ${attempt}, 'evil', NULL)`);
    const [site] = fleet.sites;
    if (site !== undefined) site.delayMs = 2_000;
    const active = "SELECT id, retry_count FROM docvitals_queue.job WHERE name = 'run-virginia' AND state = 'active'";
    await until('a run in Virginia', async () => (await fleet.sql(active)).length > 0);
    const [virginia = '', attempt = ''] = (await fleet.sql(active))[0]?.split('|') ?? [];
    expect(await handIn(`'${virginia}'`, attempt)).toEqual(['false']);
    if (site !== undefined) site.delayMs = 0;
    expect(await handIn(NO_RUN, '0')).toEqual(['false']);
    const [own = '', ofOwn = ''] = await takeOne();
    expect(await handIn(`'${own}'`, String(Number(ofOwn) + 1))).toEqual(['false']);
    expect([await handIn(`'${own}'`, ofOwn), await handIn(`'${own}'`, ofOwn)]).toEqual([['true'], ['false']]);
  });

  it('hands in no result that is too large, and writes no heartbeat of another shape or of another location', async () => {
    const [own = '', attempt = ''] = await takeOne();
    const large = `docvitals.hand_in('${own}', ${attempt}, 'evil', repeat('A', ${MIB + 1}))`;
    await expect(fleet.asParis(`SELECT ${large}`)).rejects.toThrow('1 MiB');
    for (const changes of [
      { host: "repeat('A', 1000000)" },
      { problems: 'ARRAY[NULL]' },
      { problems: "ARRAY[ARRAY['no-network']]" },
      { problems: "ARRAY[repeat('A', 2000)]" },
    ])
      await expect(fleet.asParis(beat({ id: `'${Object.keys(changes).join()}'`, ...changes }))).rejects.toThrow(
        'member_limits',
      );
    const [virginia] = await fleet.sql("SELECT id FROM docvitals.member WHERE location = 'virginia'");
    await expect(fleet.asParis(beat({ id: `'${virginia}'` }))).rejects.toThrow('duplicate key');
    await fleet.asParis(`SELECT docvitals.runner_leave('${virginia}', '{}', '{}')`);
    expect(await count(`docvitals.member WHERE id = '${virginia}'`)).toBe(1);
    await fleet.asParis(
      "SELECT docvitals.runner_beat(i::text, '1', 'h', 1, 0, '{}', '{}', '{}') FROM generate_series(1, 150) i",
    );
    await expect(
      fleet.asParis(
        "SELECT docvitals.runner_beat('b' || i, '1', 'h', 1, 0, '{}', '{}', '{}') FROM generate_series(1, 150) i",
      ),
    ).rejects.toThrow('200 runners');
    await fleet.sql("DELETE FROM docvitals.member WHERE id ~ '^[0-9]+$'");
  });

  it('ends no coordinator by a result of another shape, which is removed and reported', async () => {
    for (const measured of MEASURED) {
      const [own = '', attempt = ''] = await takeOne();
      await fleet.asParis(`SELECT docvitals.hand_in('${own}', ${attempt}, 'evil', '${measured}')`);
    }
    await until('they are removed', async () => (await count("docvitals_queue.job WHERE name = 'result'")) < 3);
    expect(await coordinator.logged('results-rejected')).toMatchObject({ location: 'paris', reason: 'invalid' });
    await becomesChecked();
    expect(coordinator.child.exitCode).toBe(null);
    const status = readFileSync(`/proc/${coordinator.child.pid}/status`, 'utf8');
    expect(Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1]) / 1024).toBeLessThan(300);
    expect(fleet.printed()).not.toMatch(/"event":"(?:run-failed|run-not-kept|unexpected-error)"/);
    expect(await served('/readyz')).toContain('location-results-rejected');
    expect(await served('/')).toContain(
      'A location sends results that are invalid or too large. They are removed and not counted. Locations: paris',
    );
    expect(fittingApi('/api/v1/fleet', await served('/api/v1/fleet'))).toMatchObject({
      locations: [{ id: 'paris', rejected: MEASURED.length }, { id: 'virginia' }],
    });
    const metrics = await served('/metrics');
    expect(metrics).toMatch(/^docvitals_results_rejected_total\{location="paris"\} [1-9]/m);
  });

  it('keeps no other location from working by a transaction that it does not end', async () => {
    const session = new Client({ connectionString: fleet.server.url('docvitals', 'docvitals_paris') });
    session.on('error', () => {});
    await session.connect();
    try {
      await takeOne();
      await session.query('BEGIN');
      await session.query(beat());
      await session.query('SELECT * FROM docvitals.take_runs(200, true)');
      await session.query("SELECT docvitals.hand_in(id, attempt, 'evil', NULL) FROM docvitals.take_runs(200, true)");
      // Lost runs of Virginia are found meanwhile.
      const [virginia] = await fleet.sql("SELECT pid FROM docvitals.member WHERE location = 'virginia'");
      const [site] = fleet.sites;
      if (site !== undefined) site.delayMs = 3_000;
      const active = "docvitals_queue.job WHERE name = 'run-virginia' AND state = 'active'";
      await until('a run in Virginia', async () => (await count(active)) > 0);
      process.kill(Number(virginia), 'SIGKILL');
      if (site !== undefined) site.delayMs = 0;
      const lost = "docvitals_queue.job WHERE name = 'run-virginia' AND state = 'retry'";
      await until('its run is to be repeated', async () => (await count(lost)) > 0, 30_000);
      await fleet.runner('virginia');
      await becomesChecked();
      expect(await count("docvitals_queue.job WHERE name = 'run-virginia' AND state = 'failed'")).toBe(0);
    } finally {
      await session.end();
    }
  });

  it('has replaced the one that all runners shared, which has no rights and is reported', async () => {
    const may = (schema: string) => `has_schema_privilege('docvitals_runner', '${schema}', 'USAGE')`;
    expect(await fleet.sql(`SELECT ${may('docvitals')} OR ${may('docvitals_queue')}`)).toEqual(['false']);
    expect(await served('/readyz')).toContain('shared-runner-role');
    await fleet.sql('DROP ROLE docvitals_runner');
    await until('it is no problem any more', async () => !(await served('/readyz')).includes('shared-runner-role'));
  });

  it('is that of the location that a runner names, or the runner ends', async () => {
    const DATABASE = fleet.server.url('docvitals', 'docvitals_paris');
    const { status, stderr } = await fleet.run(['runner', '--location', 'virginia'], { env: { DATABASE } });
    expect([status, stderr]).toEqual([3, expect.stringContaining('the location paris') as string]);
    await fleet.sql("DELETE FROM docvitals.location_role WHERE role = 'docvitals_paris'");
    const none = await fleet.run(['runner', '--location', 'paris'], { env: { DATABASE } });
    expect([none.status, none.stderr]).toEqual([3, expect.stringContaining('no location') as string]);
    await expect(fleet.asParis('SELECT * FROM docvitals.take_runs(1, true)')).rejects.toThrow('has no location');
  });
});
