/**
 * How many letters are added, lost or replaced between two words; two neighbours in the wrong order count as one (optimal
 * string alignment). The time grows with the product of the lengths.
 */
export function editDistance(a: string, b: string): number {
  const at = (row: readonly number[], column: number): number => row[column] ?? Infinity;
  let before: readonly number[] = [];
  let above: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = at(above, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwapped = row > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwapped ? at(before, column - 2) + 1 : Infinity;
      current.push(Math.min(at(above, column) + 1, at(current, column - 1) + 1, replaced, swapped));
    }
    [before, above] = [above, current];
  }
  return at(above, b.length);
}

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
