/** Reads the query of API requests. What is wrong with it is thrown as a `bad-parameter`. */
import { RequestProblem } from '../problem.ts';

/** A time: ISO 8601 with its zone, or a date (UTC). In ms since 1970; `null`: not given. */
export function timeParameter(search: URLSearchParams, name: string): number | null {
  const given = one(search, name);
  if (given === null) return null;
  const isTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/i.test(given);
  const time = isTime ? Date.parse(given) : NaN;
  if (Number.isNaN(time)) throw new RequestProblem('bad-parameter', name);
  return time;
}

/** A whole number from 1 to `most`. */
export function limitParameter(search: URLSearchParams, otherwise: number, most: number): number {
  const given = one(search, 'limit');
  if (given === null) return otherwise;
  const limit = /^\d{1,9}$/.test(given) ? Number(given) : 0;
  if (limit < 1 || limit > most) throw new RequestProblem('bad-parameter', 'limit');
  return limit;
}

/** `true` or `false`; `null`: not given. */
export function flagParameter(search: URLSearchParams, name: string): boolean | null {
  const given = one(search, name);
  if (given === null) return null;
  if (given !== 'true' && given !== 'false') throw new RequestProblem('bad-parameter', name);
  return given === 'true';
}

/** One of a few words. */
export function wordParameter<W extends string>(
  search: URLSearchParams,
  name: string,
  words: readonly W[],
  otherwise: W,
): W {
  const given = one(search, name);
  if (given === null) return otherwise;
  const word = words.find((known) => known === given);
  if (word === undefined) throw new RequestProblem('bad-parameter', name);
  return word;
}

/** A parameter that may be given once; an empty one counts as absent. */
export function one(search: URLSearchParams, name: string): string | null {
  const values = search.getAll(name);
  if (values.length > 1) throw new RequestProblem('bad-parameter', name);
  return values[0] || null;
}

/** A parameter that nobody knows is a mistake: what was to be left out would be reported. */
export function demandKnown(search: URLSearchParams, known: readonly string[]): void {
  const unknown = [...search.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw new RequestProblem('bad-parameter', unknown.slice(0, 40));
}
