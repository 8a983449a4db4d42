/** What the pages are made of, and where it comes from. Times are ms since 1970. */
import { parseBaseUrl } from '../../base-url.ts';
import type { Incident } from '../incident/incident.ts';
import { currentIncident, openIncidents } from '../incident/state.ts';
import { maintenanceAt, nextMaintenance } from '../maintenance/maintenance.ts';
import type { MonitoredSite, MonitorSettings } from '../settings.ts';
import { countKinds, currentIncidents, siteStatusAt, type Kind, type SiteStatus } from '../site-state.ts';
import type { IncidentQuery, Picture, RunRecord, StartedMaintenance, Store } from '../store/store.ts';
import type { MonitorView, SiteView } from '../view.ts';
import { Memory } from './memory.ts';
import { headingsOf, hoursOf, responseFrom, responseOf, type Response } from './response.ts';
import {
  areEnough,
  beginOf,
  DAY_MS,
  dayOf,
  DAYS,
  hasData,
  MOST_PERIODS,
  periodsOf,
  sinceFirst,
  UNIT_MS,
  type Period,
  type Uptime,
} from './uptime.ts';

/** A site as its pages need it. */
export type WatchedSite = Pick<SiteView, 'site' | 'url' | 'state' | 'maintenance'>;

/** What a page asks of the database. */
export type PageStore = Pick<
  Store,
  'buckets' | 'days' | 'incident' | 'incidents' | 'maintenance' | 'pictures' | 'runs'
>;

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
  const store = watchedOf(view.store, settings, currentIncidents(view));
  return { now: view.now(), settings, sites: view.sites(), troubles: view.troubles(), store };
}

/** A database and a configuration, where no monitor can be asked. Rejects with what the store rejects with. */
export async function storedSource(
  settings: Pick<MonitorSettings, 'page' | 'sites'>,
  store: PageStore & Pick<Store, 'states'>,
  now: number,
): Promise<StatusSource> {
  const [states, started] = await Promise.all([store.states(), store.maintenance(now)]);
  const sites = settings.sites.map((site): WatchedSite => {
    const parsed = parseBaseUrl(site.url);
    return {
      site,
      // An invalid URL was refused with the configuration.
      url: parsed.ok ? parsed.base.href : '',
      state: states.get(site.id) ?? null,
      maintenance: maintenanceAt(site.maintenance, startedAt(site, started), now),
    };
  });
  return { now, settings, sites, troubles: [], store: watchedOf(store, settings, store) };
}

/**
 * The database's data of monitored sites and of closed incidents: whether others are still open is unknown.
 * `all`: who knows the incidents.
 */
function watchedOf(
  store: PageStore,
  { sites }: Pick<MonitorSettings, 'sites'>,
  all: Pick<PageStore, 'incident' | 'incidents'>,
): PageStore {
  const openOf = sites.map(({ id }) => id);
  return {
    buckets: (query) => store.buckets(query),
    days: (query) => store.days(query),
    runs: (query) => store.runs(query),
    pictures: (incident) => store.pictures(incident),
    maintenance: (at) => store.maintenance(at),
    incidents: (query) => all.incidents({ ...query, openOf }),
    async incident(id) {
      const incident = await all.incident(id);
      return incident === null || incident.recoveredAt !== null || openOf.includes(incident.site) ? incident : null;
    },
  };
}

/** A site and its status. */
export interface SiteRow extends WatchedSite {
  readonly status: SiteStatus;
  /** The open incident, or the one that was when the site was last heard of. */
  readonly incident: Incident | null;
  /** All that are open, that one first: an outage may hide a degradation. */
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
  /** When something was last heard of any site; `null`: never. */
  readonly asOf: number | null;
  readonly title: string | null;
  readonly troubles: readonly string[];
  readonly rows: readonly SiteRow[];
  readonly counts: ReadonlyMap<Kind, number>;
}

/** All sites at a glance. What is `null` cannot be read. */
export interface OverviewData extends StatusData {
  /** By the id of the site; a site whose days cannot be read is not in it. */
  readonly days: DaysOfSites;
  /** What is drawn of it, the same way. */
  readonly uptimes: ReadonlyMap<string, Uptime>;
  /** Those that are over, newest first. */
  readonly past: readonly Incident[] | null;
  /** Current or coming, soonest first. */
  readonly maintenance: readonly Maintenance[];
}

/** What a plot shows, and the same by hour for its table. */
interface Figure {
  readonly response: Response;
  readonly hours: Response['points'];
}

