/** What is known of a target by the places that link to it. Pure. */
import type { LinkedFrom } from './facts.ts';

/** How many places of a target, or of a finding, are kept; the others are counted. */
export const MOST_LOCATIONS = 100;

/** Whether all links to a target stand in one file. `path`: of that file; `null`: of none. */
export function onlyIn(linked: LinkedFrom, path: string | null): boolean {
  // Places are made when they are asked for.
  if (path === null || linked.count === 0 || linked.count > MOST_LOCATIONS) return false;
  const { locations, count } = linked;
  return count <= locations.length && locations.every((location) => location.path === path);
}
