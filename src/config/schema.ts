/** The schema of the configuration: what the file says of its own site, and the parts that others own. Used by the build. */
import { ENGINE_IDS } from '../engines/engine.ts';
import { HOST_KINDS } from '../hosting/kinds.ts';
import { DEFAULT_LIMITS, FULL_DEADLINE_MS } from '../limits.ts';
import { monitorDefinitions, monitorKeys } from '../monitor/settings-schema.ts';
import { LANGUAGES } from '../texts.ts';
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
import { MAX_SIZE_BYTES, MOST_ROUTES } from './values.ts';

const NAME = '[a-z][a-z0-9]*(-[a-z0-9]+)*';
const RULE_PART = '[a-z0-9]+(-[a-z0-9]+)*';
/** Text that needs no description of its own. */
const FILLED: SchemaNode = { type: 'string', minLength: 1 };
const CHECK_IDS = 'built-in ids (bundle, config, navigation, home, llms-txt) or ids of your own checks.';
const inMiB = (bytes: number): string => `${bytes / 1024 ** 2}MiB`;

const limits = mapping(null, {
  timeout: duration('Longest time for one request, from the first byte sent to the last byte received.', undefined, {
    default: written(DEFAULT_LIMITS.timeoutMs),
  }),
  deadline: duration(
    `Longest time for the whole run, retries included. Default: ${written(DEFAULT_LIMITS.deadlineMs)}; ${written(FULL_DEADLINE_MS)} for a full check.`,
  ),
  retries: integer('How often a request is retried after a network failure or a status of 408, 429 or 5xx.', 0, 10, {
    default: DEFAULT_LIMITS.retries,
  }),
  body: {
    description: `Largest decoded body: a size such as 10MiB, 512KiB or 5MB, or a number of bytes. At most ${inMiB(MAX_SIZE_BYTES)}.`,
    default: inMiB(DEFAULT_LIMITS.bodyBytes),
    'x-format': 'size',
    anyOf: [
      { type: 'string', pattern: '^\\s*\\d+(\\.\\d+)?\\s*([KMGkmg][Ii]?)?[Bb]\\s*$|^\\s*\\d+\\s*$' },
      { type: 'integer', minimum: 1, maximum: MAX_SIZE_BYTES },
    ],
  },
  parse: duration('Longest time for parsing one body.', undefined, { default: written(DEFAULT_LIMITS.parseMs) }),
  rate: {
    description: 'Most requests a second to one host during a full check. 0: as fast as the host answers.',
    type: 'number',
    minimum: 0,
    maximum: 10_000,
    default: DEFAULT_LIMITS.rate,
    'x-expected': 'rate',
  },
  pages: integer('Most pages that are requested.', 1, 1_000_000, { default: DEFAULT_LIMITS.pages }),
  depth: integer('Most links between the navigation, the home page or the agent index and a page.', 0, 1000, {
    default: DEFAULT_LIMITS.depth,
  }),
});

const expectKeys = {
  status: oneOrMore('The expected HTTP status, or a list of them.', ref('status'), {
    default: 200,
    'x-expected': 'status',
  }),
  mediaType: oneOrMore(
    'The expected media type of Content-Type, or a list of them. Parameters and letter case are ignored.',
    { ...FILLED, 'x-format': 'media-type' },
    { examples: ['text/plain', ['application/json', 'application/problem+json']], 'x-expected': 'media-type' },
  ),
  json: {
    description:
      'true: the body is valid JSON. With `schema`: it also conforms to this JSON Schema (2020-12 unless its $schema names 2019-09 or draft-07). `format` is not checked; remote $ref are refused.',
    'x-expected': 'json',
    anyOf: [
      { const: true },
      mapping(
        null,
        {
          schema: {
            description: 'A JSON Schema.',
            anyOf: [{ type: 'object' }, { type: 'boolean' }],
            'x-expected': 'mapping',
          },
        },
        { required: ['schema'] },
      ),
    ],
  },
  markdown: {
    description: 'true: the body is Markdown with content, not an HTML document returned instead.',
    const: true,
    'x-expected': 'true',
  },
  contains: ref('texts', 'Text, or texts, that the body must contain.'),
  notContains: ref('texts', 'Text, or texts, that the body must not contain.'),
  headers: {
    description: 'Response headers: the exact value, or a regular expression between slashes.',
    type: 'object',
    additionalProperties: { type: 'string', 'x-format': 'header-expectation', 'x-expected': 'text' },
    examples: [{ 'Cache-Control': '/no-cache/i', 'X-Content-Type-Options': 'nosniff' }],
    'x-headers': 'response',
  },
  maxDuration: duration('Longest time for the response, from the start of the request to its last byte.', undefined, {
    examples: ['2s'],
  }),
} as const satisfies Readonly<Record<string, SchemaNode>>;

