import { TOKEN, type TokenKind, tokens } from './json.ts';

/** Something odd in valid JSON. Offsets are UTF-16 offsets into the text; at most ten notes of each code. */
export interface JsonNote {
  /**
   * `duplicate-key`: at the later key. `deep-nesting`: more than 500 levels, at the bracket that opens level 501; once,
   * with the greatest `depth`. `number-range`: a number that a double cannot hold. `proto-key`: a `__proto__` key.
   */
  readonly code: 'duplicate-key' | 'deep-nesting' | 'number-range' | 'proto-key';
  readonly offset: number;
  /** The key, decoded; long ones are cut. */
  readonly key?: string;
  readonly depth?: number;
  /** The number as it is written; long ones are cut. */
  readonly literal?: string;
}

const DEEPEST = 500;
const MOST_OF_A_CODE = 10;
const LONGEST_SHOWN = 80;

/** The notes on a text that `JSON.parse` accepted. Iterative and linear; duplicates are looked for in the first 500 levels. */
export function jsonNotes(text: string): JsonNote[] {
  const scan = tokens(text);
  const notes = new Notes();
  const open: (Keys | null)[] = [];
  let keyNext = false;
  for (let token = scan.next(); token.kind !== TOKEN.end; token = scan.next()) {
    const { kind, offset, end } = token;
    if (kind === TOKEN.openBrace || kind === TOKEN.openBracket) {
      open.push(kind === TOKEN.openBrace ? new Keys() : null);
      notes.level(open.length, offset);
    } else if (kind === TOKEN.closeBrace || kind === TOKEN.closeBracket) {
      open.pop();
    } else if (kind === TOKEN.number) {
      if (losesValue(text, offset, end)) notes.number(offset, text.slice(offset, end));
    } else if (kind === TOKEN.string && keyNext) {
      noteKey(notes, open, offset, scan.value());
    }
    keyNext = startsKey(kind, open);
  }
  return notes.list();
}

function noteKey(notes: Notes, open: readonly (Keys | null)[], offset: number, key: string): void {
  const keys = open.at(-1);
  if (key === '__proto__') notes.key('proto-key', offset, key);
  if (open.length <= DEEPEST && keys?.repeats(key) === true) notes.key('duplicate-key', offset, key);
}

function startsKey(token: TokenKind, open: readonly (Keys | null)[]): boolean {
  if (token === TOKEN.openBrace) return true;
  return token === TOKEN.comma && open.at(-1) instanceof Keys;
}

/** The keys of one object. The set comes with the second key: most hostile nesting has one key an object. */
class Keys {
  #first: string | undefined;
  #all: Set<string> | undefined;

  repeats(key: string): boolean {
    if (this.#first === undefined) {
      this.#first = key;
      return false;
    }
    this.#all ??= new Set([this.#first]);
    if (this.#all.has(key)) return true;
    this.#all.add(key);
    return false;
  }
}

class Notes {
  readonly #notes: JsonNote[] = [];
  readonly #counts = new Map<JsonNote['code'], number>();
  #deepStart = -1;
  #deepest = 0;

  level(depth: number, offset: number): void {
    if (depth <= DEEPEST) return;
    if (this.#deepStart < 0) this.#deepStart = offset;
    if (depth > this.#deepest) this.#deepest = depth;
  }

  number(offset: number, literal: string): void {
    this.#add({ code: 'number-range', offset, literal: short(literal) });
  }

  key(code: 'duplicate-key' | 'proto-key', offset: number, key: string): void {
    this.#add({ code, offset, key: short(key) });
  }

  /** All notes in the order of the text. */
  list(): JsonNote[] {
    if (this.#deepStart >= 0) this.#add({ code: 'deep-nesting', offset: this.#deepStart, depth: this.#deepest });
    return this.#notes.toSorted((a, b) => a.offset - b.offset);
  }

  #add(note: JsonNote): void {
    const count = this.#counts.get(note.code) ?? 0;
    if (count >= MOST_OF_A_CODE) return;
    this.#counts.set(note.code, count + 1);
    this.#notes.push(note);
  }
}

/** True when reading the number as a double gives another one: infinite, zero from non-zero, or an integer that loses digits. */
function losesValue(text: string, offset: number, end: number): boolean {
  // Fifteen digits always fit; most numbers end here.
  if (end - offset <= 15 && !hasExponent(text, offset, end)) return false;
  const literal = text.slice(offset, end);
  const value = Number(literal);
  if (!Number.isFinite(value)) return true;
  if (value === 0) return /[1-9]/.test(literal.split(/e/i, 1)[0] ?? '');
  // A finite integer has at most 309 digits, so BigInt stays cheap.
  return /^-?\d+$/.test(literal) && !Number.isSafeInteger(value) && BigInt(literal) !== BigInt(value);
}

function hasExponent(text: string, offset: number, end: number): boolean {
  for (let at = offset; at < end; at++) {
    if ((text.charCodeAt(at) | 0x20) === 0x65) return true;
  }
  return false;
}

function short(text: string): string {
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN - 1)}…`;
}
