import type { Transform } from 'node:stream';
import { Failure } from './failure.ts';

/** No codings at all; the last two are mistakes that every client lets pass. */
const PLAIN = new Set(['', 'identity', 'none', 'utf-8']);

const MOST_CODINGS = 3;

/** Receives a body in wire chunks and holds its decoded bytes, never more than the cap. */
export interface BodySink {
  /** `false`: wait for `onDrain` before writing more. */
  write(chunk: Buffer): boolean;
  /** Resolves with the whole decoded body; rejects with what is wrong with it. */
  finish(): Promise<Uint8Array>;
  destroy(): void;
}

interface SinkEvents {
  readonly onDrain: () => void;
  readonly onError: (error: Error) => void;
}

/**
 * A sink for a body with the given `Content-Encoding` (`null`: none). `cap` is in decoded bytes.
 * Throws a `bad-encoding` failure for any other coding. zstd is one: before Node 24 it is experimental, and a body that
 * is cut off decodes without an error.
 */
export function bodySink(encoding: string | null, cap: number, events: SinkEvents): BodySink {
  const codings = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !PLAIN.has(coding));
  const kept = new Kept(cap);
  if (codings.length === 0) return plainSink(kept);
  if (codings.length > MOST_CODINGS) throw new Failure('bad-encoding', { contentEncoding: encoding });
  // Loaded only for a body that is compressed.
  const zlib = process.getBuiltinModule('node:zlib');
  const decoders = codings.toReversed().map((coding) => decoderOf(zlib, coding, encoding));
  const streaming = (): BodySink =>
    decodingSink(
      decoders.map(({ stream }) => stream()),
      kept,
      events,
    );
  const [only, ...others] = decoders;
  return only === undefined || others.length > 0 ? streaming() : shortSink(only, kept, streaming);
}

/** One content coding, undone. */
interface Decoder {
  readonly stream: () => Transform;
  /** Throws for what cannot be decoded, and for more than `maxOutputLength` bytes. */
  readonly whole: (encoded: Buffer, options: { readonly maxOutputLength: number }) => Buffer;
}

function decoderOf(zlib: typeof import('node:zlib'), coding: string, encoding: string | null): Decoder {
  if (coding === 'gzip' || coding === 'x-gzip') return { stream: zlib.createGunzip, whole: zlib.gunzipSync };
  if (coding === 'br') return { stream: zlib.createBrotliDecompress, whole: zlib.brotliDecompressSync };
  if (coding === 'deflate') return { stream: zlib.createInflate, whole: zlib.inflateSync };
  throw new Failure('bad-encoding', { contentEncoding: encoding });
}

function plainSink(kept: Kept): BodySink {
  return {
    write(chunk) {
      kept.add(chunk);
      return true;
    },
    finish: () => Promise.resolve(kept.whole()),
    destroy() {},
  };
}

/** Longest encoded body that is decoded at once: what it decodes to is capped, and takes too little time to matter. */
const SHORT = 64 * 1024;

/** Decodes a short body in one call, when it is whole: a stream takes longer to set up than that. */
function shortSink(decoder: Decoder, kept: Kept, streaming: () => BodySink): BodySink {
  const chunks: Buffer[] = [];
  let length = 0;
  let stream: BodySink | undefined;
  return {
    write(chunk) {
      if (stream !== undefined) return stream.write(chunk);
      chunks.push(chunk);
      length += chunk.length;
      if (length <= SHORT) return true;
      stream = streaming();
      return stream.write(Buffer.concat(chunks.splice(0)));
    },
    // Rejects with what decoding throws.
    async finish() {
      if (stream !== undefined) return stream.finish();
      if (length === 0) return kept.whole();
      const encoded = Buffer.concat(chunks);
      kept.add(decodedWhole(decoder, encoded, kept.cap));
      return kept.whole();
    },
    destroy() {
      stream?.destroy();
    },
  };
}

function decodedWhole({ whole }: Decoder, encoded: Buffer, cap: number): Buffer {
  try {
    return whole(encoded, { maxOutputLength: cap });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
    throw new Failure('too-large', { limitBytes: cap });
  }
}

function decodingSink(decoders: readonly Transform[], kept: Kept, events: SinkEvents): BodySink {
  const first = decoders[0] as Transform;
  const last = decoders.at(-1) as Transform;
  let wireBytes = 0;
  const destroy = (): void => {
    for (const stream of decoders) stream.destroy();
  };
  const whole = new Promise<void>((resolve, reject) => {
    const fail = (error: Error): void => {
      destroy();
      reject(error);
      events.onError(error);
    };
    for (const stream of decoders) stream.on('error', fail);
    last.on('end', resolve);
    last.on('data', (chunk: Buffer) => {
      try {
        kept.add(chunk);
      } catch (error) {
        fail(error as Error);
      }
    });
  });
  whole.catch(() => {}); // onError has reported an early failure; finish() reports it again.
  decoders.reduce((from, to) => from.pipe(to));
  first.on('drain', events.onDrain);
  return {
    write(chunk) {
      wireBytes += chunk.length;
      return first.destroyed || first.write(chunk);
    },
    async finish() {
      // An empty body needs no decoding: hosts label empty answers with the coding they would have used.
      if (wireBytes === 0) return kept.whole();
      first.end();
      await whole;
      return kept.whole();
    },
    destroy,
  };
}

/** Collects chunks up to a cap. */
class Kept {
  readonly #chunks: Buffer[] = [];
  readonly cap: number;
  #length = 0;

  constructor(cap: number) {
    this.cap = cap;
  }

  add(chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length > this.cap) throw new Failure('too-large', { limitBytes: this.cap });
    this.#chunks.push(chunk);
  }

  whole(): Uint8Array {
    return this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks, this.#length);
  }
}
