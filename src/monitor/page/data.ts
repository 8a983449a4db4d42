/** What the pages are made of, and where from; `gather.ts` makes them. Times are ms since 1970. */
import { currentIncidents, type Kind, type SiteStatus, countKinds, siteStatusAt } from '../site-state.ts';
import type { Incident } from '../incident/incident.ts';
import type { MonitoredSite, MonitorSettings } from '../settings.ts';
import type { RunRecord, Store, IncidentQuery, StartedMaintenance } from '../store/store.ts';
import type { MonitorView, SiteView } from '../view.ts';
import { type Response, hoursOf, responseFrom, responseOf } from './response.ts';
import {
  type Period,
  type Uptime,
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
} from './uptime.ts';
import { currentIncident, openIncidents } from '../incident/state.ts';
import { Memory } from './memory.ts';
import { parseBaseUrl } from '../../base-url.ts';

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
function watchedOf(
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

/* Gathers what the pages are made of. What the database cannot tell is left out: a page is there all the same. */

/** How long the days of sites are not requested again: those that are over hardly change any more. */
const DAYS_KEPT_MS = 600_000;
const TODAY_KEPT_MS = 30_000;
/** Lists of sites whose days are kept: they change with the configuration alone. */
const MOST_KEPT = 4;
/** How far ahead maintenance is reported. */
const AHEAD_MS = 14 * DAY_MS;
/** Checks of a young site that its page lists. */
const MOST_RUNS = 10;
/** Incidents that one page tells. */
const MOST_ON_PAGE = 10;
export const MOST_IN_HISTORY = 200;
const MOST_LISTED = 2000;

/** Days by the ids of sites. */
type DaysOfSites = ReadonlyMap<string, readonly Period[]>;

/** The days of all sites of one source, as they were read last. */
export interface DaysMemory {
  readonly all: Memory<{ readonly readAt: number; readonly days: DaysOfSites }>;
  readonly today: Memory<DaysOfSites>;
}

export const newDaysMemory = (): DaysMemory => ({ all: new Memory(MOST_KEPT), today: new Memory(MOST_KEPT) });

/** What every page shows. */
export async function gatherStatus(source: StatusSource): Promise<StatusData> {
  const { now, settings, troubles } = source;
  const rows = await Promise.all(source.sites.map((watched) => rowOf(watched, now)));
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

/** A site and how it stands at `now`. */
async function rowOf(watched: WatchedSite, now: number): Promise<SiteRow> {
  const { state } = watched;
  return {
    ...watched,
    status: await siteStatusAt(watched, now),
    incident: currentIncident(state),
    incidents: openIncidents(state),
  };
}

/** All sites, with their days. */
export async function gatherOverview(source: StatusSource, memory: DaysMemory): Promise<OverviewData> {
  const [status, past, maintenance, days] = await Promise.all([
    gatherStatus(source),
    pastIncidents(source, { limit: MOST_ON_PAGE }),
    maintenanceOf(source, source.sites),
    orNull(rememberedDays(source, memory)),
  ]);
  const known = days ?? new Map<string, readonly Period[]>();
  return { ...status, past, maintenance, days: known, uptimes: await uptimesOf(source, known) };
}

/** What is drawn of each site; with many sites nothing is. */
async function uptimesOf(source: StatusSource, days: DaysOfSites): Promise<OverviewData['uptimes']> {
  if (source.sites.length > MOST_WITH_BARS) return new Map();
  const found = [...days].map(async ([id, all]) => [id, await orNull(uptimeOf(source, id, all))] as const);
  return new Map(
    (await Promise.all(found)).flatMap(([id, uptime]) => (uptime === null ? [] : [[id, uptime] as const])),
  );
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

async function rememberedDays(source: StatusSource, memory: DaysMemory): Promise<DaysOfSites> {
  const { now } = source;
  const ids = source.sites.map(({ site }) => site.id);
  // Another day is another list.
  const key = `${dayOf(now)}/${ids.join(' ')}`;
  const { readAt, days } = await memory.all.get(key, now, DAYS_KEPT_MS, async () => {
    return { readAt: now, days: await readDays(source, ids, DAYS) };
  });
  if (now - readAt < TODAY_KEPT_MS) return days;
  const today = await memory.today.get(key, now, TODAY_KEPT_MS, () => readDays(source, ids, 1));
  return new Map([...days].map(([id, all]) => [id, [...all.slice(0, -1), ...(today.get(id) ?? [])]]));
}

/** The last days of sites, so many. */
async function readDays({ store, now }: StatusSource, sites: readonly string[], count: number): Promise<DaysOfSites> {
  const from = dayOf(now) - (count - 1) * DAY_MS;
  const found = Map.groupBy(await store.days({ sites, from, to: dayOf(now) + DAY_MS }), ({ site }) => site);
  return new Map(sites.map((site) => [site, periodsOf(found.get(site) ?? [], now, count)]));
}

/** One site; `null`: it is not watched. */
export async function gatherSite(source: StatusSource, id: string): Promise<SiteData | null> {
  const status = await gatherStatus(source);
  const row = status.rows.find(({ site }) => site.id === id);
  if (row === undefined) return null;
  const { now, store } = source;
  const minutes = store.buckets({ site: id, resolution: 'minute', from: responseFrom(now, 'day'), to: now + 1 });
  const days = readDays(source, [id], DAYS).then((found) => uptimeOf(source, id, found.get(id) ?? []));
  const [uptime, response, runs, past, maintenance] = await Promise.all([
    orNull(days),
    orNull(minutes),
    orNull(store.runs({ site: id, from: now - UNIT_MS.hour, to: now + 1 })),
    pastIncidents(source, { site: id, limit: MOST_ON_PAGE }),
    maintenanceOf(source, [row]),
  ]);
  return {
    ...status,
    row,
    uptime,
    response: response === null ? null : responseOf(response, now, isYoung(uptime) ? 'hour' : 'day'),
    runs: isYoung(uptime) ? (runs?.slice(-MOST_RUNS).toReversed() ?? []) : [],
    hours: response === null ? null : hoursOf(response),
    past,
    maintenance,
  };
}

const isYoung = (uptime: Uptime | null): boolean => uptime?.unit === 'minute';

/** One incident; `null`: there is none of that id. Rejects with what the store rejects with. */
export async function gatherIncident(source: StatusSource, id: string): Promise<IncidentData | null> {
  const status = await gatherStatus(source);
  // What is open is known better by the runs that go on than by the database.
  const open = status.rows.flatMap(({ incidents }) => incidents).find((incident) => incident.id === id);
  const incident = open ?? (await orNull(source.store.incident(id)));
  if (incident === null) return null;
  return { ...status, incident, row: status.rows.find(({ site }) => site.id === incident.site) ?? null };
}

/** The incidents of the last days. */
export async function gatherHistory(source: StatusSource): Promise<HistoryData> {
  const [status, incidents] = await Promise.all([gatherStatus(source), recentIncidents(source)]);
  return { ...status, incidents };
}

/** Those of the days that pages tell of, open ones among them, newest first; `null`: they cannot be read. */
function recentIncidents(source: StatusSource): Promise<readonly Incident[] | null> {
  return orNull(source.store.incidents({ since: source.now - DAYS * DAY_MS, limit: MOST_IN_HISTORY }));
}

/** The ids of the incidents that have a page: those of the days that pages tell of. Rejects with what the store rejects with. */
export async function incidentIds({ store, now, sites }: StatusSource): Promise<readonly string[]> {
  const recent = await store.incidents({ since: now - DAYS * DAY_MS, limit: MOST_LISTED });
  const open = sites.flatMap(({ state }) => openIncidents(state));
  const all = [...open, ...recent];
  return [...new Set(all.flatMap(({ id, sameAs }) => (sameAs === null ? [id] : [id, sameAs])))];
}

function pastIncidents(source: StatusSource, query: IncidentQuery): Promise<readonly Incident[] | null> {
  return orNull(source.store.incidents({ ...query, open: false, since: source.now - DAYS * DAY_MS }));
}

/** What goes on and what comes, soonest first. */
async function maintenanceOf(source: StatusSource, sites: readonly WatchedSite[]): Promise<readonly Maintenance[]> {
  const { now } = source;
  const started = (await orNull(source.store.maintenance(now))) ?? [];
  const current = sites.flatMap(({ site, maintenance }) => (maintenance === null ? [] : [{ site, ...maintenance }]));
  const coming = await Promise.all(sites.map(({ site }) => comingOf(site, started, now)));
  return [...current, ...coming.flatMap((next) => next ?? [])].toSorted((one, other) => one.from - other.from);
}

async function comingOf(
  site: MonitoredSite,
  started: readonly StartedMaintenance[],
  now: number,
): Promise<Maintenance | null> {
  const own = started.filter((window) => window.site === site.id);
  if (own.length === 0 && site.maintenance.length === 0) return null;
  // It reads cron expressions, which few need.
  const { nextMaintenance } = await import('../maintenance/maintenance.ts');
  const next = nextMaintenance(site.maintenance, own, now);
  return next === null || next.from > now + AHEAD_MS ? null : { site, ...next };
}

/** What cannot be read is nothing: the page shows that it is not there. */
function orNull<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch(() => null);
}

/* What the pages are made of where no monitor can be asked: a database beside a configuration. */

/** What a database and a configuration say together. Rejects with what the store rejects with. */
export async function storedSource(
  settings: Pick<MonitorSettings, 'page' | 'sites'>,
  store: PageStore & Pick<Store, 'states'>,
  now: number,
): Promise<StatusSource> {
  const [states, started] = await Promise.all([store.states(), store.maintenance(now)]);
  const sites = await Promise.all(
    settings.sites.map(async (site): Promise<WatchedSite> => {
      const parsed = parseBaseUrl(site.url);
      return {
        site,
        // A URL that is none was refused with the configuration.
        url: parsed.ok ? parsed.base.href : '',
        state: states.get(site.id) ?? null,
        maintenance: await currentMaintenance(site, started, now),
      };
    }),
  );
  return { now, settings, sites, troubles: [], store: watchedOf(store, settings) };
}

async function currentMaintenance(
  { id, maintenance }: MonitoredSite,
  started: readonly StartedMaintenance[],
  now: number,
): Promise<WatchedSite['maintenance']> {
  const own = started.filter(({ site }) => site === id);
  if (own.length === 0 && maintenance.length === 0) return null;
  // It reads cron expressions, which few need.
  const { maintenanceAt } = await import('../maintenance/maintenance.ts');
  return maintenanceAt(maintenance, own, now);
}
