import { ACCEPT } from '../../src/site/settings.ts';
import type { Answer, NotFound, Reply, GetRequest, Site, Evidence, ReadonlyHeaders, Crawl } from '../../src/check.ts';
import { alike, fingerprint } from '../../src/expect/fallback.ts';
import { mediaTypeOf } from '../../src/expect/media-type.ts';
import { createHash } from 'node:crypto';
import { REPLY_RULES } from '../../src/expect/reply.ts';
import { isHtmlDocument } from '../../src/parse/html.ts';

export const ACCEPTS = {
  /** An agent that takes nothing but Markdown. */
  agent: 'text/markdown',
  /** What Firefox and Safari send when they navigate. */
  browser: ACCEPT.navigate,
  any: ACCEPT.fetch,
  /** As good as no header: the transport always sends one. */
  none: '',
  /** RFC 9110, section 12.5.1: Markdown is the less welcome one. */
  low: 'text/html, text/markdown;q=0.5',
  /** RFC 9110, section 12.4.2: a weight of 0 means "not acceptable". */
  zero: 'text/html, text/markdown;q=0',
  /** Markdown is the more welcome one. */
  weighted: 'text/markdown;q=0.9, text/html;q=0.1',
  list: 'text/markdown, text/html, */*',
} as const;

export interface PageObservation {
  readonly url: string;
  readonly root: boolean;
  /** Whether the page has a Markdown file to compare with. */
  readonly usable: boolean;
  readonly failure: Answer | null;
  readonly fileType: string | null;
  readonly agent: ResponseFacts | null;
  readonly browser: ResponseFacts | null;
  readonly otherPage: string | null;
  /** The agent's request again, past any cache; only where it got no Markdown. */
  readonly freshAgent: ResponseFacts | null;
  /** Whether the agent got the folder's `index.html`, which exists. */
  readonly fileFirst: boolean;
  /** The browser's request again, past any cache; only where it got Markdown. */
  readonly freshBrowser: ResponseFacts | null;
}

export interface Scene {
  readonly requester: Requester;
  readonly notFound: NotFound;
  /** For the root: the home page's Markdown, where that is another file than `index.md`. */
  readonly home: Uint8Array | null;
  readonly pathsBySha: ReadonlyMap<string, string>;
}

const NOTHING: Omit<PageObservation, 'url' | 'root'> = {
  usable: false,
  failure: null,
  fileType: null,
  agent: null,
  browser: null,
  otherPage: null,
  freshAgent: null,
  fileFirst: false,
  freshBrowser: null,
};

export type Observed = Awaited<ReturnType<typeof observePage>>;

/** Requests a page path as an agent and as a browser, in that order, and, where something is wrong, for its cause. */
export async function observePage(page: PagePath, root: boolean, scene: Scene) {
  const { requester, notFound } = scene;
  const url = page.page.href;
  const file = await requester.get({ url: page.file, accept: ACCEPTS.any });
  const there = isPage(file, notFound);
  const home = root && scene.home !== null ? [scene.home] : [];
  const reference: Reference = { markdown: [...(there ? [file.body] : []), ...home], notFound };
  const failure = file.kind === 'no-reply' || file.status >= 500 ? file : null;
  const nothing = { page, observed: { ...NOTHING, url, root, failure }, reference };
  // Visitors open the root whatever its page is called.
  if (!there && !root) return nothing;
  const agent = await requester.ask(page.page, ACCEPTS.agent, reference);
  const browser = await requester.ask(page.page, ACCEPTS.browser, reference);
  if (!there && agent.variant !== 'markdown') return { ...nothing, observed: { ...nothing.observed, browser } };
  const again = agent.variant === 'other' ? await observeAgain(page, scene, reference) : { agent, reference };
  const fileType = there ? mediaTypeOf(file) : null;
  const observed = {
    ...nothing.observed,
    usable: true,
    fileType,
    ...(await causesOf(page, root, scene, { ...again, browser })),
  };
  return { page, observed, reference: again.reference };
}

interface Variants {
  readonly agent: ResponseFacts;
  readonly browser: ResponseFacts;
  readonly reference: Reference;
}

