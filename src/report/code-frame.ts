import stringWidth from 'string-width';
import type { Excerpt, Location } from '../check.ts';
import { printable } from './printable.ts';
import type { Style } from './style.ts';

/** The lines around a fault with a caret under it, as wide as `columns` at most. Lines come without a final newline. */
export function codeFrame(excerpt: Excerpt, location: Location, columns: number, style: Style): readonly string[] {
  const gutter = String(excerpt.firstLine + excerpt.lines.length - 1).length;
  const room = Math.max(10, columns - gutter - 6);
  const caretColumn = excerpt.caretColumn ?? location.column;
  const from = Math.max(0, caretColumn - 1 - Math.floor(room * 0.7));
  return excerpt.lines.flatMap((line, index) => {
    const number = excerpt.firstLine + index;
    const faulty = number === location.line;
    const shown = windowOf(line, from, room);
    const row = `${faulty ? '>' : ' '} ${String(number).padStart(gutter)} | ${shown}`.trimEnd();
    if (!faulty) return [style.quiet(row)];
    const before = windowOf(line.slice(0, caretColumn - 1), from, room);
    const caret = `  ${' '.repeat(gutter)} | ${' '.repeat(stringWidth(before))}^`;
    return [row, style.bad(caret)];
  });
}

/** The part of a line that is shown: from a column on, as much as there is room for. Tabs are one space wide. */
function windowOf(line: string, from: number, room: number): string {
  const start = from === 0 ? '' : '…';
  const characters = printable(line.slice(from === 0 ? 0 : from + 1).replaceAll('\t', ' '));
  return `${start}${characters.slice(0, room - start.length)}`;
}
