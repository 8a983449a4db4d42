import { createScanner, parse } from 'jsonc-parser';
import type { Json } from '../core/answer.ts';

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: JsonProblem };

/** An object, a list or a key takes about 64 bytes of memory, a plain value or an escape in a string 16. */
const MOST_VALUES = 1_000_000;
const CONTAINER = 4;
/** In UTF-16 code units: the tokens of a longer text take long. */
const LONGEST_SEARCHED = 64 * 1024;

/** RFC 8259, no BOM. Never throws. The value may nest as deep as the text does. */
export function parseJson(text: string, mostValues: number = MOST_VALUES): ParsedJson {
  const parsed = jsonValue(text, mostValues);
  if (parsed.ok) return parsed;
  const { excess } = parsed;
  return { ok: false, problem: excess === null ? jsonProblem(text) : { code: 'parse-limit', offset: excess } };
}

type JsonValue =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; /** Where the limit is exceeded; `null`: it is not JSON. */ readonly excess: number | null };

/** Without a reason: finding one in a long text takes many times as long as parsing it. */
export function jsonValue(text: string, mostValues: number = MOST_VALUES): JsonValue {
  const excess = excessOffset(text, mostValues);
  if (excess !== null) return { ok: false, excess };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, excess };
  }
}

/** What is odd in a valid text; what is wrong with another one. */
export function explainJson(text: string, isValid: boolean): readonly (JsonNote | JsonProblem)[] {
  return isValid ? jsonNotes(text) : [jsonProblem(text)];
}

/** `null`: it does not exceed the limit. */
function excessOffset(text: string, most: number): number | null {
  if (text.length <= most / CONTAINER) return null;
  let values = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') inString = !inString;
    else if (inString && (sign === '\n' || sign === '\r')) inString = false;
    else if (inString && sign === '\\') {
      at++;
      values += 1;
    } else if (inString) continue;
    else if (sign === ',') values += 1;
    else if (sign === ':' || sign === '[' || sign === '{') values += CONTAINER;
    if (values > most) return at;
  }
  return null;
}

/** `undefined`: missing, or the value is not an object. */
export function member(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as { readonly [key: string]: Json })[name] : undefined;
}

/** Of the last such member of the object at the top of a valid text; 0 if missing, or if the text is long. */
export function memberOffset(text: string, key: string): number {
  if (text.length > LONGEST_SEARCHED) return 0;
  let depth = 0;
  let found = 0;
  let isName = false;
  let valueNext = false;
  for (const { kind, offset, value } of tokens(text)) {
    if (valueNext) found = offset;
    if (kind === '{' || kind === '[') depth += 1;
    if (kind === '}' || kind === ']') depth -= 1;
    valueNext = isName && kind === ':';
    isName = depth === 1 && kind === 'string' && value === key;
  }
  return found;
}

/** Longer broken texts (UTF-16 code units) are not recovered: each error costs memory and time. */
const LONGEST_RECOVERED = 64 * 1024;

