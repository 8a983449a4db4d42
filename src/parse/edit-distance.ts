/** How distances are measured. */
export interface EditOptions {
  /** Larger distances are not counted out; no bound by default. */
  readonly most?: number;
  /** Whether two neighbours in the wrong order are one edit (optimal string alignment) and not two. */
  readonly swaps?: boolean;
}

/**
 * How many code units have to be inserted, left out or replaced to make one text of the other (Levenshtein); beyond
 * `most` some number above it. Takes 2 · most + 1 steps for each code unit between the first and the last that differ.
 */
export function editDistance(a: string, b: string, { most = Infinity, swaps = false }: EditOptions = {}): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  const [from, to] = differing(a, b);
  let rows: Rows = { before: [], above: Array.from({ length: to.length + 1 }, (_, column) => column) };
  for (let row = 1; row <= from.length; row++) {
    const current: number[] = [];
    let least = Infinity;
    // Cells farther from the diagonal are certainly beyond `most`.
    for (let column = Math.max(0, row - most); column <= Math.min(to.length, row + most); column++) {
      let edits = column === 0 ? row : plain(rows.above, current, column, from[row - 1] === to[column - 1]);
      if (swaps && isSwapped(from, to, row, column)) edits = Math.min(edits, at(rows.before, column - 2) + 1);
      current[column] = edits;
      least = Math.min(least, edits);
    }
    // Each way on leads through this row; a swap leaps over it, but then costs what it would have cost here.
    if (least > most) return most + 1;
    rows = { before: rows.above, above: current };
  }
  return at(rows.above, to.length);
}

interface Rows {
  readonly before: readonly number[];
  readonly above: readonly number[];
}

/** What is left of two texts without what both begin and end with. */
function differing(a: string, b: string): readonly [string, string] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}

function plain(above: readonly number[], current: readonly number[], column: number, same: boolean): number {
  return Math.min(at(above, column) + 1, at(current, column - 1) + 1, at(above, column - 1) + (same ? 0 : 1));
}

function isSwapped(from: string, to: string, row: number, column: number): boolean {
  return row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
}

/** Outside the band: too many. */
const at = (row: readonly number[], column: number): number => row[column] ?? Infinity;
