/** What the pages are made of, and where it comes from. Times are ms since 1970. */
import { baseHref } from '../../core/base-url.ts';
import type { Incident } from '../incident/incident.ts';
import { listedFindings } from '../incident/findings.ts';
import { currentIncident, openIncidents } from '../incident/state.ts';
import { DAY_MS } from '../../core/time.ts';
import { type LocationStatus, locationStatusAfter, siteLocations } from '../locations.ts';
import { maintenanceAt, nextMaintenance } from '../maintenance/maintenance.ts';
import type { MonitorSettings } from '../settings.ts';
import { countKinds, currentIncidents, overallKind, siteStatusAt } from '../site-state.ts';
import { beginOf, BUCKET_MS, type IncidentQuery, seriesOf, type Store } from '../store/store.ts';
import type { FleetView, MonitorView, SiteView } from '../view.ts';
import { headingsOf, responseFrom, responseOf, type Span } from './charts.ts';
import { remembering } from './cache.ts';
import { areEnough, DAYS, firstPeriod, hasData, type Period, periodsOf, sinceFirst, type Uptime } from './uptime.ts';

export type WatchedSite = Pick<SiteView, 'site' | 'url' | 'state' | 'maintenance' | 'locations'> &
  Partial<Pick<SiteView, 'results'>>;

export type PageStore = Pick<
  Store,
  'buckets' | 'days' | 'incident' | 'incidents' | 'maintenance' | 'pictures' | 'runs'
>;

/** Where the pages take everything from: a running monitor, or a database beside a configuration. */
export interface StatusSource {
  readonly now: number;
  readonly settings: Pick<MonitorSettings, 'page' | 'sites' | 'locations'>;
  readonly sites: readonly WatchedSite[];
  readonly troubles: readonly string[];
  readonly locationsWith?: FleetView['locationsWith'];
  readonly store: PageStore;
}

export function sourceOf(view: MonitorView): StatusSource {
  const { store, fleet } = view;
  return {
    now: view.now(),
    settings: view.settings(),
    sites: view.sites(),
    troubles: view.troubles(),
    locationsWith: (problem: string) => fleet?.locationsWith?.(problem) ?? [],
    store,
  };
}

/** A database and a configuration, where no monitor can be asked. Rejects with what the store rejects with. */
export async function storedSource(settings: StatusSource['settings'], store: Store, now: number) {
  const [states, started] = await Promise.all([store.states(), store.maintenance(now)]);
  const sites = settings.sites.map((site): WatchedSite => ({
    site,
    url: baseHref(site.url) ?? '',
    state: states.get(site.id) ?? null,
    maintenance: maintenanceAt(site, started, now),
  }));
  return { now, settings, sites, troubles: [], store };
}

/* What the database cannot return is `null`: the page is still served, and shows that it is missing. */

export const MOST_WITH_BARS = 60;
const DAYS_CACHED_MS = 30_000;
const AHEAD_MS = 14 * DAY_MS;
const MOST_RUNS = 10;
const MOST_ON_PAGE = 10;
export const MOST_IN_HISTORY = 200;
const MOST_LISTED = 2000;

type DaysOfSites = ReadonlyMap<string, readonly Period[]>;

/** Lists of sites change with the configuration alone, so few of them are kept. */
const rememberedDays = remembering<DaysOfSites>(4);

export type StatusData = ReturnType<typeof gatherStatus>;
export type SiteRow = StatusData['rows'][number];

export function gatherStatus({ now, troubles, locationsWith, sites }: StatusSource) {
  const rows = sites.map((watched) => {
    const { state } = watched;
    // The current incident comes first of those that are open: an outage may hide a degradation.
    const incidents = { incident: currentIncident(state), incidents: openIncidents(state) };
    const findings = listedFindings({ ...watched, strict: watched.site.checking.strict });
    return { ...watched, status: siteStatusAt(watched, now), ...incidents, findings };
  });
  const counts = countKinds(rows.map(({ status }) => status.kind));
  const checkedAt = rows.flatMap(({ status }) => status.at ?? []);
  return {
    now,
    asOf: checkedAt.length === 0 ? null : checkedAt.reduce((one, other) => Math.max(one, other)),
    troubles: [...new Set(troubles)].map((trouble) => ({ trouble, locations: locationsWith?.(trouble) ?? [] })),
    rows,
    counts,
    kind: overallKind(counts),
  };
}

