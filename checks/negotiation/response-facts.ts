/** What came for one request, as this check looks at it. Pure. */
import { createHash } from 'node:crypto';
import type { Answer, Evidence, NotFound, ReadonlyHeaders, Reply } from '../../src/check.ts';
import { mediaTypeOf } from '../../src/expect/media-type.ts';
import { REPLY_RULES } from '../../src/expect/reply.ts';
import { isHtmlDocument } from '../../src/parse/html.ts';

/**
 * What an answer is for a page: `markdown`, its bytes; `html`, a document; `missing`, told by the status or recognised;
 * `other`, a text that is neither; `failed`, an error of the host for this request; `unseen`, nothing that could be evaluated.
 */
export type Variant = 'markdown' | 'html' | 'missing' | 'other' | 'failed' | 'unseen';

/** One request and what came. */
export interface ResponseFacts {
  readonly method: 'GET' | 'HEAD';
  readonly url: string;
  readonly accept: string;
  readonly variant: Variant;
  /** After redirects; `null`: no reply. */
  readonly status: number | null;
  readonly reason: string | null;
  readonly mediaType: string | null;
  /** The path that answered at last. */
  readonly finalPath: string;
  /** The first redirect's status. */
  readonly redirect: number | null;
  /** `Vary` of what answered first: of the redirect, where there was one. */
  readonly vary: string | null;
  readonly etag: string | null;
  readonly contentEncoding: string | null;
  readonly contentLength: string | null;
  /** Of the decoded body. */
  readonly bytes: number;
  readonly sha256: string | null;
  /** Offset of the first byte that is not the page's. */
  readonly differsAt: number | null;
  /** Whether an edge counted the tokens of Markdown that it made itself. */
  readonly counted: boolean;
  /** Whether a shared cache says that it answered itself. */
  readonly cacheHit: boolean;
  /** `Age`, `X-Cache` and their like, as received. */
  readonly cache: Evidence;
}

/** What tells a page's variants from one another. */
export interface Reference {
  /** The page's own Markdown; for the site's root also the home page's, where that is another file. */
  readonly markdown: readonly Uint8Array[];
  readonly notFound: NotFound;
}

export interface SentRequest {
  readonly method: 'GET' | 'HEAD';
  readonly accept: string;
}

/** Reads an answer; `vary` is that of the first response, where a redirect came before it. */
export function responseFactsOf(
  answer: Answer,
  sent: SentRequest,
  reference: Reference,
  vary?: string | null,
): ResponseFacts {
  const { requestUrl: url, redirects } = answer;
  const about = { ...sent, url, finalPath: new URL(answer.url).pathname, redirect: redirects[0]?.status ?? null };
  if (answer.kind === 'no-reply') {
    const { reason, evidence } = answer;
    const probeSide = REPLY_RULES[reason] === 'unknown' || 'deadlineMs' in evidence;
    return { ...NOTHING, ...about, variant: probeSide ? 'unseen' : 'failed', reason };
  }
  const { headers, status, body } = answer;
  const variant = variantOf(answer, reference);
  return {
    ...NOTHING,
    ...about,
    variant,
    status,
    mediaType: mediaTypeOf(answer),
    vary: vary === undefined ? headers.get('vary') : vary,
    etag: headers.get('etag'),
    contentEncoding: headers.get('content-encoding'),
    contentLength: headers.get('content-length'),
    bytes: body.length,
    sha256: sha256Of(body),
    differsAt: variant === 'other' ? firstDifference(body, reference.markdown[0]) : null,
    counted: headers.get('x-markdown-tokens') !== null,
    cacheHit: isCacheHit(headers),
    cache: cacheEvidence(headers),
  };
}

const NOTHING: Omit<ResponseFacts, 'method' | 'url' | 'finalPath' | 'accept' | 'variant' | 'redirect'> = {
  status: null,
  reason: null,
  mediaType: null,
  vary: null,
  etag: null,
  contentEncoding: null,
  contentLength: null,
  bytes: 0,
  sha256: null,
  differsAt: null,
  counted: false,
  cacheHit: false,
  cache: {},
};

/** Statuses that a host gives for a path at which it has no page to show. */
const MISSING: ReadonlySet<number> = new Set([403, 404, 410]);
/** Statuses that say nothing of how the host negotiates. */
const UNTOLD: ReadonlySet<number> = new Set([304, 401, 407, 429]);

function variantOf(reply: Reply, { markdown, notFound }: Reference): Variant {
  const { status, body } = reply;
  if (UNTOLD.has(status)) return 'unseen';
  if (MISSING.has(status)) return 'missing';
  if (status !== 200) return 'failed';
  if (markdown.some((bytes) => Buffer.compare(bytes, body) === 0)) return 'markdown';
  if (isHtml(reply)) return 'html';
  return notFound.isMissing(reply) ? 'missing' : 'other';
}

/** Whether a reply is an HTML document, by its type or by how it begins. */
export function isHtml(reply: Reply): boolean {
  const type = mediaTypeOf(reply);
  if (type === 'text/html' || type === 'application/xhtml+xml') return true;
  return isHtmlDocument(Buffer.from(reply.body.subarray(0, 2048)).toString('utf8'));
}

function firstDifference(body: Uint8Array, wanted: Uint8Array | undefined): number | null {
  if (wanted === undefined) return null;
  const shorter = Math.min(body.length, wanted.length);
  for (let at = 0; at < shorter; at++) if (body[at] !== wanted[at]) return at;
  return shorter;
}

/** In hexadecimal. */
export const sha256Of = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex');

/** What shared caches tell of themselves: RFC 9111, section 5.1; RFC 9211; and their own headers. */
const CACHE_HEADERS: Readonly<Record<string, string>> = {
  age: 'age',
  xCache: 'x-cache',
  cfCacheStatus: 'cf-cache-status',
  cacheStatus: 'cache-status',
  xVercelCache: 'x-vercel-cache',
  cacheControl: 'cache-control',
};

function cacheEvidence(headers: ReadonlyHeaders): Evidence {
  const reported = Object.entries(CACHE_HEADERS).map(([name, header]) => [name, headers.get(header)] as const);
  return Object.fromEntries(reported.filter(([, value]) => value !== null));
}

/** Platforms answer every static file out of a cache of their own, behind their rules; it mixes nothing. */
const OWN_CACHES = ['x-vercel-cache', 'x-nf-request-id'];

/** `CF-Cache-Status` does not count: a worker's static assets say `HIT` at any time. */
function isCacheHit(headers: ReadonlyHeaders): boolean {
  if (OWN_CACHES.some((name) => headers.get(name) !== null)) return false;
  const reported = ['x-cache', 'cache-status'].map((name) => headers.get(name) ?? '');
  return Number(headers.get('age') ?? 0) > 0 || reported.some((value) => /\bhit\b/i.test(value));
}
