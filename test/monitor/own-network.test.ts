/** A monitor that starts while its own network is gone. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { settingsOf, siteAt } from './settings.ts';
import { startWorld, type World } from './world.ts';
import { startWatchedHost, type WatchedHost } from './watched-host.ts';

const MINUTE = 60_000;
const CONTROL = '192.0.2.1:443';

let host: WatchedHost;
let world: World | undefined;

beforeEach(async () => {
  host = await startWatchedHost();
});
afterEach(async () => {
  await world?.end();
  world = undefined;
  await host.close();
});

it.each<[string, readonly string[] | null, number]>([
  ['opens nothing where a connectivity is named', [CONTROL], 0],
  ['takes an outage for one where only its own connectivity is silent', null, 1],
])('a monitor whose first start is without a network %s', async (_, connectivity, incidents) => {
  host.condition = 'reset';
  const settings = settingsOf([siteAt(host.url)], { connectivity });
  world = await startWorld(settings, { connect: async () => false, resolveName: async () => false });
  await world.live(MINUTE);
  expect(await world.store().incidents({})).toHaveLength(incidents);
  await world.restart(MINUTE);
  await world.live(MINUTE);
  expect(await world.store().incidents({})).toHaveLength(incidents);
});

it('a connectivity that is named again counts at once', async () => {
  world = await startWorld(settingsOf([siteAt(host.url)], { connectivity: ['192.0.2.9:443'] }), {
    connect: async (target) => target !== CONTROL,
  });
  await world.live(MINUTE);
  host.condition = 'reset';
  await world.restart(0, settingsOf([siteAt(host.url)], { connectivity: [CONTROL] }));
  await world.live(MINUTE);
  expect(await world.store().incidents({})).toEqual([]);
});
