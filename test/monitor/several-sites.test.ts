/** What sites have to do with one another: a host that they share, a configuration that they come from and go with. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sourceOf, gatherHistory, gatherIncident } from '../../src/monitor/page/data.ts';
import type { MonitorSettings } from '../../src/monitor/settings.ts';
import { incidentList } from '../../src/monitor/server/api.ts';
import { sampleSite } from '../site/sample.ts';
import { startReceiver, type Receiver } from '../alerts/receiver.ts';
import { startWatchedHost, type WatchedHost } from './watched-host.ts';
import { settingsOf, siteAt, webhookTo } from './settings.ts';
import { startWorld, type World } from './world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let host: WatchedHost;
let receiver: Receiver;
let world: World;

beforeEach(async () => {
  host = await startWatchedHost();
  for (const [path, body] of sampleSite()) host.files.set(`handbook/${path}`, body);
  receiver = await startReceiver();
});
afterEach(async () => {
  await world.end();
  await Promise.all([host.close(), receiver.stop()]);
});

const every = (seconds: number) => ({ kind: 'every', everyMs: seconds * SECOND, jitterMs: 0 }) as const;

/** `docs`, checked often, and `handbook`, checked rarely; those of them that are named. */
const watching = (...ids: readonly string[]): MonitorSettings =>
  settingsOf(
    [siteAt(host.url, { id: 'docs' }), siteAt(`${host.url}handbook/`, { id: 'handbook', schedule: every(60) })].filter(
      ({ id }) => ids.includes(id),
    ),
    { alerts: [webhookTo(receiver.url, { reminderMs: 5 * MINUTE })] },
  );

const told = (): string[] =>
  receiver.received.map(({ body }) => {
    const { event, site } = JSON.parse(body) as { readonly event: string; readonly site: { readonly id: string } };
    return `${event} ${site.id}`;
  });

/** The sites of the open incidents that the API lists. */
async function listed(): Promise<string[]> {
  const asked = { path: '/api/v1/incidents', search: new URLSearchParams('open=true'), header: () => null };
  const { body } = await incidentList({ ...asked, signal: AbortSignal.timeout(MINUTE) }, world.monitor());
  return (JSON.parse(body) as { readonly site: string }[]).map(({ site }) => site);
}

describe('sites with the same root cause', () => {
  it('are checked again at once when the first of them has recovered', async () => {
    world = await startWorld(watching('docs', 'handbook'));
    await world.live(2 * MINUTE);
    host.condition = 'failing';
    await world.live(3 * MINUTE);
    host.condition = 'well';
    await world.live(30 * SECOND);
    const incidents = await world.store().incidents({});
    expect(incidents.map(({ site, sameAs }) => [site, sameAs !== null])).toEqual([
      ['handbook', true],
      ['docs', false],
    ]);
    const [handbook = Infinity, docs = 0] = incidents.map(({ recoveredAt }) => recoveredAt ?? Infinity);
    expect(handbook - docs).toBeLessThanOrEqual(3 * SECOND);
    expect(told().filter((line) => !line.startsWith('reminder'))).toEqual(['opened docs', 'recovered docs']);
  });
});

describe('a site that is taken out of the configuration while it is down', () => {
  const siteIds = async (): Promise<string[]> => {
    const { incidents } = await gatherHistory(sourceOf(world.monitor()));
    return (incidents ?? []).map(({ site }) => site);
  };

  it('is not printed as down any more, nor reminded of, and goes on when it comes back', async () => {
    world = await startWorld(watching('docs'));
    await world.live(MINUTE);
    host.condition = 'failing';
    await world.live(MINUTE);
    const [incident] = await world.store().incidents({});
    const { id = '' } = incident ?? {};
    expect([told(), await siteIds()]).toEqual([['opened docs'], ['docs']]);

    host.condition = 'well';
    await world.monitor().reload(watching('handbook'));
    await world.live(6 * MINUTE);
    expect(told()).toEqual(['opened docs']);
    expect([await siteIds(), await listed()]).toEqual([[], []]);
    expect(await gatherIncident(sourceOf(world.monitor()), id)).toBeNull();
    // What is known of it is kept, and no end is made up.
    expect(await world.store().incident(id)).toMatchObject({ recoveredAt: null });

    await world.monitor().reload(watching('docs'));
    await world.live(MINUTE);
    expect(told()).toEqual(['opened docs', 'recovered docs']);
    expect((await world.store().incidents({})).map((one) => one.id)).toEqual([id]);
  });

  it('stays gone over a restart', async () => {
    world = await startWorld(watching('docs'));
    host.condition = 'failing';
    await world.live(30 * SECOND);
    expect(await listed()).toEqual(['docs']);
    await world.restart(MINUTE, watching('handbook'));
    host.condition = 'well';
    await world.live(6 * MINUTE);
    expect([told(), await listed()]).toEqual([['opened docs'], []]);
  });

  it('lets those be reported that it stood for', async () => {
    world = await startWorld(watching('docs', 'handbook'));
    await world.live(2 * MINUTE);
    host.condition = 'failing';
    await world.live(3 * MINUTE);
    expect([told()[0], (await world.store().incidents({ open: true })).length]).toEqual(['opened docs', 2]);
    await world.monitor().reload(watching('handbook'));
    await world.live(MINUTE);
    host.condition = 'well';
    await world.live(6 * MINUTE);
    expect(told().filter((line) => line.endsWith('handbook'))).toEqual(['opened handbook', 'recovered handbook']);
    expect(told()).not.toContain('recovered docs');
  });
});
