/** What holds for a monitor where the file says nothing else. */
import type { MonitoredSite, MonitorSettings, Retention, Schedule } from '../../monitor/settings.ts';

const SECOND = 1_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The five: often enough that an outage is noticed, confirmed and told well within the objective. */
const EVERY: Schedule = { kind: 'every', everyMs: 10 * SECOND, jitterMs: 0 };
/** The checks of the whole site. */
const FULL: Schedule = { kind: 'every', everyMs: HOUR, jitterMs: 0 };

/** How a site is watched. */
export const DEFAULT_WATCHING = {
  schedule: EVERY,
  full: FULL,
  objectiveMs: 60 * SECOND,
  confirm: { afterMs: 2 * SECOND, times: 2 },
  recover: { times: 2 },
} as const satisfies Partial<MonitoredSite>;

/** Rounds for as long as somebody asks what exactly was; the roll-ups for as long as somebody compares. */
const RETENTION: Retention = { rawMs: 3 * DAY, minuteMs: 14 * DAY, hourMs: 400 * DAY, dayMs: 3_650 * DAY };

/** A route's, where it says nothing else. */
export const DEFAULT_ROUTE = {
  label: 'docvitals',
  api: 'https://api.github.com',
  commandTimeoutMs: 30 * SECOND,
} as const;

/** How often the heartbeat's address is asked for at most. */
export const DEFAULT_HEARTBEAT_MS = 60 * SECOND;

/** The monitor where there is no file. */
export const DEFAULT_MONITOR: MonitorSettings = {
  sites: [],
  alerts: [],
  database: null,
  listen: null,
  heartbeat: null,
  control: null,
  retention: RETENTION,
  probe: { targets: [], modules: new Map() },
  page: { title: null, url: null, language: 'en' },
};
