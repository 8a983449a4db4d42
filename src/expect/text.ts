/** Judges bytes as text: there, not binary, UTF-8. Pure. */
import type { RawFinding, Severity, Reply } from '../check.ts';
import { decodeUtf8 } from '../parse/text.ts';
import { replyEvidence } from './reply.ts';

export const TEXT_RULES = {
  empty: 'error',
  binary: 'error',
  'not-utf8': 'error',
} as const satisfies Record<string, Severity>;

export type TextRule = keyof typeof TEXT_RULES;

export type Text =
  | { readonly text: string; readonly byteOrderMark: boolean }
  | { readonly finding: RawFinding<TextRule> };

const BYTE_ORDER_MARKS_OF_UTF16 = [
  [0xff, 0xfe],
  [0xfe, 0xff],
];

/** White space and characters of no width. */
const INVISIBLE = /^[\s\u200b-\u200f\u2060\ufeff]*$/;

/** The text of a body, or why it is none. */
export function readText(reply: Reply): Text {
  const { body } = reply;
  if (body.length === 0) return { finding: { rule: 'empty', evidence: replyEvidence(reply) } };
  const utf16 = BYTE_ORDER_MARKS_OF_UTF16.some(([first, second]) => body[0] === first && body[1] === second);
  const nul = utf16 ? -1 : body.indexOf(0);
  if (nul !== -1) return { finding: { rule: 'binary', evidence: { ...replyEvidence(reply), offset: nul } } };
  const decoded = decodeUtf8(body);
  if (!decoded.ok)
    return { finding: { rule: 'not-utf8', evidence: { ...replyEvidence(reply), offset: decoded.offset } } };
  if (INVISIBLE.test(decoded.text)) return { finding: { rule: 'empty', evidence: replyEvidence(reply) } };
  return { text: decoded.text, byteOrderMark: decoded.bom };
}
