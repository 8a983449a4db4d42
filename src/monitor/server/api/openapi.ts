/** The description of the API: OpenAPI 3.1. Its prose is in the language of whoever asks; names are not translated. */
import type { Json } from '../../../answer.ts';
import type { Language } from '../../../texts.ts';
import { VERSION } from '../../../version.ts';
import { wordsIn, type Words } from '../words/words.ts';
import { SCHEMAS } from './schemas.ts';
import { RESOLUTIONS } from './history.ts';

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
export function openApi(language: Language): Json {
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
