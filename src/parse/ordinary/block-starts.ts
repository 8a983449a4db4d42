/** How lines look that begin a block of their own (CommonMark, chapter 4). Each is given without its indentation. */
import {
  ASTERISK,
  BACKTICK,
  blankEnd,
  blankStart,
  DASH,
  EQUALS,
  HASH,
  isBlank,
  LESS_THAN,
  runEnd,
  TILDE,
  UNDERSCORE,
} from './characters.ts';
import { htmlStart } from './html.ts';

/** What a line may begin, by its first character; `null`: nothing but a paragraph. */
export function startedBy(code: number): 'heading' | 'fence' | 'html' | 'break' | null {
  if (code === HASH) return 'heading';
  if (code === BACKTICK || code === TILDE) return 'fence';
  if (code === LESS_THAN) return 'html';
  return code === ASTERISK || code === DASH || code === UNDERSCORE ? 'break' : null;
}

/** Whether a line does begin it; `interrupts`: right after a paragraph's line. */
export function beginsBlock(line: string, interrupts: boolean): boolean {
  const start = startedBy(line.charCodeAt(0));
  if (start === null) return false;
  if (start === 'heading') return headingDepth(line) > 0;
  if (start === 'fence') return openingFence(line) !== null;
  if (start === 'break') return isThematicBreak(line);
  const html = htmlStart(line);
  return html !== null && (html.interrupts || !interrupts);
}

/** Whether a line is a thematic break (section 4.1), its first character being one of those that make them. Linear. */
export function isThematicBreak(line: string): boolean {
  const marker = line.charCodeAt(0);
  let count = 0;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === marker) count++;
    else if (!isBlank(code)) return false;
  }
  return count >= 3;
}

/** Level of the heading that a line underlines (section 4.3); 0: it underlines none. */
export function underlineDepth(line: string): 0 | 1 | 2 {
  const code = line.charCodeAt(0);
  if (code !== EQUALS && code !== DASH) return 0;
  if (blankEnd(line, runEnd(line, 0), line.length) < line.length) return 0;
  return code === EQUALS ? 1 : 2;
}

/** Level of an ATX heading (section 4.2), `line` beginning with `#`; 0: it is none. */
export function headingDepth(line: string): number {
  const depth = runEnd(line, 0);
  return depth <= 6 && (depth === line.length || isBlank(line.charCodeAt(depth))) ? depth : 0;
}

/** Where the text of an ATX heading begins and ends in its line: without white space and a closing sequence. */
export function headingText(line: string, depth: number): { readonly start: number; readonly end: number } {
  const start = blankEnd(line, depth, line.length);
  return { start, end: withoutClosing(line, start) };
}

function withoutClosing(line: string, from: number): number {
  const end = blankStart(line, from, line.length);
  let hashes = end;
  while (hashes > from && line.charCodeAt(hashes - 1) === HASH) hashes--;
  if (hashes === end || hashes === from) return hashes;
  return isBlank(line.charCodeAt(hashes - 1)) ? blankStart(line, from, hashes) : end;
}

/** The opening fence of a block of code (section 4.5). */
export interface Fence {
  /** What it is made of, as a code unit. */
  readonly marker: number;
  readonly length: number;
  /** As written. */
  readonly language: string | null;
}

/** The fence that a line is, which begins with a backtick or a tilde; `null`: it is none. */
export function openingFence(line: string): Fence | null {
  const marker = line.charCodeAt(0);
  const length = runEnd(line, 0);
  if (length < 3) return null;
  const start = blankEnd(line, length, line.length);
  if (marker === BACKTICK && line.includes('`', start)) return null;
  let end = start;
  while (end < line.length && !isBlank(line.charCodeAt(end))) end++;
  return { marker, length, language: end === start ? null : line.slice(start, end) };
}

/** Whether a line closes what a fence opened. */
export function isClosingFence(line: string, { marker, length }: Fence): boolean {
  if (line.charCodeAt(0) !== marker) return false;
  const end = runEnd(line, 0);
  return end >= length && blankEnd(line, end, line.length) === line.length;
}