async function causesOf(
  page: PagePath,
  root: boolean,
  scene: Scene,
  { agent, browser, reference }: Variants,
): Promise<Omit<PageObservation, 'url' | 'root' | 'usable' | 'fileType' | 'failure'>> {
  const { requester, pathsBySha } = scene;
  const without = agent.variant === 'html' || agent.variant === 'missing' || agent.variant === 'failed';
  const ask = (accept: string): Promise<ResponseFacts> => requester.ask(uncachedUrl(page.page), accept, reference);
  return {
    agent,
    browser,
    otherPage: agent.variant === 'other' ? (pathsBySha.get(agent.sha256 ?? '') ?? null) : null,
    freshAgent: without ? await ask(ACCEPTS.agent) : null,
    fileFirst: agent.variant === 'html' && (await isIndexHtml(page, root, agent, scene)),
    freshBrowser: browser.variant === 'markdown' ? await ask(ACCEPTS.browser) : null,
  };
}

/** Requests the file and the page path again: a deployment may have happened in between. */
async function observeAgain(
  page: PagePath,
  { requester, notFound }: Scene,
  before: Reference,
): Promise<{ readonly agent: ResponseFacts; readonly reference: Reference }> {
  const file = await requester.get({ url: page.file, accept: ACCEPTS.any });
  const reference = isPage(file, notFound) ? { ...before, markdown: [file.body, ...before.markdown.slice(1)] } : before;
  return { agent: await requester.ask(page.page, ACCEPTS.agent, reference), reference };
}

function isPage(file: Answer, notFound: NotFound): file is Reply {
  if (file.kind === 'no-reply' || file.status !== 200 || file.body.length === 0) return false;
  return !isHtml(file) && !notFound.isMissing(file);
}

async function isIndexHtml(page: PagePath, root: boolean, agent: ResponseFacts, scene: Scene): Promise<boolean> {
  const url = new URL('index.html', page.page);
  const answer = await scene.requester.get({ url, accept: ACCEPTS.browser });
  if (answer.kind === 'no-reply' || answer.status !== 200 || !isHtml(answer)) return false;
  // The root's own is the bundle, which is also what a fallback sends for files that are not there.
  if (!root && scene.notFound.isMissing(answer)) return false;
  if (agent.bytes === answer.body.length && agent.sha256 === sha256Of(answer.body)) return true;
  if (!root) return false;
  // A bundle that differs from one request to the next (a nonce) is known by its likeness.
  const again = await scene.requester.get({ url: page.page, accept: ACCEPTS.agent });
  return (
    again.kind === 'reply' &&
    alike(fingerprint(again.requestUrl, again.body), fingerprint(answer.requestUrl, answer.body))
  );
}

export type Requester = ReturnType<typeof createRequester>;

/** Redirects that caches may keep (RFC 9110, section 15.4), so that their own `Vary` counts. */
const CACHEABLE_REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 308]);

export function createRequester(site: Site) {
  let sent = 0;
  const get = (request: GetRequest): Promise<Answer> => {
    sent++;
    return site.pooled(request);
  };
  return {
    site,
    get,
    async ask(url: URL, accept: string, reference: Reference, more: Partial<GetRequest> = {}) {
      const request = { url, accept, ...more };
      const answer = await get(request);
      const asked = { method: request.method ?? 'GET', accept } as const;
      if (!CACHEABLE_REDIRECTS.has(answer.redirects[0]?.status)) return responseFactsOf(answer, asked, reference);
      const first = await get({ ...request, follow: false });
      return responseFactsOf(answer, asked, reference, first.kind === 'reply' ? first.headers.get('vary') : null);
    },
    sent: () => sent,
  };
}

export function uncachedUrl(page: URL): URL {
  const url = new URL(page);
  url.searchParams.set('docvitals', crypto.randomUUID());
  return url;
}

/**
 * What an answer is for a page: `markdown`, its bytes; `html`, a document; `missing`, by its status or recognised;
 * `other`, a text that is neither; `failed`, an error of the host for this request; `unseen`, nothing that could be evaluated.
 */
export type Variant = 'markdown' | 'html' | 'missing' | 'other' | 'failed' | 'unseen';

