import type { Excerpt } from '../core/finding.ts';

/** Both count from 1; `column` counts UTF-16 code units, as editors do. */
export interface Position {
  readonly line: number;
  readonly column: number;
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

/** How much of a text around an offset is searched for its line and the neighbours (UTF-16 code units). */
const NEAR = 16 * 1024;

/**
 * The line of an offset, which is number `line`, with its neighbours; one is left out where lines are very long. Long
 * lines are cut, that of the offset around it. The time does not grow with the text.
 */
export function excerpt(text: string, offset: number, line: number): Excerpt {
  const from = Math.max(0, offset - NEAR);
  const near = text.slice(from, offset + NEAR);
  const at = position(near, offset - from);
  // The first line of a part has lost its beginning.
  const first = Math.max(at.line - 1, at.line > 1 && from > 0 ? 2 : 1);
  const all = near.split(/\r\n|\n|\r/).slice(first - 1, at.line + 1);
  const shown = all.map((one, index) => cut(one, first + index === at.line ? at.column - 1 : 0));
  return {
    firstLine: line - at.line + first,
    lines: shown.map((one) => one.line),
    caretColumn: shown[at.line - first]?.caret ?? 1,
  };
}

/** Cut to the widest around an offset. `caret`: the column of the offset in the cut line. */
function cut(line: string, at: number): { readonly line: string; readonly caret: number } {
  if (line.length <= WIDEST) return { line, caret: at + 1 };
  const room = WIDEST - 2;
  let from = Math.max(0, Math.min(at - Math.floor(room / 2), line.length - room));
  let to = Math.min(line.length, from + room);
  // A surrogate pair stays whole.
  if (from > 0 && isLowSurrogate(line, from)) from++;
  if (to < line.length && isLowSurrogate(line, to)) to--;
  const before = from > 0 ? '…' : '';
  return {
    line: `${before}${line.slice(from, to)}${to < line.length ? '…' : ''}`,
    caret: at - from + before.length + 1,
  };
}

function isLowSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}

/** Where two texts, bytes or lists first differ; the shorter's length where it begins the other; `null`: they are the same. */
export function firstDifference(one: ArrayLike<unknown>, other: ArrayLike<unknown>): number | null {
  const length = Math.max(one.length, other.length);
  for (let at = 0; at < length; at++) if (one[at] !== other[at]) return at;
  return null;
}
