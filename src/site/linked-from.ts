/** What is known of a target by the places that link to it. Pure. */
import type { LinkedFrom } from './facts.ts';

/** How many places of a target, or of a finding, are kept; the others are counted. */
export const MOST_PLACES = 100;

/** Whether all links to a target stand in one file. `path`: of that file; `null`: of none. */
export function onlyIn({ places, count }: LinkedFrom, path: string | null): boolean {
  return count > 0 && path !== null && count <= places.length && places.every((place) => place.path === path);
}
