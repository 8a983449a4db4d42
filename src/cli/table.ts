import { textWidth } from '../text-width.ts';

/** Rows as lines, each column as wide as its widest cell; the last one as it is. */
export function table(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length)) - 1;
  const widths = Array.from({ length: columns }, (_, cell) =>
    Math.max(...rows.map((row) => textWidth(row[cell] ?? ''))),
  );
  const padded = (text: string, cell: number): string =>
    text + ' '.repeat(Math.max(0, (widths[cell] ?? 0) - textWidth(text)));
  return rows
    .map(
      (row) =>
        `${row
          .map((text, cell) => padded(text, cell))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
