import { describe, expect, it, vi } from 'vitest';
import { openStore } from '../../../src/monitor/store/open.ts';
import type { Store } from '../../../src/monitor/store/store.ts';
import { Connection } from '../../../src/monitor/store/sqlite/connection.ts';
import { eachFolder } from '../../store/folder.ts';
import { alertOf, commitOf, DAY, EVER, incidentOf, NOON, opening } from '../../store/samples.ts';

const RETENTION = { rawMs: DAY, minuteMs: DAY, hourMs: DAY, dayMs: DAY };
const incident = incidentOf();
const alert = alertOf({ incident });

/** Everything that a monitor does again and again. */
const WORK: readonly (readonly [name: string, work: (store: Store) => Promise<unknown>])[] = [
  ['a commit', (store) => store.append([commitOf(), opening(incident, alert)])],
  ['states', (store) => store.states()],
  ['open incidents', (store) => store.incidents({ open: true })],
  ['the newest incidents', (store) => store.incidents({ limit: 5 })],
  ['incidents of a site', (store) => store.incidents({ site: 'docs', limit: 5 })],
  ['incidents of a time', (store) => store.incidents({ since: NOON, before: NOON + DAY })],
  ['an incident', (store) => store.incident('docs-1')],
  ['rounds', (store) => store.runs({ site: 'docs', ...EVER })],
  ['buckets', (store) => store.buckets({ site: 'docs', resolution: 'hour', ...EVER })],
  [
    'days',
    async (store) => {
      await store.append([commitOf()]);
      await store.days({ sites: ['docs'], ...EVER });
    },
  ],
  ['notifications that wait', (store) => store.waiting(5)],
  ['what is open at a start', (store) => store.open()],
  ['the result of a notification', (store) => store.append([{ notifications: [alert], incidents: [incident] }])],
  ['maintenance', (store) => store.maintenance(NOON)],
  [
    'pictures',
    async (store) => {
      const picture = { site: 'docs', incident: incident.id, route: '', at: NOON, bytes: new Uint8Array(1) };
      await store.append([commitOf({ pictures: [picture] })]);
      await store.pictures(incident);
    },
  ],
  ['pruning', (store) => store.prune(NOON, RETENTION)],
];

/** A table that grows with time, read through without an index. */
const SLOW = /^SCAN (?:run|rollup|incident|notification|one|earlier|about|maintenance)\b(?!.* USING )/;

describe('what a monitor asks its database', () => {
  const folder = eachFolder();

  it.each(WORK)('never reads all there is: %s', async (_name, work) => {
    const prepare = vi.spyOn(Connection.prototype, 'prepare');
    const store = await openStore(folder.file(), { mode: 'own' });
    await work(store);
    const statements = new Set(prepare.mock.calls.map(([sql]) => sql));
    prepare.mockRestore();
    await store.close();
    const connection = new Connection(folder.file(), { access: 'read', busyMs: 0 });
    const steps = [...statements].flatMap((sql) => {
      const parameters = Array.from(sql.matchAll(/\?/g), () => 1);
      const plan = connection.all<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...parameters);
      return plan.map(({ detail }) => detail);
    });
    connection.close();
    expect(steps.filter((step) => SLOW.test(step))).toEqual([]);
  });
});
