/** Requests one page or file and evaluates the response. */
import { hash } from 'node:crypto';
import type {
  Answer,
  RawFinding,
  NotFound,
  Reply,
  Site,
  CrawledPage,
  Diagnosis,
  LinkedFile,
  Location,
  TargetFault,
} from '../check.ts';
import { mediaTypeOf } from '../expect/media-type.ts';
import { page, PAGE_RULES, type PageRule } from '../expect/page.ts';
import { usable } from '../expect/reply.ts';
import type { Reason } from '../http/reasons.ts';
import { isHtmlDocument } from '../parse/html.ts';
import type { MarkdownFacts, MarkdownLink } from '../parse/markdown.ts';
import { decoded } from '../parse/urls.ts';
import { hasExtension } from '../engines/link.ts';
import { boundedFacts, MOST_OF_A_PAGE, copiedString } from './link-locations.ts';
import type { Target } from './frontier.ts';

export interface Visit {
  readonly status: number | null;
  readonly mediaType: string | null;
  /** Nothing wrong with it but what is worth a warning. */
  readonly ok: boolean;
  readonly missing: boolean;
  readonly findings: readonly RawFinding<PageRule>[];
  readonly facts: MarkdownFacts | null;
  readonly sha256: string | null;
  readonly bytes: number;
  /** Where redirects led; `null`: there were none. */
  readonly landed: string | null;
  /** Why there was no response; `null`: there was one. */
  readonly nobody: { readonly reason: Reason; readonly evidence: RawFinding['evidence'] } | null;
  /** The run came to its end before the answer, or before that was evaluated: nothing is known. */
  readonly ended: boolean;
}

export interface VisitContext {
  readonly site: Site;
  readonly bundle: Answer;
  readonly notFound: NotFound;
}

