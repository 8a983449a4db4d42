/** A chunk's size as all servers write it: without extensions. */
const SIZE_LINE = /^[0-9A-Fa-f]{1,6}\r\n$/;
const LONGEST_SIZE_LINE = 8;
const LINE_END = '\r\n';

/** What comes next. */
type State = 'size' | 'data' | 'after-data' | 'after-last' | 'whole';

/**
 * Takes a body apart that comes in chunks (RFC 9112, section 7.1): plain ones only, without extensions and trailers.
 * Anything else is odd, and the caller's to leave to others.
 */
export class Chunks {
  readonly #onData: (piece: Buffer) => void;
  readonly #longest: number;
  #state: State = 'size';
  /** What came of the line under way. */
  #line = '';
  /** Bytes of the chunk that are still to come. */
  #left = 0;
  #bytes = 0;

  /** `longest`: most bytes of all chunks together. */
  constructor(longest: number, onData: (piece: Buffer) => void) {
    this.#longest = longest;
    this.#onData = onData;
  }

  /** Takes what came next, from `start` on. */
  push(bytes: Buffer, start: number): 'more' | 'whole' | 'odd' {
    let at = start;
    while (at < bytes.length) {
      if (this.#state === 'data') {
        const end = Math.min(bytes.length, at + this.#left);
        this.#onData(bytes.subarray(at, end));
        this.#left -= end - at;
        if (this.#left === 0) this.#begin('after-data');
        at = end;
      } else {
        this.#line += String.fromCharCode(bytes[at++] as number);
        if (!this.#readLine()) return 'odd';
      }
    }
    return this.#state === 'whole' ? 'whole' : 'more';
  }

  /** `false`: the line under way is not what has to stand here. */
  #readLine(): boolean {
    if (this.#state === 'size') return this.#readSize();
    // Nothing follows a whole body.
    if (this.#state === 'whole' || !LINE_END.startsWith(this.#line)) return false;
    if (this.#line === LINE_END) this.#begin(this.#state === 'after-last' ? 'whole' : 'size');
    return true;
  }

  #readSize(): boolean {
    if (!this.#line.endsWith('\n')) return this.#line.length < LONGEST_SIZE_LINE;
    if (!SIZE_LINE.test(this.#line)) return false;
    this.#left = Number.parseInt(this.#line, 16);
    this.#bytes += this.#left;
    this.#begin(this.#left === 0 ? 'after-last' : 'data');
    return this.#bytes <= this.#longest;
  }

  #begin(state: State): void {
    this.#state = state;
    this.#line = '';
  }
}
