import type { JsonProblem } from '../parse/json-problem.ts';

/** What a value is, as far as it may be told. `secret` values (addresses, request headers) are only told by their kind. */
export type Got = { readonly kind: 'list' | 'mapping' | 'nothing' } | { readonly kind: 'value'; readonly text: string };

/** No parameters. */
type None = { readonly [key in never]: never };
/** The nearest known name, where one is near. */
interface Named {
  readonly name: string;
  readonly nearest?: string;
}

/** Every kind of mistake and what its sentence needs to know. */
export interface Expectations {
  // What a value should have been.
  readonly mapping: None;
  readonly list: None;
  readonly text: None;
  readonly texts: None;
  readonly boolean: None;
  readonly integer: { readonly least: number; readonly most: number };
  readonly rate: None;
  readonly 'one-of': { readonly values: readonly string[] };
  readonly duration: None;
  /** `days`: the key takes days as well. */
  readonly 'duration-unit': { readonly days: boolean };
  readonly 'duration-range': { readonly least: string; readonly most: string };
  readonly size: None;
  readonly 'size-range': { readonly most: string };
  readonly url: None;
  readonly 'file-url': None;
  readonly status: None;
  readonly 'media-type': None;
  readonly json: None;
  readonly true: None;
  readonly fix: None;
  readonly 'own-id': None;
  readonly path: None;
  readonly 'path-outside': None;
  readonly regex: None;
  readonly 'version-from': None;
  readonly resolve: None;
  readonly 'rule-key': None;
  readonly 'header-name': None;
  readonly 'header-value': None;
  readonly 'header-reserved': { readonly name: string };
  // What a value of the monitor should have been.
  readonly 'monitor-id': None;
  readonly schedule: None;
  readonly cron: None;
  readonly 'cron-never': None;
  readonly time: None;
  readonly 'time-zone': Named;
  readonly 'time-order': None;
  /** A duration that another key's is not to be longer than, and which of them that is. */
  readonly 'longer-than': { readonly name: string };
  readonly listen: None;
  readonly 'host-port': None;
  readonly 'probe-target': None;
  readonly 'ntfy-topic': None;
  readonly 'mail-server': None;
  readonly 'mail-address': None;
  readonly 'mail-addresses': None;
  readonly repository: None;
  readonly program: None;
  readonly 'one-key': { readonly values: readonly string[] };
  readonly 'both-keys': { readonly name: string; readonly other: string };
  readonly 'site-twice': { readonly name: string };
  readonly 'route-twice': { readonly name: string };
  readonly 'unknown-route': Named;
  readonly 'module-built-in': { readonly name: string };
  readonly 'no-quick-check': None;
  // Keys and names.
  readonly 'unknown-key': Named;
  readonly 'missing-key': { readonly name: string };
  readonly 'duplicate-key': { readonly name: string };
  readonly 'unknown-check': Named;
  readonly 'unknown-code': Named & { readonly check: string };
  readonly 'id-built-in': { readonly name: string };
  readonly 'id-twice': { readonly name: string };
  readonly 'env-missing': { readonly name: string };
  readonly 'env-withheld': { readonly name: string };
  readonly 'env-syntax': None;
  // Schemas of the user's own.
  readonly schema: { readonly detail: string };
  readonly 'schema-remote': { readonly ref: string };
  // The file.
  readonly 'not-found': None;
  readonly unreadable: { readonly code: string };
  readonly 'too-large': { readonly most: string };
  readonly 'file-type': None;
  readonly 'yaml-syntax': None;
  readonly 'yaml-tab': None;
  readonly 'yaml-indent': None;
  readonly 'yaml-quote': None;
  readonly 'yaml-bracket': None;
  readonly 'yaml-colon': None;
  readonly 'yaml-character': None;
  readonly 'yaml-documents': None;
  readonly 'yaml-alias': None;
  readonly 'yaml-tag': None;
  readonly 'yaml-deep': None;
  readonly 'json-syntax': { readonly code: JsonProblem['code'] };
  readonly module: { readonly detail: string };
  readonly 'module-export': None;
}

export type ExpectedKind = keyof Expectations;

/** A kind of mistake with its parameters, for programs. */
export type Expected = { readonly [Kind in ExpectedKind]: { readonly kind: Kind } & Expectations[Kind] }[ExpectedKind];

/** One mistake in a configuration file. */
export interface ConfigProblem {
  /** The file as it was found or given, e.g. `docvitals.yaml`. */
  readonly file: string;
  /** From 1; `null` where the file has no positions (a module) or could not be read. */
  readonly line: number | null;
  /** From 1, in UTF-16 code units; `null` together with `line`. */
  readonly column: number | null;
  /** The key concerned, e.g. `limits.timeout` or `checks[0].expect.status`; empty for the file as a whole. */
  readonly key: string;
  readonly expected: Expected;
  /** What stands there instead, where that may be shown. */
  readonly got?: Got;
}

/** The way to a value: keys and list indexes. */
export type Path = readonly (string | number)[];

/** A mistake before it has a position. */
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

/** Longest text of a value that a message shows. */
const SHOWN = 40;

/** What `value` is, for a message. With `secret`, nothing of the value itself. */
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
