/** What the API answers with, as JSON Schemas (2020-12): every key is named, and there are no others. */
import { PROBLEMS } from '../problem.ts';

const TEXT = { type: 'string' } as const;
const NUMBER = { type: 'number' } as const;
const COUNT = { type: 'integer', minimum: 0 } as const;
const FLAG = { type: 'boolean' } as const;
const TIME = { type: 'string', format: 'date-time' } as const;
const TEXTS = { type: 'array', items: TEXT } as const;
const MAYBE = {
  text: { type: ['string', 'null'] },
  number: { type: ['number', 'null'] },
  flag: { type: ['boolean', 'null'] },
  time: { type: ['string', 'null'], format: 'date-time' },
} as const;
const STATUS = { type: 'string', enum: ['pass', 'warn', 'fail', 'skip', 'unknown'] } as const;
const VERDICT = { type: 'string', enum: ['healthy', 'degraded', 'down', 'stale', 'unknown'] } as const;
/** Of a site that is watched, which an incident may keep from being called healthy. */
const SITE_VERDICT = { ...VERDICT, enum: [...VERDICT.enum, 'unstable'] } as const;
const SCOPE = { type: 'string', enum: ['five', 'full'] } as const;

type Properties = Readonly<Record<string, object>>;

/** All keys are there, but those that are named. */
function object<P extends Properties>(properties: P, optional: readonly (keyof P & string)[] = []) {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: 'object', properties, required, additionalProperties: false } as const;
}

const INCIDENT = {
  id: TEXT,
  site: TEXT,
  verdict: { type: 'string', enum: ['down', 'degraded', 'stale'] },
  checks: TEXTS,
  codes: TEXTS,
  startedAt: TIME,
  detectedAt: TIME,
  notifiedAt: MAYBE.time,
  recoveredAt: MAYBE.time,
  durationMs: MAYBE.number,
  objectiveMs: NUMBER,
  objectiveMet: MAYBE.flag,
  objectiveFrom: { const: 'detected' },
  deploy: object({ version: TEXT, before: MAYBE.text, seenAt: TIME }),
  flapping: { const: true },
} as const;

/** Keys of an incident that are there only where they say something. */
const OPTIONAL = ['deploy', 'flapping', 'objectiveFrom'] as const;

const FINDING = object({
  check: TEXT,
  code: TEXT,
  problem: MAYBE.text,
  fix: MAYBE.text,
  evidence: { type: 'object' },
  location: {
    oneOf: [{ type: 'null' }, object({ path: TEXT, line: COUNT, column: COUNT })],
  },
  excerpt: MAYBE.text,
});

const SITE = {
  id: TEXT,
  title: TEXT,
  url: TEXT,
  tags: TEXTS,
  verdict: SITE_VERDICT,
  lastAt: MAYBE.time,
  lastGoodAt: MAYBE.time,
  nextAt: MAYBE.time,
  incident: MAYBE.text,
  maintenance: { oneOf: [{ type: 'null' }, object({ from: TIME, to: TIME, reason: MAYBE.text })] },
  objectiveMs: NUMBER,
} as const;

const SITE_CHECK = object({
  id: TEXT,
  status: STATUS,
  at: TIME,
  scope: SCOPE,
  httpStatus: MAYBE.number,
  durationMs: MAYBE.number,
  findings: {
    type: 'array',
    items: object({
      code: TEXT,
      severity: { type: 'string', enum: ['error', 'warning', 'info', 'skip', 'unknown'] },
      count: COUNT,
    }),
  },
});

const RUN = object({
  at: TIME,
  scope: SCOPE,
  durationMs: NUMBER,
  verdict: VERDICT,
  maintenance: FLAG,
  checks: {
    type: 'array',
    items: object({ id: TEXT, status: STATUS, codes: TEXTS, httpStatus: MAYBE.number, durationMs: MAYBE.number }),
  },
});

const BUCKET = object({
  at: TIME,
  rounds: COUNT,
  healthy: COUNT,
  degraded: COUNT,
  down: COUNT,
  stale: COUNT,
  unknown: COUNT,
  maintenance: COUNT,
  meanMs: MAYBE.number,
  minMs: MAYBE.number,
  maxMs: MAYBE.number,
  p95Ms: MAYBE.number,
});

const HISTORY = {
  site: TEXT,
  resolution: { type: 'string', enum: ['round', 'minute', 'hour', 'day'] },
  from: TIME,
  to: TIME,
  entries: {
    type: 'array',
    items: { oneOf: [{ $ref: '#/components/schemas/Round' }, { $ref: '#/components/schemas/Bucket' }] },
  },
} as const;

const PROBLEM = {
  title: TEXT,
  status: COUNT,
  detail: TEXT,
  code: { type: 'string', enum: Object.keys(PROBLEMS) },
  parameter: TEXT,
} as const;

/** By name. */
export const SCHEMAS = {
  Incident: object(INCIDENT, OPTIONAL),
  Finding: FINDING,
  IncidentDetail: object(
    {
      ...INCIDENT,
      findings: { type: 'array', items: { $ref: '#/components/schemas/Finding' } },
      language: { type: 'string', enum: ['en', 'ro', 'fr'] },
    },
    OPTIONAL,
  ),
  Site: object(SITE),
  SiteDetail: object({ ...SITE, checks: { type: 'array', items: SITE_CHECK } }),
  Round: RUN,
  Bucket: BUCKET,
  History: object(HISTORY),
  Maintenance: object({
    site: TEXT,
    state: { type: 'string', enum: ['current', 'coming'] },
    from: TIME,
    to: TIME,
    reason: MAYBE.text,
  }),
  Problem: object(PROBLEM, ['parameter']),
};
