/** Where a finding shows: in the repository where it is known there, else on the site. Pure. */
import type { Finding, Location } from '../check.ts';
import { printable } from '../printable.ts';
import { placeOf } from './facts.ts';
import type { Locate, RepositoryPlace } from './options.ts';

/** The place in the repository that a finding is about; `null` where none is known. */
export function repositoryPlaceOf({ location, evidence }: Finding, locate: Locate): RepositoryPlace | null {
  if (location !== undefined) return locate(location);
  // A file as a whole, or the first of several that are old: which of its lines is at fault is not told.
  const path = [evidence['path'] ?? null, evidence['old'] ?? null].flat().find((value) => typeof value === 'string');
  const place = path === undefined ? null : locate({ path, line: 1, column: 1 });
  return place === null ? null : { ...place, line: null, column: null };
}

/** `docs/navigation.md:3:5`, in the repository where it is known there, else on the site. */
function shownPlace(location: Location, locate: Locate): string {
  const place = locate(location);
  if (place === null) return placeOf(location);
  return [printable(place.file), place.line, place.column].filter((part) => part !== null).join(':');
}

/** All places of a finding, the first one first and each once; none where it has none. */
export function shownPlacesOf({ location, places = [] }: Finding, locate: Locate): readonly string[] {
  const all = [...(location === undefined ? [] : [location]), ...places];
  return [...new Set(all.map((place) => shownPlace(place, locate)))];
}

/** All places of a finding as text; of one about a file as a whole that file, where it is known in the repository. */
export function placesOrFileOf(finding: Finding, locate: Locate): readonly string[] {
  const places = shownPlacesOf(finding, locate);
  const file = places.length === 0 ? repositoryPlaceOf(finding, locate) : null;
  return file === null ? places : [printable(file.file)];
}
