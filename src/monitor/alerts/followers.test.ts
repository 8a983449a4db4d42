import { describe, expect, it } from 'vitest';
import {
  HOUR,
  incidentOf,
  MINUTE,
  openAlerts,
  routeOf,
  SECOND,
  sentOf,
  siteOf,
  SIX,
} from '../../../test/alerts/samples.ts';
import type { Incident } from '../incident/incident.ts';
import type { AlertRoute, MonitoredSite } from '../settings.ts';
import type { Notification } from './alert.ts';
import { JOINED_APART_MS, JOINING_MS } from './plan.ts';

const ID = incidentOf().id;
const BLOG = incidentOf({ site: 'blog', sameAs: ID, detectedAt: SIX + 2 * SECOND });
const WIKI = incidentOf({ site: 'wiki', sameAs: ID, detectedAt: SIX + 9 * SECOND });
const OPENED = sentOf({ sentAt: SIX, attempts: 1 });
const WAITING = { ...OPENED, state: 'waiting', sentAt: null } as const;
const reminderOf = (rest: Partial<Notification> = {}): Notification => {
  return { ...OPENED, key: `${ID}:reminder:1:ops`, event: 'reminder', sentAt: SIX + 40 * SECOND, ...rest };
};
const JOINED = SIX + 2 * SECOND + JOINING_MS;

interface Row {
  readonly name: string;
  readonly now?: number;
  readonly open?: readonly Incident[];
  readonly known?: readonly Notification[];
  readonly routes?: readonly AlertRoute[];
  readonly sites?: readonly MonitoredSite[];
  readonly silent?: readonly string[];
  /** `<key> <due, seconds after six> <sites that are named>` of what changes. */
  readonly alerts: readonly string[];
}

describe('who was notified of a root cause', () => {
  it.each<Row>([
    { name: 'hears of those who have joined, once and of all', alerts: ['docs:reminder:1:ops 32 blog wiki'] },
    { name: 'hears of them a while after the first of them', now: JOINED - 1, alerts: [] },
    { name: 'hears nothing where nobody has joined', open: [incidentOf()], alerts: [] },
    {
      name: 'hears nothing of those whom the alert named',
      known: [{ ...OPENED, sentAt: SIX + 10 * SECOND, alsoSites: ['blog', 'wiki'] }],
      alerts: [],
    },
    {
      name: 'hears of a site that was named, was well, and failed again',
      known: [{ ...OPENED, sentAt: SIX + 5 * SECOND, alsoSites: ['blog', 'wiki'] }],
      now: JOINED + 9 * SECOND,
      alerts: ['docs:reminder:1:ops 41 blog wiki'],
    },
    {
      name: 'hears of later ones not before long',
      known: [OPENED, reminderOf({ alsoSites: ['blog'] })],
      now: SIX + 40 * SECOND + JOINED_APART_MS - 1,
      alerts: [],
    },
    {
      name: 'hears of later ones in the end',
      known: [OPENED, reminderOf({ alsoSites: ['blog'], sentAt: SIX + SECOND })],
      now: SIX + SECOND + JOINED_APART_MS,
      alerts: ['docs:reminder:2:ops 601 blog wiki'],
    },
    {
      name: 'hears of later ones in a reminder that comes sooner',
      known: [OPENED, reminderOf({ alsoSites: ['blog'] })],
      routes: [routeOf({ reminderMs: MINUTE })],
      now: SIX + 100 * SECOND,
      alerts: ['docs:reminder:2:ops 100 blog wiki'],
    },
    { name: 'hears nothing while the first alert has not arrived', known: [WAITING], alerts: [] },
    {
      name: 'that escalates finds them in the first alert',
      known: [{ ...WAITING, attempts: 0, dueAt: SIX + HOUR }],
      alerts: ['docs:opened:ops 3600 blog wiki'],
    },
    {
      name: 'hears nothing of sites that do not concern it',
      sites: [siteOf(), siteOf({ id: 'blog', alerts: ['boss'] }), siteOf({ id: 'wiki', alerts: [] })],
      alerts: [],
    },
    { name: 'hears nothing because of sites in maintenance', silent: ['blog', 'wiki'], alerts: [] },
  ])('$name', ({ now = JOINED, silent = [], alerts, ...scene }) => {
    const { open = [incidentOf(), BLOG, WIKI], known = [OPENED], routes = [routeOf()] } = scene;
    const sites = scene.sites ?? ['docs', 'blog', 'wiki'].map((id) => siteOf({ id }));
    const alertsOfAll = openAlerts(open, known, { sites, alerts: routes });
    const shown = alertsOfAll
      .remind(now, new Set(silent))
      .map(({ key, dueAt, alsoSites }) => [key, (dueAt - SIX) / SECOND, ...alsoSites].join(' '));
    expect(shown.map((line) => line.replaceAll('-20261120T180000000', ''))).toEqual(alerts);
  });

  it('costs little however many there are', () => {
    const open = Array.from({ length: 300 }, (_, at) =>
      incidentOf({ site: `site-${at}`, sameAs: at === 0 ? null : 'site-0-20261120T180000000' }),
    );
    const first = { ...OPENED, sentAt: SIX + HOUR, alsoSites: open.map(({ site }) => site) };
    const sites = open.map(({ site }) => siteOf({ id: site }));
    let read = 0;
    const counted = open.map(
      (incident) => new Proxy(incident, { get: (of, name) => ((read += 1), of[name as never]) }),
    );
    const settings = { sites, alerts: [routeOf(), routeOf({ id: 'boss' })] };
    const all = openAlerts(counted, [{ ...first, incident: incidentOf({ site: 'site-0' }) }], settings);
    read = 0;
    all.remind(SIX, new Set());
    // Less than each with each.
    expect(read).toBeLessThan(300 * 40);
  });
});
