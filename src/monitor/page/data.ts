/** What the pages are made of, and where from; `gather.ts` makes them. Times are ms since 1970. */
import { currentIncidents } from '../current-incidents.ts';
import type { Incident } from '../incident/incident.ts';
import type { MonitoredSite, MonitorSettings } from '../settings.ts';
import type { RunRecord, Store } from '../store/store.ts';
import type { MonitorView, SiteView } from '../view.ts';
import type { Response } from './response.ts';
import type { Kind, SiteStatus } from '../site-state.ts';
import type { Period, Uptime } from './uptime.ts';

/** A site as its pages need it. */
export type WatchedSite = Pick<SiteView, 'site' | 'url' | 'state' | 'maintenance'>;

/** What a page asks of the database. */
export type PageStore = Pick<Store, 'buckets' | 'days' | 'incident' | 'incidents' | 'maintenance' | 'runs'>;

/** Where the pages take everything from: a running monitor, or a database beside a configuration. */
export interface StatusSource {
  readonly now: number;
  readonly settings: Pick<MonitorSettings, 'page' | 'sites'>;
  /** In the order of the configuration. */
  readonly sites: readonly WatchedSite[];
  readonly troubles: readonly string[];
  readonly store: PageStore;
}

/** A running monitor. */
export function sourceOf(view: MonitorView): StatusSource {
  const settings = view.settings();
  return {
    now: view.now(),
    settings,
    sites: view.sites(),
    troubles: view.troubles(),
    store: watchedOf(view.store, settings, currentIncidents(view)),
  };
}

/**
 * What the database says of sites that are watched, and of what is over: nobody knows whether the rest is still open.
 * `all`: who knows of incidents.
 */
export function watchedOf(
  store: PageStore,
  { sites }: Pick<MonitorSettings, 'sites'>,
  all: Pick<PageStore, 'incident' | 'incidents'> = store,
): PageStore {
  const openOf = sites.map(({ id }) => id);
  return {
    buckets: (query) => store.buckets(query),
    days: (query) => store.days(query),
    runs: (query) => store.runs(query),
    maintenance: (at) => store.maintenance(at),
    incidents: (query) => all.incidents({ ...query, openOf }),
    async incident(id) {
      const incident = await all.incident(id);
      return incident === null || incident.recoveredAt !== null || openOf.includes(incident.site) ? incident : null;
    },
  };
}

/** A site and how it stands. */
export interface SiteRow extends WatchedSite {
  readonly status: SiteStatus;
  /** The incident that goes on, or did when the site was heard of last. */
  readonly incident: Incident | null;
  /** All that are open, that one first: under an outage may lie a defect. */
  readonly incidents: readonly Incident[];
}

/** A time in which a site is, or will be, worked on. */
export interface Maintenance {
  readonly site: MonitoredSite;
  readonly from: number;
  readonly to: number;
  readonly reason: string | null;
}

/** What every page shows. */
export interface StatusData {
  readonly now: number;
  /** When something was heard last of the site that was heard of last; `null`: never. */
  readonly asOf: number | null;
  readonly title: string | null;
  readonly troubles: readonly string[];
  readonly rows: readonly SiteRow[];
  readonly counts: ReadonlyMap<Kind, number>;
}

/** With more sites each has one line, and no bars. */
export const MOST_WITH_BARS = 60;

/** All sites at a glance. */
export interface OverviewData extends StatusData {
  /** By the id of the site; a site of which the days cannot be read is not in it. */
  readonly days: ReadonlyMap<string, readonly Period[]>;
  /** What is drawn of it, the same way. */
  readonly uptimes: ReadonlyMap<string, Uptime>;
  /** Those that are over, newest first; `null`: they cannot be read. */
  readonly past: readonly Incident[] | null;
  /** Going on or coming, soonest first. */
  readonly maintenance: readonly Maintenance[];
}

/** One site. What is `null` cannot be read. */
export interface SiteData extends StatusData {
  readonly row: SiteRow;
  readonly uptime: Uptime | null;
  readonly response: Response | null;
  /** By hour, for the table. */
  readonly hours: Response['points'] | null;
  /** The last checks of a site that has been watched for some hours at most, newest first. */
  readonly runs: readonly RunRecord[];
  readonly past: readonly Incident[] | null;
  readonly maintenance: readonly Maintenance[];
}

/** One incident. */
export interface IncidentData extends StatusData {
  readonly incident: Incident;
  /** The site, where it is still watched. */
  readonly row: SiteRow | null;
}

/** All incidents that pages tell, newest first; `null`: they cannot be read. */
export interface HistoryData extends StatusData {
  readonly incidents: readonly Incident[] | null;
}
