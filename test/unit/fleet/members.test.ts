/** Coordinators and runners of one fleet in this process, on a real PostgreSQL server. What a run measures is given. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CheckSiteOptions } from '../../../src/core/check-site.ts';
import type { Report, Status } from '../../../src/core/check.ts';
import { startCoordinator } from '../../../src/monitor/fleet/coordinator.ts';
import { startRunner } from '../../../src/monitor/fleet/runner.ts';
import type { LogFields } from '../../../src/monitor/log/write.ts';
import { openRows } from '../../fleet/fleet.ts';
import { createRoles, postgresWanted, startPostgres, type Postgres } from '../../hosts/postgres.ts';
import { settingsOf, siteAt } from '../../monitor/settings.ts';
import { reportOf } from '../../reports.ts';

const LOCATIONS = ['paris', 'virginia'] as const;
type Location = (typeof LOCATIONS)[number];

const SITES = ['docs', 'blog'].map((id) =>
  siteAt(`https://${id}.example/`, {
    id,
    schedule: { kind: 'every', everyMs: 1_000, jitterMs: 0 },
    confirm: { afterMs: 100, times: 2 },
  }),
);

const settings = settingsOf(SITES, {
  locations: LOCATIONS.map((id) => ({ id, title: id, coordinates: null })),
});

interface Line extends LogFields {
  readonly from: string;
  readonly event: string;
}

describe.runIf(postgresWanted())('a fleet in one process', { timeout: 60_000 }, () => {
  let server: Postgres;
  let admin: ReturnType<typeof openRows>;
  const lines: Line[] = [];
  /** Where `docs` fails, and where its runs raise. */
  const failing = new Set<Location>();
  const raising = new Set<Location>();
  /** Runs that were begun, and how long each of `blog` takes at `paris`. */
  const begun: string[] = [];
  let blogMs = 0;

  const logOf =
    (from: string) =>
    (_level: unknown, event: string, fields: LogFields = {}): void =>
      void lines.push({ ...fields, from, event });

  const checkAt =
    (location: Location) =>
    async ({ site, interrupt }: CheckSiteOptions): Promise<Report> => {
      const id = site.base.hostname.split('.')[0] ?? '';
      begun.push(`${id}@${location}`);
      if (`${id}@${location}` === 'blog@paris' && blogMs > 0)
        await sleep(blogMs, undefined, { signal: interrupt }).catch(() => {});
      if (id === 'docs' && raising.has(location)) throw new Error('This run raises.');
      const isFailing = id === 'docs' && failing.has(location);
      const status: Status = isFailing ? 'fail' : 'pass';
      return reportOf([{ id: 'bundle', status }], {
        verdict: isFailing ? 'down' : 'healthy',
        interrupted: interrupt?.aborted === true,
      });
    };

  const coordinator = (name: string) =>
    startCoordinator({
      address: server.url('docvitals', 'docvitals_coordinator'),
      settings: () => settings,
      log: logOf(name),
      env: {},
      onActing: async () => async () => {},
    });
  const runner = (location: Location) =>
    startRunner({
      address: server.url('docvitals', `docvitals_${location}`),
      location,
      settings,
      log: logOf(location),
      env: {},
      atOnce: 4,
      check: checkAt(location),
    });

  let acting: Awaited<ReturnType<typeof coordinator>>;
  const runners = new Map<Location, Awaited<ReturnType<typeof runner>>>();

  const until = async (what: string, holds: () => boolean | Promise<boolean>): Promise<void> => {
    for (const end = performance.now() + 20_000; !(await holds()); await sleep(20)) {
      if (performance.now() > end) throw new Error(`not reached: ${what}`);
    }
  };
  const logged = (from: string, event: string): Promise<void> =>
    until(`${from}: ${event}`, () => lines.some((line) => line.from === from && line.event === event));
  const rows = (query: string): Promise<readonly string[]> => admin.rows(query);
  const verdictOf = async (site: string): Promise<string | undefined> =>
    (await rows(`SELECT verdict FROM docvitals.site_state WHERE site = '${site}'`))[0];
  const jobs = async (queue: string): Promise<number> =>
    Number((await rows(`SELECT count(*) FROM docvitals_queue.job WHERE name = '${queue}' AND state <> 'failed'`))[0]);

  beforeAll(async () => {
    server = await startPostgres();
    createRoles(server);
    admin = openRows(server.url());
  }, 60_000);
  afterAll(async () => {
    await Promise.all([...runners.values()].map((one) => one.stop()));
    await acting?.stop();
    await admin.close();
    await server.stop();
  }, 60_000);

  it('a runner waits until a coordinator has made the tables and the queues', async () => {
    runners.set('paris', await runner('paris'));
    expect(lines).toEqual([{ from: 'paris', event: 'runner-waiting', location: 'paris' }]);
    acting = await coordinator('one');
    await logged('one', 'coordinator-acting');
    await logged('paris', 'runner-started');
    runners.set('virginia', await runner('virginia'));
    await logged('virginia', 'runner-started');
    expect(lines.filter(({ from, event }) => from === 'virginia' && event === 'runner-waiting')).toEqual([]);
  });

  it('each location has a history, and the site one of all', async () => {
    const series = "SELECT DISTINCT site FROM docvitals.run WHERE verdict = 'healthy' ORDER BY 1";
    const expected = SITES.flatMap(({ id }) => [id, ...LOCATIONS.map((location) => `${id}@${location}`)]).toSorted();
    await until('all series', async () => (await rows(series)).join() === expected.join());
  });

  it('a second coordinator stands by', async () => {
    const second = await coordinator('two');
    await logged('two', 'coordinator-standby');
    const members = 'SELECT role, location, acting FROM docvitals.member ORDER BY role, location, acting DESC';
    const expected = ['coordinator||true', 'coordinator||false', 'runner|paris|true', 'runner|virginia|true'];
    await until('all members', async () => (await rows(members)).join() === expected.join());
    // The one that acts ends: the other one goes on with the same runners.
    await acting.stop();
    acting = second;
    await logged('two', 'coordinator-acting');
    const before = begun.length;
    await until('runs for it', () => begun.length > before + 8);
  });

  it('one location that fails makes the site degraded, all of them down', async () => {
    failing.add('paris');
    await until('degraded', async () => (await verdictOf('docs')) === 'degraded');
    expect(await verdictOf('blog')).toBe('healthy');
    failing.add('virginia');
    await until('down', async () => (await verdictOf('docs')) === 'down');
    const open = 'SELECT site, verdict FROM docvitals.incident WHERE recovered_at IS NULL';
    await until('an incident', async () => (await rows(open)).join() === 'docs|down');
    failing.clear();
    await until('healthy', async () => (await verdictOf('docs')) === 'healthy');
  });

  it('a run that raises is logged, and counts for no location', async () => {
    raising.add('virginia');
    await logged('virginia', 'run-failed');
    expect(lines.find(({ event }) => event === 'run-failed')).toMatchObject({
      site: 'docs',
      error: 'This run raises.',
    });
    expect(await verdictOf('docs')).not.toBe('down');
    const known = "SELECT problems FROM docvitals.member WHERE role = 'coordinator' AND acting";
    await until('a problem of the monitor', async () => (await rows(known)).join().includes('run-failed'));
    raising.clear();
  });

  it('what is not valid in the queue of results is removed, and logged', async () => {
    const data = `'{"location": "virginia"}'`;
    await rows(`INSERT INTO docvitals_queue.job (name, data) VALUES ('result', ${data})`);
    await logged('two', 'results-rejected');
    const left = `SELECT count(*) FROM docvitals_queue.job WHERE data = ${data}`;
    await until('none is left', async () => (await rows(left))[0] === '0');
    expect(lines.find(({ event }) => event === 'results-rejected')).toMatchObject({ reason: 'invalid' });
  });

  it('a runner that stops gives back the runs in progress', async () => {
    blogMs = 30_000;
    const taken =
      "SELECT count(*) FROM docvitals_queue.job WHERE name = 'run-paris' AND state = 'active' AND data->>'site' = 'blog'";
    await until('a run in progress', async () => (await rows(taken))[0] === '1');
    await runners.get('paris')?.stop();
    runners.delete('paris');
    const back =
      "SELECT state, started_on FROM docvitals_queue.job WHERE name = 'run-paris' AND data->>'site' = 'blog'";
    expect(await rows(back)).toEqual(['created|']);
    expect(await rows("SELECT id FROM docvitals.member WHERE location = 'paris'")).toEqual([]);
    blogMs = 0;
    runners.set('paris', await runner('paris'));
    await until('no run waits', async () => (await jobs('run-paris')) === 0);
  });

  it('a runner whose configuration lacks a site says so', async () => {
    runners.get('paris')?.configure(settingsOf(SITES.slice(0, 1), { locations: settings.locations }));
    await logged('paris', 'site-not-configured');
    expect(lines.find(({ event }) => event === 'site-not-configured')).toMatchObject({ from: 'paris', site: 'blog' });
  });
});
