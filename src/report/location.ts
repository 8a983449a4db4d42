/** Where a finding shows: in the repository where it is known there, else on the site. Pure. */
import type { Finding, Location } from '../check.ts';
import { printable } from '../printable.ts';
import { locationText } from './facts.ts';
import type { Locate, RepositoryLocation } from './options.ts';

/** The place in the repository that a finding is about; `null` where none is known. */
export function repositoryLocationOf({ location, evidence }: Finding, locate: Locate): RepositoryLocation | null {
  if (location !== undefined) return locate(location);
  // A file as a whole, or the first of several that are old: which of its lines is at fault is not told.
  const path = [evidence['path'] ?? null, evidence['old'] ?? null].flat().find((value) => typeof value === 'string');
  const inRepository = path === undefined ? null : locate({ path, line: 1, column: 1 });
  return inRepository === null ? null : { ...inRepository, line: null, column: null };
}

/** `docs/navigation.md:3:5`, in the repository where it is known there, else on the site. */
function shownLocation(location: Location, locate: Locate): string {
  const inRepository = locate(location);
  if (inRepository === null) return locationText(location);
  return [printable(inRepository.file), inRepository.line, inRepository.column]
    .filter((part) => part !== null)
    .join(':');
}

/** All places of a finding, the first one first and each once; none where it has none. */
export function shownLocationsOf({ location, locations = [] }: Finding, locate: Locate): readonly string[] {
  const all = [...(location === undefined ? [] : [location]), ...locations];
  return [...new Set(all.map((inRepository) => shownLocation(inRepository, locate)))];
}

/** All places of a finding as text; of one about a file as a whole that file, where it is known in the repository. */
export function locationsOrFileOf(finding: Finding, locate: Locate): readonly string[] {
  const locations = shownLocationsOf(finding, locate);
  const file = locations.length === 0 ? repositoryLocationOf(finding, locate) : null;
  return file === null ? locations : [printable(file.file)];
}
