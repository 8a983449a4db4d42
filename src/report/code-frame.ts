import type { Excerpt, Location } from '../check.ts';
import { printable } from '../printable.ts';
import { makeStyle, type Style } from './style.ts';
import { charactersOf, textWidth } from '../text-width.ts';

/** One character of a line as the terminal shows it. */
interface Cell {
  readonly text: string;
  readonly width: number;
}

/** How much of the room may be used before the fault. */
const SHARE_BEFORE_FAULT = 0.7;

/** The lines around a fault with a caret under it, as wide as `columns` at most. Lines come without a final newline. */
export function codeFrame(excerpt: Excerpt, location: Location, columns: number, style: Style): readonly string[] {
  const gutter = String(excerpt.firstLine + excerpt.lines.length - 1).length;
  const room = Math.max(10, columns - gutter - 5);
  const caretColumn = excerpt.caretColumn ?? location.column;
  const faultyLine = excerpt.lines[location.line - excerpt.firstLine] ?? '';
  const before = widthOf(cellsOf(faultyLine.slice(0, caretColumn - 1)));
  const from = Math.max(0, before - Math.floor(room * SHARE_BEFORE_FAULT));
  return excerpt.lines.flatMap((line, index) => {
    const number = excerpt.firstLine + index;
    const faulty = number === location.line;
    const { text, start } = windowOf(cellsOf(line), from, room);
    const row = `${faulty ? '>' : ' '} ${String(number).padStart(gutter)} | ${text}`.trimEnd();
    if (!faulty) return [style.quiet(row)];
    return [row, style.bad(`  ${' '.repeat(gutter)} | ${' '.repeat(before - start)}^`)];
  });
}

/** The characters of a line, each made printable. Tabs are one column wide. */
function cellsOf(line: string): readonly Cell[] {
  return charactersOf(line.replaceAll('\t', ' ')).map((character) => {
    const text = printable(character);
    return { text, width: textWidth(text) };
  });
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { width }) => sum + width, 0);
}

/** The cells between the columns `from` and `from + room`; `start` is the column of what is shown first. */
function windowOf(cells: readonly Cell[], from: number, room: number): { text: string; start: number } {
  let column = 0;
  let text = '';
  let start: number | null = null;
  for (const { text: shown, width } of cells) {
    const fits = column >= from && column + width <= from + room;
    if (fits) {
      start ??= column;
      text += shown;
    }
    column += width;
  }
  return { text, start: start ?? from };
}

const PLAIN_COLUMNS = 100;
const LONGEST_LINE = 2_000;

/** A finding, of a report or of an incident. */
interface Framed {
  readonly excerpt?: Excerpt;
  readonly location?: Location | null;
}

/** The lines around a fault with a caret as plain text, where a finding has them. */
export function frameLines({ excerpt, location }: Framed): readonly string[] {
  if (excerpt === undefined || location === undefined || location === null) return [];
  // Lines are cut around the fault where they are read; were one not, measuring it would take long.
  const lines = excerpt.lines.map((line) => line.slice(0, LONGEST_LINE));
  return codeFrame({ ...excerpt, lines }, location, PLAIN_COLUMNS, makeStyle(false));
}