const check = mapping(
  null,
  {
    id: {
      description: 'Name of the check in reports, --only, --skip and rules: lower-case words joined with hyphens.',
      type: 'string',
      pattern: `^${NAME}$`,
      examples: ['release-notes', 'api-reference'],
      'x-expected': 'own-id',
    },
    title: text('Title in the report.', { examples: ['Robots file'] }),
    path: text('File to request, relative to the base URL of the site, with or without a leading slash.', {
      examples: ['release-notes.md', 'api/openapi.json'],
      'x-format': 'path',
    }),
    accept: text('The Accept header of the request.', {
      default: '*/*',
      examples: ['text/markdown'],
      'x-format': 'header-value',
      'x-expected': 'text',
    }),
    expect: mapping('What the response must be. Default: HTTP status 200.', expectKeys),
    fix: {
      description: 'How to fix it when the check fails: one text, or one for each language.',
      'x-expected': 'fix',
      anyOf: [
        FILLED,
        mapping(
          null,
          {
            en: text('English.'),
            ro: text('Romanian. Default: the English text.'),
            fr: text('French. Default: the English text.'),
          },
          { required: ['en'] },
        ),
      ],
    },
  },
  { required: ['id', 'title', 'path'] },
);

const definitions: Readonly<Record<string, SchemaNode>> = {
  duration: {
    type: 'string',
    pattern: '^\\s*\\d+(\\.\\d+)?\\s*(ms|s|m|h)\\s*$',
    examples: ['500ms', '10s', '2m', '1h'],
  },
  longDuration: { type: 'string', pattern: '^\\s*\\d+(\\.\\d+)?\\s*(ms|s|m|h|d)\\s*$', examples: ['10s', '1h', '30d'] },
  texts: { anyOf: [FILLED, { type: 'array', minItems: 1, items: FILLED }], 'x-expected': 'texts' },
  names: { type: 'array', items: FILLED },
  id: { type: 'string', pattern: `^${NAME}$`, maxLength: 64, 'x-expected': 'monitor-id' },
  status: { type: 'integer', minimum: 100, maximum: 599, 'x-expected': 'status' },
  language: { type: 'string', enum: LANGUAGES },
  host: { type: 'string', enum: HOST_KINDS },
  engine: { type: 'string', enum: ENGINE_IDS },
  headers: {
    type: 'object',
    additionalProperties: { type: 'string', 'x-variables': true },
    'x-headers': 'request',
    'x-secret': true,
  },
  rules: {
    type: 'object',
    propertyNames: { type: 'string', pattern: `^${RULE_PART}/${RULE_PART}$`, 'x-expected': 'rule-key' },
    additionalProperties: oneOf('off: not reported; warning: warns; error: fails the check.', [
      'off',
      'warning',
      'error',
    ]),
  },
  limits,
  check,
  ...monitorDefinitions,
};

