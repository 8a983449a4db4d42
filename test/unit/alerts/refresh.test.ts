import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RESEND_MS, Deliverer } from '../../../src/monitor/alerts/deliver.ts';
import { AlertBook } from '../../../src/monitor/alerts/plan.ts';
import type { Incident } from '../../../src/monitor/incident/incident.ts';
import { openStore } from '../../../src/monitor/store/open.ts';
import type { Store } from '../../../src/monitor/store/store.ts';
import { commitOf } from '../../store/samples.ts';
import { startClock, type FakeClock } from '../../alerts/clock.ts';
import type { MonitoredSite } from '../../../src/monitor/settings.ts';
import { incidentOf, MINUTE, routeOf, SECOND, siteOf, SIX } from '../../alerts/samples.ts';

let folder: string;
let store: Store;
let clock: FakeClock;
let deliverer: Deliverer;
let book: AlertBook;
let told: string[];
let sites: readonly MonitoredSite[];
/** Happens while an alert is being sent again. */
let meanwhile: () => Promise<void>;

const ROUTES = [
  routeOf({ id: 'manager', channel: { kind: 'alertmanager', url: 'http://127.0.0.1:9', headers: {}, isResent: true } }),
  routeOf(),
];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'refresh-'));
  store = await openStore(path.join(folder, 'monitor.db'), { mode: 'own' });
  clock = startClock(SIX, async () => {
    while (deliverer.busy() > 0) await new Promise((resolve) => setImmediate(resolve));
  });
  told = [];
  sites = [siteOf()];
  meanwhile = async () => {};
});
afterEach(async () => {
  await deliverer.stop();
  await store.close();
  await rm(folder, { recursive: true });
});

async function start(): Promise<void> {
  book = await AlertBook.read(store, () => ({ sites, alerts: ROUTES }));
  deliverer = new Deliverer({
    store,
    book,
    async send(route, { key, event }) {
      told.push(`+${(clock.now() - SIX) / SECOND} ${event} ${route.id}${key.includes(':refresh:') ? ' again' : ''}`);
      if (key.includes(':refresh:')) await meanwhile();
      return { ok: true, status: 200 };
    },
    timers: clock,
    now: () => clock.now(),
    log: () => {},
    routes: () => ROUTES,
  });
}

async function write(incident: Incident, event: 'opened' | 'recovered'): Promise<void> {
  const outbox = book.plan([{ kind: event, incident, at: SIX }]);
  await store.commit([commitOf({ incidents: [incident], outbox })]);
}

it('sends what is open to Alertmanager again and again, and nobody else', async () => {
  await start();
  await clock.pass(0);
  await write(incidentOf(), 'opened');
  deliverer.wake();
  await clock.pass(2 * RESEND_MS + SECOND);
  await write(incidentOf({ recoveredAt: SIX + 2 * MINUTE }), 'recovered');
  deliverer.wake();
  await clock.pass(10 * MINUTE);
  expect(told.toSorted((a, b) => Number.parseInt(a.slice(1), 10) - Number.parseInt(b.slice(1), 10))).toEqual([
    '+0 opened manager',
    '+0 opened ops',
    '+60 reminder manager again',
    '+120 reminder manager again',
    '+121 recovered manager',
    '+121 recovered ops',
  ]);
});

it('does so at once after a restart', async () => {
  await start();
  await write(incidentOf(), 'opened');
  deliverer.wake();
  await clock.pass(SECOND);
  await deliverer.stop();
  told = [];
  await start();
  await clock.pass(SECOND);
  expect(told).toEqual(['+1 reminder manager again']);
});

it('does so no more when the site was removed', async () => {
  await start();
  await clock.pass(0);
  await write(incidentOf(), 'opened');
  deliverer.wake();
  await clock.pass(SECOND);
  sites = [];
  await clock.pass(10 * MINUTE);
  expect(told.toSorted()).toEqual(['+0 opened manager', '+0 opened ops']);
});

it('sends a recovery that is written meanwhile as soon as the repeated alert was received', async () => {
  await start();
  await write(incidentOf(), 'opened');
  deliverer.wake();
  await clock.pass(SECOND);
  meanwhile = async () => {
    await write(incidentOf({ recoveredAt: SIX + MINUTE }), 'recovered');
    deliverer.wake();
    while (!told.includes('+60 recovered ops')) await new Promise((resolve) => setImmediate(resolve));
  };
  await clock.pass(RESEND_MS);
  expect(told.slice(-3)).toEqual(['+60 reminder manager again', '+60 recovered ops', '+60 recovered manager']);
});
