/**
 * Makes everything that follows from a JSON Schema: the published schema, for the configuration with the descriptions of
 * `src/config/descriptions.yaml` and also a compiled validator (so that the command neither loads ajv nor compiles anything
 * to read its configuration), the types of the file and the schema with docvitals' own keywords.
 */
import type { AnySchemaObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { parse } from 'yaml';
import { checks } from '../../checks/index.ts';
import { published, written, type SchemaNode } from '../config/define.ts';
import { configSchema as bare } from '../config/schema.ts';
import type { Language } from '../locales/language.ts';
import { BuildError, readSource, writeOutput } from './output.ts';

type Description = Readonly<Record<Language, string>>;
type Nodes = Readonly<Record<string, SchemaNode>>;

const FILE = 'src/config/descriptions.yaml';
const texts = parse(await readSource(FILE)) as Readonly<Record<string, Description>>;
const used = new Map<string, Description>();

export const configSchema = { ...bare, ...withChildren(bare, ''), description: descriptionOf('', bare) };

/** The descriptions, with their values. */
export const descriptions: readonly Description[] = [...used.values()];

const unused = Object.keys(texts).filter((key) => !used.has(key));
if (unused.length > 0) throw new BuildError(`${FILE}: not in the schema: ${unused.join(', ')}`);

/** `at`: the keys that lead to the node, the name of its definition first. */
function withChildren(node: SchemaNode, at: string): SchemaNode {
  const { $defs, properties, anyOf, items, additionalProperties: others } = node;
  const each = (nodes: Nodes, change: (child: SchemaNode, key: string) => SchemaNode): Nodes =>
    Object.fromEntries(Object.entries(nodes).map(([key, child]) => [key, change(child, key)]));
  return {
    ...node,
    ...(properties && {
      properties: each(properties, (child, key) => describe(child, at === '' ? key : `${at}.${key}`)),
    }),
    ...(anyOf && { anyOf: anyOf.map((branch) => withChildren(branch, at)) }),
    ...(items && { items: withChildren(items, `${at}[]`) }),
    ...(typeof others === 'object' && texts[`${at}.*`] && { additionalProperties: describe(others, `${at}.*`) }),
    ...($defs && { $defs: each($defs, withChildren) }),
  };
}

function describe(node: SchemaNode, at: string): SchemaNode {
  return { description: descriptionOf(at, node), ...withChildren(node, at) };
}

/** @throws BuildError where there is none, or a value is missing */
function descriptionOf(at: string, node: SchemaNode): string {
  const text = texts[at];
  if (text === undefined) throw new BuildError(`${FILE}: nothing for ${at}`);
  const { 'x-duration': range, 'x-values': own } = node;
  const values: SchemaNode['x-values'] = {
    checks: checks.map(({ id }) => id).join(', '),
    ...(range && { least: written(range.least), most: written(range.most) }),
    ...own,
  };
  const filled = (whole: string): string =>
    whole.replaceAll(/(?<!\$)\{(\w+)\}/g, (_all, name: string) => {
      if (values[name] === undefined) throw new BuildError(`${FILE}: ${at}: no value for {${name}}`);
      return String(values[name]);
    });
  const description = { en: filled(text.en), ro: filled(text.ro), fr: filled(text.fr) };
  used.set(at, description);
  return description.en;
}

const REPORT = 'src/report/report.schema.json';
const DOCUMENTS = 'src/cli/documents.schema.yaml';

/** What runners and coordinators send each other: one validator for each of these definitions. */
const QUEUE = 'src/monitor/fleet/queue.schema.json';
const QUEUE_VALIDATORS = ['run', 'result', 'measurement'] as const;

const QUEUE_DECLARATION = `import type { ValidateFunction } from 'ajv';

declare const validators: { ${QUEUE_VALIDATORS.map((name) => `readonly ${name}: ValidateFunction`).join('; ')} };
export = validators;
`;

const DECLARATION = `import type { ValidateFunction } from 'ajv';

declare const validate: ValidateFunction;
export = validate;
`;

/** @throws BuildError for an invalid schema */
export async function buildSchemas(): Promise<void> {
  const schema = published(configSchema);
  await writeOutput('src/generated/config-validator.cjs', compile('src/config/schema.ts', schema));
  await writeOutput('src/generated/config-validator.d.cts', DECLARATION);
  await writeOutput('src/generated/config-schema.json', JSON.stringify(configSchema));
  await writeOutput('src/generated/config-file.ts', typesOf(schema));
  await writeOutput('dist/schema/config.json', `${JSON.stringify(schema, null, 2)}\n`);
  await writeOutput('src/generated/queue-validators.cjs', compileQueue(await readSource(QUEUE)));
  await writeOutput('src/generated/queue-validators.d.cts', QUEUE_DECLARATION);
  const report = await readSource(REPORT);
  // Compiled only to see that it can be.
  compile(REPORT, JSON.parse(report) as AnySchemaObject);
  await writeOutput('dist/schema/report.json', report);
  await writeOutput('dist/schema/documents.json', `${JSON.stringify(await documentsSchema(), null, 2)}\n`);
}

/** With the events of the log, which are those that have a sentence, and the kinds of channels. */
async function documentsSchema(): Promise<object> {
  const { logWords } = await import('../generated/locales/log.ts');
  const { CHANNELS } = await import('../monitor/alerts/channels/index.ts');
  const { $defs, ...schema } = parse(await readSource(DOCUMENTS), { merge: true }) as { readonly $defs: Nodes };
  const { logLine = {}, alertTest = {} } = $defs;
  const withProperties = (node: SchemaNode, more: Nodes): SchemaNode => {
    return { ...node, properties: { ...node.properties, ...more } };
  };
  const filled = {
    logLine: withProperties(logLine, { event: { enum: Object.keys(logWords('en')) } }),
    alertTest: withProperties(alertTest, { channel: { enum: CHANNELS.map(({ kind }) => kind) } }),
  };
  return { ...schema, $defs: { ...$defs, ...filled } };
}

const STRICT = { strict: true, strictTypes: true, strictTuples: true, allowUnionTypes: true, code: { source: true } };

/** The source of a CommonJS module that exports a function which validates, as ajv compiles it. */
function compile(source: string, schema: AnySchemaObject): string {
  const ajv = new Ajv2020({ ...STRICT, allErrors: true });
  return compiled(source, () => standaloneCode.default(ajv, ajv.compile(schema)));
}

/** The same for the definitions of the queues, whose functions stop at the first error and remove unknown members. */
function compileQueue(text: string): string {
  const ajv = new Ajv2020({ ...STRICT, removeAdditional: true });
  return compiled(QUEUE, () => {
    ajv.addSchema(JSON.parse(text) as AnySchemaObject);
    const refs = QUEUE_VALIDATORS.map((name) => [name, `queue#/$defs/${name}`] as const);
    return standaloneCode.default(ajv, Object.fromEntries(refs));
  });
}

function compiled(source: string, compileIt: () => string): string {
  try {
    return compileIt();
  } catch (error) {
    throw new BuildError(`${source}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/* TypeScript types of what fits a JSON Schema, with its descriptions as comments. */

/** The source of a module with a type for the file, and one for each of its definitions: `site` → `SiteFile`. */
function typesOf(schema: SchemaNode): string {
  const definitions = Object.entries(schema.$defs ?? {}).map(
    ([name, node]) => `export type ${typeName(name)} = ${typeOf(node)};`,
  );
  return [
    '/** Types of the configuration file. Made by the build from `src/config/schema.ts`. */',
    ...definitions,
    `/** ${schema.description} */\nexport interface ConfigFile ${typeOf(schema)}`,
  ].join('\n\n');
}

function typeName(definition: string): string {
  return `${definition.charAt(0).toUpperCase()}${definition.slice(1)}File`;
}

function typeOf({ $ref, type, items = {}, additionalProperties: others, ...node }: SchemaNode): string {
  if ($ref !== undefined) return typeName($ref.slice('#/$defs/'.length));
  if (node.anyOf !== undefined) return node.anyOf.map(typeOf).join(' | ');
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum !== undefined) return node.enum.map((value) => `'${value}'`).join(' | ');
  if (type === 'array') return `ReadonlyArray<${typeOf(items)}>`;
  if (type === 'integer') return 'number';
  if (type !== 'object') return type ?? 'unknown';
  if (typeof others === 'object') return `Readonly<Record<string, ${typeOf(others)}>>`;
  return node.properties === undefined ? 'object' : mappingType(node);
}

function mappingType({ properties = {}, required = [] }: SchemaNode): string {
  const members = Object.entries(properties).map(([key, node]) => {
    const comment = node.description === undefined ? '' : `/** ${node.description.replaceAll('*/', '*\\/')} */\n`;
    return `${comment}readonly ${key}${required.includes(key) ? '' : '?'}: ${typeOf(node)};\n`;
  });
  return `{\n${members.join('')}}`;
}
