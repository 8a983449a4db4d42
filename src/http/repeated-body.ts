import type { ReadonlyHeaders } from '../core/answer.ts';

/** Compared of a body as it was sent, in bytes. */
const START = 64 * 1024;
/** For what is left of a shorter body, closing the connection and opening another is not worth it. In bytes. */
const SHORTEST = 256 * 1024;
const MOST = 4;

export interface KnownBody {
  readonly start: Uint8Array;
  readonly body: Uint8Array;
  readonly encodedBytes: number;
}

/**
 * The first long bodies of a run. A host with a fallback sends its bundle, often megabytes, for every missing file: the rest
 * of a response is not received when its ETag, coding and length are those of a known body and it begins with the same bytes.
 */
export function knownBodies() {
  const bodies = new Map<string, KnownBody>();
  return {
    find: (headers: ReadonlyHeaders): KnownBody | undefined => bodies.get(keyOf(headers) ?? ''),
    add(headers: ReadonlyHeaders, encoded: Buffer, body: Uint8Array): void {
      const key = encoded.length < SHORTEST || bodies.size === MOST ? null : keyOf(headers);
      if (key === null || bodies.has(key)) return;
      bodies.set(key, { start: Buffer.from(encoded.subarray(0, START)), body, encodedBytes: encoded.length });
    },
  };
}

export type KnownBodies = ReturnType<typeof knownBodies>;

/** `null`: without an ETag, only the whole body can be compared. */
function keyOf(headers: ReadonlyHeaders): string | null {
  const etag = headers.get('etag');
  return etag === null ? null : JSON.stringify([etag, headers.get('content-encoding'), headers.get('content-length')]);
}
