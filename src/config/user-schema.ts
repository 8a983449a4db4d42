/** Compiles the JSON Schemas of the user's own checks, those of the file and of its sites. ajv is loaded only when there is one. */
import type { Ajv, AnySchemaObject, ErrorObject, Options, ValidateFunction } from 'ajv';
import type { SchemaError, SchemaValidator } from '../../checks/own/definition.ts';
import type { Json } from '../core/answer.ts';
import { isMapping, itemsOf, mistake, shorten, pathOf, valueAt } from './problem.ts';
import type { Expected, Mistake, Path } from './problem.ts';

/** The compiled JSON Schemas of your own checks, by their text in JSON: many sites may have the same one. */
export type Schemas = ReadonlyMap<string, CompiledSchema>;

export async function compileSchemas(value: unknown) {
  const schemas = new Map<string, CompiledSchema>();
  const mistakes: Mistake[] = [];
  const sites = itemsOf(valueAt(value, ['sites'])).map((_, index): Path => ['sites', index, 'checks']);
  for (const path of [['checks'], ...sites].flatMap((list) =>
    itemsOf(valueAt(value, list)).map((_, index): Path => [...list, index, 'expect', 'json', 'schema']),
  )) {
    const schema = valueAt(value, path);
    if (typeof schema !== 'boolean' && !isMapping(schema)) continue;
    const text = JSON.stringify(schema);
    const compiled = schemas.get(text) ?? (await compileSchema(schema));
    schemas.set(text, compiled);
    if (!compiled.ok) mistakes.push(mistake([...path, ...compiled.path], compiled.expected));
  }
  return { schemas, mistakes };
}

/** A compiled schema, or what is wrong with it at which place inside it. */
type CompiledSchema =
  | { readonly ok: true; readonly validate: SchemaValidator }
  | { readonly ok: false; readonly path: Path; readonly expected: Expected };

/** So many errors of one document are reported, each of so many characters at most. */
const MOST_ERRORS = 5;
const WIDEST = 200;

/**
 * `$data` stays off: with it a document could choose patterns of its own. No `loadSchema`: nothing is fetched.
 * Unknown keywords and formats are annotations, as JSON Schema has it; no `format` is asserted.
 */
const OPTIONS = {
  strict: false,
  validateFormats: false,
  $data: false,
  logger: false,
  addUsedSchema: false,
  // `constructor` and its like are only there when the document has them.
  ownProperties: true,
} as const satisfies Options;

/**
 * Compiles a schema of draft 2020-12, or of 2019-09 or draft-07 where its `$schema` says so.
 * A reference out of the schema is refused, whatever it leads to. Never rejects.
 */
export async function compileSchema(schema: unknown): Promise<CompiledSchema> {
  if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null)) return broken('no schema');
  const copy = schema as AnySchemaObject;
  const create = await dialect(typeof schema === 'object' ? copy['$schema'] : undefined);
  if (create === undefined) return broken('unknown $schema', ['$schema']);
  const ajv = create({ ...OPTIONS, allErrors: false });
  try {
    const validate = ajv.compile(copy);
    if ('$async' in validate) return broken('$async is not supported', ['$async']);
    return { ok: true, validate: validator(validate, () => create({ ...OPTIONS, allErrors: true }).compile(copy)) };
  } catch (error) {
    if (error instanceof Error && 'missingRef' in error) {
      const ref = shorten(String(error.missingRef), WIDEST);
      if (ref.startsWith('#')) return broken(`$ref ${ref} leads to nothing`);
      return { ok: false, path: [], expected: { kind: 'schema-remote', ref } };
    }
    // ajv complains of every branch; the error farthest inside the schema is the relevant one.
    const depth = ({ instancePath }: ErrorObject): number => instancePath.split('/').length;
    const [first] = (ajv.errors ?? []).toSorted((a, b) => depth(b) - depth(a));
    if (first === undefined) return broken(error instanceof Error ? error.message : String(error));
    return broken(first.message ?? first.keyword, pathOf(first.instancePath, schema));
  }
}

function broken(detail: string, path: Path = []): CompiledSchema {
  return { ok: false, path, expected: { kind: 'schema', detail: shorten(detail, WIDEST) } };
}

/** The dialects by what `$schema` names them. */
const DIALECTS = [
  { name: /\/2020-12\//, load: () => import('ajv/dist/2020.js') },
  { name: /\/2019-09\//, load: () => import('ajv/dist/2019.js') },
  { name: /\/draft-07\/schema#?$/, load: () => import('ajv') },
];

/** Makes an ajv for the dialect that `$schema` names, loaded when it is used; `undefined`: it is none of these. */
async function dialect(given: unknown = '/2020-12/'): Promise<((options: Options) => Ajv) | undefined> {
  const found = DIALECTS.find(({ name }) => typeof given === 'string' && name.test(given));
  const module = await found?.load();
  return module && ((options) => new module.default.default(options));
}

function validator(first: ValidateFunction, compileAll: () => ValidateFunction): SchemaValidator {
  let everything: ValidateFunction | undefined;
  return (value, all) => {
    const validate = all ? (everything ??= compileAll()) : first;
    return validate(value) ? [] : (validate.errors ?? []).slice(0, MOST_ERRORS).map(evidenceOf);
  };
}

/** An error as evidence: bounded, and without the parts of the schema that ajv adds. */
function evidenceOf({ instancePath, keyword, params }: ErrorObject): SchemaError {
  const entries = Object.entries(params as Readonly<Record<string, unknown>>).flatMap(([name, value]) => {
    const text = JSON.stringify(value);
    if (text === undefined) return [];
    const kept: Json = text.length <= WIDEST ? (JSON.parse(text) as Json) : shorten(text, WIDEST);
    return [[name, kept] as const];
  });
  return { path: shorten(instancePath, WIDEST), keyword, params: Object.fromEntries(entries) };
}
