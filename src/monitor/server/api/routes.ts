/** `/api/v1/…`: what the monitor knows, to read. */
import type { MonitorView } from '../../view.ts';
import { json, type Answered, type Asked } from '../answer.ts';
import { languageOf, demandedLanguage } from '../language.ts';
import { RequestProblem } from '../problem.ts';
import { siteHistory, RESOLUTIONS } from './history.ts';
import { siteDetail, siteList } from './sites.ts';
import type { Json } from '../../../answer.ts';
import { maintenanceAt, nextMaintenance, type Maintenance } from '../../maintenance/maintenance.ts';
import { demandKnown, one, flagParameter, limitParameter, timeParameter } from './query.ts';
import { iso } from '../../iso-time.ts';
import { type Language, loadTexts, type Texts } from '../../../texts.ts';
import { VERSION } from '../../../version.ts';
import { wordsIn, type Words } from '../words.ts';
import { SCHEMAS } from './schemas.ts';
import { siteTexts } from '../../../project/sites.ts';
import { frameLines } from '../../../report/plain-findings.ts';
import { currentIncidents } from '../../site-state.ts';
import { incidentDocument } from '../../incident/document.ts';
import type { Incident } from '../../incident/incident.ts';
import type { IncidentQuery } from '../../store/store.ts';

type Handler = (asked: Asked, view: MonitorView, id: string) => Answered | Promise<Answered>;

/** By path below `/api/v1`; `*` stands for an id. */
const ROUTES: Readonly<Record<string, Handler>> = {
  '/incidents': (asked, view) => incidentList(asked, view),
  '/incidents/*': (asked, view, id) => incidentDetail(asked, id, view),
  '/sites': siteList,
  '/sites/*': (asked, view, id) => siteDetail(asked, id, view),
  '/sites/*/history': (asked, view, id) => siteHistory(asked, id, view),
  '/maintenance': (asked, view) => maintenanceList(asked, view),
  '/openapi.json': (asked, view) => json(openApi(languageOf(asked, view.settings().page.language))),
};

/** Answers a request below `/api`. Throws a `RequestProblem`. */
export async function apiAnswer(asked: Asked, view: MonitorView): Promise<Answered> {
  const parts = /^\/api\/v1(?<collection>\/[a-z.]+)(?:\/(?<id>[^/]+)(?<rest>\/[a-z]+)?)?$/.exec(asked.path)?.groups;
  const { collection = '', id, rest = '' } = parts ?? {};
  const pattern = `${collection}${id === undefined ? '' : '/*'}${rest}`;
  const handler = Object.hasOwn(ROUTES, pattern) ? ROUTES[pattern] : undefined;
  if (handler === undefined) throw new RequestProblem('not-found');
  return handler(asked, view, decoded(id ?? ''));
}

/** Ids need no encoding, but whoever encodes them is right as well. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new RequestProblem('bad-request');
  }
}

/* `/api/v1/maintenance` */

/** Of each site the maintenance that goes on and the one that comes next, the earliest first. */
async function maintenanceList({ search }: Asked, view: MonitorView): Promise<Answered> {
  demandKnown(search, ['site']);
  const { sites } = view.settings();
  const id = one(search, 'site');
  if (id !== null && !sites.some((site) => site.id === id)) throw new RequestProblem('unknown-site', 'site');
  const now = view.now();
  const started = Map.groupBy(await view.store.maintenance(now), ({ site }) => site);
  const wanted = id === null ? sites : sites.filter((site) => site.id === id);
  const found = wanted.flatMap(({ id: site, maintenance }) => {
    const byHand = started.get(site) ?? [];
    const current = maintenanceAt(maintenance, byHand, now);
    const coming = nextMaintenance(maintenance, byHand, now);
    return [
      ...(current === null ? [] : [{ site, ...current, state: 'current' }]),
      ...(coming === null ? [] : [{ site, ...coming, state: 'coming' }]),
    ];
  });
  return json(found.toSorted((a, b) => a.from - b.from).map(document));
}

function document({ site, from, to, reason, state }: Maintenance & { site: string; state: string }): Json {
  return { site, state, from: iso(from), to: iso(to), reason };
}

/* The description of the API: OpenAPI 3.1. Its prose is in the language of whoever asks; names are not translated. */

type Parameter = keyof Words['api']['parameters'];
type Schema = Readonly<Record<string, Json>>;

const TIME: Schema = { type: 'string', format: 'date-time' };

/** What parameters hold. */
const PARAMETERS = {
  site: { type: 'string' },
  open: { type: 'boolean' },
  since: TIME,
  before: TIME,
  limit: { type: 'integer', minimum: 1 },
  lang: { type: 'string', enum: ['en', 'ro', 'fr'] },
  resolution: { type: 'string', enum: [...RESOLUTIONS], default: 'hour' },
  from: TIME,
  to: TIME,
} as const satisfies Readonly<Record<Parameter, Schema>>;

