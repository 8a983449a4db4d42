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
