/** Magic numbers of RFC 8878, sections 3.1.1 and 3.1.2. */
const FRAME = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;

type Step = (bytes: Buffer) => void;

/**
 * Follows the frames of a zstd body (RFC 8878, section 3.1) without decoding them, to tell whether its last one is
 * whole: Node's decoder says nothing of a body that is cut off before Node 24.
 */
export class ZstdFrames {
  #held: Buffer = Buffer.alloc(0);
  /** Bytes to pass over before the next step. */
  #passOver = 0;
  /** Bytes that the next step wants. */
  #wanted = 4;
  #step: Step = (bytes) => this.#magic(bytes);
  #checksum = 0;
  #betweenFrames = true;
  /** Where the bytes are no frames the decoder will say so. */
  #foreign = false;

  push(chunk: Buffer): void {
    if (this.#foreign) return;
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    for (;;) {
      const passed = Math.min(this.#passOver, this.#held.length);
      this.#held = this.#held.subarray(passed);
      this.#passOver -= passed;
      if (this.#passOver > 0 || this.#held.length < this.#wanted || this.#foreign) return;
      const bytes = this.#held.subarray(0, this.#wanted);
      this.#held = this.#held.subarray(this.#wanted);
      this.#step(bytes);
    }
  }

  /** Whether the bytes so far end where a frame ends. */
  get whole(): boolean {
    return this.#foreign || (this.#betweenFrames && this.#passOver === 0 && this.#held.length === 0);
  }

  #next(wanted: number, step: Step, passOver = 0): void {
    this.#wanted = wanted;
    this.#step = step;
    this.#passOver = passOver;
  }

  #magic(bytes: Buffer): void {
    const magic = bytes.readUInt32LE();
    this.#betweenFrames = false;
    // Masked as an unsigned number: the low four bits of a skippable frame's magic number are free.
    if (magic === FRAME) this.#next(1, (descriptor) => this.#descriptor(descriptor[0] ?? 0));
    else if (magic - (magic % 16) === SKIPPABLE) this.#next(4, (size) => this.#frameEnd(size.readUInt32LE()));
    else this.#foreign = true;
  }

  #descriptor(descriptor: number): void {
    const single = (descriptor & 0x20) !== 0;
    const contentSize = [single ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
    const dictionaryId = [0, 1, 2, 4][descriptor & 3] ?? 0;
    this.#checksum = (descriptor & 4) === 0 ? 0 : 4;
    this.#next(3, (header) => this.#block(header), (single ? 0 : 1) + dictionaryId + contentSize);
  }

  #block(header: Buffer): void {
    const fields = header.readUIntLE(0, 3);
    const isRunLength = ((fields >> 1) & 3) === 1;
    const size = isRunLength ? 1 : fields >> 3;
    if ((fields & 1) === 1) this.#frameEnd(size + this.#checksum);
    else this.#next(3, (next) => this.#block(next), size);
  }

  #frameEnd(passOver: number): void {
    this.#betweenFrames = true;
    this.#next(4, (bytes) => this.#magic(bytes), passOver);
  }
}
