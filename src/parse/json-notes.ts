import { TOKEN, tokens } from './json.ts';

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
  const notes: JsonNote[] = [];
  const add = (note: JsonNote): void => {
    if (notes.filter(({ code }) => code === note.code).length < MOST_OF_A_CODE) notes.push(note);
  };
  /** The keys of each open object; `null`: a list. */
  const open: (Set<string> | null)[] = [];
  let [deepStart, depth] = [-1, 0];
  const addLevel = (isObject: boolean, offset: number): void => {
    const keys = open.length < DEEPEST ? new Set<string>() : UNOBSERVED;
    open.push(isObject ? keys : null);
    if (open.length > DEEPEST && deepStart === -1) deepStart = offset;
    depth = Math.max(depth, open.length);
  };
  const addKey = (key: string, offset: number): void => {
    const keys = open.at(-1);
    if (key === '__proto__') add({ code: 'proto-key', offset, key });
    if (keys?.has(key) === true) add({ code: 'duplicate-key', offset, key: short(key) });
    if (keys !== UNOBSERVED) keys?.add(key);
  };
  let keyNext = false;
  for (let token = scan.next(); token.kind !== TOKEN.end; token = scan.next()) {
    const { kind, offset, end } = token;
    const isObject = kind === TOKEN.openBrace;
    if (isObject || kind === TOKEN.openBracket) addLevel(isObject, offset);
    else if (kind === TOKEN.closeBrace || kind === TOKEN.closeBracket) open.pop();
    else if (kind === TOKEN.string && keyNext) addKey(scan.value(), offset);
    else if (kind === TOKEN.number) {
      const literal = text.slice(offset, end);
      if (losesValue(literal)) add({ code: 'number-range', offset, literal: short(literal) });
    }
    keyNext = isObject || (kind === TOKEN.comma && open.at(-1) !== null);
  }
  if (deepStart !== -1) add({ code: 'deep-nesting', offset: deepStart, depth });
  return notes.toSorted((a, b) => a.offset - b.offset);
}

/** Of objects nested deeper. */
const UNOBSERVED: Set<string> = new Set();

/** True when reading the number as a double gives another one: infinite, zero from non-zero, or an integer that loses digits. */
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
