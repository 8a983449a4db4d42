/** `/api/v1/…`: what the monitor knows, to read. */
import openApi from '../../generated/openapi.json' with { type: 'json' };
import { apiWords } from '../../generated/locales/api.ts';
import type { Json } from '../../core/answer.ts';
import type { CheckResult } from '../../core/check.ts';
import { textsFor } from '../../options/settings.ts';
import { parseTime } from '../../config/values.ts';
import { reportedSeverity } from '../../core/verdict.ts';
import { groupsOf } from '../../report/groups.ts';
import { frameLines } from '../../report/terminal.ts';
import type { Language } from '../../locales/language.ts';
import { loadTexts, type Texts } from '../../report/texts.ts';
import { VERSION } from '../../core/version.ts';
import { HISTORY_MS, historyDocument } from '../history/documents.ts';
import { incidentDocument, ruleName } from '../incident/document.ts';
import { fleetDocument } from '../fleet-document.ts';
import { countFindings, listedFindings } from '../incident/findings.ts';
import type { IncidentFinding } from '../incident/incident.ts';
import { type CheckState, currentIncident, lastRunAt } from '../incident/state.ts';
import { iso, isoOrNull } from '../../core/time.ts';
import { failingFrom, locationsOf, type SiteLocation, siteLocations } from '../locations.ts';
import { maintenanceAt, nextMaintenance } from '../maintenance/maintenance.ts';
import { currentIncidents, siteStatusAt } from '../site-state.ts';
import { type IncidentQuery, seriesOf } from '../store/store.ts';
import type { MonitorView, SiteView } from '../view.ts';
import { type HttpResponse, type HttpRequest, demandedLanguage, json, languageOf, RequestProblem } from './request.ts';

type Answer = (request: HttpRequest, view: MonitorView, id: string) => HttpResponse | Promise<HttpResponse>;

type Path = keyof typeof openApi.paths;

const ROUTES: Readonly<Record<Path, Answer>> = {
  '/api/v1/incidents': incidentList,
  '/api/v1/incidents/{id}': incidentDetail,
  '/api/v1/sites': (_, view) => json(view.sites().map((site) => siteSummary(site, view))),
  '/api/v1/sites/{id}': siteDetail,
  '/api/v1/sites/{id}/history': siteHistory,
  '/api/v1/maintenance': maintenanceList,
  '/api/v1/fleet': async (_, view) =>
    json(await fleetDocument(view.fleet ?? null, view.settings().locations, view.now())),
  '/api/v1/openapi.json': (request, view) => json(apiDocument(languageOf(request, view.settings().page.language))),
};

/** The OpenAPI document. Its prose is in a language; names are not translated. */
export function apiDocument(language: Language): Json {
  const { api } = apiWords(language);
  const textOf = (path: string): Json | undefined =>
    path.split('.').reduce<Json | undefined>((words, name) => (words as { readonly [name: string]: Json })[name], api);
  const info = { title: api.title, description: 'description', version: VERSION };
  return JSON.parse(JSON.stringify({ ...openApi, info }), (key, value: Json) => {
    return (key === 'summary' || key === 'description') && typeof value === 'string' ? textOf(value) : value;
  }) as Json;
}

export async function apiAnswer(request: HttpRequest, view: MonitorView): Promise<HttpResponse> {
  const [, collection, id = '', rest = ''] = /^(\/api\/v1\/[a-z.]+)(?:\/([^/]+)(\/[a-z]+)?)?$/.exec(request.path) ?? [];
  const path = `${collection}${id === '' ? '' : '/{id}'}${rest}`;
  if (!Object.hasOwn(ROUTES, path)) throw new RequestProblem('not-found');
  const { parameters } = openApi.paths[path as Path].get;
  const known = new Set(parameters.flatMap((one) => (one.in === 'query' ? one.name : [])));
  // An unknown parameter is a mistake: what it was meant to leave out would be reported.
  const unknown = [...request.search.keys()].find((name) => !known.has(name));
  if (unknown !== undefined && path !== '/api/v1/openapi.json') {
    throw new RequestProblem('bad-parameter', unknown.slice(0, 40));
  }
  return ROUTES[path as Path](request, view, decoded(id));
}

/** Ids need no encoding, but encoded ones are accepted. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new RequestProblem('bad-request');
  }
}

/* Parameters. What is wrong with one is thrown as a `bad-parameter`. */

