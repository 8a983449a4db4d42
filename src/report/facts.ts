/** Evidence as lines of text: names as in the JSON report, values printable. Pure. */
import type { Evidence, Json, Location } from '../check.ts';
import { printable } from '../printable.ts';
import { shortJson } from './short-json.ts';

const LONGEST_JSON = 10_000;
/** Lists of objects within each other that are told member by member. */
const DEEPEST = 2;

/** `navigation.md:3:5` */
export function placeOf({ path, line, column }: Location): string {
  return `${printable(path)}:${line}:${column}`;
}

/**
 * A value as `name text`; a list of objects as one fact for each, its members behind one another. Nothing for `null`.
 * Of what lies deep in a value, the beginning.
 */
export function factsOf(name: string, value: Json, depth = 0): string[] {
  if (value === null) return [];
  const shown = printable(name);
  if (typeof value === 'string') return [`${shown} ${printable(value)}`];
  if (isList(value) && value.every((item) => typeof item === 'string'))
    return [`${shown} ${printable(value.join(', '))}`];
  if (depth === DEEPEST || !isList(value) || !value.every(isObject)) {
    return [`${shown} ${printable(shortJson(value, LONGEST_JSON))}`];
  }
  return value.map((item, index) => {
    const members = Object.entries(item).flatMap(([key, member]) => factsOf(key, member, depth + 1));
    return `${shown}[${index}]: ${members.join(', ')}`;
  });
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

const isObject = (value: Json): value is Evidence => typeof value === 'object' && value !== null && !isList(value);
