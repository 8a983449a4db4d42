/** A place in a text. Both count from 1; `column` counts UTF-16 code units, as editors do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The lines around a fault, for a code frame. */
export interface CodeExcerpt {
  /** Number of the first of `lines`, from 1. */
  readonly firstLine: number;
  readonly lines: readonly string[];
  /** Where the fault sits in its line as written in `lines` (from 1, UTF-16 code units); only when a column was given. */
  readonly caretColumn?: number;
}

/** Longest line of an excerpt, in UTF-16 code units; minified JSON is one line of a megabyte. */
const WIDEST = 120;

const LF = 0x0a;
const CR = 0x0d;

/** The line and column of a UTF-16 offset. Lines end with `\n`, `\r\n` or `\r`. An offset past the end means the end. */
export function position(text: string, offset: number): Position {
  const end = Math.min(Math.max(offset, 0), text.length);
  let line = 1;
  let start = 0;
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code !== LF && code !== CR) continue;
    // The \r of \r\n is not a separate line end.
    if (code === CR && text.charCodeAt(at + 1) === LF) continue;
    line++;
    start = at + 1;
  }
  return { line, column: end - start + 1 };
}

/** Finds the lines and columns of offsets that come in order, in one pass over the text. Otherwise as `position`. */
function positionsIn(text: string): (offset: number) => Position {
  const ends = /\r\n|\n|\r/g;
  let line = 1;
  let start = 0;
  let end = ends.exec(text);
  return (offset) => {
    const at = Math.min(Math.max(offset, 0), text.length);
    while (end !== null && ends.lastIndex <= at) {
      line++;
      start = ends.lastIndex;
      end = ends.exec(text);
    }
    return { line, column: at - start + 1 };
  };
}

/** The places of offsets in any order, each looked for once, in one pass over the text. */
export function positionsOf(text: string, offsets: Iterable<number>): ReadonlyMap<number, Position> {
  const positionAt = positionsIn(text);
  const sorted = [...new Set(offsets)].toSorted((a, b) => a - b);
  return new Map(sorted.map((offset) => [offset, positionAt(offset)]));
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

/** How far a line may reach beyond a place for its neighbour to be looked for (UTF-16 code units). */
const FURTHEST = 16 * 1024;

/**
 * As `excerpt` with one line on each side, for a place whose offset is known: the time does not grow with the text. A
 * neighbour is left out where the line before it, or the rest of the line, is very long.
 */
export function excerptAt(text: string, offset: number, { line, column }: Position): CodeExcerpt {
  const at = Math.min(Math.max(offset, 0), text.length);
  const start = at - column + 1;
  const end = endOfLine(text, at);
  const before = lineBefore(text, start);
  const after = lineAfter(text, end);
  const shown = cut(text, start, end, at);
  const head = ({ start: from, end: to }: Span): string => cut(text, from, to, from).line;
  return {
    firstLine: before === null ? line : line - 1,
    lines: [...(before === null ? [] : [head(before)]), shown.line, ...(after === null ? [] : [head(after)])],
    caretColumn: shown.caret,
  };
}

/** Where the line ends that `at` is in, or the furthest that is looked. */
function endOfLine(text: string, at: number): number {
  const near = text.slice(at, at + FURTHEST);
  const end = near.search(/[\r\n]/);
  return at + (end === -1 ? near.length : end);
}

function lineAfter(text: string, end: number): Span | null {
  const width = /^(?:\r\n|\n|\r)/.exec(text.slice(end, end + 2))?.[0].length ?? 0;
  return width === 0 ? null : { start: end + width, end: endOfLine(text, end + width) };
}

function lineBefore(text: string, start: number): Span | null {
  if (start === 0) return null;
  const end = start - (text.slice(Math.max(0, start - 2), start) === '\r\n' ? 2 : 1);
  const from = Math.max(0, end - FURTHEST);
  const near = text.slice(from, end);
  const last = Math.max(near.lastIndexOf('\n'), near.lastIndexOf('\r'));
  return last === -1 && from > 0 ? null : { start: from + last + 1, end };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The spans of the lines `first` to `last`, without their line ends; fewer where the text has fewer. */
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

/** The line between `start` and `end`, cut to the widest around the offset `at`, and the column of `at` in it. */
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
