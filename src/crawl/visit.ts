/** Evaluates what came for one page or file. */
import { hash } from 'node:crypto';
import type { Answer, Reply } from '../core/answer.ts';
import type { NotFound } from '../site/not-found.ts';
import type { RawFinding } from '../core/finding.ts';
import type { Site } from '../site/types.ts';
import { beginningOf } from '../expect/fallback.ts';
import { page, PAGE_RULES, readMarkdown, type PageRule } from '../expect/page.ts';
import { ABOUT_REDIRECTS, badRedirect, usable, mediaTypeOf } from '../expect/reply.ts';
import { decodedByCharset, textOf } from '../expect/text.ts';
import type { Reason } from '../http/reasons.ts';
import { isHtmlDocument } from '../parse/html.ts';
import type { MarkdownFacts } from '../parse/markdown.ts';
import { decoded } from '../parse/urls.ts';
import type { EngineSettings } from '../engines/engine.ts';
import { hasExtension, isMarkdownPath } from '../engines/link.ts';

export interface Visit {
  /** `true`: status 200, no page or error in its place, not what the host sends for a missing file. */
  readonly ok: boolean;
  /** Whether the file is missing, by status or by the response instead of it. */
  readonly missing: boolean;
  /** The evaluation in other cases. */
  readonly findings: readonly RawFinding<PageRule>[];
  readonly status: number | null;
  readonly mediaType: string | null;
  readonly sha256: string | null;
  readonly bytes: number;
  /** What the parser found; `null` where there was nothing to parse or a limit was met. */
  readonly facts: MarkdownFacts | null;
  /** Where redirects led; `null`: there were none. */
  readonly landed: string | null;
  /** Why there was no response; `null`: there was one. */
  readonly unreachable: { readonly reason: Reason; readonly evidence: RawFinding['evidence'] } | null;
  /** The run ended before the response, or before that was evaluated: nothing is known. */
  readonly ended: boolean;
}

export interface VisitContext {
  readonly site: Site;
  readonly bundle: Answer;
  readonly notFound: NotFound;
  /** Absent for agents, who take all text for UTF-8. */
  readonly engine?: EngineSettings;
}

/** Requests that end thus met a server that works. */
const WITH_SERVER: ReadonlySet<Reason> = new Set<Reason>([
  ...ABOUT_REDIRECTS,
  'headers-too-large',
  'body-timeout',
  'too-large',
  'truncated',
  'bad-encoding',
  'bad-framing',
]);

/** Of a longer page the beginning is evaluated, so that the rest need not stay in memory. In bytes. */
const LONGEST_PAGE = 2 * 1024 * 1024;

/** Does not keep a large body while its page is parsed. */
export function received(answer: Answer, path: string, isPage: boolean, context: VisitContext): Promise<Visit> {
  const wrong = badRedirect(answer);
  if (wrong !== null) return Promise.resolve({ ...visitOf(answer), unreachable: null, findings: [wrong] });
  const observed = visitOf(answer);
  if (!isPage) return evaluateFile(answer, path, observed, context);
  const led = redirected(answer);
  if (answer.kind === 'reply' && context.notFound.isMissing(answer)) {
    return Promise.resolve({ ...observed, missing: true, findings: led });
  }
  // What a page moved to is what visitors read.
  const read = context.engine?.obeysCharset === true ? decodedByCharset(cut(answer)) : cut(answer);
  return evaluatePage({ ...read, redirects: [] }, observed, led, context);
}

/** After a whole line where there is one; no character is cut. */
function cut(answer: Answer): Answer {
  if (answer.kind === 'no-reply' || answer.body.length <= LONGEST_PAGE) return answer;
  let end = answer.body.lastIndexOf(0x0a, LONGEST_PAGE) + 1 || LONGEST_PAGE;
  while (end > 0 && ((answer.body[end] ?? 0) & 0xc0) === 0x80) end--;
  // A copy: a part of a buffer keeps all of it in memory.
  return { ...answer, body: new Uint8Array(answer.body.subarray(0, end)) };
}

