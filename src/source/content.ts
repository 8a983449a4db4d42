import { createHash } from 'node:crypto';
import { decodeUtf8 } from '../parse/text.ts';
import type { ContentHash } from './types.ts';

/** Larger files are compared byte for byte only. */
export const LARGEST_TEXT = 16 * 1024 * 1024;

/** Hashes a file that is in memory. */
export function contentHash(bytes: Uint8Array): ContentHash {
  const text = normalText(bytes);
  return { bytes: bytes.length, sha256: sha256(bytes), textSha256: text === null ? null : sha256(text) };
}

/** Hashes a file of any size as it comes. */
export async function contentHashOf(chunks: AsyncIterable<Uint8Array>): Promise<ContentHash> {
  const hash = createHash('sha256');
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.length;
    if (bytes <= LARGEST_TEXT) kept.push(chunk);
  }
  const text = bytes <= LARGEST_TEXT ? normalText(Buffer.concat(kept)) : null;
  return { bytes, sha256: hash.digest('hex'), textSha256: text === null ? null : sha256(text) };
}

/**
 * A text as hosts and editors leave it unchanged: without byte-order mark, with line feeds as line ends, without white
 * space at its end. `null` for what is no UTF-8 text.
 */
export function normalText(bytes: Uint8Array): string | null {
  if (bytes.length > LARGEST_TEXT || bytes.includes(0)) return null;
  const decoded = decodeUtf8(bytes);
  return decoded.ok ? decoded.text.replaceAll(/\r\n?/g, '\n').trimEnd() : null;
}

function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}
