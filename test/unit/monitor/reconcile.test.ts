/** A monitor that starts on a database whose incidents and sites do not agree: part of it was lost. */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Incident } from '../../../src/monitor/incident/incident.ts';
import { settingsOf, siteAt } from '../../monitor/settings.ts';
import { startWorld, type World } from '../../monitor/world.ts';
import { startWatchedHost, type WatchedHost } from '../../monitor/watched-host.ts';

const MINUTE = 60_000;

let host: WatchedHost;
let world: World;

beforeEach(async () => {
  host = await startWatchedHost();
  world = await startWorld(settingsOf([siteAt(host.url)]));
  await world.live(MINUTE);
  host.condition = 'failing';
  await world.live(MINUTE);
});
afterEach(async () => {
  await world.end();
  await host.close();
});

/** Changes the file behind the monitor's back, and starts it again. */
async function restartAfter(sql: string): Promise<void> {
  await world.monitor().stop();
  const database = new DatabaseSync(path.join(world.folder, 'docvitals.db'));
  database.exec(sql);
  database.close();
  await world.restart();
}

const incidents = (): Promise<readonly Incident[]> => world.store().incidents({});

describe('an open incident', () => {
  it('whose site is not known any more goes on, and ends', async () => {
    const [before] = await incidents();
    await restartAfter('DELETE FROM site_state');
    await world.live(MINUTE);
    expect(await incidents()).toMatchObject([{ id: before?.id, recoveredAt: null }]);
    host.condition = 'well';
    await world.live(MINUTE);
    expect(await incidents()).toMatchObject([{ id: before?.id, recoveredAt: expect.any(Number) as number }]);
  });

  it('that the database has lost is written again', async () => {
    const [before] = await incidents();
    await restartAfter('DELETE FROM incident');
    await world.live(MINUTE);
    expect(await incidents()).toMatchObject([{ id: before?.id, recoveredAt: null }]);
  });

  it('beside another one of its site ends', async () => {
    const [before] = await incidents();
    await restartAfter(
      `INSERT INTO incident SELECT 'docs-x', site, detected_at - 1, NULL, NULL, NULL,
       json_set(document, '$.id', 'docs-x', '$.detectedAt', json_extract(document, '$.detectedAt') - 60000) FROM incident`,
    );
    await world.live(MINUTE);
    expect(await world.store().incidents({ open: true })).toMatchObject([{ id: before?.id }]);
    expect(await world.store().incident('docs-x')).toMatchObject({ recoveredAt: before?.startedAt });
  });
});
