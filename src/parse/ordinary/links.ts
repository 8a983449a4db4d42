/** The parts of links (CommonMark, sections 6.3 and 4.7), as micromark reads them. Every function is linear. */
import {
  BACKSLASH,
  CARRIAGE_RETURN,
  CLOSING_BRACKET,
  CLOSING_PARENTHESIS,
  GREATER_THAN,
  isSpace,
  LESS_THAN,
  LINE_FEED,
  OPENING_BRACKET,
  OPENING_PARENTHESIS,
  APOSTROPHE,
  DELETE,
  QUOTATION_MARK,
  SPACE,
} from './characters.ts';
import { notOrdinary } from './not-ordinary.ts';

/** The parser takes labels of up to 999 characters. */
const LONGEST_LABEL = 900;

/** Where a link label ends that begins with the `[` at `from`, its `]` included; -1: there is none. */
export function labelEnd(text: string, from: number): number {
  let hasText = false;
  for (let at = from + 1; at < text.length; at++) {
    if (at - from > LONGEST_LABEL) notOrdinary();
    const code = text.charCodeAt(at);
    if (code === OPENING_BRACKET) return -1;
    if (code === CLOSING_BRACKET) return hasText ? at + 1 : -1;
    hasText ||= !isSpace(code);
    if (code === BACKSLASH && isOneOf(text.charCodeAt(at + 1), OPENING_BRACKET, BACKSLASH, CLOSING_BRACKET)) at++;
  }
  return -1;
}

function isOneOf(code: number, a: number, b: number, c: number): boolean {
  return code === a || code === b || code === c;
}

/** Where a destination ends that begins at `from`; -1: there is none. `deepest`: how deep parentheses may nest. */
export function destinationEnd(text: string, from: number, deepest: number): number {
  return text.charCodeAt(from) === LESS_THAN ? enclosedEnd(text, from) : rawEnd(text, from, deepest);
}

function enclosedEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === GREATER_THAN) return at + 1;
    if (code === LESS_THAN || code === LINE_FEED || code === CARRIAGE_RETURN) return -1;
    if (code === BACKSLASH && isOneOf(text.charCodeAt(at + 1), LESS_THAN, GREATER_THAN, BACKSLASH)) at++;
  }
  return -1;
}

function rawEnd(text: string, from: number, deepest: number): number {
  let open = 0;
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === OPENING_PARENTHESIS) {
      if (open === deepest) return -1;
      open++;
    } else if (code === CLOSING_PARENTHESIS) {
      if (open === 0) break;
      open--;
    } else if (code === BACKSLASH) {
      if (isOneOf(text.charCodeAt(at + 1), OPENING_PARENTHESIS, CLOSING_PARENTHESIS, BACKSLASH)) at++;
    } else if (code <= SPACE || code === DELETE) {
      if (open > 0 || !isSpace(code)) return -1;
      break;
    }
  }
  return open > 0 || at === from ? -1 : at;
}

/** Where a title ends that begins with the mark at `from`; -1: it does not end. */
export function titleEnd(text: string, from: number): number {
  const mark = text.charCodeAt(from) === OPENING_PARENTHESIS ? CLOSING_PARENTHESIS : text.charCodeAt(from);
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === mark) return at + 1;
    if (code === BACKSLASH && (text.charCodeAt(at + 1) === mark || text.charCodeAt(at + 1) === BACKSLASH)) at++;
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
  if (text.charCodeAt(start) === CLOSING_PARENTHESIS) return { destination: '', end: start + 1 };
  const end = destinationEnd(text, start, DEEPEST);
  if (end === -1) return null;
  const after = afterDestination(text, end);
  if (text.charCodeAt(after) !== CLOSING_PARENTHESIS) return null;
  const enclosed = text.charCodeAt(start) === LESS_THAN ? 1 : 0;
  return { destination: text.slice(start + enclosed, end - enclosed), end: after + 1 };
}

/** Where `)` has to stand. */
function afterDestination(text: string, from: number): number {
  const after = spaceEnd(text, from);
  if (after === from || !isOneOf(text.charCodeAt(after), QUOTATION_MARK, APOSTROPHE, OPENING_PARENTHESIS)) return after;
  const title = titleEnd(text, after);
  const end = title === -1 ? -1 : spaceEnd(text, title);
  // What is no title after all may be taken for one again and again, up to the same end: that takes quadratic time.
  return text.charCodeAt(end) === CLOSING_PARENTHESIS ? end : notOrdinary();
}

/** Where white space ends, line ends included. */
export function spaceEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}
