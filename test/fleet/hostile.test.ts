/**
 * What the role of a runner may write into the database, against the coordinators and the other runners: rows that are no
 * jobs and no results, results that inflate to gigabytes, members with times that no clock shows.
 */
import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fittingApi } from '../contracts.ts';
import { freePort } from '../hosts/port.ts';
import { postgresWanted } from '../hosts/postgres.ts';
import { startFleet, until, type Fleet, type Service } from './fleet.ts';

const MIB = 1024 * 1024;

/** Of a run that no coordinator knows. */
const result = (more: object): string =>
  JSON.stringify({
    run: '00000000-0000-4000-8000-000000000000',
    site: 'docs1',
    scope: 'core',
    location: 'paris',
    at: Date.now(),
    bypassCache: false,
    ...more,
  });

const deflated = (json: string): string => deflateRawSync(json).toString('base64');

const MEASURED = ['null', '[]', '{"report":null}', '{"report":{"checks":[null]}}'].map(deflated);

const ROWS = ['NULL', "'null'", "'[]'", "'{}'", "'7'", `'${result({ at: 'now' })}'`];

describe.runIf(postgresWanted())('what a runner may write', { timeout: 120_000 }, () => {
  let fleet: Fleet;
  let port: number;
  let coordinator: Service;
  let runner: Service;

  beforeAll(async () => {
    port = await freePort();
    fleet = await startFleet({ monitor: { locations: [{ id: 'paris' }], listen: `127.0.0.1:${port}` } });
    coordinator = await fleet.coordinator();
    runner = await fleet.runner('paris');
    await becomesChecked();
  }, 120_000);
  afterAll(() => fleet.stop());

  const insert = (queue: string, data: readonly string[]): Promise<readonly string[]> =>
    fleet.asRunner(
      `INSERT INTO docvitals_queue.job (name, data) VALUES ${data.map((one) => `('${queue}', ${one})`).join(', ')}`,
    );
  const count = async (query: string): Promise<number> => Number((await fleet.sql(`SELECT count(*) FROM ${query}`))[0]);
  const becomesChecked = async (): Promise<void> => {
    const runs = (): Promise<number> => count("docvitals.run WHERE site = 'docs1@paris' AND verdict = 'healthy'");
    const before = await runs();
    await until('the site is checked from paris', async () => (await runs()) > before + 1);
  };
  const served = async (path: string): Promise<string> => (await fetch(`http://127.0.0.1:${port}${path}`)).text();

  it('ends no coordinator where it inflates to gigabytes, and is removed', async () => {
    const bomb = deflated(`[${'{},'.repeat((64 * MIB) / 3 - 2)}{}]`);
    const bombs = Array.from({ length: 60 }, () => `'${result({ measured: bomb })}'`);
    await insert('result', bombs);
    await becomesChecked();
    await coordinator.kill();
    await insert('result', bombs);
    coordinator = await fleet.coordinator();
    await becomesChecked();
    const status = readFileSync(`/proc/${coordinator.child.pid}/status`, 'utf8');
    expect(Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1]) / 1024).toBeLessThan(300);
    expect(await coordinator.logged('results-rejected')).toMatchObject({ location: 'paris', reason: 'too-large' });
  });

  it('ends no coordinator and no runner where it is no job and no result, and is reported', async () => {
    await coordinator.kill();
    await insert('result', [...ROWS, ...MEASURED.map((measured) => `'${result({ measured })}'`)]);
    coordinator = await fleet.coordinator();
    await becomesChecked();
    // Results of a run in progress.
    const [table] = await fleet.sql("SELECT table_name FROM docvitals_queue.queue WHERE name = 'run-paris'");
    const queue = `docvitals_queue.${table}`;
    const [site] = fleet.sites;
    if (site !== undefined) site.delayMs = 300;
    for (const measured of MEASURED) {
      await until('a run is in progress', async () => (await count(queue)) > 0);
      const more = JSON.stringify({ measured });
      await fleet.asRunner(
        `INSERT INTO docvitals_queue.job (name, data) SELECT 'result', data || '${more}' FROM ${queue}`,
      );
    }
    if (site !== undefined) site.delayMs = 0;
    await insert('result', ROWS);
    await insert('run-paris', ROWS);
    await until('they are removed', async () => (await count('docvitals_queue.job WHERE id IS NOT NULL')) < 5);
    await becomesChecked();
    expect([coordinator, runner].map(({ child }) => child.exitCode)).toEqual([null, null]);
    expect(await runner.logged('runs-rejected')).toMatchObject({ location: 'paris', reason: 'invalid' });
    expect(await coordinator.logged('results-rejected', 2)).toMatchObject({ reason: 'invalid' });
    expect(fleet.printed()).not.toMatch(/"event":"(?:run-failed|run-not-kept|unexpected-error|queue-unreachable)"/);
    expect(await served('/readyz')).toContain('location-results-rejected');
    expect(await served('/')).toContain(
      'A location sends results that are invalid or too large. They are removed and not counted. Locations: paris',
    );
    expect(fittingApi('/api/v1/fleet', await served('/api/v1/fleet'))).toMatchObject({
      locations: [
        { id: 'paris', rejected: expect.toSatisfy((rejected: number) => rejected > MEASURED.length) as number },
      ],
    });
    const metrics = await served('/metrics');
    expect(metrics).toMatch(/^docvitals_results_rejected_total\{location="paris"\} [1-9]/m);
  });

  it('is limited by the database', async () => {
    for (const [queue, bytes] of [
      ['result', 1.5 * MIB],
      ['run-paris', 5_000],
    ] as const) {
      await expect(insert(queue, [`to_jsonb(repeat('A', ${bytes}))`])).rejects.toThrow('docvitals_limits');
    }
    for (const row of [
      // pg-boss adds to these.
      "(name, retry_count, started_on) VALUES ('result', 2147483647, now())",
      "(name, state, started_on) VALUES ('run-paris', 'active', '294276-12-31')",
      "(name, group_id) VALUES ('result', repeat('A', 1000000))",
    ]) {
      await expect(fleet.asRunner(`INSERT INTO docvitals_queue.job ${row}`)).rejects.toThrow('docvitals_limits');
    }
    for (const change of [
      "seen_at = 'infinity'",
      "started_at = 'infinity'",
      "started_at = '290000-01-01'",
      "host = repeat('A', 1000000)",
      'problems = ARRAY[NULL]',
      "problems = ARRAY[ARRAY['no-network']]",
    ]) {
      await expect(fleet.asRunner(`UPDATE docvitals.member SET ${change}`)).rejects.toThrow('docvitals_limits');
    }
    await becomesChecked();
  });
});
