/** Maintenance that somebody ends while a site is unwell. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { settingsOf, siteAt } from '../../monitor/settings.ts';
import { startWorld, type World } from '../../monitor/world.ts';
import { startWatchedHost, type WatchedHost } from '../../monitor/watched-host.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let host: WatchedHost;
let world: World;

beforeEach(async () => {
  host = await startWatchedHost();
  world = await startWorld(settingsOf([siteAt(host.url)]));
});
afterEach(async () => {
  await world.end();
  await host.close();
});

it('an outage that outlasts it begins with its end', async () => {
  const { around, live, store } = world;
  await live(MINUTE);
  const from = around.wall();
  await store().startMaintenance({ id: 'm', site: 'docs', from, to: from + 30 * MINUTE, reason: null });
  await live(5 * SECOND);
  host.condition = 'failing';
  await live(5 * MINUTE + 700);
  const endedAt = around.wall();
  expect(await store().endMaintenance('docs', endedAt)).toBe(1);
  await live(MINUTE);
  expect(await store().incidents({})).toMatchObject([{ startedAt: endedAt }]);
});
