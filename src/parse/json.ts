import { visit } from 'jsonc-parser';
import { jsonProblem } from './json-problem.ts';
import type { JsonProblem } from './json-problem.ts';
import { TOKEN, tokens } from './json-tokens.ts';

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

/** The offset of a member's value in an object at the top of a valid JSON text (of the last such member); 0 when there is none. */
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
  const builder = new Builder();
  try {
    visit(closeStrings(text), builder.visitor(), { allowTrailingComma: true });
  } catch (error) {
    // jsonc-parser is recursive: the nesting used up the stack. Or there are too many objects and lists.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return builder.root;
}

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
    const end = offset + 1 + withoutPunctuation(inside).length;
    closed = `${closed.slice(0, end)}"${closed.slice(end)}`;
  }
  return closed;
}

function withoutPunctuation(inside: string): string {
  let end = inside.length;
  while (end > 0 && ' ,:{}[]'.includes(inside.charAt(end - 1))) end--;
  return inside.slice(0, end);
}

/** The codes of jsonc-parser's ParseErrorCode for a faulty string, which it reports before the string itself. */
const FAULTY_STRING: ReadonlySet<number> = new Set([12, 14, 15, 16]);

/** Builds a value from a visit. Only the first value at the top counts. */
class Builder {
  root: unknown;
  #done = false;
  #key = '';
  #skipNext = false;
  #containers = 0;
  readonly #open: (unknown[] | Record<string, unknown>)[] = [];

  visitor(): Parameters<typeof visit>[1] {
    const close = (): void => {
      this.#open.pop();
    };
    return {
      onObjectBegin: () => this.#begin(Object.create(null) as Record<string, unknown>),
      onArrayBegin: () => this.#begin([]),
      onObjectEnd: close,
      onArrayEnd: close,
      onObjectProperty: (key) => {
        this.#key = key;
        this.#skipNext = false;
      },
      onLiteralValue: (value: unknown) => {
        if (!this.#skipNext) this.#add(value);
        this.#skipNext = false;
      },
      onError: (code) => {
        this.#skipNext = FAULTY_STRING.has(code);
      },
    };
  }

  #begin(value: unknown[] | Record<string, unknown>): void {
    if (++this.#containers > MOST_RECOVERED) throw new RangeError('too many objects and lists');
    this.#add(value);
    this.#open.push(value);
  }

  #add(value: unknown): void {
    const parent = this.#open.at(-1);
    if (Array.isArray(parent)) parent.push(value);
    else if (parent !== undefined) parent[this.#key] = value;
    else if (!this.#done) this.root = value;
    this.#done = true;
  }
}
