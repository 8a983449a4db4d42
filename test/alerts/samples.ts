/** Incidents, routes and sites for tests of the alerts. */
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
