/** Tables of the fields of JSON documents, from JSON Schema. */
import { code, prose, table } from './markdown.ts';
import { filled, type Words } from './words.ts';

/** JSON Schema, as far as docvitals' documents use it. */
export interface ObjectSchema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly oneOf?: readonly ObjectSchema[];
  readonly properties?: Readonly<Record<string, ObjectSchema>>;
  readonly required?: readonly string[];
  readonly items?: ObjectSchema;
  readonly additionalProperties?: ObjectSchema | boolean;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface FieldOptions {
  readonly words: Words;
  readonly resolve: (ref: string) => ObjectSchema;
  /** The link to the section of an object; `undefined`: it has none, and its fields follow with their path. */
  readonly linkOf: (schema: ObjectSchema) => string | undefined;
  /** English. */
  readonly describe: (path: string, schema: ObjectSchema) => string;
}

/** A table of all fields of an object; those of objects without a section of their own have their path. */
export function fieldTable(schema: ObjectSchema, options: FieldOptions): string {
  const { words } = options;
  return table([words('Field'), words('Type'), words('Description')], rowsOf(schema, '', options));
}

function rowsOf(schema: ObjectSchema, prefix: string, options: FieldOptions): readonly (readonly string[])[] {
  const { words, describe, linkOf } = options;
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const path = `${prefix}${key}`;
    const isOptional = schema.required?.includes(key) !== true;
    const about = describe(path, field);
    const row = [
      code(path),
      `${typeText(field, options)}${isOptional ? `, ${words('optional')}` : ''}`,
      about === '' ? '' : prose(words(about)),
    ];
    const inner = objectIn(field, options);
    if (inner === undefined || linkOf(inner.schema) !== undefined) return [row];
    return [row, ...rowsOf(inner.schema, `${path}${inner.suffix}.`, options)];
  });
}

/** The object that a field has, or a list of them. */
function objectIn(
  field: ObjectSchema,
  options: Pick<FieldOptions, 'resolve'>,
): { readonly schema: ObjectSchema; readonly suffix: string } | undefined {
  const schema = field.$ref === undefined ? field : options.resolve(field.$ref);
  if (schema.properties !== undefined) return { schema, suffix: '' };
  if (schema.items !== undefined) {
    const inner = objectIn(schema.items, options);
    return inner && { schema: inner.schema, suffix: `[]${inner.suffix}` };
  }
  return schema.oneOf?.map((one) => objectIn(one, options)).find((one) => one !== undefined);
}

export function typeText(field: ObjectSchema, options: Pick<FieldOptions, 'words' | 'resolve' | 'linkOf'>): string {
  const { words, resolve, linkOf } = options;
  const schema = field.$ref === undefined ? field : resolve(field.$ref);
  const link = linkOf(schema);
  if (link !== undefined) return link;
  if (schema.oneOf !== undefined)
    return schema.oneOf
      .map((one) => typeText(one, options))
      .toSorted(nullLast)
      .join(` ${words('or')} `);
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return schema.enum.map((value) => code(value)).join(', ');
  if (schema.items !== undefined) return filled(words('list ({items})'), { items: typeText(schema.items, options) });
  const names = [schema.type ?? 'object'].flat();
  if (names.includes('boolean') && names.includes('null')) return words('`true`, `false` or `null`');
  return names
    .map((name) => nameOf(name, schema, words))
    .toSorted(nullLast)
    .join(` ${words('or')} `);
}

function nameOf(name: string, { format, additionalProperties }: ObjectSchema, words: Words): string {
  if (name === 'null') return code('null');
  if (name === 'string') return words(format === 'date-time' ? 'time' : 'text');
  if (name === 'boolean') return words('`true` or `false`');
  if (name === 'integer' || name === 'number') return words(name);
  if (typeof additionalProperties === 'object') {
    const values = nameOf(String(additionalProperties.type), additionalProperties, words);
    return filled(words('object (by name: {values})'), { values });
  }
  return words('object');
}

const nullLast = (one: string, other: string): number => Number(one === '`null`') - Number(other === '`null`');
