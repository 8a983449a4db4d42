/** GFM's tables, as micromark reads them: any `|` that is not escaped divides cells, in code, too. */
import { BACKSLASH, blankEnd, blankStart, COLON, DASH, PIPE } from './characters.ts';

/** A cell: where its text begins and ends, without the white space around it. */
export interface Cell {
  readonly start: number;
  readonly end: number;
}

const DELIMITER_ROW = /^\|?[ \t]*(?::?-+:?[ \t]*(?:\|[ \t]*|$))+$/;

/** How many cells a delimiter row has; 0: the line is none. It needs a pipe or a colon, or it is an underline. */
export function delimiterCells(line: string): number {
  const first = line.charCodeAt(0);
  if (first !== PIPE && first !== COLON && first !== DASH) return 0;
  if (!/[|:]/.test(line) || !DELIMITER_ROW.test(line)) return 0;
  return line.match(/-+/g)?.length ?? 0;
}

/** The cells of a row, `from` and `to` being the line without its indentation; an empty one is at its pipe. Linear. */
export function rowCells(text: string, from: number, to: number): Cell[] {
  const cells: Cell[] = [];
  let start = from;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) {
      const next = text.charCodeAt(at + 1);
      if (at + 1 < to && (next === BACKSLASH || next === PIPE)) at++;
    } else if (code === PIPE) {
      if (at > from) cells.push(trimmed(text, start, at));
      start = at + 1;
    }
  }
  const last = trimmed(text, start, to);
  if (last.start < last.end) cells.push(last);
  return cells;
}

function trimmed(text: string, from: number, to: number): Cell {
  const start = blankEnd(text, from, to);
  return { start, end: blankStart(text, start, to) };
}
