import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../src/monitor/store/open.ts';
import type { Store } from '../../../src/monitor/store/store.ts';
import { eachFolder } from '../../store/folder.ts';
import { alertOf, commitOf, EVER, HOUR, incidentOf, MINUTE, NOON, roundRecord } from '../../store/samples.ts';

const SQL = readFileSync(new URL('version-2.sql', import.meta.url), 'utf8');

/** Writes the database of version 2. */
function writeTo(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(SQL);
  database.close();
}

/** What people were notified of, or will be. */
async function expectIncidents(store: Store): Promise<void> {
  const ended = incidentOf({ id: 'docs-0', recoveredAt: NOON - MINUTE });
  const open = incidentOf({ notifiedAt: NOON + 5 });
  expect(await store.incidents({ site: 'docs' })).toEqual([open, ended]);
  expect([...(await store.states())].map(([site, { verdict }]) => `${site} ${verdict}`).toSorted()).toEqual([
    'blog healthy',
    'docs down',
  ]);
  expect(await store.alertsOf('docs-1')).toMatchObject([
    { route: 'ops', sentAt: NOON + 5 },
    { route: 'chat', sentAt: null },
  ]);
  expect(await store.outboxState()).toEqual({ pending: 1, oldestAt: NOON, nextDueAt: NOON + HOUR });
  expect(await store.maintenance(NOON)).toEqual([{ id: 'm', site: 'docs', from: NOON, to: NOON + HOUR, reason: null }]);
}

describe('a database of version 2', () => {
  const folder = eachFolder();

  it('has everything when it is opened, and goes on', async () => {
    writeTo(folder.file());
    await expect(openStore(folder.file(), { mode: 'shared' })).rejects.toMatchObject({ problem: 'older' });
    for (let start = 1; start <= 2; start += 1) {
      const store = await openStore(folder.file(), { mode: 'own' });
      await expectIncidents(store);
      expect(await store.note('n')).toBe('text');
      expect((await store.pictures({ id: 'docs-1', site: 'docs' })).map(({ at, bytes }) => [at, [...bytes]])).toEqual([
        [NOON - 1, [1, 0, 2]],
        [NOON, [1, 0, 2]],
      ]);
      const [run] = await store.runs({ site: 'docs', ...EVER });
      expect(run).toEqual(roundRecord({ startedAt: NOON - 50, verdict: 'down' }));
      for (const resolution of ['minute', 'hour', 'day'] as const) {
        expect(await store.buckets({ site: 'blog', resolution, ...EVER })).toMatchObject([{ healthy: 1, meanMs: 12 }]);
      }
      await store.close();
    }
    const store = await openStore(folder.file(), { mode: 'own' });
    // What was given up or cancelled is not sent, and can be wanted again.
    expect((await store.dueAlerts(NOON + HOUR, 9)).map(({ route }) => route)).toEqual(['chat']);
    const push = alertOf({ route: 'push', dueAt: NOON + HOUR });
    await store.commit([commitOf({ outbox: { add: [push, alertOf({ route: 'mail' })], cancel: [] } })]);
    expect((await store.dueAlerts(NOON + HOUR, 9)).map(({ route }) => route)).toEqual(['chat', 'push']);
    await store.close();
  });

  it('gives what people were notified of to a new one when it is damaged', async () => {
    writeTo(folder.file());
    const database = new DatabaseSync(folder.file(), { readOnly: true });
    const { size } = database.prepare('SELECT page_size AS size FROM pragma_page_size').get() as { size: number };
    const { page } = database.prepare("SELECT rootpage AS page FROM sqlite_schema WHERE name = 'bucket'").get() as {
      page: number;
    };
    database.close();
    const bytes = readFileSync(folder.file());
    bytes.fill(0xa5, (page - 1) * size, page * size);
    writeFileSync(folder.file(), bytes);
    const saved: number[] = [];
    const store = await openStore(folder.file(), { mode: 'own', onSetAside: (aside) => saved.push(aside.saved) });
    // Two sites with their states, two incidents, four alerts, the maintenance.
    expect(saved).toEqual([11]);
    await expectIncidents(store);
    await store.close();
  });
});
