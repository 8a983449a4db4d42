/**
 * What a schema cannot say: names that must exist, variables, addresses, ranges. It runs over files whose form may be
 * wrong as well, so it looks at no value before it knows its type.
 */
import { expand, type Environment } from './environment.ts';
import { boundsAt, durationProblem, sizeProblem } from './expectations.ts';
import { headerProblem } from './header.ts';
import type { Known } from './known.ts';
import { nearest } from './nearest.ts';
import { got, type Expected, type Mistake, type Path } from './problem.ts';
import { parseResolve } from './resolve.ts';
import { valueAt } from './shape.ts';
import { parseVersionFrom } from './version-from.ts';

/** The members of a mapping, none for anything else. */
export function membersOf(value: unknown): [name: string, member: unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

/** The items of a list, none for anything else. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** A mistake at a value. */
export function mistake(path: Path, expected: Expected, value?: unknown): Mistake {
  return { path, at: 'value', expected, ...(value === undefined ? {} : got(value)) };
}

/** The checks that a site has, and their codes: the built-in ones, then the user's own; `null`: any code. */
export type Codes = ReadonlyMap<string, readonly string[] | null>;

/** The checks of the file, and of those lists of own checks that are told besides. */
export function codesOf(value: unknown, known: Known, ...lists: readonly Path[]): Codes {
  const own = [['checks'], ...lists].flatMap((list) =>
    itemsOf(valueAt(value, list)).flatMap((check) => {
      const id = valueAt(check, ['id']);
      return typeof id === 'string' ? [id] : [];
    }),
  );
  return new Map([...own.map((id) => [id, known.own] as const), ...Object.entries(known.builtIn)]);
}

/** The mistakes of meaning in what the file says of its own site, but the checks of the user's own. */
export function meaningMistakes(value: unknown, env: Environment, known: Known): Mistake[] {
  return [...urlMistakes(value, ['url'], env), ...checkingMistakes(value, [], { env, codes: codesOf(value, known) })];
}

/** The mistakes of meaning in how a site is checked; `at` is where that is said: the file, a site, a probe's module. */
export function checkingMistakes(
  value: unknown,
  at: Path,
  { env, codes }: { readonly env: Environment; readonly codes: Codes },
): Mistake[] {
  const ids = [...codes.keys()];
  return [
    ...['only', 'skip'].flatMap((list) => checkMistakes(value, [...at, list], ids)),
    ...limitMistakes(value, [...at, 'limits']),
    ...headerMistakes(value, [...at, 'headers'], env),
    ...membersOf(valueAt(value, [...at, 'rules'])).flatMap(([key]) => ruleMistakes([...at, 'rules'], key, codes)),
    ...expandedAt(value, [...at, 'source'], env).mistakes,
    ...versionFromMistakes(value, [...at, 'versionFrom']),
    ...itemsOf(valueAt(value, [...at, 'resolve'])).flatMap((entry, index) =>
      typeof entry !== 'string' || parseResolve(entry) !== undefined
        ? []
        : [mistake([...at, 'resolve', index], { kind: 'resolve' }, entry)],
    ),
  ];
}

/** The text at `path` with its variables in it; mistakes where one is missing; neither where there is no text. */
export function expandedAt(
  value: unknown,
  path: Path,
  env: Environment,
): { readonly text: string | undefined; readonly mistakes: Mistake[] } {
  const written = valueAt(value, path);
  if (typeof written !== 'string' || written === '') return { text: undefined, mistakes: [] };
  const expanded = expand(written, env);
  if (expanded.ok) return { text: expanded.text, mistakes: [] };
  return { text: undefined, mistakes: expanded.problems.map((problem) => mistake(path, problem)) };
}

/** The mistakes of an http or https URL. It is never shown: it may carry userinfo, or what a variable held. */
export function urlMistakes(value: unknown, path: Path, env: Environment): Mistake[] {
  const { text, mistakes } = expandedAt(value, path, env);
  if (text === undefined) return mistakes;
  const parsed = URL.parse(text);
  if (parsed?.protocol === 'file:') return [mistake(path, { kind: 'file-url' })];
  // What `URL` mends (`https:x`, a line break within) is no address that somebody meant.
  const isWeb = parsed !== null && parsed.hostname !== '' && /^https?:\/\/[^/?#\s][^\t\r\n]*$/i.test(text.trim());
  return isWeb ? [] : [mistake(path, { kind: 'url' })];
}

function checkMistakes(value: unknown, list: Path, ids: readonly string[]): Mistake[] {
  return itemsOf(valueAt(value, list)).flatMap((name, index) =>
    typeof name !== 'string' || name === '' || ids.includes(name)
      ? []
      : [mistake([...list, index], { kind: 'unknown-check', ...named(name, ids) })],
  );
}

function limitMistakes(value: unknown, at: Path): Mistake[] {
  const body = valueAt(value, [...at, 'body']);
  const problem = typeof body === 'string' || typeof body === 'number' ? sizeProblem(body) : undefined;
  return [
    ...['timeout', 'deadline', 'parse'].flatMap((key) => durationMistakes(value, [...at, key])),
    ...(problem === undefined ? [] : [mistake([...at, 'body'], problem, body)]),
  ];
}

/** The mistake of a duration at `path`, if there is a text. */
export function durationMistakes(value: unknown, path: Path): Mistake[] {
  const text = valueAt(value, path);
  const problem = typeof text === 'string' ? durationProblem(text, boundsAt(path)) : undefined;
  return problem === undefined ? [] : [mistake(path, problem, text)];
}

function versionFromMistakes(value: unknown, path: Path): Mistake[] {
  const text = valueAt(value, path);
  if (typeof text !== 'string' || text === '') return [];
  const parsed = parseVersionFrom(text);
  if (parsed.ok) return [];
  const kind = parsed.problem === 'path-outside' ? 'path-outside' : 'version-from';
  return [mistake(path, { kind }, text)];
}

/** The mistakes of request headers, whose values are secret. */
export function headerMistakes(value: unknown, at: Path, env: Environment): Mistake[] {
  const seen = new Set<string>();
  return membersOf(valueAt(value, at)).flatMap(([name, text]): Mistake[] => {
    const path = [...at, name];
    const isTwice = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    if (isTwice) return [{ path, at: 'key', expected: { kind: 'duplicate-key', name } }];
    const expanded = expand(typeof text === 'string' ? text : '', env);
    if (!expanded.ok) return expanded.problems.map((problem) => mistake(path, problem));
    const problem = headerProblem(name, expanded.text);
    if (problem === undefined) return [];
    return [{ path, at: problem === 'header-value' ? 'value' : 'key', expected: { kind: problem, name } }];
  });
}

function ruleMistakes(rules: Path, key: string, codes: Codes): Mistake[] {
  const [check = '', code, ...rest] = key.split('/');
  if (code === undefined || rest.length > 0) return [];
  const at = { path: [...rules, key], at: 'key' } as const;
  const known = codes.get(check);
  if (known === undefined) return [{ ...at, expected: { kind: 'unknown-check', ...named(check, [...codes.keys()]) } }];
  if (known === null || known.includes(code)) return [];
  return [{ ...at, expected: { kind: 'unknown-code', check, ...named(code, known) } }];
}

/** A name that is not known, and the nearest one that is. */
export function named(
  name: string,
  candidates: readonly string[],
): { readonly name: string; readonly nearest?: string } {
  const guess = nearest(name, candidates);
  return guess === undefined ? { name } : { name, nearest: guess };
}