export type OverviewData = Awaited<ReturnType<typeof gatherOverview>>;

export async function gatherOverview(source: StatusSource) {
  const { store, now, sites } = source;
  const ids = sites.map(({ site }) => site.id);
  const key = `${beginOf(now, 'day')}/${ids.join(' ')}`;
  const [past, maintenance, known] = await Promise.all([
    pastIncidents(source, { limit: MOST_ON_PAGE }),
    maintenanceOf(source, sites),
    orNull(rememberedDays(store, key, now, DAYS_CACHED_MS, () => readDays(source, ids))),
  ]);
  const days: DaysOfSites = known ?? new Map();
  const drawn = days.size > MOST_WITH_BARS ? [] : [...days];
  const uptimes = drawn.map(async ([id, all]) => [id, await orNull(readUptime(source, id, all))] as const);
  return { ...gatherStatus(source), past, maintenance, days, uptimes: new Map(await Promise.all(uptimes)) };
}

async function readDays({ store, now }: StatusSource, sites: readonly string[]): Promise<DaysOfSites> {
  const range = { from: firstPeriod(now, 'day'), to: beginOf(now, 'day') + DAY_MS };
  const found = Map.groupBy(await store.days({ sites, ...range }), ({ site }) => site);
  return new Map(sites.map((site) => [site, periodsOf(found.get(site) ?? [], now)]));
}

/** A site's days, or, in its first days, the last hours, or, in its first hours, the last minutes. */
async function readUptime(source: StatusSource, site: string, known?: readonly Period[]): Promise<Uptime> {
  const { store, now } = source;
  const days = known ?? (await readDays(source, [site])).get(site) ?? [];
  let uptime: Uptime = { unit: 'day', periods: days };
  for (const unit of ['hour', 'minute'] as const) {
    if (areEnough(uptime.periods)) break;
    const range = { from: firstPeriod(now, unit), to: now + 1 };
    const periods = periodsOf(await store.buckets({ site, resolution: unit, ...range }), now, unit);
    if (!hasData(periods)) break;
    uptime = { unit, periods };
  }
  return sinceFirst(uptime);
}

export type SiteData = NonNullable<Awaited<ReturnType<typeof gatherSite>>>;

export async function gatherSite(source: StatusSource, id: string) {
  const status = gatherStatus(source);
  const row = status.rows.find(({ site }) => site.id === id);
  if (row === undefined) return null;
  const { now, store } = source;
  const [uptime, minutes, runs, viewed, past, maintenance] = await Promise.all([
    orNull(readUptime(source, id)),
    orNull(store.buckets({ site: id, resolution: 'minute', from: responseFrom(now, 'day'), to: now + 1 })),
    orNull(store.runs({ site: id, from: now - BUCKET_MS.hour, to: now + 1 })),
    orNull(store.runs({ site: id, scope: 'browser', from: responseFrom(now, 'pages'), to: now + 1 })),
    pastIncidents(source, { site: id, limit: MOST_ON_PAGE }),
    maintenanceOf(source, [row]),
  ]);
  const isNew = uptime?.unit === 'minute';
  const shown = isNew ? 'hour' : 'day';
  const headings = headingsOf(viewed ?? []);
  return {
    ...status,
    row,
    uptime,
    response: minutes && responseOf(minutes, now, shown),
    locations: await gatherLocations(source, row, shown),
    /** The first heading of the home page; `null`: no page was opened in a browser. */
    headings: headings.length === 0 ? null : responseOf(headings, now, 'pages'),
    /** The last checks of a site that has been watched for some hours at most, newest first. */
    runs: isNew ? (runs?.slice(-MOST_RUNS).toReversed() ?? []) : [],
    past,
    maintenance,
  };
}