async function evaluatePage(
  beginning: Answer,
  observed: Visit,
  led: readonly RawFinding<'redirected'>[],
  { site, bundle }: VisitContext,
): Promise<Visit> {
  const { findings: own, parsed } = await page({ answer: beginning, bundle }, site.limits, (text) =>
    readMarkdown(text, site.limits),
  );
  const missing = own.some(({ rule }) => rule === 'not-found' || rule === 'spa-fallback');
  if (missing) return { ...observed, missing, findings: led };
  const ok = own.every(({ rule }) => PAGE_RULES[rule] === 'warning');
  const { bytes } = observed;
  // The size of the whole page, of which only the beginning was evaluated.
  const ofWhole = (finding: RawFinding<PageRule>): RawFinding<PageRule> =>
    finding.evidence?.['bytes'] === undefined ? finding : { ...finding, evidence: { ...finding.evidence, bytes } };
  return {
    ...observed,
    ok,
    findings: [...own.map(ofWhole), ...(ok ? led : [])],
    facts: parsed ? { ...parsed, whole: parsed.whole && bytes <= LONGEST_PAGE } : null,
    ended: observed.ended || own.some(({ rule }) => rule === 'interrupted'),
  };
}

/** Other files exist, and are not a web page unless the name says so. */
async function evaluateFile(answer: Answer, path: string, observed: Visit, context: VisitContext): Promise<Visit> {
  const visit = { ...observed, ...resultOfFile(answer, path, context) };
  const text = visit.ok && isMarkdownPath(path) ? textOf(answer) : null;
  const parsed = text === null ? null : await readMarkdown(text, context.site.limits);
  return parsed?.ok === true ? { ...visit, facts: parsed } : visit;
}

function resultOfFile(answer: Answer, path: string, { notFound }: VisitContext): Partial<Visit> {
  // Larger than this machine reads.
  if (answer.kind === 'no-reply' && answer.reason === 'too-large') return { ok: true };
  if (answer.kind === 'reply' && notFound.isMissing(answer)) return { missing: true };
  const given = usable({ ...answer, redirects: [] });
  if ('finding' in given) return { findings: [given.finding] };
  const { status } = given.reply;
  const mediaType = mediaTypeOf(given.reply);
  return isWebPage(given.reply, path)
    ? { findings: [{ rule: 'html', evidence: { status, mediaType } }] }
    : { ok: true };
}

export const NOTHING_RECEIVED: Visit = {
  ok: false,
  missing: false,
  findings: [],
  status: null,
  mediaType: null,
  sha256: null,
  bytes: 0,
  facts: null,
  landed: null,
  unreachable: null,
  ended: false,
};

function visitOf(answer: Answer): Visit {
  const none = { ...NOTHING_RECEIVED, landed: answer.redirects.length === 0 ? null : answer.url };
  if (answer.kind === 'reply') {
    const { status, body } = answer;
    return { ...none, status, mediaType: mediaTypeOf(answer), sha256: hash('sha256', body), bytes: body.length };
  }
  const { reason, evidence } = answer;
  const ended = reason === 'interrupted' || Object.hasOwn(evidence, 'deadlineMs');
  const unreachable = ended || WITH_SERVER.has(reason) ? null : { reason, evidence };
  return { ...none, unreachable, ended };
}

function redirected({ redirects, url }: Answer): readonly RawFinding<'redirected'>[] {
  const [hop] = redirects;
  // To another spelling of the same address: some hosts encode signs that others leave as they are.
  if (hop === undefined || decoded(URL.parse(hop.location, hop.url)?.href ?? '') === decoded(hop.url)) return [];
  return [{ rule: 'redirected', evidence: { status: hop.status, location: hop.location, finalUrl: url } }];
}

/** An error or login page instead of a picture or download. */
function isWebPage(reply: Reply, path: string): boolean {
  if (!hasExtension(path) || /\.(?:x?html?|php|aspx?|jsp|cgi)$/i.test(path)) return false;
  return mediaTypeOf(reply) === 'text/html' && isHtmlDocument(beginningOf(reply.body, 1024));
}
