/** The faults that are most likely, during an outage. The others are in `faults.long.test.ts`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresWanted } from '../hosts/postgres.ts';
import {
  beginOutage,
  endOutage,
  faultsAfter,
  LOCATIONS,
  startAll,
  startFleet,
  until,
  type Fleet,
  type LocatedSite,
  type Service,
} from './fleet.ts';

describe.runIf(postgresWanted())('a fleet during an outage', { timeout: 60_000 }, () => {
  let fleet: Fleet;
  let acting: Service;
  let standby: Service;

  beforeAll(async () => {
    fleet = await startFleet();
    [acting, standby] = await startAll(fleet);
  }, 60_000);
  afterAll(() => fleet.stop());

  it('has another coordinator within 10 s when the acting one is killed', async () => {
    await beginOutage(fleet);
    const began = performance.now();
    await Promise.all([acting.kill(), standby.logged('coordinator-acting')]);
    expect(performance.now() - began).toBeLessThan(10_000);
    await endOutage(fleet);
    expect(await faultsAfter(fleet, 1)).toEqual([]);
  });

  it('has in its history what runners measured while no coordinator acted', async () => {
    const site = fleet.sites[0] as LocatedSite;
    site.delayMs = 1_500;
    const active = "SELECT id FROM docvitals_queue.job WHERE name LIKE 'run-%' AND state = 'active'";
    await until('all locations are busy', async () => (await fleet.sql(active)).length === LOCATIONS.length);
    await standby.kill();
    site.delayMs = 0;
    const waiting = `SELECT format('SELECT verdict FROM docvitals.run WHERE site = %L AND started_at = to_timestamp(%s)',
      (data->>'site') || '@' || (data->>'location'), (data->>'at')::numeric / 1000)
      FROM docvitals_queue.job WHERE name = 'result' AND data ? 'measured' AND state = 'created'`;
    await until('their results wait', async () => (await fleet.sql(waiting)).length === LOCATIONS.length);
    const queries = await fleet.sql(waiting);
    await fleet.coordinator();
    for (const query of queries)
      await until('it is in the history', async () => (await fleet.sql(query)).join() === 'healthy', 20_000);
    expect(await faultsAfter(fleet, 1)).toEqual([]);
  });

  it('loses and doubles nothing when PostgreSQL crashes and starts again', async () => {
    await beginOutage(fleet);
    await fleet.server.end('SIGKILL');
    await fleet.server.start();
    await endOutage(fleet);
    expect(await faultsAfter(fleet, 2)).toEqual([]);
  });
});
