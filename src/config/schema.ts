/** The schema of the configuration: what the file says of its own site, and the parts that others own. Used by the build. */
import { ENGINE_IDS } from '../engines/engine.ts';
import { HOST_KINDS } from '../hosting/rules.ts';
import { DEFAULT_LIMITS, FULL_DEADLINE_MS } from '../core/limits.ts';
import { DEFAULT_RENDERING } from '../monitor/settings.ts';
import { checking, monitorDefinitions, monitorKeys, ofOneSite } from '../monitor/settings-schema.ts';
import { LANGUAGES } from '../locales/language.ts';
import { SCHEMA_URL } from './config.ts';
import {
  duration,
  flag,
  integer,
  list,
  mapping,
  oneOf,
  oneOrMore,
  ref,
  text,
  variableText,
  webUrl,
  written,
  type SchemaNode,
} from './define.ts';
import { MAX_SIZE_BYTES, MOST_ROUTES, UP_TO_A_DAY } from './values.ts';

const NAME = '[a-z][a-z0-9]*(-[a-z0-9]+)*';
const RULE_PART = '[a-z0-9]+(-[a-z0-9]+)*';
const inMiB = (bytes: number): string => `${bytes / 1024 ** 2}MiB`;

/** Without descriptions, which the build adds. */
export const configSchema: SchemaNode & { readonly $schema: string; readonly $id: string; readonly title: string } = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: SCHEMA_URL,
  title: 'docvitals configuration',
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    url: webUrl('https://docs.example.org/', 'https://${PREVIEW_HOST}/docs/'),
    language: ref('language'),
    ...checking,
    external: flag(false),
    strict: flag(false),
    full: flag(false),
    ...ofOneSite,
    browser: mapping({
      enabled: flag(false),
      path: text(),
      address: variableText({ 'x-secret': true, examples: ['ws://127.0.0.1:9222/devtools/browser/1f0c'] }),
      routes: {
        default: DEFAULT_RENDERING.routes,
        'x-expected': 'routes',
        'x-values': { most: MOST_ROUTES },
        anyOf: [{ type: 'integer', minimum: 0, maximum: MOST_ROUTES }, { const: 'all' }],
      },
      slow: duration(UP_TO_A_DAY, { default: written(DEFAULT_RENDERING.slowMs) }),
      sandbox: flag(true),
    }),
    ...monitorKeys,
  },
  $defs: {
    duration: {
      type: 'string',
      pattern: '^\\s*\\d+(\\.\\d+)?\\s*(ms|s|m|h)\\s*$',
      examples: ['500ms', '10s', '2m', '1h'],
    },
    longDuration: {
      type: 'string',
      pattern: '^\\s*\\d+(\\.\\d+)?\\s*(ms|s|m|h|d)\\s*$',
      examples: ['10s', '1h', '30d'],
    },
    texts: oneOrMore(text(), { 'x-expected': 'texts' }),
    names: list(text()),
    id: { type: 'string', pattern: `^${NAME}$`, maxLength: 64, 'x-expected': 'monitor-id' },
    status: { type: 'integer', minimum: 100, maximum: 599, 'x-expected': 'status' },
    language: { type: 'string', enum: LANGUAGES },
    host: { type: 'string', enum: HOST_KINDS },
    engine: { type: 'string', enum: ENGINE_IDS },
    headers: {
      type: 'object',
      additionalProperties: { type: 'string', 'x-variables': true, 'x-format': 'header-value', 'x-expected': 'text' },
      'x-headers': 'request',
      'x-secret': true,
    },
    rules: {
      type: 'object',
      propertyNames: { type: 'string', pattern: `^${RULE_PART}/${RULE_PART}$`, 'x-expected': 'rule-key' },
      // The status of a check is often taken for the severity of a rule.
      additionalProperties: oneOf(['off', 'warning', 'error'], { 'x-aliases': { warn: 'warning', fail: 'error' } }),
    },
    limits: mapping({
      timeout: duration(UP_TO_A_DAY, { default: written(DEFAULT_LIMITS.timeoutMs) }),
      deadline: duration(UP_TO_A_DAY, {
        'x-values': { default: written(DEFAULT_LIMITS.deadlineMs), full: written(FULL_DEADLINE_MS) },
      }),
      retries: integer(0, 10, { default: DEFAULT_LIMITS.retries }),
      body: {
        default: inMiB(DEFAULT_LIMITS.bodyBytes),
        'x-format': 'size',
        'x-values': { most: inMiB(MAX_SIZE_BYTES) },
        anyOf: [
          { type: 'string', pattern: '^\\s*\\d+(\\.\\d+)?\\s*([KMGkmg][Ii]?)?[Bb]\\s*$|^\\s*\\d+\\s*$' },
          { type: 'integer', minimum: 1, maximum: MAX_SIZE_BYTES },
        ],
      },
      parse: duration(UP_TO_A_DAY, { default: written(DEFAULT_LIMITS.parseMs) }),
      rate: { type: 'number', minimum: 0, maximum: 10_000, default: DEFAULT_LIMITS.rate, 'x-expected': 'rate' },
      maxPages: integer(1, 1_000_000, { default: DEFAULT_LIMITS.maxPages }),
      maxDepth: integer(0, 1000, { default: DEFAULT_LIMITS.maxDepth }),
    }),
    check: mapping(
      {
        id: {
          type: 'string',
          pattern: `^${NAME}$`,
          examples: ['release-notes', 'api-reference'],
          'x-expected': 'own-id',
        },
        title: text({ examples: ['Robots file'] }),
        path: text({ examples: ['release-notes.md', 'api/openapi.json'], 'x-format': 'path' }),
        accept: text({
          default: '*/*',
          examples: ['text/markdown'],
          'x-format': 'header-value',
          'x-expected': 'text',
        }),
        expect: mapping({
          status: oneOrMore(ref('status'), { default: 200, 'x-expected': 'status' }),
          mediaType: oneOrMore(text({ 'x-format': 'media-type' }), {
            examples: ['text/plain', ['application/json', 'application/problem+json']],
            'x-expected': 'media-type',
          }),
          json: {
            'x-expected': 'json',
            anyOf: [
              { const: true },
              mapping(
                { schema: { anyOf: [{ type: 'object' }, { type: 'boolean' }], 'x-expected': 'mapping' } },
                { required: ['schema'] },
              ),
            ],
          },
          markdown: { const: true, 'x-expected': 'true' },
          contains: ref('texts'),
          notContains: ref('texts'),
          headers: {
            type: 'object',
            additionalProperties: { type: 'string', 'x-format': 'regex', 'x-expected': 'text' },
            examples: [{ 'Cache-Control': '/no-cache/i', 'X-Content-Type-Options': 'nosniff' }],
            'x-headers': 'response',
          },
          maxDuration: duration(UP_TO_A_DAY, { examples: ['2s'] }),
        }),
        fix: {
          'x-expected': 'fix',
          anyOf: [text(), mapping({ en: text(), ro: text(), fr: text() }, { required: ['en'] })],
        },
      },
      { required: ['id', 'title', 'path'] },
    ),
    ...monitorDefinitions,
  },
};
