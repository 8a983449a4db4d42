import { isAscii, isUtf8 } from 'node:buffer';
import type { Answer, Evidence, Reply } from '../core/answer.ts';
import type { RawFinding, SeverityOrOutcome } from '../core/finding.ts';
import type { Diagnosis } from '../crawl/diagnose.ts';
import { excerpt, position } from '../parse/position.ts';
import { decodeUtf8 } from '../parse/text.ts';
import type { ReadLimit } from '../parse/untrusted.ts';
import type { EvaluationLimits } from '../site/types.ts';
import { interruptedFinding } from './not-received.ts';
import { isOk, replyEvidence } from './reply.ts';

export const TEXT_RULES = {
  empty: 'error',
  binary: 'error',
  'not-utf8': 'error',
} as const satisfies Record<string, SeverityOrOutcome>;

const LONGEST_SHOWN = 200;
const LONGEST_LABEL = 40;

const INVISIBLE = /^[\s\u200b-\u200f\u2060\ufeff]*$/;

export function readText(reply: Reply) {
  const { body } = reply;
  const fault = (rule: keyof typeof TEXT_RULES, more: Evidence = {}) => ({
    finding: { rule, evidence: { ...replyEvidence(reply), ...more } },
  });
  if (body.length === 0) return fault('empty');
  // UTF-16 is text in the wrong encoding.
  const encoding = utf16Of(body);
  const nul = encoding === null ? body.indexOf(0) : -1;
  if (nul !== -1) return fault('binary', { offset: nul });
  const decoded = decodeUtf8(body);
  if (!decoded.ok) return fault('not-utf8', { offset: decoded.offset, ...(encoding === null ? {} : { encoding }) });
  if (INVISIBLE.test(decoded.text)) return fault('empty');
  return { text: decoded.text, byteOrderMark: decoded.bom };
}

/** By its byte-order mark; `null`: it has none. */
function utf16Of(body: Uint8Array): 'UTF-16LE' | 'UTF-16BE' | null {
  const mark = Buffer.from(body.subarray(0, 2)).toString('hex');
  if (mark === 'fffe') return 'UTF-16LE';
  return mark === 'feff' ? 'UTF-16BE' : null;
}

/**
 * The same answer in UTF-8, decoded by its byte-order mark, else by the charset of its media type, as XMLHttpRequest does. A
 * body that is UTF-8 all the same is left as it is, and marked.
 */
export function decodedByCharset(answer: Answer): Answer {
  if (answer.kind === 'no-reply') return answer;
  const label = utf16Of(answer.body) ?? charsetOf(answer);
  const decoder = decoderOf(label);
  if (decoder === null) return answer;
  const marked = markedMisread(answer);
  return marked === answer ? { ...answer, body: Buffer.from(decoder.decode(answer.body)) } : marked;
}

/** The same answer, marked where its body is UTF-8 beyond ASCII although its media type names another charset. */
export function markedMisread<A extends Answer>(answer: A): A {
  if (answer.kind === 'no-reply' || decoderOf(charsetOf(answer)) === null) return answer;
  if (!isUtf8(answer.body) || isAscii(answer.body)) return answer;
  return { ...answer, misread: charsetOf(answer).toLowerCase().slice(0, LONGEST_LABEL) };
}

const charsetOf = ({ headers }: Reply): string =>
  /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(headers.get('content-type') ?? '')?.[1] ?? 'utf-8';

/** `null`: it is UTF-8, for which browsers take an unknown charset too. */
function decoderOf(label: string): InstanceType<typeof TextDecoder> | null {
  if (/^utf-?8$/i.test(label)) return null;
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}

/** The text of a file; `null` where none came or it is not UTF-8. */
export function textOf(answer: Answer): string | null {
  const decoded = isOk(answer) ? decodeUtf8(answer.body) : null;
  return decoded?.ok === true ? decoded.text : null;
}

/** The finding for a body that would take too much time or memory to parse. */
export function parseLimit(reply: Reply, limit: 'time' | 'memory', limitMs: number) {
  return { rule: 'parse-limit', evidence: { ...replyEvidence(reply), limit, limitMs } } as const;
}

/** The finding for a text that was not read to its end. */
export function unreadFinding(
  reply: Reply,
  { limit }: ReadLimit,
  { parseMs, signal }: Pick<EvaluationLimits, 'parseMs' | 'signal'>,
): RawFinding<'interrupted' | 'parse-limit'> {
  return limit === 'ended' ? interruptedFinding(signal?.reason) : parseLimit(reply, limit, parseMs);
}

export function locatedAt(path: string, text: string, offset: number): Pick<RawFinding, 'location' | 'excerpt'> {
  const { line, column } = position(text, offset);
  return { location: { path, line, column }, excerpt: excerpt(text, offset, line) };
}

/** A text as evidence shows it. */
export function shortened(text: string): string {
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN).toWellFormed()}…`;
}

/** A pointer instead of the file, or both sides of a merge. */
export function leftover(text: string): RawFinding<'git-lfs-pointer' | 'merge-conflict'> | null {
  if (/^version https:\/\/git-lfs\.github\.com\/spec\/v\d+\r?\noid sha256:/.test(text)) {
    return { rule: 'git-lfs-pointer', evidence: { line: 1, text: text.slice(0, 60).split(/\r?\n/)[0] ?? '' } };
  }
  const line = conflictLine(text);
  return line === null ? null : { rule: 'merge-conflict', evidence: { line } };
}

/** CommonMark 0.31.2, section 4.5. */
const OPENING_FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const CLOSING_FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;

/** The line of the first whole set of conflict markers (`<<<<<<<`, `=======`, `>>>>>>>`) outside code fences, or `null`. */
function conflictLine(text: string): number | null {
  // Most texts have none, and splitting a long one costs many times its size.
  if (!text.includes('<<<<<<<') || !text.includes('>>>>>>>')) return null;
  let fence = '';
  let opened: number | null = null;
  let divided = false;
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (fence !== '') {
      if (CLOSING_FENCE.exec(line)?.[1]?.startsWith(fence) === true) fence = '';
      continue;
    }
    fence = OPENING_FENCE.exec(line)?.[1] ?? '';
    if (/^<{7}(?: |$)/.test(line)) [opened, divided] = [index + 1, false];
    else if (opened !== null && /^={7}$/.test(line)) divided = true;
    else if (divided && /^>{7}(?: |$)/.test(line)) return opened;
  }
  return null;
}

export const MISSPELLING_RULES = {
  'letter-case': 'error',
  'unicode-form': 'error',
  encoding: 'error',
  'missing-extension': 'error',
  'wrong-extension': 'error',
  'folder-index': 'error',
  moved: 'error',
} as const satisfies Record<string, SeverityOrOutcome>;

/** `null`: the file is not known, or its name is only similar. */
export function misspellingRule(diagnosis: Diagnosis | null) {
  return diagnosis === null || diagnosis.rule === 'similar-name' ? null : diagnosis.rule;
}