export const configSchema: SchemaNode & { readonly $schema: string; readonly $id: string; readonly title: string } = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: SCHEMA_URL,
  title: 'docvitals configuration',
  description: 'Configuration of docvitals: docvitals.yaml, docvitals.yml, docvitals.json or docvitals.config.ts.',
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { description: 'URL of this schema, for editors that read it from a JSON file.', type: 'string' },
    url: webUrl('Base URL of the site, with its base path. `${NAME}` is an environment variable, `$$` a dollar sign.', {
      examples: ['https://docs.example.org/', 'https://${PREVIEW_HOST}/docs/'],
    }),
    language: ref(
      'language',
      'Language of the output. Default: taken from LC_ALL, LC_MESSAGES or LANG, otherwise English.',
    ),
    only: ref('names', `Run only these checks: ${CHECK_IDS}`, { examples: [['bundle', 'config']] }),
    skip: ref('names', `Skip these checks: ${CHECK_IDS}`, { examples: [['llms-txt']] }),
    full: flag('Run the full check, not only the core checks.', { default: false }),
    external: flag('Check links to other sites too.', { default: false }),
    host: ref(
      'host',
      'The kind of host that serves the site: a plain web server, a hosting platform or an edge worker. Default: detected.',
    ),
    engine: ref(
      'engine',
      'The documentation engine of the site: its default files and the way it reads links. Default: recognised by the bundle.',
    ),
    source: variableText(
      'What the site is deployed from: a folder, a Git ref (main, HEAD:docs) or a hash manifest (manifest.json). `${NAME}` is an environment variable.',
      { examples: ['docs', 'HEAD:docs', 'manifest.json'] },
    ),
    versionFrom: text(
      'Where the site publishes its version: a path relative to the base URL, then # and a JSON Pointer or a regular expression whose first group is the version. Default: version.json, the meta elements and the headers of the bundle are searched.',
      { examples: ['version.json#/commit', 'build/about.txt#rev: ([0-9a-f]+)'], 'x-format': 'version-from' },
    ),
    browser: mapping('Open pages in a real browser too (optional package playwright-core).', {
      enabled: flag('Open pages in every run, as with --browser.', { default: false }),
      path: text('File of the browser. Default: Chrome, Chromium or Edge, found on PATH and in the usual places.'),
      address: variableText(
        'Address of a browser that is running: CDP (ws:// or http://) or a Playwright server (ws://). `${NAME}` is an environment variable. Never printed.',
        { 'x-secret': true, examples: ['ws://127.0.0.1:9222/devtools/browser/1f0c'] },
      ),
      routes: {
        description: `Pages to open besides the home page, chosen from the navigation of each language: a number or all (up to ${MOST_ROUTES}).`,
        default: 5,
        'x-expected': 'routes',
        anyOf: [{ type: 'integer', minimum: 0, maximum: MOST_ROUTES }, { const: 'all' }],
      },
      slow: duration('A first heading that is shown later is a warning.', undefined, { default: '5s' }),
      sandbox: flag('Use the sandbox of the browser. Turn it off only for sites that you trust.', { default: true }),
    }),
    strict: flag('Warnings fail the run too.', { default: false }),
    limits: ref('limits', 'Limits of time and size. Durations have a unit: 500ms, 1.5s, 2m, 1h.'),
    headers: ref(
      'headers',
      "Request headers, sent to the site's own origin only; never printed. `${NAME}` is an environment variable, `$$` a dollar sign.",
      { examples: [{ Authorization: 'Bearer ${DOCS_TOKEN}' }] },
    ),
    rules: ref('rules', 'Severity of single rules, as `<check id>/<rule>`.', {
      examples: [{ 'navigation/no-links': 'off' }],
    }),
    resolve: list(
      "Connect to this address instead of the one the name resolves to: host:port:address, as curl's --resolve. IPv6 addresses may have brackets.",
      { type: 'string', 'x-format': 'resolve' },
      { examples: [['docs.example.org:443:192.0.2.10']] },
    ),
    checks: list('Your own checks, run after the built-in ones.', ref('check')),
    ...monitorKeys,
  },
  $defs: definitions,
};
