/** Judges a reply as a Markdown page: text that the engine can render. Pure. */
import type { Answer, Draft, Grade, JudgeLimits, NamedFile, Reply } from '../check.ts';
import { parseMarkdown, type MarkdownFacts, type MarkdownLimit, type Wanted } from '../parse/markdown.ts';
import { endedDraft } from './ended-run.ts';
import { FALLBACK_CODES, htmlInPlace, type FallbackCode } from './fallback.ts';
import { leftover } from './leftovers.ts';
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
  const left = leftover(read.text);
  return { text: read.text, reply, drafts: [...mediaType(reply), ...(left === null ? [] : [left])] };
}

/** A page that was judged; `facts` is what the parser found, absent where there was nothing to parse. */
export interface JudgedPage {
  readonly drafts: readonly Draft<PageCode>[];
  readonly facts?: MarkdownFacts;
  readonly text?: string;
}

/** Whether an answer is a Markdown page with content. Where all of `enough` is found, the facts may lack what follows. */
export async function page(
  answer: Answer,
  bundle: Answer,
  limits: JudgeLimits,
  enough?: readonly Wanted[],
): Promise<JudgedPage> {
  const file = textFile(answer, bundle);
  if (file.text === null) return { drafts: file.drafts };
  const parsed = await parsedText(file.text, limits, enough);
  if (!parsed.ok) {
    if (parsed.limit === 'ended') return { drafts: [...file.drafts, endedDraft(limits.signal)] };
    const evidence = { ...replyEvidence(file.reply), limit: parsed.limit, limitMs: limits.parseMs };
    return { drafts: [...file.drafts, { code: 'parse-limit', evidence }] };
  }
  const empty: readonly Draft<PageCode>[] = parsed.hasContent
    ? []
    : [{ code: 'no-content', evidence: replyEvidence(file.reply) }];
  return { drafts: [...file.drafts, ...empty], facts: parsed, text: file.text };
}

/** In the run's own parser where it has one, which reads whole texts; otherwise the beginning, in this thread. */
function parsedText(
  text: string,
  { parse, parseMs, signal }: JudgeLimits,
  enough?: readonly Wanted[],
): Promise<MarkdownFacts | MarkdownLimit> {
  return parse === undefined ? parseMarkdown(text, { limitMs: parseMs, signal, enough }) : parse(text);
}

/** The same for a file that a setting names: a text that the host sends for files that are not there is none of them. */
export async function namedPage(
  { answer, bundle, missing }: NamedFile,
  limits: JudgeLimits,
  enough: readonly Wanted[],
): Promise<JudgedPage> {
  const judged = await page(answer, bundle, limits, enough);
  if (missing !== true || answer.kind === 'no-reply' || judged.text === undefined) return judged;
  return { drafts: [{ code: 'not-found', evidence: replyEvidence(answer) }] };
}

/**
 * Engines fetch text whatever the type says, so a wrong type is only worth a warning; `text/*` and none are fine, except
 * `text/html`, which browsers and agents would render.
 */
function mediaType(reply: Reply): readonly Draft<'media-type'>[] {
  const type = mediaTypeOf(reply);
  if (type === null || (type.startsWith('text/') && type !== 'text/html')) return [];
  return [{ code: 'media-type', evidence: { status: reply.status, mediaType: type } }];
}
