/** Judges a reply as a Markdown page: text that the engine can render. Pure. */
import type { Answer, Draft, Grade, JudgeLimits, Reply } from '../check.ts';
import { parseMarkdown, type MarkdownFacts } from '../parse/markdown.ts';
import { FALLBACK_CODES, htmlInPlace, type FallbackCode } from './fallback.ts';
import { mediaTypeOf } from './media-type.ts';
import { REPLY_CODES, replyEvidence, usable, type ReplyCode } from './reply.ts';
import { readText, TEXT_CODES, type TextCode } from './text.ts';

/** The codes of a text file that is not what it should be, whatever its format. */
export const TEXT_FILE_CODES = {
  ...REPLY_CODES,
  ...TEXT_CODES,
  ...FALLBACK_CODES,
  'media-type': 'warning',
  'git-lfs-pointer': 'warning',
  'merge-conflict': 'warning',
} as const satisfies Record<string, Grade>;

export const PAGE_CODES = {
  ...TEXT_FILE_CODES,
  'no-content': 'error',
  'parse-limit': 'error',
} as const satisfies Record<string, Grade>;

export type TextFileCode = ReplyCode | TextCode | FallbackCode | 'media-type' | 'git-lfs-pointer' | 'merge-conflict';
export type PageCode = TextFileCode | 'no-content' | 'parse-limit';

/** A text file's text, with warnings about it, or the one draft that ends the matter. */
export type TextFile =
  | { readonly text: string; readonly reply: Reply; readonly drafts: readonly Draft<TextFileCode>[] }
  | { readonly text: null; readonly drafts: readonly Draft<TextFileCode>[] };

/** Whether an answer is a whole UTF-8 text file and no HTML document in its place. */
export function textFile(answer: Answer, bundle: Answer): TextFile {
  const given = usable(answer);
  if ('draft' in given) return { text: null, drafts: [given.draft] };
  const { reply } = given;
  const read = readText(reply);
  if ('draft' in read) return { text: null, drafts: [read.draft] };
  const html = htmlInPlace(reply, read.text, bundle);
  if (html !== null) return { text: null, drafts: [html] };
  return { text: read.text, reply, drafts: [...mediaType(reply), ...leftovers(read.text)] };
}

/** A page that was judged; `facts` is what the parser found, absent where there was nothing to parse. */
export interface JudgedPage {
  readonly drafts: readonly Draft<PageCode>[];
  readonly facts?: MarkdownFacts;
  readonly text?: string;
}

/** Whether an answer is a Markdown page with content. */
export async function page(answer: Answer, bundle: Answer, limits: JudgeLimits): Promise<JudgedPage> {
  const file = textFile(answer, bundle);
  if (file.text === null) return { drafts: file.drafts };
  const parsed = await parseMarkdown(file.text, { limitMs: limits.parseMs });
  if (!parsed.ok) {
    const evidence = { ...replyEvidence(file.reply), limit: parsed.limit, limitMs: limits.parseMs };
    return { drafts: [...file.drafts, { code: 'parse-limit', evidence }] };
  }
  const empty: readonly Draft<PageCode>[] = parsed.hasContent
    ? []
    : [{ code: 'no-content', evidence: replyEvidence(file.reply) }];
  return { drafts: [...file.drafts, ...empty], facts: parsed, text: file.text };
}

/** Engines fetch text whatever the type says, so a wrong type is only worth a warning; `text/*` and none are fine. */
function mediaType(reply: Reply): readonly Draft<'media-type'>[] {
  const type = mediaTypeOf(reply);
  if (type === null || type.startsWith('text/')) return [];
  return [{ code: 'media-type', evidence: { status: reply.status, mediaType: type } }];
}

/** What version control leaves behind: a pointer in place of the file, or both sides of a merge. */
function leftovers(text: string): readonly Draft<'git-lfs-pointer' | 'merge-conflict'>[] {
  if (/^version https:\/\/git-lfs\.github\.com\/spec\/v\d+\r?\noid sha256:/.test(text)) {
    return [{ code: 'git-lfs-pointer', evidence: { firstLine: text.slice(0, 60).split(/\r?\n/)[0] ?? '' } }];
  }
  const line = conflictLine(text);
  return line === null ? [] : [{ code: 'merge-conflict', evidence: { line } }];
}

/** CommonMark 0.31.2, section 4.5. */
const OPENING_FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const CLOSING_FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;

/** The line of the first whole set of conflict markers (`<<<<<<<`, `=======`, `>>>>>>>`) outside code fences, or `null`. */
function conflictLine(text: string): number | null {
  let opened: number | null = null;
  let divided = false;
  let fence = '';
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (fence === '') fence = OPENING_FENCE.exec(line)?.[1] ?? '';
    else if (CLOSING_FENCE.exec(line)?.[1]?.startsWith(fence) === true) fence = '';
    if (fence !== '') continue;
    if (/^<{7}(?: |$)/.test(line)) [opened, divided] = [index + 1, false];
    else if (opened !== null && /^={7}$/.test(line)) divided = true;
    else if (opened !== null && divided && /^>{7}(?: |$)/.test(line)) return opened;
  }
  return null;
}
