/** GFM's tables, as micromark reads them: any `|` that is not escaped divides cells, in code, too. */

/** A cell: where its text begins and ends, without the white space around it. */
export interface Cell {
  readonly start: number;
  readonly end: number;
}

const DELIMITER_ROW = /^\|?[ \t]*(?::?-+:?[ \t]*(?:\|[ \t]*|$))+$/;

/** How many cells a delimiter row has; 0: the line is none. It needs a pipe or a colon, or it is an underline. */
export function delimiterCells(line: string): number {
  if (!/^[|:-]/.test(line) || !/[|:]/.test(line) || !DELIMITER_ROW.test(line)) return 0;
  return line.match(/-+/g)?.length ?? 0;
}

/** The cells of a row, `from` and `to` being the line without its indentation; an empty one is at its pipe. Linear. */
export function rowCells(text: string, from: number, to: number): Cell[] {
  const cells: Cell[] = [];
  let start = from;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) {
      const next = text.charCodeAt(at + 1);
      if (at + 1 < to && (next === 0x5c || next === 0x7c)) at++;
    } else if (code === 0x7c) {
      if (at > from) cells.push(trimmed(text, start, at));
      start = at + 1;
    }
  }
  const last = trimmed(text, start, to);
  if (last.start < last.end) cells.push(last);
  return cells;
}

function trimmed(text: string, from: number, to: number): Cell {
  let start = from;
  let end = to;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return { start, end };
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
