import { createScanner, visit } from 'jsonc-parser';
import type { Json } from '../answer.ts';

/** A JSON text read, or where and why it cannot be. */
export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: JsonProblem };

/**
 * Most values of a JSON text: an object, a list or a key counts as four, because it takes about 64 bytes of memory where
 * a plain value takes 16; an escape in a string counts as one. A configuration has a few hundred, and one of ten megabytes that is hostile ten million.
 */
const MOST_VALUES = 1_000_000;

/**
 * Reads a JSON text (RFC 8259, no BOM). `JSON.parse` decides whether it is valid; our own scan finds the place of the error.
 * Never throws, and never parses a text of more than `mostValues` values: that is a `parse-limit` where the first excess value begins.
 * The value may nest as deep as the text does: a `deep-nesting` note warns those who would walk it.
 */
export function parseJson(text: string, mostValues: number = MOST_VALUES): ParsedJson {
  const excess = excessOffset(text, mostValues);
  if (excess !== null) return { ok: false, problem: { code: 'parse-limit', offset: excess } };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, problem: jsonProblem(text) };
  }
}

/** Where a text exceeds `most` values; `null`: it does not. A text that is not JSON is measured up to its first error at least. */
function excessOffset(text: string, most: number): number | null {
  if (text.length <= most / CONTAINER) return null;
  let values = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) inString = !inString;
    else if (inString && (code === LINE_FEED || code === CARRIAGE_RETURN)) inString = false;
    else if (inString && code === BACKSLASH) {
      at++;
      values += 1;
    } else if (inString) continue;
    else if (code === COMMA) values += 1;
    else if (code === COLON || code === OPEN_BRACKET || code === OPEN_BRACE) values += CONTAINER;
    if (values > most) return at;
  }
  return null;
}

const CONTAINER = 4;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;

/** The offset of a member's value in an object at the top of a valid JSON text (of the last such member); 0 if missing. */
export function memberOffset(text: string, key: string): number {
  const scan = tokens(text);
  let depth = 0;
  let offset = 0;
  let isName = false;
  let valueNext = false;
  for (let token = scan.next(); token.kind !== TOKEN.end; token = scan.next()) {
    if (valueNext) offset = token.offset;
    if (token.kind === TOKEN.openBrace || token.kind === TOKEN.openBracket) depth += 1;
    if (token.kind === TOKEN.closeBrace || token.kind === TOKEN.closeBracket) depth -= 1;
    valueNext = isName && token.kind === TOKEN.colon;
    isName = depth === 1 && token.kind === TOKEN.string && scan.value() === key;
  }
  return offset;
}

/** Broken configurations above this size (UTF-16 code units) are not recovered: each error costs memory. */
const LARGEST_RECOVERED = 1 << 20;
/** Nor are those with more objects and lists. */
const MOST_RECOVERED = 50_000;

/**
 * What can still be read of a broken JSON text: comments, trailing and missing commas and forgotten quotes forgiven,
 * a broken member left out. `undefined` where nothing can be read, the text is too large or nests too deep. Objects have no prototype.
 */
