import { TOKEN, tokens, type TokenKind } from '../../src/parse/json.ts';

/** A string or a number of a JSON text, and where it stands. */
export interface JsonLeaf {
  /** JSON Pointer (RFC 6901); empty for a text that is one value. */
  readonly pointer: string;
  /** The keys on the way to it, without the indexes of lists. */
  readonly keys: readonly string[];
  /** A string's text; a number as it is written, so that `1.10` stays another than `1.1`. */
  readonly text: string;
}

/** What is looked through. */
export interface LeafLimits {
  /** Objects and lists around a leaf. */
  readonly depth: number;
  /** Leaves that are reported. */
  readonly count: number;
}

interface Level {
  /** The number of the next item; `null` in an object. */
  index: number | null;
  key: string;
}

/**
 * The strings and numbers of a text that `JSON.parse` accepts, in its order. Iterative and linear, however deep the text
 * nests. Those whose pointer is longer than 500 characters are passed over.
 */
export function jsonLeaves(text: string, { depth, count }: LeafLimits): readonly JsonLeaf[] {
  const scan = tokens(text);
  const walk = new Walk(depth);
  const leaves: JsonLeaf[] = [];
  for (let { kind } = scan.next(); kind !== TOKEN.end && leaves.length < count; { kind } = scan.next()) {
    const isText = kind === TOKEN.string || kind === TOKEN.number;
    if (!isText) walk.pass(kind);
    else if (walk.isWithin()) {
      if (walk.wantsKey()) walk.key(scan.value());
      else leaves.push(...leafAt(walk.levels(), scan.value()));
    }
  }
  return leaves;
}

/** Knows where in a text its reader is. */
class Walk {
  readonly #depth: number;
  readonly #open: Level[] = [];
  /** Levels below those that are looked through: only counted. */
  #below = 0;
  #keyNext = false;

  constructor(depth: number) {
    this.#depth = depth;
  }

  isWithin(): boolean {
    return this.#below === 0;
  }

  wantsKey(): boolean {
    return this.#keyNext;
  }

  levels(): readonly Level[] {
    return this.#open;
  }

  key(name: string): void {
    const level = this.#open.at(-1);
    if (level !== undefined) level.key = name;
    this.#keyNext = false;
  }

  /** Goes past brackets and commas. */
  pass(kind: TokenKind): void {
    if (kind === TOKEN.openBrace || kind === TOKEN.openBracket) this.#into(kind === TOKEN.openBracket);
    else if (kind === TOKEN.closeBrace || kind === TOKEN.closeBracket) this.#outOf();
    else if (kind === TOKEN.comma && this.#below === 0) this.#next();
  }

  #into(isList: boolean): void {
    if (this.#below > 0 || this.#open.length >= this.#depth) {
      this.#below++;
      return;
    }
    this.#open.push({ index: isList ? 0 : null, key: '' });
    this.#keyNext = !isList;
  }

  #outOf(): void {
    if (this.#below > 0) this.#below--;
    else this.#open.pop();
    this.#keyNext = false;
  }

  #next(): void {
    const level = this.#open.at(-1);
    this.#keyNext = level?.index === null;
    if (level !== undefined && level.index !== null) level.index++;
  }
}

const LONGEST_POINTER = 500;

function leafAt(open: readonly Level[], text: string): readonly JsonLeaf[] {
  const steps = open.map(({ index, key }) => (index === null ? key : String(index)));
  const pointer = steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  if (pointer.length > LONGEST_POINTER) return [];
  return [{ pointer, keys: open.flatMap(({ index, key }) => (index === null ? [key] : [])), text }];
}
