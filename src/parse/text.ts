import { isUtf8 } from 'node:buffer';
import { visibleSign } from '../text/printable.ts';

/** `offset`: of the first ill-formed sequence, in bytes, a BOM included. */
export type Decoded =
  | { readonly ok: true; readonly text: string; readonly bom: boolean }
  | { readonly ok: false; readonly offset: number };

const STRICT = new TextDecoder('utf-8', { fatal: true });

/** RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. One leading BOM is removed and reported. */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  try {
    const text = STRICT.decode(bytes);
    return { ok: true, text, bom: bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf };
  } catch {
    return { ok: false, offset: firstBadByte(bytes) };
  }
}

/** UTF-8 with invisible characters escaped, invalid bytes as `\xNN`; ends with `…` beyond `most` bytes. */
export function visibleBytes(bytes: Uint8Array, most = 80): string {
  let out = '';
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    const end = at + Math.max(length, 1);
    if (end > most) return `${out}…`;
    const sequence = Buffer.from(bytes.subarray(at, end));
    out += length === 0 ? `\\x${sequence.toString('hex')}` : visible(sequence.toString('utf8'));
    at = end;
  }
  return out;
}

const PIECE = 4096;

function firstBadByte(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    let end = Math.min(at + PIECE, bytes.length);
    // A piece ends between characters.
    while (end > at + 1 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
    if (!isUtf8(bytes.subarray(at, end))) break;
    at = end;
  }
  for (let length = sequenceLength(bytes, at); length > 0; length = sequenceLength(bytes, at)) at += length;
  return at;
}

/** 1 to 4 bytes; 0: ill-formed. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const most = Math.min(4, bytes.length - at);
  for (let length = 1; length <= most; length++) if (isUtf8(bytes.subarray(at, at + length))) return length;
  return 0;
}

/** Controls, format characters (bidi, zero width), odd spaces, line separators, private and unassigned ones. */
const INVISIBLE = /[\p{C}\p{Z}]/u;

function visible(character: string): string {
  if (character === ' ' || !INVISIBLE.test(character)) return character;
  return character === '\n' ? '␤' : visibleSign(character);
}
