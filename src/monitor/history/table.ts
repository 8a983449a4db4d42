import type { Style } from '../../report/style.ts';
import { textWidth } from '../../text-width.ts';

/** What stands in a cell. */
export interface TableCell {
  /** Printable. */
  readonly text: string;
  readonly style?: (text: string) => string;
  /** Numbers stand at the right. */
  readonly isRight?: boolean;
}

/** Columns as wide as their widest cell, two spaces between; the header is quiet. */
export function table(header: readonly string[], rows: readonly (readonly TableCell[])[], style: Style): string {
  // A header stands where its column's cells stand.
  const heads = header.map((text, column): TableCell => {
    const isRight = rows[0]?.[column]?.isRight === true;
    return { text, style: style.quiet, isRight };
  });
  const all = [heads, ...rows];
  const widths = header.map((_head, column) => Math.max(...all.map((row) => textWidth(row[column]?.text ?? ''))));
  return all.map((row) => `${lineOf(row, widths)}\n`).join('');
}

function lineOf(row: readonly TableCell[], widths: readonly number[]): string {
  // Nothing is filled up at the end of a line.
  const last = row.findLastIndex(({ text }) => text !== '');
  return row
    .slice(0, last + 1)
    .map(({ text, style = String, isRight = false }, column) => {
      const filling = ' '.repeat(Math.max(0, (widths[column] ?? 0) - textWidth(text)));
      if (isRight) return filling + style(text);
      return column === last ? style(text) : style(text) + filling;
    })
    .join('  ');
}
