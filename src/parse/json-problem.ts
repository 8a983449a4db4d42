import { beginsValue, isComment, TOKEN, tokens } from './json-tokens.ts';
import type { Token, TokenKind } from './json-tokens.ts';

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
export function jsonProblem(text: string): JsonProblem {
  const scan = tokens(text);
  /** The bracket that closes each open level. */
  const closers: number[] = [];
  let expected: Expected = 'value';
  let before: Token | undefined;
  for (;;) {
    const token = scan.next();
    const after: Expected | undefined = token.faulty ? undefined : step(token, expected, closers);
    if (after === undefined) return name(token, { text, expected, before, depth: closers.length });
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
  switch (expected) {
    case 'valueOrClose':
    case 'value':
      return stepIntoValue(kind, closers);
    case 'keyOrClose':
    case 'key':
      return kind === TOKEN.string ? 'colon' : undefined;
    case 'colon':
      return kind === TOKEN.colon ? 'value' : undefined;
    case 'commaOrClose':
      return kind === TOKEN.comma ? afterComma(closers) : undefined;
    case 'end':
    default:
      return undefined;
  }
}

function afterComma(closers: readonly number[]): Expected {
  return closers.at(-1) === TOKEN.closeBrace ? 'key' : 'value';
}

function stepIntoValue(kind: TokenKind, closers: number[]): Expected | undefined {
  if (!beginsValue(kind)) return undefined;
  if (kind !== TOKEN.openBrace && kind !== TOKEN.openBracket) return afterValue(closers);
  closers.push(kind === TOKEN.openBrace ? TOKEN.closeBrace : TOKEN.closeBracket);
  return kind === TOKEN.openBrace ? 'keyOrClose' : 'valueOrClose';
}

function afterValue(closers: readonly number[]): Expected {
  return closers.length === 0 ? 'end' : 'commaOrClose';
}

/** The order matters: what is asked first is the cause of what would be seen later. */
function name(token: Token, place: Place): JsonProblem {
  const swallowed = swallowingString(token, place);
  if (swallowed !== undefined) return { code: 'unclosed-string', offset: swallowed };
  return outsideGrammar(token, place) ?? betweenValues(token, place) ?? ofToken(token, place);
}

/** Comments, and texts that end too early or too late. */
function outsideGrammar({ kind, offset }: Token, { text, expected }: Place): JsonProblem | undefined {
  if (isComment(kind) || (kind === TOKEN.unknown && text[offset] === '#')) return { code: 'comment', offset };
  if (kind === TOKEN.end) return cutShort(text);
  return expected === 'end' ? { code: 'text-after-end', offset } : undefined;
}

/** Commas that are not there and commas too much. */
function betweenValues(token: Token, { text, expected, before }: Place): JsonProblem | undefined {
  if (before === undefined) return undefined;
  if (expected === 'commaOrClose' && lacksComma(token, before, text)) {
    return { code: 'missing-comma', offset: before.end };
  }
  const closes = token.kind === TOKEN.closeBrace || token.kind === TOKEN.closeBracket;
  return closes && before.kind === TOKEN.comma ? { code: 'trailing-comma', offset: before.offset } : undefined;
}

function ofToken(token: Token, place: Place): JsonProblem {
  const { text } = place;
  if (token.kind === TOKEN.string && token.faulty) return faultyString(token, place);
  if (token.kind === TOKEN.number && token.faulty && token.end === text.length) return cutShort(text);
  return unknown(token, place);
}

function cutShort(text: string): JsonProblem {
  return { code: 'cut-short', offset: Math.max(0, text.trimEnd().length - 1) };
}

/**
 * Where a quote was forgotten, the string runs on to the opening quote of the next one, and the trouble shows only
 * after that: `{"a": "x, "b": 1}` has a string `"x, "` with `b` stuck to it. Such a string ends in what stands between
 * two strings, or what is stuck to it is a key. Gives the offset of its opening quote.
 */
function swallowingString(token: Token, { text, expected, before }: Place): number | undefined {
  if (before?.kind !== TOKEN.string || before.end !== token.offset || token.kind === TOKEN.end) return undefined;
  if (expected === 'end' || isPunctuation(token)) return undefined;
  const tail = text.slice(Math.max(before.offset + 1, before.end - 40), before.end - 1);
  if (/[,:{[]\s*$/.test(tail)) return before.offset;
  const ahead = text.slice(token.offset, token.offset + 80);
  return /\s$/.test(tail) && /^[^"\r\n]+"\s*:/.test(ahead) ? before.offset : undefined;
}

function isPunctuation({ kind }: Token): boolean {
  return kind <= TOKEN.colon;
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

/** What remains: a word or sign that is no JSON, or a token in a place where it makes no sense. */
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