export function recoverJson(text: string): unknown {
  if (text.length > LARGEST_RECOVERED) return undefined;
  // Only the first value at the top counts.
  const top: unknown[] = [];
  const open: (unknown[] | Record<string, unknown>)[] = [top];
  let containers = 0;
  let key = '';
  let skipNext = false;
  const add = (value: unknown): void => {
    const parent = open.at(-1) ?? top;
    if (Array.isArray(parent)) parent.push(value);
    else parent[key] = value;
  };
  const begin = (value: unknown[] | Record<string, unknown>): void => {
    if (++containers > MOST_RECOVERED) throw new RangeError('too many objects and lists');
    add(value);
    open.push(value);
  };
  const close = (): void => void open.pop();
  const visitor: Parameters<typeof visit>[1] = {
    onObjectBegin: () => begin(Object.create(null) as Record<string, unknown>),
    onArrayBegin: () => begin([]),
    onObjectEnd: close,
    onArrayEnd: close,
    onObjectProperty: (name) => {
      key = name;
      skipNext = false;
    },
    onLiteralValue: (value: unknown) => {
      if (!skipNext) add(value);
      skipNext = false;
    },
    onError: (code) => {
      skipNext = FAULTY_STRING.has(code);
    },
  };
  try {
    visit(closeStrings(text), visitor, { allowTrailingComma: true });
  } catch (error) {
    // jsonc-parser is recursive: the nesting used up the stack. Or there are too many objects and lists.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return top[0];
}

/** The codes of jsonc-parser's ParseErrorCode for a faulty string, which it reports before the string itself. */
const FAULTY_STRING: ReadonlySet<number> = new Set([12, 14, 15, 16]);

/** How many forgotten quotes are put back; each costs a scan. */
const MOST_QUOTES = 5;

/** Puts forgotten closing quotes where they most likely stood: before the punctuation that ends the line or leads to the next quote. */
function closeStrings(text: string): string {
  let closed = text;
  for (let round = 0; round < MOST_QUOTES; round++) {
    const { code, offset } = jsonProblem(closed);
    if (code !== 'unclosed-string') return closed;
    const run = /[^"\r\n]*/y;
    run.lastIndex = offset + 1;
    const inside = run.exec(closed)?.[0] ?? '';
    // A raw control in a string that does end.
    // oxlint-disable-next-line no-control-regex
    if (/[\u0000-\u001f]/.test(inside)) return closed;
    let end = offset + 1 + inside.length;
    while (end > offset + 1 && ' ,:{}[]'.includes(closed.charAt(end - 1))) end--;
    closed = `${closed.slice(0, end)}"${closed.slice(end)}`;
  }
  return closed;
}

/** The scanner's token kinds (jsonc-parser declares them as a const enum, which isolated modules cannot read). */
export const TOKEN = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  null: 7,
  true: 8,
  false: 9,
  string: 10,
  number: 11,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  space: 15,
  unknown: 16,
  end: 17,
} as const;

/** One of the kinds of `TOKEN`. */
export type TokenKind = (typeof TOKEN)[keyof typeof TOKEN];

/** A token of JSON, comment or unknown text. `end` is the offset after it. */
export interface Token {
  readonly kind: TokenKind;
  readonly offset: number;
  readonly end: number;
  /** Set when the scanner found the token itself faulty: an open string, a bad escape, `1.` */
  readonly faulty: boolean;
}

/** The tokens of a text, one by one, white space left out, comments kept. After the last comes `end`, again and again. */
export function tokens(text: string) {
  const scanner = createScanner(text, false);
  const space = /[ \t\r\n]+/y;
  return {
    next: (): Token => {
      // The scanner would gather white space into a string, letter by letter.
      space.lastIndex = scanner.getPosition();
      if (space.test(text)) scanner.setPosition(space.lastIndex);
      const kind = scanner.scan() as TokenKind;
      const offset = scanner.getTokenOffset();
      return {
        kind,
        offset,
        end: offset + scanner.getTokenLength(),
        faulty: (scanner.getTokenError() as number) !== 0,
      };
    },
    /** The text of the latest token; strings without quotes and with their escapes undone. */
    value: () => scanner.getTokenValue(),
  };
}

/** True for the kinds that a value can begin with. */
function beginsValue(kind: TokenKind): boolean {
  return kind === TOKEN.openBrace || kind === TOKEN.openBracket || (kind >= TOKEN.null && kind <= TOKEN.number);
}

/** Why a text is not JSON (RFC 8259), as a person would say it, and where: a UTF-16 offset into the text. */
export interface JsonProblem {
  readonly code: JsonProblemCode;
  readonly offset: number;
}

/**
 * `trailing-comma` at the comma · `unclosed-string` at the opening quote of the string that was left open (a raw line
 * end counts) · `control-character` at a raw tab or the like in a string · `comment` at its start · `single-quotes` at the quote · `unquoted-key` at the key ·
 * `missing-comma` right after the value before it · `not-a-number` (NaN, Infinity, -Infinity, undefined) ·
 * `cut-short` at the last character that is not white space · `text-after-end` at the first character too much ·
 * `syntax` for the rest, at the token or bad escape · `parse-limit` where the text holds more values than are parsed.
 */
type JsonProblemCode =
  | 'trailing-comma'
  | 'unclosed-string'
  | 'comment'
  | 'single-quotes'
  | 'unquoted-key'
  | 'missing-comma'
  | 'control-character'
  | 'not-a-number'
  | 'cut-short'
  | 'text-after-end'
  | 'syntax'
  | 'parse-limit';

/** What may come next. `*OrClose`: right after the bracket that opened. */
type Expected = 'value' | 'valueOrClose' | 'key' | 'keyOrClose' | 'colon' | 'commaOrClose' | 'end';

/** How far a string's end is looked for. */
const LONGEST_LINE = 64 * 1024;

interface Place {
  readonly text: string;
  readonly expected: Expected;
  /** The token before, if any. */
  readonly before: Token | undefined;
  readonly depth: number;
}

/** The first problem of a text that `JSON.parse` refused. Iterative, linear in time, one number a level of nesting. */
function jsonProblem(text: string): JsonProblem {
  const scan = tokens(text);
  /** The bracket that closes each open level. */
  const closers: number[] = [];
  let expected: Expected = 'value';
  let before: Token | undefined;
  for (;;) {
    const token = scan.next();
    const after: Expected | undefined = token.faulty ? undefined : step(token, expected, closers);
    if (after === undefined) return problemOf(token, { text, expected, before, depth: closers.length });
    expected = after;
    before = token;
  }
}

/** Moves over one good token; `undefined` where the grammar does not allow it (the end included). */
function step({ kind }: Token, expected: Expected, closers: number[]): Expected | undefined {
  if (expected.endsWith('OrClose') && kind === closers.at(-1)) {
    closers.pop();
    return afterValue(closers);
  }
  if (expected === 'key' || expected === 'keyOrClose') return kind === TOKEN.string ? 'colon' : undefined;
  if (expected === 'colon') return kind === TOKEN.colon ? 'value' : undefined;
  if (expected === 'commaOrClose') {
    if (kind !== TOKEN.comma) return undefined;
    return closers.at(-1) === TOKEN.closeBrace ? 'key' : 'value';
  }
  return expected === 'end' || !beginsValue(kind) ? undefined : stepIntoValue(kind, closers);
}

function afterValue(closers: readonly number[]): Expected {
  return closers.length === 0 ? 'end' : 'commaOrClose';
}

function stepIntoValue(kind: TokenKind, closers: number[]): Expected {
  if (kind !== TOKEN.openBrace && kind !== TOKEN.openBracket) return afterValue(closers);
  closers.push(kind === TOKEN.openBrace ? TOKEN.closeBrace : TOKEN.closeBracket);
  return kind === TOKEN.openBrace ? 'keyOrClose' : 'valueOrClose';
}

const COMMENTS: ReadonlySet<TokenKind> = new Set([TOKEN.lineComment, TOKEN.blockComment]);

/** The order matters: what is asked first is the cause of what would be seen later. */
function problemOf(token: Token, place: Place): JsonProblem {
  const { kind, offset, end, faulty } = token;
  const { text, expected, before } = place;
  if (before !== undefined && isSwallowing(before, token, place)) {
    return { code: 'unclosed-string', offset: before.offset };
  }
  if (COMMENTS.has(kind) || (kind === TOKEN.unknown && text[offset] === '#')) return { code: 'comment', offset };
  if (kind === TOKEN.end) return cutShort(text);
  if (expected === 'end') return { code: 'text-after-end', offset };
  const comma = before && commaProblem(token, before, place);
  if (comma !== undefined) return comma;
  if (kind === TOKEN.string && faulty) return faultyString(token, place);
  return kind === TOKEN.number && faulty && end === text.length ? cutShort(text) : unknown(token, place);
}

/** Commas that are not there and commas too much. */
function commaProblem(token: Token, before: Token, { text, expected }: Place): JsonProblem | undefined {
  if (expected === 'commaOrClose' && lacksComma(token, before, text)) {
    return { code: 'missing-comma', offset: before.end };
  }
  const closes = token.kind === TOKEN.closeBrace || token.kind === TOKEN.closeBracket;
  return closes && before.kind === TOKEN.comma ? { code: 'trailing-comma', offset: before.offset } : undefined;
}

function cutShort(text: string): JsonProblem {
  return { code: 'cut-short', offset: Math.max(0, text.trimEnd().length - 1) };
}

/**
 * Where a quote was forgotten, the string runs on to the opening quote of the next one, and the trouble shows only
 * after that: `{"a": "x, "b": 1}` has a string `"x, "` with `b` stuck to it. Such a string ends in the text between
 * two strings, or what is stuck to it is a key.
 */
function isSwallowing(before: Token, token: Token, { text, expected }: Place): boolean {
  const isPunctuation = token.kind <= TOKEN.colon;
  if (before.kind !== TOKEN.string || before.end !== token.offset || token.kind === TOKEN.end) return false;
  if (expected === 'end' || isPunctuation) return false;
  const tail = text.slice(Math.max(before.offset + 1, before.end - 40), before.end - 1);
  if (/[,:{[]\s*$/.test(tail)) return true;
  const ahead = text.slice(token.offset, token.offset + 80);
  return /\s$/.test(tail) && /^[^"\r\n]+"\s*:/.test(ahead);
}

/** A value follows a value. One that is stuck to it (`01`, `"x""}`) is another slip than a forgotten comma. */
function lacksComma(token: Token, before: Token, text: string): boolean {
  const apart = token.offset > before.end;
  if (beginsValue(token.kind)) return apart || (!token.faulty && token.kind !== TOKEN.number);
  if (token.kind !== TOKEN.unknown || !apart) return false;
  // A key that has faults of its own: `{"a": 1 b: 2}`, `{"a": 1 'b': 2}`.
  return /^(?:[\p{L}_$][\p{L}\p{N}_$-]*|'[^'\r\n]*')\s*:/u.test(text.slice(token.offset, token.offset + 80));
}

/** A string with a raw control or line end, without an end, or with a bad escape. */
function faultyString(token: Token, { text, depth }: Place): JsonProblem {
  const { offset } = token;
  const bad = badEscape(text, offset + 1, token.end);
  if (bad === text.length || (bad === undefined && token.end === text.length && endsOpen(text, depth))) {
    return cutShort(text);
  }
  if (bad !== undefined) return { code: 'syntax', offset: bad };
  return controlInClosedString(text, offset) ?? { code: 'unclosed-string', offset };
}

/** A raw tab or other control in a string whose quote is closed on its line: the quote is not what is missing. */
function controlInClosedString(text: string, start: number): JsonProblem | undefined {
  const line = /^"(?:[^"\\\r\n]|\\.)*"/.exec(text.slice(start, start + LONGEST_LINE))?.[0];
  // oxlint-disable-next-line no-control-regex -- controls are what is looked for
  const control = line?.search(/[\u0000-\u001f]/) ?? -1;
  return control === -1 ? undefined : { code: 'control-character', offset: start + control };
}

/**
 * A text that ends inside a string was cut short, unless the string took the closing brackets with it
 * (then only its quote is missing) or there was nothing to close.
 */
function endsOpen(text: string, depth: number): boolean {
  return depth > 0 && !/[}\]]$/.test(text.slice(-1000).trimEnd());
}

