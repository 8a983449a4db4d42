/** Judges bytes as text: there, not binary, UTF-8. Pure. */
import type { Draft, Grade, Reply } from '../check.ts';
import { decodeUtf8 } from '../parse/text.ts';
import { replyEvidence } from './reply.ts';

export const TEXT_CODES = {
  empty: 'error',
  binary: 'error',
  'not-utf8': 'error',
} as const satisfies Record<string, Grade>;

export type TextCode = keyof typeof TEXT_CODES;

export type Text = { readonly text: string; readonly byteOrderMark: boolean } | { readonly draft: Draft<TextCode> };

const BYTE_ORDER_MARKS_OF_UTF16 = [
  [0xff, 0xfe],
  [0xfe, 0xff],
];

/** White space and characters of no width. */
const INVISIBLE = /^[\s\u200b-\u200f\u2060\ufeff]*$/;

/** The text of a body, or why it is none. */
export function readText(reply: Reply): Text {
  const { body } = reply;
  if (body.length === 0) return { draft: { code: 'empty', evidence: replyEvidence(reply) } };
  const utf16 = BYTE_ORDER_MARKS_OF_UTF16.some(([first, second]) => body[0] === first && body[1] === second);
  const nul = utf16 ? -1 : body.indexOf(0);
  if (nul !== -1) return { draft: { code: 'binary', evidence: { ...replyEvidence(reply), offset: nul } } };
  const decoded = decodeUtf8(body);
  if (!decoded.ok)
    return { draft: { code: 'not-utf8', evidence: { ...replyEvidence(reply), offset: decoded.offset } } };
  if (INVISIBLE.test(decoded.text)) return { draft: { code: 'empty', evidence: replyEvidence(reply) } };
  return { text: decoded.text, byteOrderMark: decoded.bom };
}
