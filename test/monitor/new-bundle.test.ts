/** A monitor whose site gets a new bundle: the rest of the site is checked soon. */
import { afterEach, expect, it } from 'vitest';
import { settingsOf, siteAt } from './settings.ts';
import { startWatchedHost, type WatchedHost } from './watched-host.ts';
import { startWorld, type World } from './world.ts';

const MINUTE = 60_000;

let host: WatchedHost;
let world: World;
afterEach(async () => {
  await world.end();
  await host.close();
});

it('runs the full check after a deployment, although it is due once an hour', async () => {
  host = await startWatchedHost();
  const full = { kind: 'every', everyMs: 60 * MINUTE, jitterMs: 0 } as const;
  world = await startWorld(settingsOf([siteAt(host.url, { full })]));
  const fullChecks = async (): Promise<number> =>
    (await world.store().runs({ site: 'docs', scope: 'full', from: 0, to: Number.MAX_SAFE_INTEGER })).length;
  await world.live(12 * MINUTE);
  expect(await fullChecks()).toBe(1);
  host.files.set('index.html', `${String(host.files.get('index.html'))}<!-- 2 -->`);
  await world.live(MINUTE);
  expect(await fullChecks()).toBe(2);
});
