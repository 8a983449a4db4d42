/** Incidents, routes and sites for tests of the alerts. */
import { notificationOf, type Notification } from '../../src/monitor/alerts/alert.ts';
import { OpenAlerts } from '../../src/monitor/alerts/open-alerts.ts';
import type { AlertSettings } from '../../src/monitor/alerts/plan.ts';
import type { Incident } from '../../src/monitor/incident/incident.ts';
import type { Channel } from '../../src/monitor/alerts/channels/index.ts';
import type { AlertRoute, MonitoredSite } from '../../src/monitor/settings.ts';
import { siteAt, webhookTo } from '../monitor/settings.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A Friday, at six in the evening. */
export const SIX = Date.UTC(2026, 10, 20, 18);

/** Opened at six; its configuration has a trailing comma. */
export const incidentOf = (rest: Partial<Incident> = {}): Incident => ({
  id: `${rest.site ?? 'docs'}-20261120T180000000`,
  site: 'docs',
  verdict: 'down',
  checks: ['config'],
  rules: ['config/trailing-comma'],
  startedAt: SIX - 10 * SECOND,
  detectedAt: SIX,
  notifiedAt: null,
  recoveredAt: null,
  recoveryTimeObjectiveMs: 60 * SECOND,
  findings: [
    {
      check: 'config',
      rule: 'config/trailing-comma',
      evidence: { text: '{"a":1,}' },
      location: { path: 'config.json', line: 3, column: 5 },
    },
  ],
  deploy: null,
  flapping: false,
  sameAs: null,
  ...rest,
});

export const WEBHOOK = {
  kind: 'webhook',
  url: 'http://127.0.0.1:9/',
  template: 'json',
  secret: null,
  headers: {},
} as const satisfies Channel;

export const routeOf = (rest: Partial<AlertRoute> = {}): AlertRoute => webhookTo(WEBHOOK.url, rest);

export const siteOf = (rest: Partial<MonitoredSite> = {}): MonitoredSite =>
  siteAt('https://user:letmein1@docs.example.com/', { title: 'Handbook', ...rest });

/** A notification of the incident of docs on the route ops, due at six; its key is that of its incident, event and route. */
export const waitingOf = (rest: Partial<Notification> = {}): Notification => {
  const { incident = incidentOf(), event = 'opened', route = 'ops' } = rest;
  const alert = { key: `${incident.id}:${event}:${route}`, event, incident, alsoSites: [] };
  return { ...notificationOf(alert, route, SIX), ...rest };
};

/** The same, received a second later. */
export const sentOf = (rest: Partial<Notification> = {}): Notification =>
  waitingOf({ state: 'sent', sentAt: SIX + SECOND, ...rest });

/** What is known of these incidents, which are open. */
export const openAlerts = (
  incidents: readonly Incident[],
  notifications: readonly Notification[],
  settings: AlertSettings,
): OpenAlerts => new OpenAlerts({ incidents, notifications }, () => settings);
