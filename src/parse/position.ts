/** Both count from 1; `column` counts UTF-16 code units, as editors do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface CodeExcerpt {
  readonly firstLine: number;
  readonly lines: readonly string[];
  /** In its line as written in `lines` (from 1, UTF-16 code units); only when a column was given. */
  readonly caretColumn?: number;
}

/** Longest line of an excerpt, in UTF-16 code units; minified JSON is one line of a megabyte. */
const WIDEST = 120;

/** Lines end with `\n`, `\r\n` or `\r`. An offset past the end means the end. */
export function position(text: string, offset: number): Position {
  return positionsOf(text, [offset]).get(offset) ?? { line: 1, column: 1 };
}

/** In one pass over the text. */
export function positionsOf(text: string, offsets: Iterable<number>): ReadonlyMap<number, Position> {
  const ends = /\r\n|\n|\r/g;
  let line = 1;
  let start = 0;
  let end = ends.exec(text);
  const sorted = [...new Set(offsets)].toSorted((a, b) => a - b);
  const entries = sorted.map((offset) => {
    const at = Math.min(Math.max(offset, 0), text.length);
    while (end !== null && ends.lastIndex <= at) {
      line++;
      start = ends.lastIndex;
      end = ends.exec(text);
    }
    return [offset, { line, column: at - start + 1 }] as const;
  });
  return new Map(entries);
}

/**
 * The line `line` (from 1) with `around` lines on each side. With `column`, a long line is cut around it and
 * `caretColumn` shows where it went; other long lines are cut at their end. Cuts are marked with `…`.
 */
export function excerpt(text: string, line: number, around = 1, column?: number): CodeExcerpt {
  const first = Math.max(1, line - around);
  const raw = linesFrom(text, first, line + around);
  let caretColumn: number | undefined;
  const lines = raw.map(({ start, end }, index) => {
    if (column === undefined || first + index !== line) return cut(text, start, end, start).line;
    const at = Math.min(start + Math.max(column, 1) - 1, end);
    const shown = cut(text, start, end, at);
    caretColumn = shown.caret;
    return shown.line;
  });
  return { firstLine: first, lines, ...(caretColumn === undefined ? {} : { caretColumn }) };
}

/** How much of a text around an offset is searched for its line and the neighbours (UTF-16 code units). */
const NEAR = 16 * 1024;

/** The time does not grow with the text. A neighbour is left out where lines are very long. */
export function excerptAt(text: string, offset: number, { line }: Position): CodeExcerpt {
  const from = Math.max(0, offset - NEAR);
  const near = text.slice(from, offset + NEAR);
  const at = position(near, offset - from);
  const found = excerpt(near, at.line, 1, at.column);
  // The first line of the part has lost its beginning.
  const skipped = from > 0 && at.line === 2 ? 1 : 0;
  return { ...found, firstLine: line - at.line + found.firstLine + skipped, lines: found.lines.slice(skipped) };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Fewer where the text has fewer. */
function linesFrom(text: string, first: number, last: number): Span[] {
  const ends = /\r\n|\n|\r/g;
  const spans: Span[] = [];
  let start = 0;
  for (let line = 1; line <= last; line++) {
    const end = ends.exec(text);
    if (line >= first) spans.push({ start, end: end === null ? text.length : end.index });
    if (end === null) break;
    start = ends.lastIndex;
  }
  return spans;
}

/** Cut to the widest around the offset `at`; with the column of `at` in it. */
function cut(text: string, start: number, end: number, at: number): { line: string; caret: number } {
  if (end - start <= WIDEST) return { line: text.slice(start, end), caret: at - start + 1 };
  const room = WIDEST - 2;
  let from = Math.max(start, Math.min(at - Math.floor(room / 2), end - room));
  let to = Math.min(end, from + room);
  // A surrogate pair stays whole.
  if (from > start && isLowSurrogate(text, from)) from++;
  if (to < end && isLowSurrogate(text, to)) to--;
  const before = from > start ? '…' : '';
  return { line: `${before}${text.slice(from, to)}${to < end ? '…' : ''}`, caret: at - from + before.length + 1 };
}

function isLowSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}
