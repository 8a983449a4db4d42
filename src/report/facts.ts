/** Evidence as lines of text: names as in the JSON report, values printable. Pure. */
import type { Evidence, Finding, Json, Location } from '../check.ts';
import { printable } from '../printable.ts';

/** Places of one finding that are shown besides its first. */
const MOST_PLACES = 5;

/** `navigation.md:3:5` */
export function placeOf({ path, line, column }: Location): string {
  return `${printable(path)}:${line}:${column}`;
}

/** The evidence of a finding, with the other places where it shows: the first of them, or all that are known. */
export function evidenceOf({ evidence, location, places = [] }: Finding, all: boolean): Evidence {
  const others = places.filter((place) => location === undefined || placeOf(place) !== placeOf(location));
  if (others.length === 0) return evidence;
  const shown = all ? others : others.slice(0, MOST_PLACES);
  const more = others.length - shown.length;
  return { ...evidence, also: [...shown.map(placeOf), ...(more === 0 ? [] : [`… +${more}`])].join(', ') };
}

/** A value as `name text`; a list of objects as one fact for each, its members behind one another. Nothing for `null`. */
export function factsOf(name: string, value: Json): string[] {
  if (value === null) return [];
  if (typeof value === 'string') return [`${name} ${printable(value)}`];
  if (!Array.isArray(value)) return [`${name} ${printable(JSON.stringify(value))}`];
  if (value.every((item) => typeof item === 'string')) return [`${name} ${printable(value.join(', '))}`];
  if (!value.every((item) => typeof item === 'object' && item !== null)) {
    return [`${name} ${printable(JSON.stringify(value))}`];
  }
  return value.map((item: Json, index) => {
    const members = Object.entries(item as Evidence).flatMap(([key, member]) => factsOf(key, member));
    return `${name}[${index}]: ${members.join(', ')}`;
  });
}
