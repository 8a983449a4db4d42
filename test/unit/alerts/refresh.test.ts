import { afterEach, beforeEach, expect, it } from 'vitest';
import { Notifier, RESEND_MS } from '../../../src/monitor/alerts/notifier.ts';
import { OpenAlerts } from '../../../src/monitor/alerts/open-alerts.ts';
import type { Incident } from '../../../src/monitor/incident/incident.ts';
import type { MonitoredSite } from '../../../src/monitor/settings.ts';
import { startClock, type FakeClock } from '../../alerts/clock.ts';
import { incidentOf, MINUTE, routeOf, SECOND, siteOf, SIX } from '../../alerts/samples.ts';

let alerts: OpenAlerts;
let clock: FakeClock;
let notifier: Notifier;
let told: string[];
let sites: readonly MonitoredSite[];
/** Happens while an alert is being sent again. */
let meanwhile: () => Promise<void>;

const ROUTES = [
  routeOf({ id: 'manager', channel: { kind: 'alertmanager', url: 'http://127.0.0.1:9', headers: {}, isResent: true } }),
  routeOf(),
];

beforeEach(() => {
  clock = startClock(SIX, async () => {
    while (notifier.busy() > 0) await new Promise((resolve) => setImmediate(resolve));
  });
  alerts = new OpenAlerts({ incidents: [], notifications: [] }, () => ({ sites, alerts: ROUTES }));
  told = [];
  sites = [siteOf()];
  meanwhile = async () => {};
});
afterEach(async () => {
  await notifier.stop();
});

function start(): void {
  // As it is read from a database.
  alerts = new OpenAlerts(alerts.stored(), () => ({ sites, alerts: ROUTES }));
  notifier = new Notifier({
    alerts,
    async send(route, { key, event }) {
      told.push(`+${(clock.now() - SIX) / SECOND} ${event} ${route.id}${key.includes(':refresh:') ? ' again' : ''}`);
      if (key.includes(':refresh:')) await meanwhile();
      return { ok: true, status: 200 };
    },
    append: async () => {},
    timers: clock,
    now: () => clock.now(),
    log: () => {},
    routes: () => ROUTES,
  });
}

const write = (incident: Incident, event: 'opened' | 'recovered'): Promise<void> =>
  notifier.write({ notifications: alerts.plan([{ kind: event, incident, at: SIX }]) });

it('sends what is open to Alertmanager again and again, and nobody else', async () => {
  start();
  await clock.pass(0);
  await write(incidentOf(), 'opened');
  await clock.pass(2 * RESEND_MS + SECOND);
  await write(incidentOf({ recoveredAt: SIX + 2 * MINUTE }), 'recovered');
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
  start();
  await write(incidentOf(), 'opened');
  await clock.pass(SECOND);
  await notifier.stop();
  told = [];
  start();
  await clock.pass(SECOND);
  expect(told).toEqual(['+1 reminder manager again']);
});

it('does so no more when the site was removed', async () => {
  start();
  await clock.pass(0);
  await write(incidentOf(), 'opened');
  await clock.pass(SECOND);
  sites = [];
  await clock.pass(10 * MINUTE);
  expect(told.toSorted()).toEqual(['+0 opened manager', '+0 opened ops']);
});

it('sends a recovery that is written meanwhile as soon as the repeated alert was received', async () => {
  start();
  await write(incidentOf(), 'opened');
  await clock.pass(SECOND);
  meanwhile = async () => {
    await write(incidentOf({ recoveredAt: SIX + MINUTE }), 'recovered');
    while (!told.includes('+60 recovered ops')) await new Promise((resolve) => setImmediate(resolve));
  };
  await clock.pass(RESEND_MS);
  expect(told.slice(-3)).toEqual(['+60 reminder manager again', '+60 recovered ops', '+60 recovered manager']);
});
