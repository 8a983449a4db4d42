/** What three locations do beside the story of `story.test.ts`: settings that change, runners that stop or come early. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresWanted } from '../hosts/postgres.ts';
import { keysOf, LOCATIONS, startFleet, until, type Fleet, type LocatedSite, type Service } from './fleet.ts';

describe.runIf(postgresWanted())('a site that is checked from three locations', { timeout: 60_000 }, () => {
  let fleet: Fleet;
  let site: LocatedSite;
  let coordinator: Service;
  const runners = new Map<string, Service>();

  beforeAll(async () => {
    fleet = await startFleet({ sites: 1 });
    [site] = fleet.sites as [LocatedSite];
    coordinator = await fleet.coordinator();
    const started = await Promise.all(LOCATIONS.map((location) => fleet.runner(location)));
    for (const [index, location] of LOCATIONS.entries()) runners.set(location, started[index] as Service);
  }, 60_000);
  afterAll(() => fleet.stop());

  const verdict = async (): Promise<string> => (await fleet.sql('SELECT verdict FROM docvitals.site_state')).join();
  const becomes = (wanted: string): Promise<void> =>
    until(`the site is ${wanted}`, async () => (await verdict()) === wanted);
  const events = (): readonly string[] => fleet.received.map(({ event }) => event);
  const reload = async (changes: Parameters<Fleet['configure']>[0]): Promise<void> => {
    const before = coordinator.lines.filter(({ event }) => event === 'config-reloaded').length;
    fleet.configure(changes);
    coordinator.child.kill('SIGHUP');
    await coordinator.logged('config-reloaded', before + 1);
  };

  it('with notifyFewer, what one location sees is notified', async () => {
    await becomes('healthy');
    await reload({ site: { confirm: { after: '200ms', times: 2, notifyFewer: true } } });
    site.failing.add('bucharest');
    await until('a notification', () => events().length === 1);
    expect(fleet.received[0]).toMatchObject({ event: 'opened' });
    expect(fleet.received[0]?.locations).toEqual(['bucharest']);
    expect(await fleet.sql('SELECT verdict FROM docvitals.incident WHERE recovered_at IS NULL')).toEqual(['degraded']);
    site.failing.clear();
    await until('the recovery', () => events().length === 2);
    await reload({});
    expect(keysOf(fleet.received, 'opened')).toHaveLength(1);
    expect(keysOf(fleet.received, 'recovered')).toHaveLength(1);
  });

  it('is still down when one of the two locations that see it has no runner any more', async () => {
    const before = events().length;
    site.failing.add('paris').add('virginia');
    await until('the outage is notified', () => events().length > before);
    await runners.get('paris')?.kill('SIGTERM');
    const members = "SELECT 1 FROM docvitals.member WHERE location = 'paris'";
    await until('nobody waits for it', async () => (await fleet.sql(members)).length === 0);
    const runs = "SELECT verdict FROM docvitals.run WHERE site = 'docs1' ORDER BY started_at DESC LIMIT 3";
    await sleep(5_000);
    expect(new Set(await fleet.sql(runs))).toEqual(new Set(['down']));
    expect(events().slice(before)).toEqual(['opened']);
    // The other one decides the end.
    site.failing.clear();
    await until('the recovery is notified', () => events().length > before + 1);
    expect(events().slice(before)).toEqual(['opened', 'recovered']);
    runners.set('paris', await fleet.runner('paris'));
    await becomes('healthy');
  });

  it('is still checked from a location whose runner is stopped: another one does what it gives back', async () => {
    const second = await fleet.runner('paris');
    site.delayMs = 8_000;
    // Heartbeats are written every two seconds.
    const active = `SELECT id FROM docvitals_queue.job WHERE name = 'run-paris' AND state = 'active'
      AND started_on < now() - interval '3s'`;
    await until('a runner in Paris is busy', async () => (await fleet.sql(active)).length === 1);
    const [job = ''] = await fleet.sql(active);
    const [pid] = await fleet.sql("SELECT pid FROM docvitals.member WHERE location = 'paris' AND running > 0");
    const stopped = [runners.get('paris') as Service, second].find(({ child }) => String(child.pid) === pid);
    const began = performance.now();
    const { status } = await (stopped as Service).kill('SIGTERM');
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(status).toBe(0);
    site.delayMs = 0;
    // Long before it would be taken for lost.
    const waiting = `SELECT 1 FROM docvitals_queue.job WHERE id = '${job}' AND state < 'active'`;
    await until('the other one took it', async () => (await fleet.sql(waiting)).length === 0, 3_000);
    const left = await fleet.sql("SELECT count(*) FROM docvitals.member WHERE location = 'paris'");
    expect(left).toEqual(['1']);
    await becomes('healthy');
  });

  it('ends with its coordinator, which finishes in time', async () => {
    const began = performance.now();
    expect((await coordinator.kill('SIGTERM')).status).toBe(0);
    expect(performance.now() - began).toBeLessThan(6_000);
    expect(await fleet.sql("SELECT count(*) FROM docvitals.member WHERE role = 'coordinator'")).toEqual(['0']);
  });
});

describe.runIf(postgresWanted())('a runner that starts before any coordinator', { timeout: 60_000 }, () => {
  let fleet: Fleet;
  beforeAll(async () => void (fleet = await startFleet()), 60_000);
  afterAll(() => fleet.stop());
  const waiting = () => fleet.printed().split('"event":"runner-waiting"').length - 1;

  it('waits for one, and ends while it waits when it is stopped', async () => {
    const starting = [fleet.runner('paris'), fleet.runner('bucharest')].map((one) => one.catch(() => null));
    await until('both wait', () => waiting() === 2);
    const paris = fleet.services().find(({ lines }) => lines.some(({ location }) => location === 'paris'));
    expect(await paris?.kill('SIGTERM')).toMatchObject({ status: 0 });
    await fleet.coordinator();
    expect((await Promise.all(starting)).map((one) => one?.lines.at(-1)?.event)).toEqual([undefined, 'runner-started']);
  });
});
