/** A mistake in a configuration: where it is and what was expected. */
import type { ConfigWords } from '../generated/locales/config.ts';
import type { Position } from '../parse/position.ts';

type ParamsOf<Sentence> = Sentence extends (params: infer Params) => string ? Params : unknown;

/** A kind of mistake with its parameters. */
export type Expected = {
  readonly [Kind in keyof ConfigWords]: { readonly kind: Kind } & ParamsOf<ConfigWords[Kind]>;
}[keyof ConfigWords];

/** What a value is, as far as a message may show it. Of a secret value only its kind is shown. */
export type Got = { readonly kind: 'list' | 'mapping' | 'nothing' } | { readonly kind: 'value'; readonly text: string };

export interface ConfigProblem {
  /** The file as it was found or given, e.g. `docvitals.yaml`. */
  readonly file: string;
  /** From 1; `null` where the file has no positions (a module) or could not be read. */
  readonly line: number | null;
  /** From 1, in UTF-16 code units; `null` together with `line`. */
  readonly column: number | null;
  /** The key, e.g. `limits.timeout` or `checks[0].expect.status`; empty for the file as a whole. */
  readonly key: string;
  readonly expected: Expected;
  readonly got?: Got;
}

export type Path = readonly (string | number)[];

/** A mistake before its position is known. */
export interface Mistake {
  readonly path: Path;
  /** Whether the position is that of the key (`timeuot`) or of its value. */
  readonly at: 'key' | 'value';
  readonly expected: Expected;
  readonly got?: Got;
}

/** `['checks', 0, 'expect', 'status']` → `checks[0].expect.status`. */
export function keyOf(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}

const SHOWN = 40;

/** What `value` is, for a message; nothing of a `secret` value itself. */
export function got(value: unknown, secret = false): { readonly got?: Got } {
  if (value === null || value === undefined) return { got: { kind: 'nothing' } };
  if (Array.isArray(value)) return { got: { kind: 'list' } };
  if (typeof value === 'object') return { got: { kind: 'mapping' } };
  if (secret) return {};
  const text = JSON.stringify(typeof value === 'string' ? shorten(value) : value);
  return { got: { kind: 'value', text } };
}

/** At most forty characters of a text, never half a surrogate pair. */
export function shorten(text: string, most = SHOWN): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The value at a path, `undefined` if missing. Own members only. */
export function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Readonly<Record<string | number, unknown>>)[step];
  }
  return at;
}

export function membersOf(value: unknown): [name: string, member: unknown][] {
  return isMapping(value) ? Object.entries(value) : [];
}

export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function mistake(path: Path, expected: Expected, value?: unknown): Mistake {
  return { path, at: 'value', expected, ...(value === undefined ? {} : got(value)) };
}

export function keyMistake(path: Path, expected: Expected): Mistake {
  return { path, at: 'key', expected };
}

/** ajv's JSON Pointer as a path: an index is a number where the value is a list. */
export function pathOf(pointer: string, value: unknown): Path {
  let at = value;
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const part = Array.isArray(at) ? Number(name) : name;
    at = valueAt(at, [part]);
    return part;
  });
}

export interface Source {
  /** The file, as messages name it. */
  readonly file: string;
  /** Plain JSON values: no cycles, functions or dates. */
  readonly value: unknown;
  /** The position of a key or a value; `null` if the file has no positions. */
  readonly locate: (path: Path, at: 'key' | 'value') => Position | null;
}

/** The mistakes of a configuration file, in the order of the text: reported line by line, exit 2. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super('configuration');
    this.problems = problems;
  }
}

/** One mistake in the file as a whole, or at a position that is not a key's. */
export function fileError(file: string, expected: Expected, position?: Position): ConfigError {
  return new ConfigError([{ file, line: null, column: null, ...position, key: '', expected }]);
}
