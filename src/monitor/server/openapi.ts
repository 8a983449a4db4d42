/** The description of the API: OpenAPI 3.1. Its prose is in the reader's language; names are not translated. */
import type { Json } from '../../answer.ts';
import type { Language } from '../../texts.ts';
import { VERSION } from '../../version.ts';
import { BUCKET_COUNTS, BUCKET_TIMES } from '../history/documents.ts';
import { PROBLEMS } from './request.ts';
import { apiWords, type ApiWords } from '../../generated/locales/api.ts';

type Schema = Readonly<Record<string, Json>>;

export interface Operation {
  readonly operationId: string;
  readonly words: keyof ApiWords['api']['operations'];
  readonly query?: readonly Parameter[];
  readonly schema: Schema;
}

/** The OpenAPI document in one language. `operations`: by path, in which `*` is an id. */
export function openApi(language: Language, operations: Readonly<Record<string, Operation>>): Json {
  const { api } = apiWords(language);
  const paths = Object.entries(operations).map(([path, operation]): [string, Json] => {
    const { operationId, query = [], schema } = operation;
    const summary = api.operations[operation.words];
    const id = path.includes('*') ? [{ name: 'id', in: 'path', required: true, schema: TEXT }] : [];
    const named = query.map((name) => ({
      name,
      in: 'query',
      description: api.parameters[name],
      schema: PARAMETERS[name],
    }));
    const responses = {
      200: { description: summary, content: { 'application/json': { schema } } },
      default: {
        description: api.problem,
        content: { 'application/problem+json': { schema: reference('Problem') } },
      },
    };
    return [
      `/api/v1${path.replace('*', '{id}')}`,
      { get: { operationId, summary, parameters: [...id, ...named], responses } },
    ];
  });
  return {
    openapi: '3.1.0',
    info: { title: api.title, description: api.description, version: VERSION },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(paths),
    components: { schemas: SCHEMAS },
  };
}

export function reference(name: keyof typeof SCHEMAS): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

export function listOf(name: keyof typeof SCHEMAS): Schema {
  return list(reference(name));
}

export const RESOLUTIONS = ['round', 'minute', 'hour', 'day'] as const;

/* JSON Schemas (2020-12) of the responses: every key is named, and there are no others. */

const TEXT = { type: 'string' } as const;
const NUMBER = { type: 'number' } as const;
const COUNT = { type: 'integer', minimum: 0 } as const;
const FLAG = { type: 'boolean' } as const;
const TIME = { type: 'string', format: 'date-time' } as const;
const TEXTS = list(TEXT);
const TEXT_OR_NULL = { type: ['string', 'null'] } as const;
const NUMBER_OR_NULL = { type: ['number', 'null'] } as const;
const TIME_OR_NULL = { type: ['string', 'null'], format: 'date-time' } as const;
const LANGUAGES = oneOf('en', 'ro', 'fr');
const STATUS = oneOf('pass', 'warn', 'fail', 'skip', 'unknown');
const SCOPE = oneOf('five', 'full', 'browser');
const VERDICTS = ['healthy', 'degraded', 'down', 'stale', 'unknown'] as const;

function oneOf(...words: readonly string[]): Schema {
  return { type: 'string', enum: words };
}

function list(items: Json): Schema {
  return { type: 'array', items };
}

function orNull(schema: Json): Schema {
  return { oneOf: [{ type: 'null' }, schema] };
}

/** All keys are always there, except those that are named. */
function object(properties: Readonly<Record<string, Json>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: 'object', properties, required, additionalProperties: false };
}

type Parameter = keyof ApiWords['api']['parameters'];

const PARAMETERS = {
  site: TEXT,
  open: FLAG,
  since: TIME,
  before: TIME,
  limit: { type: 'integer', minimum: 1 },
  lang: LANGUAGES,
  location: TEXT,
  resolution: { ...oneOf(...RESOLUTIONS), default: 'hour' },
  from: TIME,
  to: TIME,
} as const satisfies Readonly<Record<Parameter, Schema>>;

const INCIDENT = {
  id: TEXT,
  site: TEXT,
  verdict: oneOf('down', 'degraded', 'stale'),
  checks: TEXTS,
  codes: TEXTS,
  startedAt: TIME,
  detectedAt: TIME,
  notifiedAt: TIME_OR_NULL,
  recoveredAt: TIME_OR_NULL,
  durationMs: NUMBER_OR_NULL,
  objectiveMs: NUMBER,
  objectiveMet: { type: ['boolean', 'null'] },
  objectiveFrom: { const: 'detected' },
  deploy: object({ version: TEXT, before: TEXT_OR_NULL, seenAt: TIME }),
  flapping: { const: true },
  locations: TEXTS,
};

