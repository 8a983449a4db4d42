/** How lines look that begin a block of their own (CommonMark, chapter 4). Each is given without its indentation. */
import { htmlStart } from './html.ts';

/** Whether a line begins a heading, a thematic break, code or HTML; `interrupts`: right after a paragraph's line. */
export function beginsBlock(line: string, interrupts: boolean): boolean {
  const character = line.charAt(0);
  if (character === '#') return headingDepth(line) > 0;
  if (character === '`' || character === '~') return openingFence(line) !== null;
  if (character === '*' || character === '-' || character === '_') return isThematicBreak(line);
  const html = character === '<' ? htmlStart(line) : null;
  return html !== null && (html.interrupts || !interrupts);
}

/** Whether a line is a thematic break (section 4.1). Linear. */
export function isThematicBreak(line: string): boolean {
  const marker = line.charCodeAt(0);
  let count = 0;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === marker) count++;
    else if (code !== 0x20 && code !== 0x09) return false;
  }
  return count >= 3;
}

/** Level of the heading that a line underlines (section 4.3); 0: it underlines none. */
export function underlineDepth(line: string): 0 | 1 | 2 {
  if (/^=+[ \t]*$/.test(line)) return 1;
  return /^-+[ \t]*$/.test(line) ? 2 : 0;
}

/** Level of an ATX heading (section 4.2); 0: it is none. */
export function headingDepth(line: string): number {
  return /^(#{1,6})(?:[ \t]|$)/.exec(line)?.[1]?.length ?? 0;
}

/** The opening fence of a block of code (section 4.5). */
export interface Fence {
  readonly marker: string;
  readonly length: number;
  /** As written. */
  readonly language: string | null;
}

export function openingFence(line: string): Fence | null {
  const [, fence, info = ''] = /^(`{3,}|~{3,})[ \t]*([^]*)$/.exec(line) ?? [];
  if (fence === undefined) return null;
  const marker = fence.charAt(0);
  if (marker === '`' && info.includes('`')) return null;
  const [language = ''] = /^[^ \t]*/.exec(info) ?? [];
  return { marker, length: fence.length, language: language === '' ? null : language };
}

export function isClosingFence(line: string, { marker, length }: Fence): boolean {
  let at = 0;
  while (line.charAt(at) === marker) at++;
  return at >= length && /^[ \t]*$/.test(line.slice(at));
}

/** Where the text of an ATX heading begins and ends in its line: without white space and a closing sequence. */
export function headingText(line: string, depth: number): { readonly start: number; readonly end: number } {
  const start = depth + (/^[ \t]*/.exec(line.slice(depth))?.[0].length ?? 0);
  return { start, end: Math.max(start, withoutClosing(line, start)) };
}

function withoutClosing(line: string, from: number): number {
  const end = spaceStart(line, line.length, from);
  let hashes = end;
  while (hashes > from && line.charAt(hashes - 1) === '#') hashes--;
  if (hashes === end || hashes === from) return hashes;
  return /[ \t]/.test(line.charAt(hashes - 1)) ? spaceStart(line, hashes, from) : end;
}

/** Where the white space begins that ends at `end`. */
function spaceStart(line: string, end: number, from: number): number {
  let at = end;
  while (at > from && (line.charAt(at - 1) === ' ' || line.charAt(at - 1) === '\t')) at--;
  return at;
}