/** Requests that end thus did not meet a working server. */
const NO_ANSWER: ReadonlySet<Reason> = new Set<Reason>([
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

/** Of a longer page the beginning is evaluated, so that the rest need not stay in memory. In bytes. */
const LONGEST_PAGE = 2 * 1024 * 1024;

/** What came for a target, to be evaluated later: nothing may keep a large body while its page is parsed. */
export function received(
  answer: Answer,
  path: string,
  kind: Target['kind'],
  context: VisitContext,
): () => Promise<Visit> {
  if (kind === 'file') {
    const visit = evaluateFile(answer, path, context);
    return () => Promise.resolve(visit);
  }
  const [observed, led] = [visitOf(answer), redirected(answer)];
  if (answer.kind === 'reply' && isGone(answer, context.notFound)) {
    return () => Promise.resolve({ ...observed, missing: true, findings: led });
  }
  // What a page moved to is what visitors read.
  const beginning = { ...cut(answer), redirects: [] };
  return () => evaluatePage(beginning, observed, led, context);
}

/** After a whole line where there is one, so that no character is cut. */
function cut(answer: Answer): Answer {
  if (answer.kind === 'no-reply' || answer.body.length <= LONGEST_PAGE) return answer;
  const end = answer.body.lastIndexOf(0x0a, LONGEST_PAGE) + 1;
  // A copy: a part of a buffer keeps all of it in memory.
  return { ...answer, body: new Uint8Array(answer.body.subarray(0, end === 0 ? wholeCharacters(answer.body) : end)) };
}

function wholeCharacters(body: Uint8Array): number {
  let end = LONGEST_PAGE;
  while (end > LONGEST_PAGE - 4 && ((body[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}

async function evaluatePage(
  beginning: Answer,
  observed: Visit,
  led: readonly RawFinding<'redirected'>[],
  { site, bundle }: VisitContext,
): Promise<Visit> {
  const evaluated = await page(beginning, bundle, site.limits);
  const missing = evaluated.findings.some(({ rule }) => rule === 'not-found' || rule === 'spa-fallback');
  if (missing) return { ...observed, missing, findings: led };
  const ok = evaluated.findings.every(({ rule }) => PAGE_RULES[rule] === 'warning');
  const findings = [...evaluated.findings.map((finding) => ofWhole(finding, observed)), ...(ok ? led : [])];
  const read = evaluated.parsed && linksBeyondGimmicks(evaluated.parsed, evaluated.text ?? '');
  const isCut = observed.bytes > LONGEST_PAGE;
  const found = read === undefined ? null : boundedFacts(isCut ? { ...read, whole: false } : read, MOST_OF_A_PAGE);
  const ended = observed.ended || evaluated.findings.some(({ rule }) => rule === 'interrupted');
  return { ...observed, ok, findings, facts: found, ended };
}

/** The size of the whole page, of which only the beginning was evaluated. */
function ofWhole(finding: RawFinding<PageRule>, { bytes }: Visit): RawFinding<PageRule> {
  return finding.evidence?.['bytes'] === undefined ? finding : { ...finding, evidence: { ...finding.evidence, bytes } };
}

/** Evaluates other files: they exist, and are not a web page unless the name says so. */
function evaluateFile(answer: Answer, path: string, { notFound }: VisitContext): Visit {
  const observed = visitOf(answer);
  // Larger than this machine reads: there.
  if (answer.kind === 'no-reply' && answer.reason === 'too-large') return { ...observed, ok: true };
  if (answer.kind === 'reply' && isGone(answer, notFound)) return { ...observed, missing: true };
  const given = usable({ ...answer, redirects: [] });
  if ('finding' in given) return { ...observed, findings: [given.finding] };
  if (isWebPage(given.reply, path)) {
    return {
      ...observed,
      findings: [{ rule: 'html', evidence: { status: observed.status, mediaType: observed.mediaType } }],
    };
  }
  return { ...observed, ok: true };
}

function visitOf(answer: Answer): Visit {
  const landed = answer.redirects.length === 0 ? null : answer.url;
  const none = { ok: false, missing: false, findings: [], facts: null, landed };
  if (answer.kind === 'reply') {
    const sha256 = hash('sha256', answer.body);
    const observed = { status: answer.status, mediaType: mediaTypeOf(answer), sha256, bytes: answer.body.length };
    return { ...none, ...observed, nobody: null, ended: false };
  }
  const { reason, evidence } = answer;
  const ended = reason === 'interrupted' || Object.hasOwn(evidence, 'deadlineMs');
  const nobody = !ended && NO_ANSWER.has(reason) ? { reason, evidence } : null;
  return { ...none, status: null, mediaType: null, sha256: null, bytes: 0, nobody, ended };
}

function isGone(reply: Reply, notFound: NotFound): boolean {
  return reply.status === 404 || reply.status === 410 || notFound.isMissing(reply);
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
  return (
    mediaTypeOf(reply) === 'text/html' && isHtmlDocument(Buffer.from(reply.body.subarray(0, 1024)).toString('utf8'))
  );
}

/** MDwiki writes its own commands as links: `[gimmick:disqus](name)`. */
const GIMMICK = /^\[gimmick:/i;

const LONGEST = 1024 * 1024;

/** The facts without the links that are commands to the engine. */
function linksBeyondGimmicks(facts: MarkdownFacts, text: string): MarkdownFacts {
  if (!/\[gimmick:/i.test(text)) return facts;
  const lines = text.slice(0, LONGEST).split(/\r\n|\n|\r/);
  const isLink = ({ line, column }: MarkdownLink): boolean =>
    !GIMMICK.test((lines[line - 1] ?? '').slice(column - 1, column + 10));
  const { links, engineLinks = [] } = facts;
  return { ...facts, links: links.filter(isLink), engineLinks: engineLinks.filter(isLink) };
}

export interface Fault extends TargetFault {
  readonly ok: boolean;
  readonly written: string;
  diagnosis: Diagnosis | null;
  readonly nobody: boolean;
}

/** Keeps the links of roots only. Places are made when they are requested: a large site has very many. */
export function pageOf(target: Target, visit: Visit): CrawledPage {
  const { path, url, depth } = target;
  const { ok, status, mediaType, sha256, bytes } = visit;
  return {
    path,
    url,
    depth,
    ok,
    status,
    mediaType,
    sha256,
    bytes,
    facts: visit.facts && { ...visit.facts, links: depth === 0 ? ownLinks(visit.facts.links) : [] },
    get reachable(): boolean {
      return target.reachable;
    },
    get locations(): readonly Location[] {
      return target.locations.locations;
    },
    get count(): number {
      return target.locations.count;
    },
  };
}

/** The first of them, without a hold on the text that they were read from. */
function ownLinks(links: readonly MarkdownLink[]): readonly MarkdownLink[] {
  return links.slice(0, MOST_OF_A_PAGE).map((link) => ({ ...link, url: copiedString(link.url) }));
}

export function fileOf(target: Target, { ok, status, mediaType, sha256 }: Visit): LinkedFile {
  const { path, url, image } = target;
  return {
    path,
    url,
    kind: image ? 'image' : 'link',
    ok,
    status,
    mediaType,
    sha256,
    get locations(): readonly Location[] {
      return target.locations.locations;
    },
    get count(): number {
      return target.locations.count;
    },
  };
}

export function faultOf(target: Target, { ok, missing, findings, status, mediaType, nobody }: Visit): Fault | null {
  if (ok && findings.length === 0) return null;
  const fileKind = target.image ? 'image' : 'file';
  return {
    path: target.path,
    written: target.written,
    kind: target.kind === 'page' ? 'page' : fileKind,
    ok,
    missing,
    findings,
    status,
    mediaType,
    diagnosis: null,
    nobody: nobody !== null,
    get locations(): readonly Location[] {
      return target.locations.locations;
    },
    get count(): number {
      return target.locations.count;
    },
  };
}
