import type { Answer, Reply } from '../core/answer.ts';
import type { RawFinding, SeverityOrOutcome } from '../core/finding.ts';
import type { EvaluationLimits, NamedFile } from '../site/types.ts';
import { outlineMarkdown, parseMarkdown } from '../parse/markdown.ts';
import { prepare } from '../parse/markdown-text.ts';
import type { MarkdownFacts, MarkdownOutline, Wanted } from '../parse/markdown.ts';
import type { ReadLimit } from '../parse/untrusted.ts';
import { FALLBACK_RULES, htmlInstead, isBundleRequested, isFallback, isHtmlPath } from './fallback.ts';
import { leftover, readText, TEXT_RULES, unreadFinding } from './text.ts';
import { REPLY_RULES, replyEvidence, usable, mediaTypeOf } from './reply.ts';

/** Rules for text files of any format. */
export const TEXT_FILE_RULES = {
  ...REPLY_RULES,
  ...TEXT_RULES,
  ...FALLBACK_RULES,
  'media-type': 'warning',
  'wrong-charset': 'error',
  'git-lfs-pointer': 'error',
  'merge-conflict': 'error',
} as const satisfies Record<string, SeverityOrOutcome>;

export const PAGE_RULES = {
  ...TEXT_FILE_RULES,
  'no-content': 'error',
  'parse-limit': 'error',
} as const satisfies Record<string, SeverityOrOutcome>;

export type PageRule = keyof typeof PAGE_RULES;

/** A text file's text, with warnings about it, or the one finding that ends the matter (`text` is `null`). */
export function textFile(answer: Answer, bundle: Answer) {
  const given = usable(answer);
  if ('finding' in given) return { text: null, findings: [given.finding] };
  const { reply } = given;
  // What may be large is not decoded for nothing.
  if (isFallback(reply, bundle) && !isBundleRequested(reply, bundle)) {
    return { text: null, findings: [{ rule: 'spa-fallback', evidence: replyEvidence(reply) } as const] };
  }
  const read = readText(reply);
  if ('finding' in read) return { text: null, findings: [read.finding] };
  const html = htmlInstead(reply, read.text, bundle);
  if (html !== null) return { text: null, findings: [html] };
  const left = leftover(read.text);
  // Nothing of the file is there.
  if (left?.rule === 'git-lfs-pointer') return { text: null, findings: [left] };
  return {
    text: read.text,
    reply,
    findings: [...mediaType(reply), ...misread(reply), ...(left === null ? [] : [left])],
  };
}

type PageFile = Pick<NamedFile, 'answer' | 'bundle' | 'missing'>;

/** For the core checks: remark-parse reads the page's beginning. */
export function outlinedPage(file: PageFile, limits: EvaluationLimits, wanted: readonly Wanted[] = ['hasContent']) {
  const { parseMs: limitMs, signal, read } = limits;
  return page(file, limits, (text) => outlineMarkdown(text, { limitMs, signal, read }, wanted));
}

/** Of a longer page the beginning is read. In UTF-16 code units. */
const LONGEST_PAGE = 1024 * 1024;
const MOST_OF_A_PAGE = 20_000;

/** In the run's own worker where it has one, which reads whole texts; otherwise the beginning, in this thread. */
export function readMarkdown(text: string, limits: EvaluationLimits): Promise<MarkdownFacts | ReadLimit> {
  const { read, parseMs: limitMs, signal } = limits;
  if (read === undefined) return parseMarkdown(text, { limitMs, signal });
  const { text: beginning, ...cut } = prepare(text, LONGEST_PAGE);
  return read('markdown-facts', beginning, { ...cut, most: MOST_OF_A_PAGE });
}

/** `parsed` is absent where there was nothing to parse. The host's text for missing files does not count. */
export async function page<T extends MarkdownFacts | MarkdownOutline>(
  { answer, bundle, missing }: PageFile,
  limits: EvaluationLimits,
  parse: (text: string) => Promise<T | ReadLimit>,
): Promise<{ readonly findings: readonly RawFinding<PageRule>[]; readonly parsed?: T }> {
  const file = textFile(answer, bundle);
  if (file.text === null) return { findings: file.findings };
  const parsed = await parse(file.text);
  if (!parsed.ok) return { findings: [...file.findings, unreadFinding(file.reply, parsed, limits)] };
  if (missing === true) return { findings: [{ rule: 'not-found', evidence: replyEvidence(file.reply) }] };
  if (parsed.hasContent) return { findings: file.findings, parsed };
  return { findings: [...file.findings, { rule: 'no-content', evidence: replyEvidence(file.reply) }], parsed };
}

function misread({ misread: encoding }: Reply): readonly RawFinding<'wrong-charset'>[] {
  return encoding === undefined ? [] : [{ rule: 'wrong-charset', evidence: { encoding } }];
}

/** Engines ignore the type; `text/html` is wrong because browsers and agents would render it. */
function mediaType(reply: Reply): readonly RawFinding<'media-type'>[] {
  const type = mediaTypeOf(reply);
  const isHtml = type === 'text/html' && !isHtmlPath(reply.requestUrl);
  if (type === null || (type.startsWith('text/') && !isHtml)) return [];
  return [{ rule: 'media-type', evidence: { status: reply.status, mediaType: type } }];
}
