import type { ZlibOptions } from 'node:zlib';
import { Failure } from './failure.ts';

/** No codings at all; the last two are mistakes that every client lets pass. */
const PLAIN = new Set(['', 'identity', 'none', 'utf-8']);

const MOST_CODINGS = 3;

/** Longest encoded body that is decoded in this thread: another one costs more. */
const SHORT = 64 * 1024;

/** Undoes content codings. Rejects with what is wrong with the body. */
export type Decode = (encoded: Buffer) => Promise<Uint8Array> | Uint8Array;

/** Not zstd: before Node 24 it is experimental, and a body that is cut off decodes without an error. */
const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', 'gunzip'],
  ['x-gzip', 'gunzip'],
  ['br', 'brotliDecompress'],
  ['deflate', 'inflate'],
]);

type Decoder = 'gunzip' | 'brotliDecompress' | 'inflate';
type DecodeLater = (encoded: Buffer, options: ZlibOptions, done: (error: Error | null, result: Buffer) => void) => void;

/** The decoder for a `Content-Encoding`; throws a `bad-encoding` failure for one that is not supported. */
export function decoderFor(encoding: string | null, cap: number): Decode {
  const codings = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !PLAIN.has(coding));
  if (codings.length === 0) return (body) => body;
  const decoders = codings.toReversed().flatMap((coding) => DECODERS.get(coding) ?? []);
  if (codings.length > MOST_CODINGS || decoders.length < codings.length) {
    throw new Failure('bad-encoding', { contentEncoding: encoding });
  }
  return async (encoded) => {
    let body = encoded;
    // Hosts label empty bodies with the coding that they would have used.
    for (const decoder of encoded.length === 0 ? [] : decoders) body = await decoded(decoder, body, cap);
    return body;
  };
}

async function decoded(decoder: Decoder, encoded: Buffer, cap: number): Promise<Buffer> {
  const zlib = process.getBuiltinModule('node:zlib');
  const options = { maxOutputLength: cap };
  try {
    if (encoded.length <= SHORT) return zlib[`${decoder}Sync`](encoded, options);
    return await new Promise((resolve, reject) => {
      const decode: DecodeLater = zlib[decoder];
      decode(encoded, options, (error, result) => (error === null ? resolve(result) : reject(error)));
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
    throw new Failure('too-large', { limitBytes: cap });
  }
}

const FIRST_BYTES = 16 * 1024;

/** Collects the chunks of a body up to a cap. They are copied: many small ones take more memory than they hold. */
export function collector(cap: number) {
  let bytes = Buffer.alloc(0);
  let length = 0;
  const grow = (least: number): void => {
    const larger = Buffer.allocUnsafeSlow(Math.min(cap, Math.max(FIRST_BYTES, least, bytes.length * 2)));
    bytes.copy(larger, 0, 0, length);
    bytes = larger;
  };
  return {
    /** Reserves room at once. The system gives memory only to what is really received. */
    expect(whole: number): void {
      if (whole > bytes.length && whole <= cap) grow(whole);
    },
    add(chunk: Buffer): void {
      const longer = length + chunk.length;
      if (longer > cap) throw new Failure('too-large', { limitBytes: cap });
      if (longer > bytes.length) grow(longer);
      chunk.copy(bytes, length);
      length = longer;
    },
    whole: (): Buffer => bytes.subarray(0, length),
  };
}
