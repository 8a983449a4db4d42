export interface EditOptions {
  /** No bound by default. */
  readonly most?: number;
  /** Whether two neighbours in the wrong order are one edit (optimal string alignment) and not two. */
  readonly swaps?: boolean;
}

/** Levenshtein distance; beyond `most` some number above it. Takes 2 · most + 1 steps for each code unit. */
export function editDistance(a: string, b: string, { most = Infinity, swaps = false }: EditOptions = {}): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: readonly number[] = [];
  let above: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  // A cell outside of the band that is counted is beyond `most`.
  const at = (row: readonly number[], column: number): number => row[column] ?? Infinity;
  for (let row = 1; row <= a.length; row++) {
    const current: number[] = [];
    let least = Infinity;
    for (let column = Math.max(0, row - most); column <= Math.min(b.length, row + most); column++) {
      const replaced = at(above, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwapped = swaps && row > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwapped ? at(before, column - 2) + 1 : Infinity;
      const edits = Math.min(at(above, column) + 1, at(current, column - 1) + 1, replaced, swapped);
      current[column] = column === 0 ? row : edits;
      least = Math.min(least, at(current, column));
    }
    // A swap leaps over this row, but then costs what it would have cost here.
    if (least > most) return most + 1;
    before = above;
    above = current;
  }
  return at(above, b.length);
}