/** Reads a parameter that may be given once; `null`: absent or empty. `read` returns `undefined` for an invalid value. */
function parameter<T>(search: URLSearchParams, name: string, read: (given: string) => T | undefined): T | null {
  const [given, ...more] = search.getAll(name);
  const value = given && more.length === 0 ? read(given) : undefined;
  if (more.length > 0 || (given && value === undefined)) throw new RequestProblem('bad-parameter', name);
  return value ?? null;
}

/** ISO 8601 with its zone, or a date (UTC), in ms since 1970. */
function time(given: string): number | undefined {
  return parseTime(/^\d{4}-\d\d-\d\d$/.test(given) ? `${given}T00:00Z` : given);
}

function flag(given: string): boolean | undefined {
  return given === 'true' || given === 'false' ? given === 'true' : undefined;
}

const limitTo =
  (most: number) =>
  (given: string): number | undefined => {
    const limit = /^\d{1,9}$/.test(given) ? Number(given) : 0;
    return limit < 1 || limit > most ? undefined : limit;
  };

async function siteDetail(request: HttpRequest, view: MonitorView, id: string): Promise<HttpResponse> {
  const site = siteOf(view, id);
  const { page } = view.settings();
  const language = demandedLanguage(request) ?? languageOf(request, page.language);
  const texts = await textsFor({ config: site.site.checking, language });
  const checks = Object.entries(site.state?.checks ?? {}).map(([check, state]) =>
    checkDocument(check, state, site.results.get(check)),
  );
  const findings = listedFindings({ ...site, strict: site.site.checking.strict }).map((finding) => {
    return { ...findingDocument(finding, texts, page.details !== false), since: iso(finding.since) };
  });
  return json(
    { ...siteSummary(site, view), checks, findings, language },
    { 'content-language': language, vary: 'Accept-Language' },
  );
}

function siteOf(view: MonitorView, id: string): SiteView {
  const found = view.sites().find(({ site }) => site.id === id);
  if (found === undefined) throw new RequestProblem('unknown-site');
  return found;
}

function siteSummary(of: SiteView, view: MonitorView): { readonly [key: string]: Json } {
  const { site, url, state, maintenance, nextAt } = of;
  const now = view.now();
  const locations = siteLocations(of, view.settings(), now);
  return {
    id: site.id,
    title: site.title,
    url,
    tags: [...site.tags],
    verdict: siteStatusAt(of, now).verdict,
    lastAt: isoOrNull(lastRunAt(state)),
    lastGoodAt: isoOrNull(state?.scopes.core.goodAt),
    nextAt: isoOrNull(nextAt),
    incident: currentIncident(state)?.id ?? null,
    maintenance: maintenance && { ...maintenance, from: iso(maintenance.from), to: iso(maintenance.to) },
    recoveryTimeObjectiveMs: site.recoveryTimeObjectiveMs,
    locations: locations.map(locationDocument),
    failingFrom: [...failingFrom(state)],
    findingCount: state === null ? 0 : countFindings(state),
  };
}

function locationDocument({ id, title, coordinates, verdict, status }: SiteLocation): Json {
  return {
    id,
    title,
    latitude: coordinates?.latitude ?? null,
    longitude: coordinates?.longitude ?? null,
    verdict,
    checkedAt: isoOrNull(status?.at),
    responseMs: status?.responseMs ?? null,
    probeSide: status?.probeSide ?? null,
  };
}

/** What was found since the start, beside what is remembered of the time before it. */
function checkDocument(id: string, { status, at, scope }: CheckState, result: CheckResult | undefined): Json {
  const { httpStatus = null, durationMs = null } = result ?? {};
  const groups = result === undefined ? [] : groupsOf(result);
  const findings = groups.map((group) => ({
    rule: `${id}/${group.rule}`,
    severity: reportedSeverity(group),
    count: group.count,
  }));
  return { id, status, at: iso(at), scope, httpStatus, durationMs, findings };
}

const RESOLUTIONS = ['run', 'minute', 'hour', 'day'] as const;

