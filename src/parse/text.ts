/** What decoding told: the text, or where the bytes stop being UTF-8. Offsets count bytes from 0, a BOM included. */
export type Decoded =
  | { readonly ok: true; readonly text: string; readonly bom: boolean }
  | { readonly ok: false; readonly offset: number };

const STRICT = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes strict UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF).
 * One leading BOM is removed and told. On failure `offset` is the start of the first ill-formed sequence.
 */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  try {
    const text = STRICT.decode(bytes);
    return { ok: true, text, bom: hasBom(bytes) };
  } catch {
    return { ok: false, offset: firstBadByte(bytes) };
  }
}

/**
 * The first bytes of a body, for evidence: UTF-8 where it is, `\xNN` for bytes that are not, controls as their
 * Unicode pictures (`␤` for a line feed), every other character that a reader could not see or that would change the line's
 * direction as `\uNNNN`. Ends with `…` when there is more than `most` bytes. A character is never cut in two.
 */
export function visibleBytes(bytes: Uint8Array, most = 80): string {
  let out = '';
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (at + Math.max(length, 1) > most) return `${out}…`;
    out += length === 0 ? `\\x${hex(bytes[at] ?? 0, 2)}` : visible(characterAt(bytes, at, length));
    at += Math.max(length, 1);
  }
  return out;
}

function hasBom(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function firstBadByte(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return at;
}

/** Well-formed sequences by their lead byte (RFC 3629, section 4): its range, their length, the range of the second byte. */
const SEQUENCES = [
  { from: 0x00, to: 0x7f, length: 1, low: 0x00, high: 0xff },
  { from: 0xc2, to: 0xdf, length: 2, low: 0x80, high: 0xbf },
  { from: 0xe0, to: 0xe0, length: 3, low: 0xa0, high: 0xbf },
  { from: 0xe1, to: 0xec, length: 3, low: 0x80, high: 0xbf },
  { from: 0xed, to: 0xed, length: 3, low: 0x80, high: 0x9f },
  { from: 0xee, to: 0xef, length: 3, low: 0x80, high: 0xbf },
  { from: 0xf0, to: 0xf0, length: 4, low: 0x90, high: 0xbf },
  { from: 0xf1, to: 0xf3, length: 4, low: 0x80, high: 0xbf },
  { from: 0xf4, to: 0xf4, length: 4, low: 0x80, high: 0x8f },
] as const;

/** Length in bytes (1 to 4) of the well-formed sequence at `at`, or 0. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  const sequence = SEQUENCES.find(({ from, to }) => lead >= from && lead <= to);
  if (sequence === undefined || at + sequence.length > bytes.length) return 0;
  if (sequence.length === 1) return 1;
  const second = bytes[at + 1] ?? 0;
  if (second < sequence.low || second > sequence.high) return 0;
  for (let next = at + 2; next < at + sequence.length; next++) {
    if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return sequence.length;
}

function characterAt(bytes: Uint8Array, at: number, length: number): string {
  // ignoreBOM: a BOM is one of the things that evidence has to show.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(at, at + length));
}

/** Controls, format characters (bidi, zero width), odd spaces, line separators, private and unassigned ones. */
const INVISIBLE = /[\p{C}\p{Z}]/u;

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x20 || !INVISIBLE.test(character)) return character;
  if (code === 0x0a) return '␤';
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '␡';
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${hex(code, 4)}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
