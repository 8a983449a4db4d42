/** The settings of a monitor: which sites, when, where notifications go; and their defaults. Read from docvitals.yaml. */
import type { FileConfig } from '../config/config.ts';
import type { RouteFile } from '../generated/config-file.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../core/time.ts';
import type { readMonitor } from './read-settings.ts';

/** Durations are in milliseconds; `null`: not set. */
export type MonitorSettings = Readonly<Awaited<ReturnType<typeof readMonitor>>>;
export type MonitoredSite = Readonly<MonitorSettings['sites'][number]>;
export type MaintenanceWindow = MonitoredSite['maintenance'][number];
export type Location = Readonly<MonitorSettings['locations'][number]>;
export type AlertRoute = Readonly<MonitorSettings['alerts'][number]>;
export type IncidentVerdict = NonNullable<RouteFile['verdicts']>[number];

/** How a site is checked: the settings that `docvitals check` has as well, the file's own as defaults. */
export type Checking = Omit<FileConfig, 'url' | 'language' | 'full' | 'browser'>;

export type Retention = Readonly<Record<'rawMs' | 'minuteMs' | 'hourMs' | 'dayMs', number>>;

/** `jitterMs`: random delay of up to this, so that sites are not checked together. */
export type Schedule =
  | { readonly kind: 'every'; readonly everyMs: number; readonly jitterMs: number }
  | { readonly kind: 'cron'; readonly pattern: string; readonly timeZone: string | null; readonly jitterMs: number };

export const DEFAULT_WATCHING = {
  /** Often enough that an outage is detected, confirmed and notified well within the recovery time objective. */
  schedule: { kind: 'every', everyMs: 10 * SECOND_MS, jitterMs: 0 },
  full: { kind: 'every', everyMs: HOUR_MS, jitterMs: 0 },
  browser: null,
  recoveryTimeObjectiveMs: 60 * SECOND_MS,
  confirm: { afterMs: 2 * SECOND_MS, times: 3 },
  recover: { times: 2 },
} as const;

/** How often pages are opened in a browser where the configuration only says that they are. */
export const DEFAULT_BROWSER = { kind: 'every', everyMs: 300 * SECOND_MS, jitterMs: 0 } as const satisfies Schedule;

/** How they are opened. */
export const DEFAULT_RENDERING = {
  enabled: false,
  path: null,
  address: null,
  routes: 5,
  slowMs: 5 * SECOND_MS,
  sandbox: true,
};

export const DEFAULT_HEARTBEAT_MS = 60 * SECOND_MS;

export const DEFAULT_MONITOR: MonitorSettings = {
  sites: [],
  alerts: [],
  database: null,
  locations: [],
  listen: null,
  heartbeat: null,
  connectivity: null,
  retention: { rawMs: 3 * DAY_MS, minuteMs: 14 * DAY_MS, hourMs: 400 * DAY_MS, dayMs: 3_650 * DAY_MS },
  probe: { targets: [], modules: new Map() },
  browser: DEFAULT_RENDERING,
  page: { title: null, url: null, language: 'en' },
};