async function siteHistory({ search }: HttpRequest, view: MonitorView, id: string): Promise<HttpResponse> {
  const { site } = siteOf(view, id);
  const locations = locationsOf(site, view.settings().locations);
  const location = parameter(search, 'location', (given) => locations.find((one) => one.id === given)?.id);
  const resolution = parameter(search, 'resolution', (given) => RESOLUTIONS.find((known) => known === given)) ?? 'hour';
  const limit = parameter(search, 'limit', limitTo(10_000)) ?? 1_000;
  const to = parameter(search, 'to', time) ?? view.now();
  const from = parameter(search, 'from', time) ?? to - HISTORY_MS[resolution];
  if (from > to) throw new RequestProblem('bad-parameter', 'from');
  const range = { site: id, location, from, to };
  const query = { from, to, limit, site: location === null ? id : seriesOf(id, location) };
  return json(
    historyDocument(
      resolution === 'run'
        ? { ...range, resolution, entries: await view.store.runs(query) }
        : { ...range, resolution, entries: await view.store.buckets({ ...query, resolution }) },
    ),
  );
}

async function maintenanceList({ search }: HttpRequest, view: MonitorView): Promise<HttpResponse> {
  const { sites } = view.settings();
  const id = parameter(search, 'site', String);
  if (id !== null && !sites.some((site) => site.id === id)) throw new RequestProblem('unknown-site', 'site');
  const now = view.now();
  const started = await view.store.maintenance(now);
  const found = sites
    .filter((site) => id === null || site.id === id)
    .flatMap((site) => {
      const windows = { current: maintenanceAt(site, started, now), coming: nextMaintenance(site, started, now) };
      return Object.entries(windows).flatMap(([state, window]) =>
        window === null ? [] : [{ site: site.id, state, ...window }],
      );
    })
    .toSorted((one, other) => one.from - other.from);
  return json(found.map((window) => ({ ...window, from: iso(window.from), to: iso(window.to) })));
}

const MOST_INCIDENTS = 1_000;

/** The newest first. Where there are more, a `Link` leads to them (RFC 8288). */
export async function incidentList({ path, search }: HttpRequest, view: MonitorView): Promise<HttpResponse> {
  const incidents = currentIncidents(view.sites(), view.store);
  const limit = parameter(search, 'limit', limitTo(MOST_INCIDENTS)) ?? 100;
  const given = Object.entries({
    site: parameter(search, 'site', String),
    open: parameter(search, 'open', flag),
    since: parameter(search, 'since', time),
    before: parameter(search, 'before', time),
  }).filter(([, value]) => value !== null);
  const query: IncidentQuery = { openOf: view.settings().sites.map(({ id }) => id), ...Object.fromEntries(given) };
  const found = await incidents.incidents({ ...query, limit: limit + 1 });
  const cut = found[limit]?.detectedAt;
  if (cut === undefined) return json(found.map(incidentDocument));
  // The next page begins before the last of this one. So that it leaves out none, those that were detected in the same
  // millisecond as the first that does not fit go with it; where that leaves nothing, all of them stay.
  const before = found.filter(({ detectedAt }) => detectedAt !== cut);
  const sameMoment = { ...query, since: cut, before: cut + 1, limit: MOST_INCIDENTS };
  const page = before.length > 0 ? before : await incidents.incidents(sameMoment);
  const next = new URLSearchParams(search);
  next.set('before', iso(page.at(-1)?.detectedAt ?? cut));
  return json(page.map(incidentDocument), { link: `<${path}?${next.toString()}>; rel="next"` });
}

async function incidentDetail(request: HttpRequest, view: MonitorView, id: string): Promise<HttpResponse> {
  const incident = await currentIncidents(view.sites(), view.store).incident(id);
  if (incident === null) throw new RequestProblem('unknown-incident');
  const { page, sites } = view.settings();
  const language = demandedLanguage(request) ?? languageOf(request, page.language);
  const site = sites.find(({ id: known }) => known === incident.site);
  const texts = await (site === undefined ? loadTexts(language) : textsFor({ config: site.checking, language }));
  const findings = incident.findings.map((finding) => findingDocument(finding, texts, page.details !== false));
  return json(
    { ...incidentDocument(incident), findings, language },
    { 'content-language': language, vary: 'Accept-Language' },
  );
}

/** Without `details` neither the fix nor anything that the site sent is shown. */
function findingDocument(finding: IncidentFinding, texts: Texts, details: boolean): { readonly [key: string]: Json } {
  const { check, rule, evidence, location } = finding;
  const { problem = null, fix = null } = texts.finding(check, ruleName(rule)) ?? {};
  if (!details) return { check, rule, problem, fix: null, evidence: {}, location: null, excerpt: null };
  const excerpt = frameLines(finding).join('\n') || null;
  return { check, rule, problem, fix, evidence, location: location && { ...location }, excerpt };
}
