import type { Answer, RawFinding, Severity, EvaluationLimits, NamedFile, Reply } from '../check.ts';
import {
  outlineMarkdown,
  parseMarkdown,
  type MarkdownFacts,
  type MarkdownLimit,
  type MarkdownOutline,
  type Wanted,
} from '../parse/markdown.ts';
import { interruptedFinding } from './not-received.ts';
import { FALLBACK_RULES, htmlInstead } from './fallback.ts';
import { leftover, parseLimit, readText, TEXT_RULES } from './text.ts';
import { REPLY_RULES, replyEvidence, usable, mediaTypeOf } from './reply.ts';

/** Rules for text files of any format. */
export const TEXT_FILE_RULES = {
  ...REPLY_RULES,
  ...TEXT_RULES,
  ...FALLBACK_RULES,
  'media-type': 'warning',
  'git-lfs-pointer': 'warning',
  'merge-conflict': 'warning',
} as const satisfies Record<string, Severity>;

export const PAGE_RULES = {
  ...TEXT_FILE_RULES,
  'no-content': 'error',
  'parse-limit': 'error',
} as const satisfies Record<string, Severity>;

export type PageRule = keyof typeof PAGE_RULES;

/** A text file's text, with warnings about it, or the one finding that ends the matter (`text` is `null`). */
export function textFile(answer: Answer, bundle: Answer) {
  const given = usable(answer);
  if ('finding' in given) return { text: null, findings: [given.finding] };
  const { reply } = given;
  const read = readText(reply);
  if ('finding' in read) return { text: null, findings: [read.finding] };
  const html = htmlInstead(reply, read.text, bundle);
  if (html !== null) return { text: null, findings: [html] };
  const left = leftover(read.text);
  return { text: read.text, reply, findings: [...mediaType(reply), ...(left === null ? [] : [left])] };
}

/** `parsed` and `text` are absent where there was nothing to parse. */
export interface EvaluatedPage<T> {
  readonly findings: readonly RawFinding<PageRule>[];
  readonly parsed?: T;
  readonly text?: string;
}

/** For the core checks: remark-parse reads the page's beginning. The host's text for missing files does not count. */
export async function outlinedPage(
  { answer, bundle, missing }: Pick<NamedFile, 'answer' | 'bundle' | 'missing'>,
  limits: EvaluationLimits,
  wanted: readonly Wanted[] = ['hasContent'],
): Promise<EvaluatedPage<MarkdownOutline>> {
  const { parseMs: limitMs, signal } = limits;
  const outlined = await evaluated(answer, bundle, limits, (text) =>
    outlineMarkdown(text, { limitMs, signal }, wanted),
  );
  if (missing !== true || answer.kind === 'no-reply' || outlined.text === undefined) return outlined;
  return { findings: [{ rule: 'not-found', evidence: replyEvidence(answer) }] };
}

/** For checks of the whole site. */
export function page(answer: Answer, bundle: Answer, limits: EvaluationLimits): Promise<EvaluatedPage<MarkdownFacts>> {
  return evaluated(answer, bundle, limits, (text) => readMarkdown(text, limits));
}

/** In the run's own parser where it has one, which reads whole texts; otherwise the beginning, in this thread. */
export function readMarkdown(
  text: string,
  { parse, parseMs: limitMs, signal }: EvaluationLimits,
): Promise<MarkdownFacts | MarkdownLimit> {
  return parse === undefined ? parseMarkdown(text, { limitMs, signal }) : parse(text);
}

async function evaluated<T extends MarkdownFacts | MarkdownOutline>(
  answer: Answer,
  bundle: Answer,
  limits: EvaluationLimits,
  parse: (text: string) => Promise<T | MarkdownLimit>,
): Promise<EvaluatedPage<T>> {
  const file = textFile(answer, bundle);
  if (file.text === null) return { findings: file.findings };
  const parsed = await parse(file.text);
  if (!parsed.ok) {
    if (parsed.limit === 'ended') return { findings: [...file.findings, interruptedFinding(limits.signal?.reason)] };
    return { findings: [...file.findings, parseLimit(file.reply, parsed.limit, limits.parseMs)] };
  }
  const empty: readonly RawFinding<PageRule>[] = parsed.hasContent
    ? []
    : [{ rule: 'no-content', evidence: replyEvidence(file.reply) }];
  return { findings: [...file.findings, ...empty], parsed, text: file.text };
}

/** Engines ignore the type; `text/html` is wrong because browsers and agents would render it. */
function mediaType(reply: Reply): readonly RawFinding<'media-type'>[] {
  const type = mediaTypeOf(reply);
  if (type === null || (type.startsWith('text/') && type !== 'text/html')) return [];
  return [{ rule: 'media-type', evidence: { status: reply.status, mediaType: type } }];
}
