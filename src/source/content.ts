import { createHash } from 'node:crypto';
import { decodeUtf8 } from '../parse/text.ts';
import type { ContentHash } from './types.ts';

/** Larger files are compared byte for byte only. */
export const LARGEST_TEXT = 16 * 1024 * 1024;

/** What Git LFS keeps in place of a file (its specification, version 1): the hash and the size of the real one. */
const LFS_POINTER =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:[a-z0-9.-]+ .*\n)*?oid sha256:([0-9a-f]{64})\nsize (\d{1,15})\n/;
const LONGEST_POINTER = 1024;

/** Hashes a file that is in memory. */
export function contentHash(bytes: Uint8Array): ContentHash {
  const text = normalText(bytes);
  return { bytes: bytes.length, sha256: sha256(bytes), textSha256: text === null ? null : sha256(text) };
}

/** The same for a file of a repository, where a Git LFS pointer stands for the file that it points to. */
export function sourceHash(bytes: Uint8Array): ContentHash {
  return pointedTo(bytes) ?? contentHash(bytes);
}

/** What a Git LFS pointer says of the real file; `null` for what is none. */
export function pointedTo(bytes: Uint8Array): ContentHash | null {
  if (bytes.length > LONGEST_POINTER) return null;
  const [, oid, size] = LFS_POINTER.exec(Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n')) ?? [];
  return oid === undefined ? null : { bytes: Number(size), sha256: oid, textSha256: null };
}

/** Hashes a file of a repository, of any size, as it comes. */
export async function sourceHashOf(chunks: AsyncIterable<Uint8Array>): Promise<ContentHash> {
  const hash = createHash('sha256');
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.length;
    if (bytes <= LARGEST_TEXT) kept.push(chunk);
    else kept.length = 0;
  }
  return bytes <= LARGEST_TEXT
    ? sourceHash(Buffer.concat(kept))
    : { bytes, sha256: hash.digest('hex'), textSha256: null };
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
