/** The faults that are most likely, during an outage. The others are in `faults.long.test.ts`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresWanted } from '../hosts/postgres.ts';
import { beginOutage, endOutage, faultsAfter, startAll, startFleet, type Fleet, type Service } from './fleet.ts';

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

  it('loses and doubles nothing when PostgreSQL crashes and starts again', async () => {
    await beginOutage(fleet);
    await fleet.server.end('SIGKILL');
    await fleet.server.start();
    await endOutage(fleet);
    expect(await faultsAfter(fleet, 2)).toEqual([]);
  });
});
