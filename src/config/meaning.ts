/**
 * What a schema cannot say: names that must exist, variables, addresses, ranges. It runs over files whose form may be
 * wrong as well, so it looks at no value before it knows its type.
 */
import { expand, type Environment } from './environment.ts';
import { durationProblem, sizeProblem } from './expectations.ts';
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

/** The mistakes of meaning in everything but the checks of the user's own. */
export function meaningMistakes(value: unknown, env: Environment, known: Known): Mistake[] {
  const own = itemsOf(valueAt(value, ['checks'])).flatMap((check) => {
    const id = valueAt(check, ['id']);
    return typeof id === 'string' ? [id] : [];
  });
  const codes = new Map<string, readonly string[] | null>([
    ...own.map((id) => [id, known.own] as const),
    ...Object.entries(known.builtIn),
  ]);
  return [
    ...urlMistakes(valueAt(value, ['url']), env),
    ...['only', 'skip'].flatMap((list) => checkMistakes(value, list, [...codes.keys()])),
    ...limitMistakes(value),
    ...headerMistakes(valueAt(value, ['headers']), env),
    ...membersOf(valueAt(value, ['rules'])).flatMap(([key]) => ruleMistakes(key, codes)),
    ...versionFromMistakes(valueAt(value, ['versionFrom'])),
    ...itemsOf(valueAt(value, ['resolve'])).flatMap((entry, index) =>
      typeof entry !== 'string' || parseResolve(entry) !== undefined
        ? []
        : [mistake(['resolve', index], { kind: 'resolve' }, entry)],
    ),
  ];
}

function urlMistakes(url: unknown, env: Environment): Mistake[] {
  if (typeof url !== 'string' || url === '') return [];
  const expanded = expand(url, env);
  if (!expanded.ok) return expanded.problems.map((problem) => mistake(['url'], problem));
  // The value is never shown: it may carry userinfo or what a variable held.
  const parsed = URL.parse(expanded.text);
  if (parsed?.protocol === 'file:') return [mistake(['url'], { kind: 'file-url' })];
  const isWeb = parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.hostname !== '';
  return isWeb ? [] : [mistake(['url'], { kind: 'url' })];
}

function checkMistakes(value: unknown, list: string, ids: readonly string[]): Mistake[] {
  return itemsOf(valueAt(value, [list])).flatMap((name, index) =>
    typeof name !== 'string' || name === '' || ids.includes(name)
      ? []
      : [mistake([list, index], { kind: 'unknown-check', ...named(name, ids) })],
  );
}

function limitMistakes(value: unknown): Mistake[] {
  const body = valueAt(value, ['limits', 'body']);
  const problem = typeof body === 'string' || typeof body === 'number' ? sizeProblem(body) : undefined;
  return [
    ...['timeout', 'deadline', 'parse'].flatMap((key) => durationMistakes(value, ['limits', key])),
    ...(problem === undefined ? [] : [mistake(['limits', 'body'], problem, body)]),
  ];
}

/** The mistake of a duration at `path`, if there is a text. */
export function durationMistakes(value: unknown, path: Path): Mistake[] {
  const text = valueAt(value, path);
  const problem = typeof text === 'string' ? durationProblem(text) : undefined;
  return problem === undefined ? [] : [mistake(path, problem, text)];
}

function versionFromMistakes(text: unknown): Mistake[] {
  if (typeof text !== 'string' || text === '') return [];
  const parsed = parseVersionFrom(text);
  if (parsed.ok) return [];
  const kind = parsed.problem === 'path-outside' ? 'path-outside' : 'version-from';
  return [mistake(['versionFrom'], { kind }, text)];
}

function headerMistakes(headers: unknown, env: Environment): Mistake[] {
  const seen = new Set<string>();
  return membersOf(headers).flatMap(([name, text]): Mistake[] => {
    const path = ['headers', name];
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

function ruleMistakes(key: string, codes: ReadonlyMap<string, readonly string[] | null>): Mistake[] {
  const [check = '', code, ...rest] = key.split('/');
  if (code === undefined || rest.length > 0) return [];
  const at = { path: ['rules', key], at: 'key' } as const;
  const known = codes.get(check);
  if (known === undefined) return [{ ...at, expected: { kind: 'unknown-check', ...named(check, [...codes.keys()]) } }];
  if (known === null || known.includes(code)) return [];
  return [{ ...at, expected: { kind: 'unknown-code', check, ...named(code, known) } }];
}

function named(name: string, candidates: readonly string[]): { readonly name: string; readonly nearest?: string } {
  const guess = nearest(name, candidates);
  return guess === undefined ? { name } : { name, nearest: guess };
}