/** Ignores comments, wrong commas and missing quotes, leaves broken members out. `undefined`: nothing can be read. */
export function recoverJson(text: string): unknown {
  if (text.length > LONGEST_RECOVERED) return undefined;
  const closed = closeStrings(text);
  const good: string[] = [];
  for (const { kind, offset, end, faulty, value } of tokens(closed)) {
    // Under this name jsonc-parser would set a prototype instead of a member.
    const isWanted = kind !== '?' && kind !== 'comment' && value !== '__proto__';
    if (isWanted && !faulty) good.push(closed.slice(offset, end));
  }
  try {
    return parse(good.join(' '), [], { allowTrailingComma: true });
  } catch (error) {
    // jsonc-parser, which is recursive, ran out of stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Each costs a scan. */
const MOST_QUOTES = 5;

/** Inserts missing closing quotes before the punctuation that ends the line or leads to the next quote. */
function closeStrings(text: string): string {
  let closed = text;
  for (let count = 0; count < MOST_QUOTES; count++) {
    const { code, offset } = jsonProblem(closed);
    if (code !== 'unclosed-string') return closed;
    const inside = /^[^"\r\n]*/.exec(closed.slice(offset + 1))?.[0] ?? '';
    // The string does end, but has a raw control character.
    if (CONTROL.test(inside)) return closed;
    const end = offset + 1 + inside.replace(/(?<![ ,:{}[\]])[ ,:{}[\]]+$/, '').length;
    closed = `${closed.slice(0, end)}"${closed.slice(end)}`;
  }
  return closed;
}

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f]/;

/** By the numbers of jsonc-parser's SyntaxKind, a const enum that isolated modules cannot read; space gives no token. */
const KINDS = '? { } [ ] , : literal literal literal string number comment comment ? ? ? end'.split(' ') as TokenKind[];

export type TokenKind = '{' | '}' | '[' | ']' | ',' | ':' | 'literal' | 'string' | 'number' | 'comment' | 'end' | '?';

interface Token {
  readonly kind: TokenKind;
  readonly offset: number;
  readonly end: number;
  /** The token itself is invalid: an open string, an invalid escape, `1.` */
  readonly faulty: boolean;
  /** Its text; of a string without quotes and with its escapes undone. */
  readonly value: string;
}

/** Comments included. The last is `end`. */
function* tokens(text: string): Generator<Token> {
  const scanner = createScanner(text, false);
  const space = /[ \t\r\n]+/y;
  let kind: TokenKind;
  do {
    // The scanner would gather white space into a string, letter by letter.
    space.lastIndex = scanner.getPosition();
    if (space.test(text)) scanner.setPosition(space.lastIndex);
    kind = KINDS[scanner.scan() as number] ?? '?';
    const offset = scanner.getTokenOffset();
    const end = offset + scanner.getTokenLength();
    yield { kind, offset, end, faulty: (scanner.getTokenError() as number) !== 0, value: scanner.getTokenValue() };
  } while (kind !== 'end');
}

/** Why a text is not JSON (RFC 8259), as a person would say it, and where: a UTF-16 offset into the text. */
export interface JsonProblem {
  readonly code: (typeof TESTS)[number][0] | 'parse-limit';
  readonly offset: number;
}

type Expected = 'value' | 'valueOrClose' | 'key' | 'keyOrClose' | 'colon' | 'commaOrClose' | 'end';

interface Fault extends Token {
  readonly text: string;
  readonly ahead: string;
  readonly expected: Expected;
  readonly before: Token;
  readonly depth: number;
}

/** Iterative, linear in time. */
function jsonProblem(text: string): JsonProblem {
  const closers: TokenKind[] = [];
  let expected: Expected = 'value';
  let before: Token = { kind: 'end', offset: 0, end: 0, faulty: false, value: '' };
  for (const token of tokens(text)) {
    const after: Expected | undefined = token.faulty ? undefined : step(token, expected, closers);
    if (after === undefined) {
      const ahead = text.slice(token.offset, token.offset + 80);
      return problemOf({ ...token, text, ahead, expected, before, depth: closers.length });
    }
    expected = after;
    before = token;
  }
  throw new Error('no token follows the end');
}

/** Moves over one good token; `undefined` where the grammar does not allow it (the end included). */
function step({ kind }: Token, expected: Expected, closers: TokenKind[]): Expected | undefined {
  if (expected.endsWith('OrClose') && kind === closers.at(-1)) {
    closers.pop();
    return afterValue(closers);
  }
  if (expected.startsWith('key')) return kind === 'string' ? 'colon' : undefined;
  if (expected === 'colon') return kind === ':' ? 'value' : undefined;
  if (expected === 'commaOrClose') {
    if (kind !== ',') return undefined;
    return closers.at(-1) === '}' ? 'key' : 'value';
  }
  return expected === 'end' || !VALUES.has(kind) ? undefined : enterValue(kind, closers);
}

function enterValue(kind: TokenKind, closers: TokenKind[]): Expected {
  if (kind !== '{' && kind !== '[') return afterValue(closers);
  closers.push(kind === '{' ? '}' : ']');
  return kind === '{' ? 'keyOrClose' : 'valueOrClose';
}

const afterValue = (closers: readonly TokenKind[]): Expected => (closers.length === 0 ? 'end' : 'commaOrClose');

const VALUES: ReadonlySet<TokenKind> = new Set<TokenKind>(['{', '[', 'literal', 'string', 'number']);

/** An earlier test is the cause of what a later one would find. A test gives the offset of the problem, or `false`. */
const TESTS = [
  ['unclosed-string', (fault) => isSwallowing(fault) && fault.before.offset],
  ['comment', ({ ahead, offset }) => /^(?:\/[/*]|#)/.test(ahead) && offset],
  ['incomplete', (fault) => fault.kind === 'end' && lastOf(fault)],
  ['text-after-end', ({ expected, offset }) => expected === 'end' && offset],
  ['missing-comma', (fault) => fault.expected === 'commaOrClose' && lacksComma(fault) && fault.before.end],
  ['trailing-comma', ({ kind, before }) => /^[}\]]$/.test(kind) && before.kind === ',' && before.offset],
  ['incomplete', (fault) => isCutShort(fault) && lastOf(fault)],
  ['syntax', (fault) => isFaultyString(fault) && (invalidEscape(fault) ?? false)],
  ['control-character', (fault) => isFaultyString(fault) && controlInClosedString(fault)],
  ['unclosed-string', (fault) => isFaultyString(fault) && fault.offset],
  ['single-quotes', ({ ahead, offset }) => ahead.startsWith("'") && offset],
  ['unquoted-key', ({ expected, ahead, offset }) => expected.startsWith('key') && KEY.test(ahead) && offset],
  // `01`, `0x1f`, `1.2.3`: the number is invalid as a whole.
  ['syntax', ({ before, kind, offset }) => isPartOfNumber(before, kind, offset) && before.offset],
  ['not-a-number', ({ ahead, offset }) => /^(?:[-+]?(?:NaN|Infinity)|undefined)(?![\w$])/.test(ahead) && offset],
] as const satisfies readonly (readonly [string, (fault: Fault) => number | false])[];

const KEY = /^[\p{L}\d_$-]/u;

const isPartOfNumber = ({ kind, end }: Token, next: TokenKind, offset: number): boolean =>
  kind === 'number' && end === offset && (next === 'number' || next === 'comment' || next === '?');

const isFaultyString = ({ kind, faulty }: Fault): boolean => kind === 'string' && faulty;

function problemOf(fault: Fault): JsonProblem {
  for (const [code, test] of TESTS) {
    const offset = test(fault);
    if (offset !== false) return { code, offset };
  }
  return { code: 'syntax', offset: fault.offset };
}

/** An unclosed string runs on to the next string: `{"a": "x, "b": 1}` has `"x, "` with `b` stuck to it. */
function isSwallowing({ kind, offset, before, text, ahead, expected }: Fault): boolean {
  if (before.kind !== 'string' || before.end !== offset || kind === 'end' || expected === 'end') return false;
  if ('{}[],:'.includes(kind)) return false;
  const tail = text.slice(Math.max(before.offset + 1, before.end - 40), before.end - 1);
  return /[,:{[]\s*$/.test(tail) || (/\s$/.test(tail) && /^[^"\r\n]+"\s*:/.test(ahead));
}

/** A value follows a value. One that is stuck to it (`01`, `"x""}`) is another mistake than a missing comma. */
function lacksComma({ kind, offset, before, faulty, ahead }: Fault): boolean {
  const isApart = offset > before.end;
  if (VALUES.has(kind)) return isApart || (!faulty && kind !== 'number');
  // A key that has faults of its own: `{"a": 1 b: 2}`, `{"a": 1 'b': 2}`.
  return isApart && kind === '?' && /^(?:[\p{L}_$][\p{L}\p{N}_$-]*|'[^'\r\n]*')\s*:/u.test(ahead);
}

const lastOf = ({ text }: Fault): number => Math.max(0, text.trimEnd().length - 1);

function isCutShort(fault: Fault): boolean {
  const { kind, end, text, offset, expected, depth } = fault;
  if (end < text.length) return false;
  if (kind === 'number') return fault.faulty;
  if (isFaultyString(fault)) {
    const escape = invalidEscape(fault);
    if (escape !== undefined) return /^\\(?:u[\da-f]{0,3})?$/i.test(text.slice(escape));
    // Where the string took the closing brackets with it, only its quote is missing.
    return depth > 0 && !/[}\]]$/.test(text.slice(-1000).trimEnd());
  }
  if (kind !== '?' || !/^(?:value|commaOrClose)/.test(expected)) return false;
  return /^(?:t|tr|tru|f|fa|fal|fals|n|nu|nul|-)$/.test(text.slice(offset));
}

/** Before any raw control. */
function invalidEscape({ text, offset, end }: Fault): number | undefined {
  for (let at = offset + 1; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20) return undefined;
    if (code !== 0x5c) continue;
    if (!/^\\(?:["\\/bfnrt]|u[\da-f]{4})/i.test(text.slice(at, at + 6))) return at;
    at++;
  }
  return undefined;
}

const LONGEST_LINE = 64 * 1024;

/** A raw tab or other control in a string whose quote is closed on its line: the quote is not what is missing. */
function controlInClosedString({ text, offset }: Fault): number | false {
  const line = /^"(?:[^"\\\r\n]|\\.)*"/.exec(text.slice(offset, offset + LONGEST_LINE))?.[0] ?? '';
  const control = line.search(CONTROL);
  return control !== -1 && offset + control;
}

/** Something odd in valid JSON, at a UTF-16 offset. */
export interface JsonNote {
  /**
   * `duplicate-key`: at the later key. `deep-nesting`: more than 500 levels, at the bracket that opens level 501; once,
   * with the greatest `depth`. `number-range`: a number that a double cannot hold. `proto-key`: a `__proto__` key.
   */
  readonly code: 'duplicate-key' | 'deep-nesting' | 'number-range' | 'proto-key';
  readonly offset: number;
  readonly key?: string;
  readonly depth?: number;
  /** As written; cut if long. */
  readonly literal?: string;
}

const DEEPEST = 500;
const MOST_OF_A_CODE = 10;
const LONGEST_SHOWN = 80;

/** At most ten of each code. Iterative and linear; duplicates are searched for in the first 500 levels. */
export function jsonNotes(text: string): JsonNote[] {
  const notes: JsonNote[] = [];
  const add = (note: JsonNote): void => {
    if (notes.filter(({ code }) => code === note.code).length < MOST_OF_A_CODE) notes.push(note);
  };
  /** The keys of each open object; `null`: a list, or too deep. */
  const open: { readonly isObject: boolean; readonly keys: Set<string> | null }[] = [];
  let [deepStart, depth] = [-1, 0];
  const enter = (isObject: boolean, offset: number): void => {
    open.push({ isObject, keys: open.length < DEEPEST ? new Set() : null });
    if (open.length > DEEPEST && deepStart === -1) deepStart = offset;
    depth = Math.max(depth, open.length);
  };
  const addKey = (key: string, offset: number): void => {
    const keys = open.at(-1)?.keys;
    if (key === '__proto__') add({ code: 'proto-key', offset, key });
    if (keys?.has(key) === true) add({ code: 'duplicate-key', offset, key: short(key) });
    keys?.add(key);
  };
  let keyNext = false;
  for (const { kind, offset, value } of tokens(text)) {
    if (kind === '{' || kind === '[') enter(kind === '{', offset);
    else if (kind === '}' || kind === ']') open.pop();
    else if (kind === 'string' && keyNext) addKey(value, offset);
    else if (kind === 'number' && losesValue(value)) {
      add({ code: 'number-range', offset, literal: short(value) });
    }
    keyNext = kind === '{' || (kind === ',' && open.at(-1)?.isObject === true);
  }
  if (deepStart !== -1) add({ code: 'deep-nesting', offset: deepStart, depth });
  return notes.toSorted((a, b) => a.offset - b.offset);
}

/** Whether reading the number as a double gives another one: infinite, zero from non-zero, or an integer that loses digits. */
function losesValue(literal: string): boolean {
  // Fifteen digits always fit; most numbers end here.
  if (literal.length <= 15 && !/e/i.test(literal)) return false;
  const value = Number(literal);
  if (!Number.isFinite(value)) return true;
  if (value === 0) return /[1-9]/.test(literal.split(/e/i, 1)[0] ?? '');
  // A finite integer has at most 309 digits, so BigInt stays cheap.
  return /^-?\d+$/.test(literal) && !Number.isSafeInteger(value) && BigInt(literal) !== BigInt(value);
}

function short(text: string): string {
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN - 1)}…`;
}
