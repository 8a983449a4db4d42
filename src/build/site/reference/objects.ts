/** Tables of the fields of JSON documents, from JSON Schema. */
import { written, type SchemaNode } from '../../../config/define.ts';
import { anchorOf, code, prose, table } from './markdown.ts';
import { filled, type Words } from './words.ts';

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

export type Definitions<S = ObjectSchema> = Readonly<Record<string, S>>;

export interface TypeOptions {
  readonly words: Words;
  /** What references lead to, by their last part. */
  readonly definitions?: Definitions | undefined;
  /** The links to objects with a section of their own; the fields of others follow with their path. */
  readonly links?: ReadonlyMap<ObjectSchema, string>;
  /** How an object is called. */
  readonly object?: 'mapping';
}

/** How the fields of a document are shown. */
export interface FieldOptions extends TypeOptions {
  /** English. */
  readonly describe: (path: string, schema: ObjectSchema) => string;
}

/** The links to the sections of objects, which have their names as headings. */
export function linksTo(objects: readonly (readonly [name: string, schema: ObjectSchema])[]) {
  return new Map(objects.map(([name, schema]) => [schema, `[${code(name)}](#${anchorOf(name)})`]));
}

/** A table of all fields of an object; those of objects without a section of their own have their path. */
export function fieldTable(schema: ObjectSchema, options: FieldOptions): string {
  const { words } = options;
  return table([words('Field'), words('Type'), words('Description')], rowsOf(schema, '', options));
}

function rowsOf(schema: ObjectSchema, prefix: string, options: FieldOptions): readonly (readonly string[])[] {
  const { words, describe, definitions, links } = options;
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
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
    return [row, ...rowsOf(inner.schema, `${path}${inner.suffix}.`, options)];
  });
}

export function referred<S extends ObjectSchema>(schema: S, definitions: Definitions<S> = {}): S {
  return schema.$ref === undefined ? schema : (definitions[schema.$ref.replace(/^.*\//s, '')] ?? ({} as S));
}

/** The object with fields of its own that a value is, or that the items of a list or the members of an object are. */
export function objectIn<S extends ObjectSchema>(
  value: S,
  definitions: Definitions<S> = {},
): { readonly schema: S; readonly suffix: string } | undefined {
  const schema = referred(value, definitions);
  if (schema.properties !== undefined) return { schema, suffix: '' };
  const nested = (inner: ObjectSchema | boolean | undefined, suffix: string) => {
    const found = typeof inner === 'object' ? objectIn(inner as S, definitions) : undefined;
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
export function typeText(given: ObjectSchema, options: TypeOptions): string {
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

function nameOf(name: string, schema: ObjectSchema, options: TypeOptions): string {
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
