/** The settings of a monitor: which sites, when, where notifications go; and their defaults. Read from docvitals.yaml. */
import type { BrowserSettings, Config } from '../config/config.ts';
import type { Language } from '../texts.ts';
import type { Channel } from './alerts/channels/index.ts';

/** Durations are in milliseconds. */
export interface MonitorSettings {
  readonly sites: readonly MonitoredSite[];
  readonly alerts: readonly AlertRoute[];
  readonly database: string | null;
  readonly locations: readonly Location[];
  readonly listen: ListenAddress | null;
  readonly heartbeat: Heartbeat | null;
  /** `host:port` of the connectivity check; `null`: the default ones; empty: none. */
  readonly control: readonly string[] | null;
  readonly retention: Retention;
  readonly probe: ProbeSettings;
  readonly browser: BrowserSettings;
  readonly page: PageSettings;
}

export interface MonitoredSite {
  /** kebab-case noun, unique: the key in the database, in URLs and in labels. */
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly schedule: Schedule;
  readonly full: Schedule | null;
  readonly browser: Schedule | null;
  readonly objectiveMs: number;
  /** `times` more failed runs, each `afterMs` after the one before, confirm a failure. */
  readonly confirm: SiteConfirmation;
  /** Ids of the locations that check it; absent: all. */
  readonly locations?: readonly string[];
  readonly recover: { readonly times: number };
  readonly alerts: readonly string[] | null;
  readonly maintenance: readonly MaintenanceWindow[];
  readonly checking: Checking;
}

export interface SiteConfirmation {
  readonly afterMs: number;
  readonly times: number;
  /** How many locations have to see it; absent: the majority of those that are alive. */
  readonly locations?: number;
  /** A failure that fewer locations see is a degradation that opens an incident. */
  readonly notifyFewer?: boolean;
}

export interface Location {
  readonly id: string;
  readonly title: string;
  readonly coordinates: { readonly latitude: number; readonly longitude: number } | null;
}

/** How a site is checked: the settings that `docvitals check` has as well, the file's own as defaults. */
export type Checking = Pick<
  Config,
  | 'only'
  | 'skip'
  | 'external'
  | 'host'
  | 'engine'
  | 'source'
  | 'versionFrom'
  | 'strict'
  | 'limits'
  | 'headers'
  | 'rules'
  | 'resolve'
  | 'checks'
>;

/** `jitterMs`: random delay of up to this, so that sites are not checked together. */
export type Schedule =
  | { readonly kind: 'every'; readonly everyMs: number; readonly jitterMs: number }
  | { readonly kind: 'cron'; readonly pattern: string; readonly timeZone: string | null; readonly jitterMs: number };

/** A time in which a site is checked, but opens no incident. Times are ms since 1970. */
export type MaintenanceWindow =
  | { readonly kind: 'once'; readonly from: number; readonly to: number; readonly reason: string | null }
  | {
      readonly kind: 'recurring';
      readonly pattern: string;
      readonly timeZone: string | null;
      readonly forMs: number;
      readonly reason: string | null;
    };

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

export interface Heartbeat {
  /** May hold a secret: never printed. */
  readonly url: string;
  readonly everyMs: number;
}

export interface Retention {
  readonly rawMs: number;
  readonly minuteMs: number;
  readonly hourMs: number;
  readonly dayMs: number;
}

export interface ProbeSettings {
  /**
   * What may be probed: ids of sites, base URLs, hosts (`docs.example.com`, `*.example.com`, `localhost:8080`), and
   * networks that these may lead into (`10.0.0.0/8`); empty: nothing.
   */
  readonly targets: readonly string[];
  /** By name: which checks a probe runs, and how. `five` and `full` are there without being written. */
  readonly modules: ReadonlyMap<string, ProbeModule>;
}

export interface ProbeModule {
  readonly full: boolean;
  readonly checking: Checking;
}

export interface PageSettings {
  readonly title: string | null;
  /** Where the page is published, for feeds and links; `null`: not known. */
  readonly url: string | null;
  readonly language: Language;
  /** `false`: fixes and evidence are left out, because the page is public; absent: they are shown. */
  readonly details?: boolean;
}

export interface AlertRoute {
  readonly id: string;
  readonly channel: Channel;
  readonly language: Language;
  /** Escalation: only incidents that have been open for this long. */
  readonly afterMs: number;
  readonly reminderMs: number | null;
  readonly verdicts: readonly IncidentVerdict[];
  readonly tags: readonly string[];
}

export type IncidentVerdict = 'down' | 'degraded' | 'stale';

const SECOND = 1_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export const DEFAULT_WATCHING = {
  /** Often enough that an outage is detected, confirmed and notified well within the recovery time objective. */
  schedule: { kind: 'every', everyMs: 10 * SECOND, jitterMs: 0 },
  full: { kind: 'every', everyMs: HOUR, jitterMs: 0 },
  browser: null,
  objectiveMs: 60 * SECOND,
  confirm: { afterMs: 2 * SECOND, times: 2 },
  recover: { times: 2 },
} as const satisfies Partial<MonitoredSite>;

/** How often pages are opened in a browser where the configuration only says that they are. */
export const DEFAULT_BROWSER = { kind: 'every', everyMs: 300 * SECOND, jitterMs: 0 } as const satisfies Schedule;

export const DEFAULT_HEARTBEAT_MS = 60 * SECOND;

export const DEFAULT_MONITOR: MonitorSettings = {
  sites: [],
  alerts: [],
  database: null,
  locations: [],
  listen: null,
  heartbeat: null,
  control: null,
  retention: { rawMs: 3 * DAY, minuteMs: 14 * DAY, hourMs: 400 * DAY, dayMs: 3_650 * DAY },
  probe: { targets: [], modules: new Map() },
  browser: { enabled: false, path: null, address: null, routes: null, slowMs: null, sandbox: true },
  page: { title: null, url: null, language: 'en' },
};
