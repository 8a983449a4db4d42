/** What `docvitals.yaml` says of a check of the user's own, once it is read and normalised. */
import type { Json } from '../../src/core/answer.ts';

export interface OwnDefinition {
  readonly id: string;
  readonly title: string;
  /** Relative to the site's base, without a leading slash; never leads out of it. */
  readonly path: string;
  readonly accept: string;
  readonly expect: Expectation;
  /** What to do when it fails, in every language; `null` when the user wrote none. */
  readonly fix: { readonly en: string; readonly ro: string; readonly fr: string } | null;
}

export interface Expectation {
  readonly status: readonly number[];
  readonly mediaTypes: readonly string[];
  readonly json: { readonly schema: SchemaValidator | null } | null;
  readonly markdown: boolean;
  readonly contains: readonly string[];
  readonly notContains: readonly string[];
  readonly headers: readonly HeaderExpectation[];
  /** Most milliseconds from the start of the request to its last byte; `null`: any. */
  readonly maxDurationMs: number | null;
}

export interface HeaderExpectation {
  readonly name: string;
  /** The exact value, or a regular expression (never with the flags g or y, so it has no state). */
  readonly value: string | RegExp;
}

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
