/** Whole numbers from 0 on in as few bytes as they need: seven bits a byte, the lowest first, the eighth says that more come. */

/** Writes numbers behind one another. */
export class VarintWriter {
  #bytes = Buffer.allocUnsafe(128);
  #length = 0;

  /** Negative numbers, and invalid numbers, count as 0. */
  write(value: number): void {
    if (this.#length + 10 > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], this.#bytes.length * 2);
    let rest = value > 0 ? Math.min(Math.round(value), Number.MAX_SAFE_INTEGER) : 0;
    while (rest >= 128) {
      this.#bytes[this.#length++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** What was written; may be written over by what is written next. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }
}

/** Reads them again. Behind the end, which is where a damaged file may lead, there are zeros. */
export class VarintReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  read(): number {
    let value = 0;
    for (let factor = 1; factor <= Number.MAX_SAFE_INTEGER; factor *= 128) {
      const byte = this.#bytes[this.#at++] ?? 0;
      value += (byte % 128) * factor;
      if (byte < 128) break;
    }
    return value;
  }
}
