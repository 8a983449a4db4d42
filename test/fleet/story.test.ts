/**
 * The story of one fleet: three locations and two coordinators, a site that fails from one location, then from two, and
 * what the roles of its database may do. Other faults are in the long tests of this folder.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresWanted } from '../hosts/postgres.ts';
import {
  allHealthy,
  endOutage,
  faultsAfter,
  LOCATIONS,
  SECRET,
  startAll,
  startFleet,
  until,
  type Fleet,
  type LocatedSite,
  type Service,
} from './fleet.ts';

describe.runIf(postgresWanted())('a fleet', { timeout: 120_000 }, () => {
  let fleet: Fleet;
  let site: LocatedSite;
  let acting: Service;
  let standby: Service;

  beforeAll(async () => {
    fleet = await startFleet();
    [site] = fleet.sites as [LocatedSite];
    [acting, standby] = await startAll(fleet);
  }, 120_000);
  afterAll(() => fleet.stop());

  const verdict = async (): Promise<string> => (await fleet.sql('SELECT verdict FROM docvitals.site_state')).join();
  const becomes = (wanted: string): Promise<void> =>
    until(`the site is ${wanted}`, async () => (await verdict()) === wanted);
  const events = (): readonly string[] => fleet.received.map(({ event }) => event);

  it('has a history of the site for each location, and one of all', async () => {
    const expected = ['docs1', ...LOCATIONS.map((location) => `docs1@${location}`)].toSorted();
    const series = async () =>
      fleet.sql("SELECT DISTINCT site FROM docvitals.run WHERE verdict = 'healthy' ORDER BY 1");
    await until('each has runs', async () => (await series()).length === 4);
    expect(await series()).toEqual(expected);
    const counted = "SELECT site FROM docvitals.rollup WHERE resolution = 'day' AND healthy > 0 ORDER BY 1";
    expect(await fleet.sql(counted)).toEqual(expected);
  });

  it('calls a site degraded while it fails from one location, without a notification', async () => {
    site.failing.add('paris');
    await becomes('degraded');
    const known = "SELECT document->>'failingFrom' FROM docvitals.site_state";
    expect(await fleet.sql(known)).toEqual(['["paris"]']);
    await until('three runs of it', async () => {
      const [count] = await fleet.sql(
        "SELECT count(*) FROM docvitals.run WHERE site = 'docs1' AND verdict = 'degraded'",
      );
      return Number(count) >= 3;
    });
    expect(await fleet.sql('SELECT id FROM docvitals.incident')).toEqual([]);
    expect(await fleet.sql("SELECT DISTINCT verdict FROM docvitals.run WHERE site = 'docs1@bucharest'")).toEqual([
      'healthy',
    ]);
    expect(events()).toEqual([]);
    const { status, stdout } = await fleet.run(['status']);
    expect([status, stdout]).toEqual([1, expect.stringMatching(/^Degraded from paris {2}docs1 /m) as string]);
  });

  it('calls it down when it fails from two: one incident, whose notification names them', async () => {
    site.failing.add('virginia');
    await until('a notification', () => events().length > 0);
    await becomes('down');
    expect(events()).toEqual(['opened']);
    expect(fleet.received[0]?.locations.toSorted()).toEqual(['paris', 'virginia']);
    expect(await fleet.sql('SELECT site, verdict FROM docvitals.incident')).toEqual(['docs1|down']);
  });

  it('has another coordinator within 10 s when the acting one is killed: nothing is lost or doubled', async () => {
    // A coordinator that is killed between a notification and its mark has the next one send it again.
    const states = async () => (await fleet.sql('SELECT state FROM docvitals.notification')).join();
    await until('the notification is marked as sent', async () => (await states()) === 'sent');
    const began = performance.now();
    await Promise.all([acting.kill(), standby.logged('coordinator-acting')]);
    expect(performance.now() - began).toBeLessThan(10_000);
    await endOutage(fleet);
    await until('the site is healthy', () => allHealthy(fleet));
    expect(events()).toEqual(['opened', 'recovered']);
    expect(await faultsAfter(fleet, 1)).toEqual([]);
  });

  it('has no secret in the queue', async () => {
    site.delayMs = 500;
    const jobs = async (): Promise<readonly string[]> =>
      fleet.sql('SELECT row_to_json(job)::text FROM docvitals_queue.job');
    const seen: string[] = [];
    await until('runs and results were seen in the queue', async () => {
      seen.push(...(await jobs()));
      return ['run-paris', 'result'].every((queue) => seen.some((job) => job.includes(`"name":"${queue}"`)));
    });
    site.delayMs = 0;
    expect(seen.join('\n')).not.toContain(SECRET);
    expect(seen.join('\n')).not.toContain(fleet.server.password);
    expect(fleet.printed()).not.toContain(SECRET);
    expect(fleet.printed()).not.toContain(fleet.server.password);
  });

  it('has roles that own nothing beyond their schemas', async () => {
    const owned = `SELECT DISTINCT nspname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE relowner = 'docvitals_coordinator'::regrole AND nspname <> 'pg_toast' ORDER BY 1`;
    expect(await fleet.sql(owned)).toEqual(['docvitals', 'docvitals_queue']);
    const rights = `SELECT rolname, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
      has_database_privilege(rolname, 'docvitals', 'CREATE') FROM pg_roles WHERE rolname LIKE 'docvitals\\_%' ORDER BY 1`;
    const none = Array.from({ length: 6 }, () => 'false').join('|');
    const roles = ['bucharest', 'coordinator', 'paris', 'virginia'].map((name) => `docvitals_${name}|${none}`);
    expect(await fleet.sql(rights)).toEqual(roles);
  });

  it('ends with its coordinator, which finishes in time', async () => {
    const began = performance.now();
    expect((await standby.kill('SIGTERM')).status).toBe(0);
    expect(performance.now() - began).toBeLessThan(6_000);
  });
});
