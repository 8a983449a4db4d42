/**
 * Builders for the schema of the configuration: JSON Schema, with `x-` keywords for what it cannot express. Each part of
 * docvitals defines its own keys with them, and `schema.ts` puts the parts together; `descriptions.yaml` has the words.
 * Everything else is made from that: the published schema, the compiled validator, the types of `docvitals.config.ts`, the reference tables of the README,
 * and what `inspect.ts` reads.
 */
import { renderDuration, UP_TO_A_DAY, type DurationBounds } from './values.ts';

export interface SchemaNode {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, SchemaNode>>;
  readonly description?: string;
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly anyOf?: readonly SchemaNode[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly propertyNames?: SchemaNode;
  readonly additionalProperties?: SchemaNode | false;
  readonly items?: SchemaNode;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  /** The kind of mistake that is reported for a value of another form. Default: `x-format`, or what `type` implies. */
  readonly 'x-expected'?: string;
  /** What the text has to be: a name of `FORMATS`, or `size`. */
  readonly 'x-format'?: string;
  /** The text is a duration in this range. */
  readonly 'x-duration'?: DurationBounds;
  /** Environment variables in the text are expanded. */
  readonly 'x-variables'?: true;
  /** Never shown in a message, with everything inside it. */
  readonly 'x-secret'?: boolean;
  /** A mapping of header names to values. */
  readonly 'x-headers'?: 'request' | 'response';
  /** Words that are read as others, with a hint. */
  readonly 'x-aliases'?: Readonly<Record<string, string>>;
  /** The kind of mistake that is reported for 0; its sentence shows the value. */
  readonly 'x-zero'?: string;
  /** At most one of these keys may be set; with `x-required`, exactly one. */
  readonly 'x-exclusive'?: readonly string[];
  readonly 'x-required'?: true;
  /** The duration may not exceed those of these keys beside it. */
  readonly 'x-at-most'?: readonly string[];
  /** The kind of mistake that is reported for an item whose `id` an earlier one has. */
  readonly 'x-unique'?: string;
  /** What the description names in braces, besides the limits of a duration. */
  readonly 'x-values'?: Readonly<Record<string, string | number>>;
}

type Extras = Omit<SchemaNode, 'description' | 'type' | '$ref'>;
export type Keys = Readonly<Record<string, SchemaNode>>;

export const text = (extras: Extras = {}): SchemaNode => ({ type: 'string', minLength: 1, ...extras });

export const variableText = (extras: Extras = {}): SchemaNode => text({ 'x-variables': true, ...extras });

/** The address of a site or a service; it may contain credentials. */
export const webUrl = (...examples: readonly string[]): SchemaNode =>
  variableText({ 'x-format': 'url', 'x-secret': true, ...(examples.length === 0 ? {} : { examples }) });

export const flag = (byDefault?: boolean): SchemaNode => ({ type: 'boolean', default: byDefault });

export const integer = (minimum: number, maximum: number, extras: Extras = {}): SchemaNode => ({
  type: 'integer',
  minimum,
  maximum,
  ...extras,
});

export const oneOf = (values: readonly string[], extras: Extras = {}): SchemaNode => ({
  type: 'string',
  enum: values,
  ...extras,
});

export const list = (items: SchemaNode, extras: Extras = {}): SchemaNode => ({ type: 'array', items, ...extras });

/** One value, or a list of them that is not empty. */
export const oneOrMore = (item: SchemaNode, extras: Extras = {}): SchemaNode => ({
  anyOf: [item, { type: 'array', minItems: 1, items: item }],
  ...extras,
});

export const mapping = (properties: Keys, extras: Extras = {}): SchemaNode => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...extras,
});

export const ref = (name: string, ...examples: readonly unknown[]): SchemaNode => ({
  $ref: `#/$defs/${name}`,
  ...(examples.length === 0 ? {} : { examples }),
});

/** A duration in a range other than the usual one may be written in days. */
export const duration = (range: DurationBounds = UP_TO_A_DAY, extras: Extras = {}): SchemaNode => ({
  ...ref(range === UP_TO_A_DAY ? 'duration' : 'longDuration'),
  'x-duration': range,
  ...extras,
});

/** A duration as descriptions write it: `60s`, `24h`, `14d`. */
export function written(ms: number): string {
  if (ms <= 60_000) return `${ms / 1000}s`;
  return ms === UP_TO_A_DAY.most ? '24h' : renderDuration(ms);
}

/** The schema as it is published: without the keywords that only docvitals understands. */
export function published(schema: SchemaNode): SchemaNode {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key.startsWith('x-') ? undefined : value)),
  ) as SchemaNode;
}