/** Keys of an incident that are left out where they say nothing. */
const OPTIONAL = ['deploy', 'flapping', 'locations', 'objectiveFrom'];

const SITE = {
  id: TEXT,
  title: TEXT,
  url: TEXT,
  tags: TEXTS,
  // An open incident may keep a site from being called healthy.
  verdict: oneOf(...VERDICTS, 'unstable'),
  lastAt: TIME_OR_NULL,
  lastGoodAt: TIME_OR_NULL,
  nextAt: TIME_OR_NULL,
  incident: TEXT_OR_NULL,
  maintenance: orNull(object({ from: TIME, to: TIME, reason: TEXT_OR_NULL })),
  objectiveMs: NUMBER,
  locations: list(
    object({
      id: TEXT,
      title: TEXT,
      latitude: NUMBER_OR_NULL,
      longitude: NUMBER_OR_NULL,
      verdict: oneOf(...VERDICTS),
      checkedAt: TIME_OR_NULL,
      responseMs: NUMBER_OR_NULL,
      probeSide: TEXT_OR_NULL,
    }),
  ),
  failingFrom: TEXTS,
};

const CHECK_TIMES = { httpStatus: NUMBER_OR_NULL, durationMs: NUMBER_OR_NULL };

const SITE_CHECK = object({
  id: TEXT,
  status: STATUS,
  at: TIME,
  scope: SCOPE,
  ...CHECK_TIMES,
  findings: list(object({ code: TEXT, severity: oneOf('error', 'warning', 'info', 'skip', 'unknown'), count: COUNT })),
});

const SCHEMAS = {
  Incident: object(INCIDENT, OPTIONAL),
  Finding: object({
    check: TEXT,
    code: TEXT,
    problem: TEXT_OR_NULL,
    fix: TEXT_OR_NULL,
    evidence: { type: 'object' },
    location: orNull(object({ path: TEXT, line: COUNT, column: COUNT })),
    excerpt: TEXT_OR_NULL,
  }),
  IncidentDetail: object(
    { ...INCIDENT, findings: list({ $ref: '#/components/schemas/Finding' }), language: LANGUAGES },
    OPTIONAL,
  ),
  Site: object(SITE),
  SiteDetail: object({ ...SITE, checks: list(SITE_CHECK) }),
  Round: object({
    at: TIME,
    scope: SCOPE,
    durationMs: NUMBER,
    verdict: oneOf(...VERDICTS),
    maintenance: FLAG,
    checks: list(object({ id: TEXT, status: STATUS, codes: TEXTS, ...CHECK_TIMES })),
  }),
  Bucket: object({
    at: TIME,
    ...Object.fromEntries(BUCKET_COUNTS.map((name) => [name, COUNT])),
    ...Object.fromEntries(BUCKET_TIMES.map((name) => [name, NUMBER_OR_NULL])),
  }),
  History: object(
    {
      site: TEXT,
      location: TEXT,
      resolution: oneOf(...RESOLUTIONS),
      from: TIME,
      to: TIME,
      entries: list({ oneOf: [{ $ref: '#/components/schemas/Round' }, { $ref: '#/components/schemas/Bucket' }] }),
    },
    ['location'],
  ),
  Fleet: object({
    locations: list(
      object({ id: TEXT, title: TEXT, runners: COUNT, backlog: { type: ['integer', 'null'], minimum: 0 } }),
    ),
    members: list(
      object({
        id: TEXT,
        role: oneOf('runner', 'coordinator'),
        location: TEXT_OR_NULL,
        host: TEXT,
        pid: COUNT,
        version: TEXT,
        startedAt: TIME,
        heartbeatAt: TIME,
        alive: FLAG,
        running: COUNT,
        acting: FLAG,
        troubles: TEXTS,
      }),
    ),
  }),
  Maintenance: object({ site: TEXT, state: oneOf('current', 'coming'), from: TIME, to: TIME, reason: TEXT_OR_NULL }),
  Problem: object(
    { title: TEXT, status: COUNT, detail: TEXT, code: oneOf(...Object.keys(PROBLEMS)), parameter: TEXT },
    ['parameter'],
  ),
};
