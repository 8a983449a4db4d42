/** Asks for one page or file and judges what comes. */
import { hash } from 'node:crypto';
import type { Answer, Draft, NotFound, Reply, Site } from '../check.ts';
import { mediaTypeOf } from '../expect/media-type.ts';
import { page, PAGE_CODES, type PageCode } from '../expect/page.ts';
import { usable } from '../expect/reply.ts';
import type { Reason } from '../http/reasons.ts';
import { isHtmlDocument } from '../parse/html.ts';
import type { MarkdownFacts } from '../parse/markdown-types.ts';
import { decoded } from '../parse/percent.ts';
import { hasExtension } from '../site/link-path.ts';
import { linksBeyondGimmicks } from './gimmicks.ts';
import { boundedFacts, MOST_OF_A_PAGE } from './kept-facts.ts';

/** What one request told. */
export interface Visit {
  readonly status: number | null;
  readonly mediaType: string | null;
  /** Nothing wrong with it but what is worth a warning. */
  readonly ok: boolean;
  readonly missing: boolean;
  readonly drafts: readonly Draft<PageCode>[];
  readonly facts: MarkdownFacts | null;
  readonly sha256: string | null;
  readonly bytes: number;
  /** Where redirects led; `null`: there were none. */
  readonly landed: string | null;
  /** Why nobody answered; `null`: somebody did. */
  readonly nobody: { readonly reason: Reason; readonly evidence: Draft['evidence'] } | null;
  /** The run came to its end before the answer, or before that was judged: nothing is known. */
  readonly ended: boolean;
}

export interface VisitContext {
  readonly site: Site;
  readonly bundle: Answer;
  readonly notFound: NotFound;
}

/** Requests that end thus did not meet a working server. */
const NOBODY: ReadonlySet<Reason> = new Set<Reason>([
  'dns-not-found',
  'dns-temporary',
  'dns-timeout',
  'refused',
  'unreachable',
  'connect-timeout',
  'tls-expired',
  'tls-hostname',
  'tls-untrusted',
  'tls-protocol',
  'tls-timeout',
  'reset',
  'headers-timeout',
  'proxy-failed',
  'no-network',
  'out-of-descriptors',
]);

/** Of a longer page the beginning is judged, so that the rest need not stay in memory. In bytes. */
const LONGEST_PAGE = 2 * 1024 * 1024;

/** What is known of a page before it is parsed, without the rest of a long body. */
export interface ReceivedPage {
  readonly seen: Visit;
  readonly led: Visit['drafts'];
  /** To be judged; `null`: the host has no such page. */
  readonly beginning: Answer | null;
}

export function receivedPage(answer: Answer, { notFound }: VisitContext): ReceivedPage {
  const [seen, led] = [facts(answer), redirected(answer)];
  if (answer.kind === 'reply' && isGone(answer, notFound)) return { seen, led, beginning: null };
  // What a page moved to is what visitors read.
  return { seen, led, beginning: { ...cut(answer), redirects: [] } };
}

/** After a whole line where there is one, so that no character is cut. */
function cut(answer: Answer): Answer {
  if (answer.kind === 'no-reply' || answer.body.length <= LONGEST_PAGE) return answer;
  const end = answer.body.lastIndexOf(0x0a, LONGEST_PAGE) + 1;
  // A copy: a part of a buffer keeps all of it in memory.
  return { ...answer, body: new Uint8Array(answer.body.subarray(0, end === 0 ? wholeCharacters(answer.body) : end)) };
}

/** Where the last character before the limit begins. */
function wholeCharacters(body: Uint8Array): number {
  let end = LONGEST_PAGE;
  while (end > LONGEST_PAGE - 4 && ((body[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}

/** Judges what came for a Markdown page. */
export async function judgePage(
  { seen, led, beginning }: ReceivedPage,
  { site, bundle }: VisitContext,
): Promise<Visit> {
  if (beginning === null) return { ...seen, missing: true, drafts: led };
  const judged = await page(beginning, bundle, site.limits);
  const missing = judged.drafts.some(({ code }) => code === 'not-found' || code === 'spa-fallback');
  if (missing) return { ...seen, missing, drafts: led };
  const ok = judged.drafts.every(({ code }) => PAGE_CODES[code] === 'warning');
  const drafts = [...judged.drafts.map((draft) => ofWhole(draft, seen)), ...(ok ? led : [])];
  const read = judged.facts && linksBeyondGimmicks(judged.facts, judged.text ?? '');
  const isCut = seen.bytes > LONGEST_PAGE;
  const found = read === undefined ? null : boundedFacts(isCut ? { ...read, whole: false } : read, MOST_OF_A_PAGE);
  const ended = seen.ended || judged.drafts.some(({ code }) => code === 'interrupted');
  return { ...seen, ok, drafts, facts: found, ended };
}

/** The size of the whole page, of which only the beginning was judged. */
function ofWhole(draft: Draft<PageCode>, { bytes }: Visit): Draft<PageCode> {
  return draft.evidence?.['bytes'] === undefined ? draft : { ...draft, evidence: { ...draft.evidence, bytes } };
}

/** Judges what came for anything else: it is there, and is no web page unless its name says so. */
export function judgeFile(answer: Answer, path: string, { notFound }: VisitContext): Visit {
  const seen = facts(answer);
  // Larger than this machine reads: there.
  if (answer.kind === 'no-reply' && answer.reason === 'too-large') return { ...seen, ok: true };
  if (answer.kind === 'reply' && isGone(answer, notFound)) return { ...seen, missing: true };
  const given = usable({ ...answer, redirects: [] });
  if ('draft' in given) return { ...seen, drafts: [given.draft] };
  if (isWebPage(given.reply, path)) {
    return { ...seen, drafts: [{ code: 'html', evidence: { status: seen.status, mediaType: seen.mediaType } }] };
  }
  return { ...seen, ok: true };
}

function facts(answer: Answer): Visit {
  const landed = answer.redirects.length === 0 ? null : answer.url;
  const none = { ok: false, missing: false, drafts: [], facts: null, landed };
  if (answer.kind === 'reply') {
    const sha256 = hash('sha256', answer.body);
    const seen = { status: answer.status, mediaType: mediaTypeOf(answer), sha256, bytes: answer.body.length };
    return { ...none, ...seen, nobody: null, ended: false };
  }
  const { reason, evidence } = answer;
  const ended = reason === 'interrupted' || Object.hasOwn(evidence, 'deadlineMs');
  const nobody = !ended && NOBODY.has(reason) ? { reason, evidence } : null;
  return { ...none, status: null, mediaType: null, sha256: null, bytes: 0, nobody, ended };
}

function isGone(reply: Reply, notFound: NotFound): boolean {
  return reply.status === 404 || reply.status === 410 || notFound.isMissing(reply);
}

function redirected({ redirects, url }: Answer): readonly Draft<'redirected'>[] {
  const [hop] = redirects;
  // To another spelling of the same address: some hosts encode signs that others leave as they are.
  if (hop === undefined || decoded(URL.parse(hop.location, hop.url)?.href ?? '') === decoded(hop.url)) return [];
  return [{ code: 'redirected', evidence: { status: hop.status, location: hop.location, finalUrl: url } }];
}

/** An error or login page in place of a picture or download. */
function isWebPage(reply: Reply, path: string): boolean {
  if (!hasExtension(path) || /\.(?:x?html?|php|aspx?|jsp|cgi)$/i.test(path)) return false;
  return (
    mediaTypeOf(reply) === 'text/html' && isHtmlDocument(Buffer.from(reply.body.subarray(0, 1024)).toString('utf8'))
  );
}