/** What each location sees of a site; empty: there is only this machine, or nothing is known from anywhere. */
async function gatherLocations(source: StatusSource, row: SiteRow, span: Span) {
  const { now, store, settings } = source;
  const ids = settings.locations.map(({ id }) => id);
  const stored = await Promise.all(ids.map(async (id) => row.locations?.get(id) ?? storedLocation(source, row, id)));
  const known = new Map(ids.flatMap((id, index) => (stored[index] ? [[id, stored[index]] as const] : [])));
  if (known.size === 0) return [];
  const locations = siteLocations({ site: row.site, locations: known }, settings, now);
  return Promise.all(
    locations.map(async (location) => {
      const series = seriesOf(row.site.id, location.id);
      const [uptime, minutes] = await Promise.all([
        orNull(readUptime(source, series)),
        orNull(store.buckets({ site: series, resolution: 'minute', from: responseFrom(now, 'day'), to: now + 1 })),
      ]);
      return { ...location, uptime, response: minutes && responseOf(minutes, now, span) };
    }),
  );
}

/** The last runs of a location as they were kept: where no coordinator can be asked, or it has just started. */
async function storedLocation({ store, now }: StatusSource, { site, state }: SiteRow, location: string) {
  const series = seriesOf(site.id, location);
  let known: LocationStatus | undefined;
  for (const scope of ['core', 'full', 'browser'] as const) {
    const at = state?.scopes[scope].at ?? null;
    if (at === null) continue;
    const runs = await orNull(store.runs({ site: series, scope, from: at - BUCKET_MS.hour, to: now + 1 }));
    const last = runs?.at(-1);
    if (last !== undefined) known = locationStatusAfter(known, last, null);
  }
  return known ?? null;
}

export type IncidentData = NonNullable<Awaited<ReturnType<typeof gatherIncident>>>;

/** One incident, and its site where that is still watched; `null`: unknown id, or it cannot be read. */
export async function gatherIncident(source: StatusSource, id: string) {
  const { store, settings } = source;
  const status = gatherStatus(source);
  const incident = await orNull(currentIncidents(source.sites, store).incident(id));
  if (incident === null) return null;
  const row = status.rows.find(({ site }) => site.id === incident.site) ?? null;
  // Whether an incident of a site that is not watched any more is still open is unknown.
  if (row === null && incident.recoveredAt === null) return null;
  // Pictures are evidence. Of the browser, the good one first.
  const pictures = settings.page.details === false ? null : await orNull(store.pictures(incident));
  return { ...status, incident, row, pictures: pictures ?? [] };
}

export type HistoryData = Awaited<ReturnType<typeof gatherHistory>>;

/** The incidents of the last days, newest first, open ones of monitored sites among them. */
export async function gatherHistory(source: StatusSource) {
  const { incidents } = currentIncidents(source.sites, source.store);
  return {
    ...gatherStatus(source),
    incidents: await orNull(incidents({ ...recent(source), limit: MOST_IN_HISTORY })),
  };
}

/** The ids of the incidents that have a page. Rejects with what the store rejects with. */
export async function incidentIds(source: StatusSource): Promise<readonly string[]> {
  const open = source.sites.flatMap(({ state }) => openIncidents(state));
  const all = [...open, ...(await source.store.incidents({ ...recent(source), limit: MOST_LISTED }))];
  return [...new Set(all.flatMap(({ id, sameAs }) => (sameAs === null ? [id] : [id, sameAs])))];
}

function pastIncidents(source: StatusSource, query: IncidentQuery): Promise<readonly Incident[] | null> {
  return orNull(source.store.incidents({ ...query, ...recent(source), open: false }));
}

const recent = ({ now, sites }: StatusSource): IncidentQuery => ({
  since: now - DAYS * DAY_MS,
  openOf: sites.map(({ site }) => site.id),
});

async function maintenanceOf({ store, now }: StatusSource, sites: readonly WatchedSite[]) {
  const started = (await orNull(store.maintenance(now))) ?? [];
  return sites
    .flatMap(({ site, maintenance }) => {
      const next = nextMaintenance(site, started, now);
      const coming = next !== null && next.from <= now + AHEAD_MS ? next : null;
      return [maintenance, coming].flatMap((window) => (window === null ? [] : [{ site, ...window }]));
    })
    .toSorted((one, other) => one.from - other.from);
}

function orNull<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch(() => null);
}
