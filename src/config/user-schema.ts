/** Compiles the JSON Schemas of the user's own checks. ajv is loaded only when there is one. */
import type { Ajv, AnySchemaObject, ErrorObject, Options, ValidateFunction } from 'ajv';
import type { SchemaError, SchemaValidator } from '../../checks/own/definition.ts';
import type { Json } from '../check.ts';
import { shorten, type Expected, type Path } from './problem.ts';

/** A compiled schema, or what is wrong with it at which place inside it. */
export type CompiledSchema =
  | { readonly ok: true; readonly validate: SchemaValidator }
  | { readonly ok: false; readonly path: Path; readonly expected: Expected };

/** So many errors of one document are told, each of so many characters at most. */
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
  messages: true,
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
    if (error instanceof Error && 'missingRef' in error) return remote(schema, String(error.missingRef));
    const first = deepest(ajv.errors ?? []);
    if (first === undefined) return broken(error instanceof Error ? error.message : String(error));
    return broken(first.message ?? first.keyword, steps(first.instancePath));
  }
}

function broken(detail: string, path: Path = []): CompiledSchema {
  return { ok: false, path, expected: { kind: 'schema', detail: shorten(detail, WIDEST) } };
}

/** The class of ajv that speaks the dialect which `$schema` names. */
async function dialect(name: unknown): Promise<((options: Options) => Ajv) | undefined> {
  if (name === undefined || (typeof name === 'string' && name.includes('/2020-12/'))) {
    const { Ajv2020 } = await import('./dialects/2020-12.ts');
    return (options) => new Ajv2020(options);
  }
  if (typeof name === 'string' && name.includes('/2019-09/')) {
    const { Ajv2019 } = await import('./dialects/2019-09.ts');
    return (options) => new Ajv2019(options);
  }
  if (typeof name !== 'string' || !/\/draft-07\/schema#?$/.test(name)) return undefined;
  const { Ajv: Ajv07 } = await import('./dialects/draft-07.ts');
  return (options) => new Ajv07(options);
}

function validator(first: ValidateFunction, compileAll: () => ValidateFunction): SchemaValidator {
  let everything: ValidateFunction | undefined;
  return (value, all) => {
    const validate = all ? (everything ??= compileAll()) : first;
    return validate(value) ? [] : (validate.errors ?? []).slice(0, MOST_ERRORS).map(told);
  };
}

/** An error as evidence: bounded, and without the parts of the schema that ajv adds. */
function told({ instancePath, keyword, params }: ErrorObject): SchemaError {
  const entries = Object.entries(params as Readonly<Record<string, unknown>>).flatMap(([name, value]) => {
    const text = JSON.stringify(value);
    if (text === undefined) return [];
    const kept: Json = text.length <= WIDEST ? (JSON.parse(text) as Json) : shorten(text, WIDEST);
    return [[name, kept] as const];
  });
  return { path: shorten(instancePath, WIDEST), keyword, params: Object.fromEntries(entries) };
}

/** ajv complains of every branch; the error farthest inside the schema is the one to look at. */
function deepest(errors: readonly ErrorObject[]): ErrorObject | undefined {
  return errors.reduce<ErrorObject | undefined>(
    (best, error) => (best === undefined || depth(error) > depth(best) ? error : best),
    undefined,
  );
}

function depth(error: ErrorObject): number {
  return steps(error.instancePath).length;
}

function remote(schema: unknown, missing: string): CompiledSchema {
  const ref = shorten(missing, WIDEST);
  const path = refPath(schema, missing) ?? [];
  const expected: Expected = missing.startsWith('#')
    ? { kind: 'schema', detail: `$ref ${ref} leads to nothing` }
    : { kind: 'schema-remote', ref };
  return { ok: false, path, expected };
}

/** Where the reference stands in the schema: as written, or its end where ajv made it absolute. */
function refPath(schema: unknown, missing: string): Path | undefined {
  const left: { readonly value: unknown; readonly path: Path }[] = [{ value: schema, path: [] }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value, path } = next;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      const inside = [...path, Array.isArray(value) ? Number(name) : name];
      const isReference = ['$ref', '$dynamicRef', '$recursiveRef'].includes(name) && typeof member === 'string';
      if (isReference && member !== '' && missing.endsWith(member)) return inside;
      left.push({ value: member, path: inside });
    }
  }
  return undefined;
}

/** A JSON Pointer as a path. Whether a step is a key or an index is left to whoever walks it. */
function steps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