/** One site. What is `null` cannot be read. */
export interface SiteData extends StatusData, Pick<OverviewData, 'past' | 'maintenance'> {
  readonly row: SiteRow;
  readonly uptime: Uptime | null;
  readonly response: Response | null;
  /** By hour, for the table. */
  readonly hours: Response['points'] | null;
  /** The first heading of the home page; `null`: no page was opened in a browser. */
  readonly headings: Figure | null;
  /** The last checks of a site that has been watched for some hours at most, newest first. */
  readonly runs: readonly RunRecord[];
}

/** One incident, and its site where that is still watched. */
export interface IncidentData extends StatusData {
  readonly incident: Incident;
  readonly row: SiteRow | null;
  /** Of the browser, the good one first; none where details are not for the public. */
  readonly pictures: readonly Picture[];
}

/** All incidents that pages show, newest first; `null`: they cannot be read. */
export interface HistoryData extends StatusData {
  readonly incidents: readonly Incident[] | null;
}

/* What the database cannot return is left out: the page is still served. */

/** With more sites each has one line, and no bars. */
export const MOST_WITH_BARS = 60;
/** How long the days of sites are not read again. */
const DAYS_CACHED_MS = 30_000;
/** How far ahead maintenance is shown. */
const AHEAD_MS = 14 * DAY_MS;
/** Checks of a new site that its page lists. */
const MOST_RUNS = 10;
/** Incidents of one page. */
const MOST_ON_PAGE = 10;
export const MOST_IN_HISTORY = 200;
const MOST_LISTED = 2000;

/** Days by the ids of sites. */
type DaysOfSites = ReadonlyMap<string, readonly Period[]>;

/** The days of sites, as they were read last. */
export type DaysMemory = Memory<DaysOfSites>;

/** Lists of sites change with the configuration alone, so few of them are kept. */
export const newDaysMemory = (): DaysMemory => new Memory(4);

/** What every page shows. */
export async function gatherStatus({ now, settings, troubles, sites }: StatusSource): Promise<StatusData> {
  const rows = await Promise.all(
    sites.map(async (watched): Promise<SiteRow> => {
      const { state } = watched;
      const status = await siteStatusAt(watched, now);
      return { ...watched, status, incident: currentIncident(state), incidents: openIncidents(state) };
    }),
  );
  const heard = rows.flatMap(({ status }) => status.at ?? []);
  return {
    now,
    asOf: heard.length === 0 ? null : heard.reduce((one, other) => Math.max(one, other)),
    title: settings.page.title,
    troubles,
    rows,
    counts: countKinds(rows.map(({ status }) => status.kind)),
  };
}

/** All sites, with their days. */
export async function gatherOverview(source: StatusSource, memory: DaysMemory): Promise<OverviewData> {
  const ids = source.sites.map(({ site }) => site.id);
  const key = `${dayOf(source.now)}/${ids.join(' ')}`;
  const [status, past, maintenance, known] = await Promise.all([
    gatherStatus(source),
    pastIncidents(source, { limit: MOST_ON_PAGE }),
    maintenanceOf(source, source.sites),
    orNull(memory.get(key, source.now, DAYS_CACHED_MS, () => readDays(source, ids))),
  ]);
  const days: DaysOfSites = known ?? new Map();
  const drawn = ids.length > MOST_WITH_BARS ? [] : [...days];
  const uptimes = await Promise.all(
    drawn.map(async ([id, all]) => [id, await orNull(uptimeOf(source, id, all))] as const),
  );
  return {
    ...status,
    past,
    maintenance,
    days,
    uptimes: new Map(uptimes.flatMap(([id, uptime]) => (uptime === null ? [] : [[id, uptime] as const]))),
  };
}

/** The last days of sites. */
async function readDays({ store, now }: StatusSource, sites: readonly string[]): Promise<DaysOfSites> {
  const from = dayOf(now) - (DAYS - 1) * DAY_MS;
  const found = Map.groupBy(await store.days({ sites, from, to: dayOf(now) + DAY_MS }), ({ site }) => site);
  return new Map(sites.map((site) => [site, periodsOf(found.get(site) ?? [], now)]));
}

/** A site's days, or, in its first days, the last hours, or, in its first hours, the last minutes. */
async function uptimeOf({ store, now }: StatusSource, site: string, days: readonly Period[]): Promise<Uptime> {
  let uptime: Uptime = { unit: 'day', periods: days };
  for (const unit of ['hour', 'minute'] as const) {
    if (areEnough(uptime.periods)) break;
    const from = beginOf(now, unit) - (MOST_PERIODS[unit] - 1) * UNIT_MS[unit];
    const found = await store.buckets({ site, resolution: unit, from, to: now + 1 });
    const periods = periodsOf(found, now, MOST_PERIODS[unit], unit);
    if (!hasData(periods)) break;
    uptime = { unit, periods };
  }
  return sinceFirst(uptime);
}

