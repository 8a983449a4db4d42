/** The parts of links (CommonMark, sections 6.3 and 4.7), as micromark reads them. Every function is linear. */
import { notOrdinary } from './not-ordinary.ts';

/** The parser takes labels of up to 999 characters. */
const LONGEST_LABEL = 900;

/** Where a link label ends that begins with the `[` at `from`, its `]` included; -1: there is none. */
export function labelEnd(text: string, from: number): number {
  let hasText = false;
  for (let at = from + 1; at < text.length; at++) {
    if (at - from > LONGEST_LABEL) notOrdinary();
    const code = text.charCodeAt(at);
    if (code === 0x5b) return -1;
    if (code === 0x5d) return hasText ? at + 1 : -1;
    hasText ||= code !== 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d;
    if (code === 0x5c && isOneOf(text.charCodeAt(at + 1), 0x5b, 0x5c, 0x5d)) at++;
  }
  return -1;
}

function isOneOf(code: number, a: number, b: number, c: number): boolean {
  return code === a || code === b || code === c;
}

/** Where a destination ends that begins at `from`; -1: there is none. `deepest`: how deep parentheses may nest. */
export function destinationEnd(text: string, from: number, deepest: number): number {
  return text.charCodeAt(from) === 0x3c ? enclosedEnd(text, from) : rawEnd(text, from, deepest);
}

function enclosedEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x3e) return at + 1;
    if (code === 0x3c || code === 0x0a || code === 0x0d) return -1;
    if (code === 0x5c && isOneOf(text.charCodeAt(at + 1), 0x3c, 0x3e, 0x5c)) at++;
  }
  return -1;
}

function rawEnd(text: string, from: number, deepest: number): number {
  let open = 0;
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x28) {
      if (open === deepest) return -1;
      open++;
    } else if (code === 0x29) {
      if (open === 0) break;
      open--;
    } else if (code === 0x5c) {
      if (isOneOf(text.charCodeAt(at + 1), 0x28, 0x29, 0x5c)) at++;
    } else if (code <= 0x20 || code === 0x7f) {
      if (open > 0 || !isSpace(code)) return -1;
      break;
    }
  }
  return open > 0 || at === from ? -1 : at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

/** Where a title ends that begins with the mark at `from`; -1: it does not end. */
export function titleEnd(text: string, from: number): number {
  const mark = text.charCodeAt(from) === 0x28 ? 0x29 : text.charCodeAt(from);
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === mark) return at + 1;
    if (code === 0x5c && (text.charCodeAt(at + 1) === mark || text.charCodeAt(at + 1) === 0x5c)) at++;
  }
  return -1;
}

/** What follows the text of an inline link in parentheses; the destination as written, without `<` and `>`. */
export interface Resource {
  readonly destination: string;
  readonly end: number;
}

const DEEPEST = 32;

/** The resource that begins with the `(` at `from`; `null`: there is none. */
export function readResource(text: string, from: number): Resource | null {
  const start = spaceEnd(text, from + 1);
  if (text.charCodeAt(start) === 0x29) return { destination: '', end: start + 1 };
  const end = destinationEnd(text, start, DEEPEST);
  if (end === -1) return null;
  const after = afterDestination(text, end);
  if (text.charCodeAt(after) !== 0x29) return null;
  const enclosed = text.charCodeAt(start) === 0x3c ? 1 : 0;
  return { destination: text.slice(start + enclosed, end - enclosed), end: after + 1 };
}

/** Where `)` has to stand. */
function afterDestination(text: string, from: number): number {
  const after = spaceEnd(text, from);
  if (after === from || !isOneOf(text.charCodeAt(after), 0x22, 0x27, 0x28)) return after;
  const title = titleEnd(text, after);
  // Looking for its end again and again would take quadratic time.
  return title === -1 ? notOrdinary() : spaceEnd(text, title);
}

/** Where white space ends, line ends included. */
export function spaceEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}
