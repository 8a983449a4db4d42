/** The reference pages that are made of JSON Schema: the configuration, the report, the API and what a webhook receives. */
import { createHmac } from 'node:crypto';
import { stringify } from 'yaml';
import { DEFAULT_CONFIG } from '../../../config/config.ts';
import { written, type SchemaNode } from '../../../config/define.ts';
import { alertsWords } from '../../../generated/locales/alerts.ts';
import { apiWords } from '../../../generated/locales/api.ts';
import { alertDocument, messageOf } from '../../../monitor/alerts/message.ts';
import type { Incident } from '../../../monitor/incident/incident.ts';
import { apiDocument } from '../../../monitor/server/api.ts';
import { PROBLEMS } from '../../../monitor/server/request.ts';
import { DEFAULT_WATCHING, type MonitoredSite } from '../../../monitor/settings.ts';
import type { Language } from '../../../locales/language.ts';
import { blocks, loadTexts } from '../../../report/texts.ts';
import { readSource } from '../../output.ts';
import { configSchema } from '../../schemas.ts';
import { anchorOf, block, code, fieldText, filled, prose, table, withoutDefault } from './markdown.ts';
import type { Parts, Words } from './markdown.ts';

/* Fields and their types. */

/** JSON Schema, as far as docvitals' documents use it. */
export interface ObjectSchema extends Omit<
  SchemaNode,
  '$defs' | 'type' | 'anyOf' | 'properties' | 'propertyNames' | 'items' | 'additionalProperties'
> {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly oneOf?: readonly ObjectSchema[];
  readonly anyOf?: readonly ObjectSchema[];
  readonly properties?: Readonly<Record<string, ObjectSchema>>;
  readonly items?: ObjectSchema;
  readonly additionalProperties?: ObjectSchema | boolean;
}

/** How the types and the fields of a document are shown. */
interface Options {
  readonly words: Words;
  /** What references lead to, by their last part. */
  readonly definitions?: Definitions | undefined;
  /** The links to objects with a section of their own; the fields of others follow with their path. */
  readonly links?: ReadonlyMap<ObjectSchema, string>;
  /** How an object is called. */
  readonly object?: 'mapping';
}

type Definitions = Readonly<Record<string, ObjectSchema>>;

/** What a field means, in English. */
type Describe = (path: string, schema: ObjectSchema) => string;

/** The links to the sections of objects, which have their names as headings. */
function linksTo(objects: readonly (readonly [name: string, schema: ObjectSchema])[]) {
  return new Map(objects.map(([name, schema]) => [schema, `[${code(name)}](#${anchorOf(name)})`]));
}

/** A table of all fields of an object; those of objects without a section of their own have their path. */
function fieldTable(object: ObjectSchema, describe: Describe, options: Options): string {
  const { words, definitions, links } = options;
  const rowsOf = (schema: ObjectSchema, prefix: string): readonly (readonly string[])[] =>
    Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
      const path = `${prefix}${key}`;
      const isOptional = schema.required?.includes(key) !== true;
      const about = describe(path, field);
      const row = [
        code(path),
        `${typeText(field, options)}${isOptional ? `, ${words('optional')}` : ''}`,
        about === '' ? '' : prose(words(about)),
      ];
      const inner = objectIn(field, definitions);
      if (inner === undefined || links?.has(inner.schema)) return [row];
      return [row, ...rowsOf(inner.schema, `${path}${inner.suffix}.`)];
    });
  return table([words('Field'), words('Type'), words('Description')], rowsOf(object, ''));
}