export interface ResponseFacts {
  readonly method: 'GET' | 'HEAD';
  readonly url: string;
  readonly accept: string;
  readonly variant: Variant;
  readonly status: number | null;
  readonly reason: string | null;
  readonly mediaType: string | null;
  readonly finalPath: string;
  readonly redirect: number | null;
  /** `Vary` of what answered first: of the redirect, where there was one. */
  readonly vary: string | null;
  readonly etag: string | null;
  readonly contentEncoding: string | null;
  readonly contentLength: string | null;
  readonly bytes: number;
  readonly sha256: string | null;
  /** Offset of the first byte that is not the page's. */
  readonly differsAt: number | null;
  /** Whether an edge counted the tokens of Markdown that it made itself. */
  readonly counted: boolean;
  /** Whether a shared cache says that it answered itself. */
  readonly cacheHit: boolean;
  readonly cache: Evidence;
}

interface Reference {
  /** The page's own Markdown; for the site's root also the home page's, where that is another file. */
  readonly markdown: readonly Uint8Array[];
  readonly notFound: NotFound;
}

interface SentRequest {
  readonly method: 'GET' | 'HEAD';
  readonly accept: string;
}

/** Reads an answer; `vary` is that of the first response, where a redirect came before it. */
function responseFactsOf(answer: Answer, sent: SentRequest, reference: Reference, vary?: string | null): ResponseFacts {
  const { requestUrl: url, redirects } = answer;
  const about = { ...sent, url, finalPath: new URL(answer.url).pathname, redirect: redirects[0]?.status ?? null };
  if (answer.kind === 'no-reply') {
    const { reason, evidence } = answer;
    const probeSide = REPLY_RULES[reason] === 'unknown' || 'deadlineMs' in evidence;
    return { ...NO_RESPONSE, ...about, variant: probeSide ? 'unseen' : 'failed', reason };
  }
  const { headers, status, body } = answer;
  const variant = variantOf(answer, reference);
  return {
    ...NO_RESPONSE,
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

const NO_RESPONSE: Omit<ResponseFacts, 'method' | 'url' | 'finalPath' | 'accept' | 'variant' | 'redirect'> = {
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

export const sha256Of = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex');

/** Headers of shared caches: RFC 9111, section 5.1; RFC 9211; and their own headers. */
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

/** A folder with an `index.md`: the path that a client may ask for instead of the file. */
export interface PagePath {
  /** Of the file, relative to the base, as the crawl names it. */
  readonly path: string;
  readonly page: URL;
  readonly file: URL;
  /** Of the Markdown as the crawl got it, in hexadecimal; `null`: not crawled. */
  readonly sha256: string | null;
}

const MOST_PAGES = 5;
const MOST_LANGUAGES = 2;
const MOST_WIDE = 40;

/**
 * The root, one page of each of the first languages, the deepest, one whose path has to be percent-encoded, and others
 * up to a bound; more of them to be checked less closely.
 */
export function samplePages(crawl: Crawl, base: URL, prefixes: readonly string[]) {
  const root = crawl.pages.get('index.md');
  const first: PagePath = {
    path: 'index.md',
    page: base,
    file: new URL('index.md', base),
    sha256: root?.ok === true ? root.sha256 : null,
  };
  const folders = pagePaths(crawl, base);
  const deepest = folders.toSorted((a, b) => depthOf(b) - depthOf(a))[0];
  const chosen = [
    ...prefixes
      .flatMap((prefix) => folders.filter(({ path }) => path === `${prefix}/index.md`))
      .slice(0, MOST_LANGUAGES),
    deepest,
    folders.find(({ path }) => /[^!-~]/.test(path)),
    ...folders,
  ].filter((page) => page !== undefined);
  const close = [...new Set(chosen)].slice(0, MOST_PAGES - 1);
  const rest = folders.filter((page) => !close.includes(page));
  const step = Math.max(1, rest.length / MOST_WIDE);
  const wide = Array.from({ length: Math.min(rest.length, MOST_WIDE) }, (_, index) => rest[Math.floor(index * step)]);
  return { close: [first, ...close], wide: wide.filter((page) => page !== undefined) };
}

function pagePaths(crawl: Crawl, base: URL): readonly PagePath[] {
  return [...crawl.pages.values()].flatMap(({ path, url, ok, sha256 }) => {
    if (!ok || !path.endsWith('/index.md') || !URL.canParse(url)) return [];
    const file = new URL(url);
    const below = file.href.startsWith(base.href) && file.pathname.endsWith('/index.md');
    return below && file.search === '' ? [{ path, page: new URL('./', file), file, sha256 }] : [];
  });
}

const depthOf = ({ path }: PagePath): number => path.split('/').length;