/** One site; `null`: it is not watched. */
export async function gatherSite(source: StatusSource, id: string): Promise<SiteData | null> {
  const status = await gatherStatus(source);
  const row = status.rows.find(({ site }) => site.id === id);
  if (row === undefined) return null;
  const { now, store } = source;
  const days = readDays(source, [id]).then((found) => uptimeOf(source, id, found.get(id) ?? []));
  const [uptime, minutes, runs, looks, past, maintenance] = await Promise.all([
    orNull(days),
    orNull(store.buckets({ site: id, resolution: 'minute', from: responseFrom(now, 'day'), to: now + 1 })),
    orNull(store.runs({ site: id, from: now - UNIT_MS.hour, to: now + 1 })),
    orNull(store.runs({ site: id, scope: 'browser', from: responseFrom(now, 'pages'), to: now + 1 })),
    pastIncidents(source, { site: id, limit: MOST_ON_PAGE }),
    maintenanceOf(source, [row]),
  ]);
  const isNew = uptime?.unit === 'minute';
  const headings = headingsOf(looks ?? []);
  return {
    ...status,
    row,
    uptime,
    response: minutes && responseOf(minutes, now, isNew ? 'hour' : 'day'),
    runs: isNew ? (runs?.slice(-MOST_RUNS).toReversed() ?? []) : [],
    hours: minutes && hoursOf(minutes),
    headings: headings.length === 0 ? null : { response: responseOf(headings, now, 'pages'), hours: hoursOf(headings) },
    past,
    maintenance,
  };
}

/** One incident; `null`: unknown id, or it cannot be read. */
export async function gatherIncident(source: StatusSource, id: string): Promise<IncidentData | null> {
  const status = await gatherStatus(source);
  // Running checks know more of open incidents than the database.
  const open = status.rows.flatMap(({ incidents }) => incidents).find((incident) => incident.id === id);
  const incident = open ?? (await orNull(source.store.incident(id)));
  if (incident === null) return null;
  const row = status.rows.find(({ site }) => site.id === incident.site) ?? null;
  return { ...status, incident, row, pictures: await picturesOf(source, incident) };
}

/** A public page shows no evidence. */
async function picturesOf({ store, settings }: StatusSource, incident: Incident): Promise<readonly Picture[]> {
  return settings.page.details === false ? [] : ((await orNull(store.pictures(incident))) ?? []);
}

/** The incidents of the last days, open ones among them. */
export async function gatherHistory(source: StatusSource): Promise<HistoryData> {
  const since = source.now - DAYS * DAY_MS;
  const [status, incidents] = await Promise.all([
    gatherStatus(source),
    orNull(source.store.incidents({ since, limit: MOST_IN_HISTORY })),
  ]);
  return { ...status, incidents };
}

/** The ids of the incidents that have a page. Rejects with what the store rejects with. */
export async function incidentIds({ store, now, sites }: StatusSource): Promise<readonly string[]> {
  const recent = await store.incidents({ since: now - DAYS * DAY_MS, limit: MOST_LISTED });
  const open = sites.flatMap(({ state }) => openIncidents(state));
  const all = [...open, ...recent];
  return [...new Set(all.flatMap(({ id, sameAs }) => (sameAs === null ? [id] : [id, sameAs])))];
}

function pastIncidents({ store, now }: StatusSource, query: IncidentQuery): Promise<readonly Incident[] | null> {
  return orNull(store.incidents({ ...query, open: false, since: now - DAYS * DAY_MS }));
}

/** Current and coming maintenance, soonest first. */
async function maintenanceOf(
  { store, now }: StatusSource,
  sites: readonly WatchedSite[],
): Promise<readonly Maintenance[]> {
  const started = (await orNull(store.maintenance(now))) ?? [];
  return sites
    .flatMap(({ site, maintenance }) => {
      const next = nextMaintenance(site.maintenance, startedAt(site, started), now);
      const coming = next !== null && next.from <= now + AHEAD_MS ? next : null;
      return [maintenance, coming].flatMap((window) => (window === null ? [] : [{ site, ...window }]));
    })
    .toSorted((one, other) => one.from - other.from);
}

const startedAt = ({ id }: MonitoredSite, started: readonly StartedMaintenance[]): readonly StartedMaintenance[] =>
  started.filter(({ site }) => site === id);

/** What cannot be read is `null`: the page shows that it is missing. */
function orNull<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch(() => null);
}