function referred(schema: ObjectSchema, definitions: Definitions = {}): ObjectSchema {
  return schema.$ref === undefined ? schema : (definitions[schema.$ref.replace(/^.*\//s, '')] ?? {});
}

/** The object with fields of its own that a value is, or that the items of a list or the members of an object are. */
function objectIn(
  value: ObjectSchema,
  definitions?: Definitions,
): { readonly schema: ObjectSchema; readonly suffix: string } | undefined {
  const schema = referred(value, definitions);
  if (schema.properties !== undefined) return { schema, suffix: '' };
  const nested = (inner: ObjectSchema | boolean | undefined, suffix: string) => {
    const found = typeof inner === 'object' ? objectIn(inner, definitions) : undefined;
    return found && { schema: found.schema, suffix: `${suffix}${found.suffix}` };
  };
  const branches = schema.anyOf ?? schema.oneOf ?? [];
  return (
    nested(schema.items, '[]') ??
    nested(schema.additionalProperties, '.*') ??
    branches.map((one) => nested(one, '')).find((one) => one !== undefined)
  );
}

/** The type of a value in words. */
function typeText(given: ObjectSchema, options: Options): string {
  const { words, definitions, links } = options;
  const target = referred(given, definitions);
  const link = links?.get(target);
  if (link !== undefined) return link;
  const schema = { ...target, ...given };
  const range = schema['x-duration'];
  if (range !== undefined) {
    const isUsual = given.$ref === '#/$defs/duration';
    return isUsual ? words('duration') : `${words('duration')}, ${written(range.least)} – ${written(range.most)}`;
  }
  if (schema['x-format'] === 'size') return words('size');
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return anyOf(branches, (one) => typeText(one, options), words);
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ');
  if (schema.items !== undefined) return filled(words('list ({items})'), { items: typeText(schema.items, options) });
  const names = [schema.type ?? 'object'].flat();
  if (names.includes('boolean') && names.includes('null')) return words('`true`, `false` or `null`');
  return anyOf(names, (name) => nameOf(name, schema, options), words);
}

function anyOf<T>(types: readonly T[], textOf: (type: T) => string, words: Words): string {
  const nullLast = types.map(textOf).toSorted((one, other) => Number(one === '`null`') - Number(other === '`null`'));
  return [...new Set(nullLast)].join(` ${words('or')} `);
}

function nameOf(name: string, schema: ObjectSchema, options: Options): string {
  const { words, object = 'object' } = options;
  const { format, additionalProperties, minimum, maximum } = schema;
  if (name === 'null') return code('null');
  if (name === 'boolean') return words('`true` or `false`');
  if (name === 'string') return words(format === 'date-time' ? 'time' : 'text');
  if (name === 'object' && typeof additionalProperties === 'object') {
    const values = typeText(additionalProperties, options);
    return filled(words(`${object} (by name: {values})`), { values });
  }
  if (name === 'object') return words(object);
  if (minimum === undefined || maximum === undefined) return words(name);
  return filled(words(`${name} from {least} to {most}`), { least: String(minimum), most: String(maximum) });
}

/* The configuration. */

interface Mapping {
  /** Where it is: `sites[].confirm`; empty for the file itself. */
  readonly path: string;
  readonly node: ObjectSchema;
  /** What the file says of the key whose value it is. */
  readonly given: ObjectSchema;
  readonly isSecret: boolean;
  /** Other places that have the same mapping. */
  readonly also: string[];
}

export function configurationParts(words: Words): Parts {
  const mappings = mappingsOf();
  const links = new Map(mappings.slice(1).map(({ node, path }) => [node, `#${anchorOf(path)}`]));
  const parts = mappings.map((one) => section(one, words, links));
  return {
    description: prose(words(configSchema.description ?? '')),
    schema: configSchema.$id ?? '',
    keys: parts[0] ?? '',
    sections: parts.slice(1).join('\n\n'),
  };
}

/** All mappings of the file, each once, in the order of the file. */
function mappingsOf(): readonly Mapping[] {
  const whole: Mapping = { path: '', node: configSchema, given: {}, isSecret: false, also: [] };
  const found = new Map([[whole.node, whole]]);
  const visit = ({ path, node, isSecret }: Mapping): void => {
    for (const [key, given] of Object.entries(node.properties ?? {})) {
      const inner = objectIn(given, DEFINITIONS);
      if (inner === undefined) continue;
      const at = `${path === '' ? '' : `${path}.`}${key}${inner.suffix}`;
      const known = found.get(inner.schema);
      if (known !== undefined) {
        if (known.path !== at) known.also.push(at);
        continue;
      }
      const mapping = { path: at, node: inner.schema, given, isSecret: given['x-secret'] ?? isSecret, also: [] };
      found.set(inner.schema, mapping);
      visit(mapping);
    }
  };
  visit(whole);
  return [...found.values()];
}

const DEFINITIONS = configSchema.$defs;

function section(mapping: Mapping, words: Words, links: ReadonlyMap<ObjectSchema, string>): string {
  const { path, node, given, also, isSecret } = mapping;
  const [example] = given.examples ?? [];
  const rows = Object.entries(node.properties ?? {}).map(([key, child]) => {
    const inner = objectIn(child, DEFINITIONS);
    const link = inner && links.get(inner.schema);
    const { text, preset } = withoutDefault(words(child.description ?? ''));
    const whole = { ...referred(child, DEFINITIONS), ...child };
    const [sample] = child.examples ?? [];
    const shown = link === undefined && sample !== undefined ? [`${words('Example:')} ${code(inYaml(sample))}`] : [];
    const mark = (name: string, isSet = false): readonly string[] => (isSet ? [`**${words(name)}**`] : []);
    const isSecretText = inner === undefined && (whole['x-secret'] ?? isSecret);
    const type = typeText(child, { words, definitions: DEFINITIONS, object: 'mapping' });
    const value = whole.default === undefined ? prose(preset) : code(inYaml(whole.default));
    return [
      link === undefined ? code(key) : `[${code(key)}](${link})`,
      [type, ...mark('variables', hasVariables(whole)), ...mark('secret', isSecretText)].join(', '),
      [...mark('required', node.required?.includes(key)), value].filter((part) => part !== '').join(', '),
      [prose(text), ...shown].join(' '),
    ];
  });
  const exclusive = node['x-exclusive'];
  const exclusion = node['x-required'] === true ? 'Exactly one of {keys}.' : 'At most one of {keys}.';
  const level = path.includes('.') ? '###' : '##';
  return blocks([
    path === '' ? '' : `${level} ${code(path)}`,
    given.description === undefined ? '' : prose(words(given.description)),
    also.length === 0 ? '' : filled(words('{keys}: the same keys.'), { keys: also.map(code).join(', ') }),
    exclusive === undefined ? '' : filled(words(exclusion), { keys: exclusive.map(code).join(', ') }),
    table([words('Key'), words('Type'), words('Default'), words('Description')], rows),
    example === undefined ? '' : block('yaml', yamlAt(path, example)),
  ]);
}

/** An example of a value under its key, as the file has it. */
function yamlAt(path: string, value: unknown): string {
  const keys = path.split('.').filter((key) => key !== '*');
  const whole = keys.toReversed().reduce<unknown>((inner, key, index) => {
    const name = key.replace('[]', '');
    return { [name]: key.endsWith('[]') && index > 0 ? [inner] : inner };
  }, value);
  return stringify(whole, { lineWidth: 0 });
}

/** Whether variables in the text, or in those of a list or a mapping, are expanded. */
function hasVariables({ items, additionalProperties: others, 'x-variables': isExpanded }: ObjectSchema): boolean {
  const inner = items ?? others;
  return isExpanded === true || (typeof inner === 'object' && inner['x-variables'] === true);
}

function inYaml(value: unknown): string {
  return typeof value === 'string' ? value : stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();
}

/* The report. */

type ReportSchema = ObjectSchema & { readonly $defs: Definitions };

export const reportSchema = JSON.parse(await readSource('src/report/report.schema.json')) as ReportSchema;

export function reportParts(words: Words): Parts {
  const named = Object.entries(reportSchema.$defs).filter(([, { properties }]) => properties !== undefined);
  const objects = [['report', reportSchema] as const, ...named];
  const options: Options = { words, definitions: reportSchema.$defs, links: linksTo(objects) };
  const describe: Describe = (_path, { description = '' }) => description;
  const sections = objects.map(([name, object]) =>
    blocks([`## ${code(name)}`, prose(words(object.description ?? '')), fieldTable(object, describe, options)]),
  );
  return { objects: blocks(sections) };
}

/* The API of the monitor. */

interface Operation {
  readonly summary: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly description?: string;
    readonly schema: ObjectSchema;
  }[];
  readonly responses: {
    readonly 200: JsonBody;
  };
}

interface OpenApi {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, ObjectSchema>> };
  readonly webhooks: { readonly notification: { readonly post: { readonly requestBody: JsonBody } } };
}

interface JsonBody {
  readonly content: { readonly 'application/json': { readonly schema: ObjectSchema } };
}

export function openApiIn(language: Language): OpenApi {
  return apiDocument(language) as unknown as OpenApi;
}

export function apiParts(words: Words, language: Language): Parts {
  const { info, paths, components } = openApiIn(language);
  const operations = Object.entries(paths).map(([path, { get }]) => ({ title: `GET ${path}`, ...get }));
  const objects = Object.entries(components.schemas);
  const options: Options = { words, definitions: components.schemas, links: linksTo(objects) };
  const { details } = apiWords(language);
  const problems = Object.entries(PROBLEMS).map(([name, status]) => [
    code(name),
    String(status),
    prose(details[name as keyof typeof PROBLEMS]('…')),
  ]);
  return {
    description: prose(info.description),
    list: operations.map(({ title, summary }) => `- [${code(title)}](#${anchorOf(title)}) – ${summary}`).join('\n'),
    operations: blocks(operations.map((operation) => operationText(operation, options))),
    objects: blocks(
      objects.map(([name, schema]) => {
        const describe: Describe = (field) => fieldText(`${name}.${field}`);
        return `### ${code(name)}\n\n${fieldTable(schema, describe, options)}`;
      }),
    ),
    problems: table([words('Code'), words('Status'), words('Meaning')], problems),
  };
}

type TitledOperation = Operation & { readonly title: string };

function operationText({ title, summary, parameters, responses }: TitledOperation, options: Options): string {
  const { words } = options;
  const rows = parameters.map(({ name, in: where, description, schema }) => [
    code(name),
    typeText(schema, options),
    typeof schema.default === 'string' ? code(schema.default) : '',
    description === undefined ? words(where === 'path' ? 'Id, in the path.' : '') : prose(description),
  ]);
  const response = responses[200].content['application/json'].schema;
  return blocks([
    `## ${code(title)}`,
    prose(summary),
    table([words('Parameter'), words('Type'), words('Default'), words('Description')], rows),
    `${words('Response:')} ${typeText(response, options)}`,
  ]);
}

/* What a webhook receives: the notification of an incident that has just begun. */

/** A Friday, at six in the evening. */
const SIX = Date.UTC(2026, 10, 20, 18);
const NOW = SIX + 55_000;

const SITE: MonitoredSite = {
  ...DEFAULT_WATCHING,
  id: 'docs',
  url: 'https://docs.example.com/',
  title: 'Documentation',
  tags: [],
  alerts: null,
  maintenance: [],
  checking: DEFAULT_CONFIG,
};

/** A deployment has left a trailing comma in the configuration. */
const INCIDENT: Incident = {
  id: 'docs-20261120T180054600',
  site: SITE.id,
  verdict: 'down',
  checks: ['config'],
  rules: ['config/trailing-comma'],
  startedAt: SIX + 40_600,
  detectedAt: SIX + 54_600,
  notifiedAt: null,
  recoveredAt: null,
  recoveryTimeObjectiveMs: SITE.recoveryTimeObjectiveMs,
  findings: [
    {
      check: 'config',
      rule: 'config/trailing-comma',
      evidence: {},
      location: { path: 'config.json', line: 3, column: 25 },
      excerpt: { firstLine: 2, lines: ['  "title": "Tidewater",', '  "homePage": "index.md",', '}'] },
    },
  ],
  deploy: { version: '4f8bdbe', before: 'bf6d82a', seenAt: SIX + 50_600 },
  flapping: false,
  sameAs: null,
};

export async function webhookParts(words: Words, language: Language): Promise<Parts> {
  const texts = await loadTexts(language);
  const alert = { key: `${INCIDENT.id}:opened:ops`, event: 'opened', incident: INCIDENT, alsoSites: [] } as const;
  const message = messageOf(alert, { site: SITE, words: alertsWords(language), texts, now: NOW, page: null });
  const body = alertDocument(message, texts);
  const templates = configSchema.$defs?.['route']?.properties?.['webhook']?.properties?.['template']?.enum ?? [];
  const timestamp = String(NOW / 1_000);
  const { webhooks, components } = openApiIn('en');
  const { schema } = webhooks.notification.post.requestBody.content['application/json'];
  return {
    id: body.id,
    timestamp,
    signature: createHmac('sha256', 'example')
      .update(`${body.id}.${timestamp}.${JSON.stringify(body)}`)
      .digest('base64'),
    body: JSON.stringify(body, null, 2),
    fields: fieldTable(schema, (path) => fieldText(`Webhook.${path}`), {
      words,
      definitions: components.schemas,
    }),
    templates: templates
      .filter((name) => name !== 'json')
      .map(code)
      .join(', '),
  };
}
