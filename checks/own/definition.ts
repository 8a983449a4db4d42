/** What `docvitals.yaml` says of a check of the user's own, once it is read and normalised. */
import type { Json } from '../../src/check.ts';
import type { ownDefinition } from '../../src/config/config.ts';

export type OwnDefinition = Readonly<ReturnType<typeof ownDefinition>>;
export type Expectation = OwnDefinition['expect'];

/**
 * Reports where a value differs from the user's JSON Schema, at the first error or at `all`, which costs memory. Throws a
 * RangeError where a recursive schema meets a value nested too deep.
 */
export type SchemaValidator = (value: unknown, all: boolean) => readonly SchemaError[];

export interface SchemaError {
  /** JSON Pointer to the value, e.g. `/locales/0/code`; empty for the whole document. Bounded. */
  readonly path: string;
  readonly keyword: string;
  /** What the keyword wanted, e.g. `{ missingProperty: 'code' }`. Bounded. */
  readonly params: { readonly [name: string]: Json };
}
