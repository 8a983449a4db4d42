import { editDistance } from '../parse/edit-distance.ts';

/** An unknown name, with the candidate that it was probably meant to be. */
export function withNearest(name: string, candidates: readonly string[]) {
  const guess = nearest(name, candidates);
  return guess === undefined ? { name } : { name, nearest: guess };
}

/** The candidate that `name` was probably meant to be, or `undefined` when none is near. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  const begun = candidates.filter((candidate) => wanted.length > 3 && candidate.toLowerCase().startsWith(wanted));
  if (begun.length === 1) return begun[0];
  let best: string | undefined;
  // One slip for short names, up to a third of the letters for long ones.
  let least = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const slips = editDistance(wanted, candidate.toLowerCase());
    if (slips < least) [best, least] = [candidate, slips];
  }
  return best;
}