/** The description in one language. */
function openApi(language: Language): Json {
  const { api } = wordsIn(language);
  const { operations } = api;
  return {
    openapi: '3.1.0',
    info: { title: api.title, description: api.description, version: VERSION },
    servers: [{ url: '/' }],
    paths: {
      '/api/v1/incidents': get('listIncidents', operations.incidents, api, {
        query: ['site', 'open', 'since', 'before', 'limit'],
        schema: listOf('Incident'),
      }),
      '/api/v1/incidents/{id}': get('getIncident', operations.incident, api, {
        byId: true,
        query: ['lang'],
        schema: reference('IncidentDetail'),
      }),
      '/api/v1/sites': get('listSites', operations.sites, api, { schema: listOf('Site') }),
      '/api/v1/sites/{id}': get('getSite', operations.site, api, { byId: true, schema: reference('SiteDetail') }),
      '/api/v1/sites/{id}/history': get('getHistory', operations.history, api, {
        byId: true,
        query: ['resolution', 'from', 'to', 'limit'],
        schema: reference('History'),
      }),
      '/api/v1/maintenance': get('listMaintenance', operations.maintenance, api, {
        query: ['site'],
        schema: listOf('Maintenance'),
      }),
      '/api/v1/openapi.json': get('getOpenApi', operations.openapi, api, { schema: { type: 'object' } }),
    },
    components: { schemas: SCHEMAS },
  };
}

interface Operation {
  /** Whether the path has an id. */
  readonly byId?: true;
  readonly query?: readonly Parameter[];
  /** Of what is answered. */
  readonly schema: Schema;
}

function get(operationId: string, summary: string, api: Words['api'], { byId, query = [], schema }: Operation): Json {
  const id = byId ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] : [];
  const named = query.map((name) => ({
    name,
    in: 'query',
    description: api.parameters[name],
    schema: PARAMETERS[name],
  }));
  return {
    get: {
      operationId,
      summary,
      parameters: [...id, ...named],
      responses: {
        200: { description: summary, content: { 'application/json': { schema } } },
        default: {
          description: api.problem,
          content: { 'application/problem+json': { schema: reference('Problem') } },
        },
      },
    },
  };
}

function reference(name: keyof typeof SCHEMAS): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

function listOf(name: keyof typeof SCHEMAS): Schema {
  return { type: 'array', items: reference(name) };
}

/* `/api/v1/incidents` */

const DEFAULT_LIMIT = 100;
const MOST = 1_000;

/** The newest first. Where there are more, a `Link` leads to them (RFC 8288). */
export async function incidentList({ path, search }: Asked, view: MonitorView): Promise<Answered> {
  const incidents = currentIncidents(view);
  demandKnown(search, ['site', 'open', 'since', 'before', 'limit']);
  const limit = limitParameter(search, DEFAULT_LIMIT, MOST);
  const query: Filter = {
    openOf: view.settings().sites.map(({ id }) => id),
    ...given('site', one(search, 'site')),
    ...given('open', flagParameter(search, 'open')),
    ...given('since', timeParameter(search, 'since')),
    ...given('before', timeParameter(search, 'before')),
  };
  const found = await incidents.incidents({ ...query, limit: limit + 1 });
  const page = await wholePage(found, limit, query, incidents);
  const last = page.at(-1);
  if (found.length <= limit || last === undefined) return json(page.map(documentOf));
  const next = new URLSearchParams(search);
  next.set('before', iso(last.detectedAt));
  return json(page.map(documentOf), { link: `<${path}?${next.toString()}>; rel="next"` });
}

type Filter = Omit<IncidentQuery, 'limit'>;

/**
 * A page ends between two times, so that the next one, which begins before its last, leaves out nobody: those that were
 * detected in the millisecond of the first that has no place go with it. Where that leaves nothing, they all stay.
 */
async function wholePage(
  found: readonly Incident[],
  limit: number,
  query: Filter,
  incidents: ReturnType<typeof currentIncidents>,
): Promise<readonly Incident[]> {
  const cut = found[limit]?.detectedAt;
  if (cut === undefined) return found;
  const page = found.filter(({ detectedAt }) => detectedAt !== cut);
  if (page.length > 0) return page;
  return incidents.incidents({ ...query, since: cut, before: cut + 1, limit: MOST });
}

function given<N extends string, V>(name: N, value: V | null): Partial<Record<N, V>> {
  return value === null ? {} : ({ [name]: value } as Partial<Record<N, V>>);
}

const documentOf = (incident: Incident): Json => ({ ...incidentDocument(incident) });

/** One incident, with what failed when it was checked last, in words. */
async function incidentDetail(asked: Asked, id: string, view: MonitorView): Promise<Answered> {
  demandKnown(asked.search, ['lang']);
  const incident = await currentIncidents(view).incident(id);
  if (incident === null) throw new RequestProblem('unknown-incident');
  const language = demandedLanguage(asked) ?? languageOf(asked, view.settings().page.language);
  const site = view.settings().sites.find(({ id: known }) => known === incident.site);
  const texts = await (site === undefined ? loadTexts(language) : siteTexts(site, language));
  const headers = { 'content-language': language, vary: 'Accept-Language' };
  return json(
    {
      ...incidentDocument(incident),
      findings: incident.findings.map(reported(texts, view.settings().page.details !== false)),
      language,
    },
    headers,
  );
}

/** Without `details` neither the fix nor anything that the site sent is shown. */
function reported(texts: Texts, details: boolean): (finding: Incident['findings'][number]) => Json {
  return (finding) => {
    const { check, code, evidence, location } = finding;
    const frame = frameLines(finding);
    const { problem = null, fix = null } = texts.finding(check, code) ?? {};
    if (!details) return { check, code, problem, fix: null, evidence: {}, location: null, excerpt: null };
    return {
      check,
      code,
      problem,
      fix,
      evidence: evidence as Json,
      location: location === null ? null : { ...location },
      excerpt: frame.length === 0 ? null : frame.join('\n'),
    };
  };
}