/** The offset of the first bad escape before any raw control; the text's length for one that the end cuts off. */
function badEscape(text: string, from: number, end: number): number | undefined {
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20) return undefined;
    if (code !== 0x5c) continue;
    const escape = text.slice(at, at + 6);
    if (!/^\\(?:["\\/bfnrt]|u[\da-f]{4})/i.test(escape)) {
      return /^\\(?:u[\da-f]{0,3})?$/i.test(escape) && at + escape.length === text.length ? text.length : at;
    }
    at++;
  }
  return undefined;
}

/** What remains: a word or sign that is not JSON, or a token in a place where it makes no sense. */
function unknown({ kind, offset }: Token, { text, expected, before }: Place): JsonProblem {
  const ahead = text.slice(offset, offset + 20);
  if (kind === TOKEN.unknown && ahead.startsWith("'")) return { code: 'single-quotes', offset };
  if (expected === 'key' || expected === 'keyOrClose') {
    return { code: /^[\p{L}\d_$-]/u.test(ahead) ? 'unquoted-key' : 'syntax', offset };
  }
  // `01`, `0x1f`, `1.2.3`: the number is at fault as a whole.
  const stuck = before?.kind === TOKEN.number && before.end === offset && kind >= TOKEN.number;
  if (stuck) return { code: 'syntax', offset: before.offset };
  if (/^(?:[-+]?(?:NaN|Infinity)|undefined)(?![\w$])/.test(ahead)) return { code: 'not-a-number', offset };
  return kind === TOKEN.unknown && isCutWord(ahead.trimEnd(), text.length - offset, expected)
    ? cutShort(text)
    : { code: 'syntax', offset };
}

/** The text ends inside `true`, `false`, `null` or right after a minus sign. */
function isCutWord(word: string, length: number, expected: Expected): boolean {
  if (length > word.length || expected === 'colon') return false;
  return ['true', 'false', 'null', '-0'].some((whole) => whole !== word && whole.startsWith(word));
}

/** A member of an object in JSON; `undefined` if missing, or if the text is not an object. */
export function member(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as { readonly [key: string]: Json })[name] : undefined;
}
