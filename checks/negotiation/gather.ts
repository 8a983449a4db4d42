import { hash } from 'node:crypto';
import type { Answer, Get, GetRequest, Reply } from '../../src/core/answer.ts';
import type { Crawl } from '../../src/crawl/crawl.ts';
import type { NotFound } from '../../src/site/not-found.ts';
import type { Site } from '../../src/site/types.ts';
import { mapConcurrently } from '../../src/core/concurrency.ts';
import { alike, beginningOf, fingerprint } from '../../src/expect/fallback.ts';
import { isOk, mediaTypeOf, REPLY_RULES } from '../../src/expect/reply.ts';
import { firstDifference } from '../../src/parse/position.ts';
import { isHtmlDocument } from '../../src/parse/html.ts';
import { ACCEPT, localeFolders } from '../../src/site/settings.ts';
import { countingRequests, headersIn, spread } from '../full-check.ts';
import { promiseOf } from './promise.ts';

const MOST_CLOSE = 2;
const WIDE_AT_ONCE = 4;
const MOST_SUSPECTS = 5;

export async function gather(site: Site) {
  const { get, sent } = countingRequests(site);
  const [hosting, bundle, crawl, configuration, notFound, { answer: home }] = await Promise.all([
    site.hosting(),
    site.bundle(),
    site.crawl(),
    site.configuration(),
    site.notFound(),
    site.file('homePage'),
  ]);
  const scene = {
    get,
    notFound,
    home: isPage(home, notFound) ? home.body : null,
    pathsBySha: new Map([...crawl.pages.values()].map(({ sha256, path }) => [sha256 ?? '', path])),
  };
  const sample = samplePages(crawl, site.base, localeFolders(configuration));
  const observed = await Promise.all(sample.close.map((page) => observePage(page, scene)));
  // The root is first, where it negotiates, and one below it: what a host does for both may differ.
  const negotiating = observed.flatMap(({ agent, browser, ...page }) =>
    agent?.variant === 'markdown' && browser !== null ? [{ ...page, agent, browser }] : [],
  );
  const close = await Promise.all(negotiating.slice(0, MOST_CLOSE).map((page) => observeClosely(page, get)));
  const { fine, suspects } = negotiating.length === 0 ? { fine: 0, suspects: [] } : await askWide(sample.wide, get);
  const others = await Promise.all(suspects.map((page) => observePage(page, scene)));
  const pages = [...observed, ...others];
  // As a browser requests it; only on a platform, and where the base is a folder.
  const baseNoSlash =
    site.base.pathname !== '/' && hosting.kind === 'platform'
      ? await observe(get, { url: new URL(site.base.href.slice(0, -1)), accept: ACCEPT.navigate }, ANYTHING)
      : null;
  const evaluated = pages.filter(({ usable }) => usable);
  return {
    answer: null,
    requests: sent(),
    facts: {
      host: hosting.kind,
      by: hosting.by,
      pages: evaluated.length + fine,
      negotiated: evaluated.filter(({ agent }) => agent?.variant === 'markdown').length + fine,
    },
    observed: { hosting, promised: await promiseOf(site), bundle: isOk(bundle), pages, close, baseNoSlash },
  };
}

const ANYTHING = { markdown: [], notFound: { probes: [], isMissing: () => false } };

async function askWide(pages: readonly PagePath[], get: Get) {
  const checked = await mapConcurrently(pages, WIDE_AT_ONCE, async (page) => {
    const answer = await get({ url: page.page, accept: AGENT });
    return answer.kind === 'no-reply' || hash('sha256', answer.body) !== page.sha256 ? [page] : [];
  });
  const suspects = checked.flat();
  return { fine: pages.length - suspects.length, suspects: suspects.slice(0, MOST_SUSPECTS) };
}

/** `Accept` of an agent that takes nothing but Markdown. */
const AGENT = 'text/markdown';

/** What else clients send, and the rule that the wrong variant breaks. */
const PREFERENCES = [
  { accept: ACCEPT.fetch, wants: 'html', rule: 'html-not-served' },
  // As good as no header: the transport always sends one.
  { accept: '', wants: 'html', rule: 'html-not-served' },
  // RFC 9110, section 12.5.1: Markdown is the less welcome one.
  { accept: 'text/html, text/markdown;q=0.5', wants: 'html', rule: 'q-values-ignored' },
  // RFC 9110, section 12.4.2: a weight of 0 means "not acceptable".
  { accept: 'text/html, text/markdown;q=0', wants: 'html', rule: 'q-values-ignored' },
  { accept: 'text/markdown;q=0.9, text/html;q=0.1', wants: 'markdown', rule: 'not-negotiated' },
  { accept: 'text/markdown, text/html, */*', wants: 'markdown', rule: 'not-negotiated' },
] as const;

interface Scene {
  readonly get: Get;
  readonly notFound: NotFound;
  /** For the root: the home page's Markdown, where that is another file than `index.md`. */
  readonly home: Uint8Array | null;
  readonly pathsBySha: ReadonlyMap<string, string>;
}

export type PageObservation = Awaited<ReturnType<typeof observePage>>;

/** Requests a page path as an agent and as a browser, and, where something is wrong, for its cause. */
async function observePage(page: PagePath, scene: Scene) {
  const requested = await requestPage(page, scene);
  const { agent, browser, reference } = requested;
  const again = (accept: string) => observe(scene.get, { url: uncachedUrl(page.page), accept }, reference);
  return {
    ...requested,
    /** The path of the page that the agent got instead. */
    otherPage: agent?.variant === 'other' ? (scene.pathsBySha.get(agent.sha256) ?? null) : null,
    /** The agent's request again, past any cache; only where it got no Markdown. */
    freshAgent: agent !== null && isWithout(agent) ? await again(AGENT) : null,
    /** Whether the agent got the folder's `index.html`, which exists. */
    fileFirst: agent?.variant === 'html' && (await isIndexHtml(page, agent, scene)),
    /** The browser's request again, past any cache; only where it got Markdown. */
    freshBrowser: browser?.variant === 'markdown' ? await again(ACCEPT.navigate) : null,
  };
}

/** As an agent and as a browser, in that order. */
async function requestPage(page: PagePath, { get, notFound, home }: Scene) {
  const { root } = page;
  const getFile = (): Promise<Answer> => get({ url: page.file, accept: ACCEPT.fetch });
  const referenceTo = (file: Answer): Reference => {
    const own = isPage(file, notFound) ? [file.body] : [];
    return { markdown: [...own, ...(root && home !== null ? [home] : [])], notFound };
  };
  const file = await getFile();
  const there = isPage(file, notFound);
  let reference = referenceTo(file);
  const ask = (accept: string): Promise<ResponseFacts> => observe(get, { url: page.page, accept }, reference);
  // Visitors open the root whatever its page is called.
  const isOpened = there || root;
  let agent = isOpened ? await ask(AGENT) : null;
  const browser = isOpened ? await ask(ACCEPT.navigate) : null;
  const usable = there || agent?.variant === 'markdown';
  if (usable && agent?.variant === 'other') {
    // A deployment may have happened in between.
    const again = await getFile();
    if (isPage(again, notFound)) reference = referenceTo(again);
    agent = await ask(AGENT);
  }
  return {
    page,
    reference,
    /** Whether the page has a Markdown file to compare with. */
    usable,
    failure: file.kind === 'no-reply' || file.status >= 500 ? file : null,
    fileType: there ? mediaTypeOf(file) : null,
    // Without a Markdown file to compare with, there is nothing that could be wrong.
    agent: usable ? agent : null,
    browser,
  };
}

function isPage(file: Answer, notFound: NotFound): file is Reply {
  return isOk(file) && file.body.length > 0 && !isHtml(file) && !notFound.isMissing(file);
}

async function isIndexHtml({ page, root }: PagePath, agent: ResponseFacts, { get, notFound }: Scene): Promise<boolean> {
  const answer = await get({ url: new URL('index.html', page), accept: ACCEPT.navigate });
  if (!isOk(answer) || !isHtml(answer)) return false;
  // The root's own is the bundle, which is also what a fallback sends for files that are not there; one that differs from
  // one request to the next (a nonce) is known by its likeness.
  if (root) return alike(agent.print, fingerprint(answer.requestUrl, answer.body));
  return !notFound.isMissing(answer) && agent.sha256 === hash('sha256', answer.body);
}

export type ResponseFacts = Awaited<ReturnType<typeof observe>>;

/** Redirects that caches may keep (RFC 9110, section 15.4), so that their own `Vary` counts. */
const CACHEABLE_REDIRECTS: ReadonlySet<number | null> = new Set([301, 308]);

/** `markdown`: the page's own; for the site's root also the home page's, where that is another file. */
export type Reference = Pick<Scene, 'notFound'> & { readonly markdown: readonly Uint8Array[] };

async function observe(get: Get, request: GetRequest, reference: Reference) {
  const answer = await get(request);
  const redirect = answer.redirects[0]?.status ?? null;
  const first = CACHEABLE_REDIRECTS.has(redirect) ? await get({ ...request, follow: false }) : answer;
  const reply = answer.kind === 'reply' ? answer : null;
  const body = reply?.body ?? new Uint8Array();
  const header = (name: string): string | null => reply?.headers.get(name) ?? null;
  const variant = variantOf(answer, reference);
  return {
    accept: request.accept,
    url: answer.requestUrl,
    finalPath: new URL(answer.url).pathname,
    redirect,
    variant,
    status: reply?.status ?? null,
    reason: 'reason' in answer ? answer.reason : null,
    mediaType: reply && mediaTypeOf(reply),
    /** Of what answered first: of the redirect, where there was one. */
    vary: reply !== null && first.kind === 'reply' ? first.headers.get('vary') : null,
    etag: header('etag'),
    contentEncoding: header('content-encoding'),
    contentLength: header('content-length'),
    bytes: body.length,
    sha256: hash('sha256', body),
    print: fingerprint(answer.requestUrl, body),
    differsAt: variant === 'other' ? differenceOf(body, reference) : null,
    /** Whether an edge counted the tokens of Markdown that it made itself. */
    counted: header('x-markdown-tokens') !== null,
    /** Whether a shared cache says that it answered itself. */
    cacheHit: isCacheHit(header),
    cache: reply === null ? {} : headersIn(reply.headers, CACHE_HEADERS),
  };
}

export type CloseObservation = Awaited<ReturnType<typeof observeClosely>>;

/** A page whose agent got Markdown. */
type Negotiating = PageObservation & { readonly agent: ResponseFacts; readonly browser: ResponseFacts };

/** Requests in all these ways, one after the other, because caches make the order matter. */
async function observeClosely(negotiating: Negotiating, get: Get) {
  const { agent, browser, reference } = negotiating;
  const { page, file, root } = negotiating.page;
  const ask = (accept: string, url: URL = page, method: 'GET' | 'HEAD' = 'GET'): Promise<ResponseFacts> =>
    observe(get, { url, accept, method }, reference);
  const both = [AGENT, ACCEPT.navigate];
  const askInTurn = (accepts: readonly string[], url: URL) => mapConcurrently(accepts, 1, (accept) => ask(accept, url));
  const variants = [
    { known: agent, requested: browser },
    { known: browser, requested: agent },
  ];
  return {
    agent,
    browser,
    again: await askInTurn(both, page),
    fresh: await askInTurn([...both, ...both], uncachedUrl(page)),
    preferences: await mapConcurrently(PREFERENCES, 1, async (preference) => {
      return { ...preference, observed: await ask(preference.accept) };
    }),
    fileForAgent: await ask(AGENT, file),
    fileForBrowser: await ask(ACCEPT.navigate, file),
    headForAgent: await ask(AGENT, page, 'HEAD'),
    headForBrowser: await ask(ACCEPT.navigate, page, 'HEAD'),
    noSlash: root ? null : await ask(AGENT, new URL(page.href.replace(/\/$/, ''))),
    /** A client that has one variant requests the other. */
    etags: await mapConcurrently(browser.variant === 'html' ? variants : variants.slice(0, 1), 1, async (pair) => {
      return { ...pair, status: await statusFor(pair.known.etag, pair.requested.accept, page, get) };
    }),
  };
}

/** An entity tag as RFC 9110, section 8.8.3, has it. Nothing else is sent back. */
const ENTITY_TAG = /^(?:W\/)?"[!#-~]{1,200}"$/;

/** The response to a client that has the variant of `etag` and requests another. */
async function statusFor(etag: string | null, accept: string, url: URL, get: Get): Promise<number | null> {
  if (etag === null || !ENTITY_TAG.test(etag)) return null;
  const answer = await get({ url, accept, headers: { 'if-none-match': etag } });
  return answer.kind === 'reply' ? answer.status : null;
}

function uncachedUrl(page: URL): URL {
  const url = new URL(page);
  url.searchParams.set('docvitals', crypto.randomUUID());
  return url;
}

/**
 * What an answer is for a page: `markdown`, its bytes; `html`, a document; `missing`, by its status or recognised;
 * `other`, a text that is neither; `failed`, an error of the host for this request; `unseen`, nothing that could be evaluated.
 */
type Variant = 'markdown' | 'html' | 'missing' | 'other' | 'failed' | 'unseen';

export const isWithout = ({ variant }: { readonly variant: Variant }): boolean =>
  variant === 'html' || variant === 'missing' || variant === 'failed';

/** Statuses that a host gives for a path at which it has no page to show. */
const MISSING: ReadonlySet<number> = new Set([403, 404, 410]);
/** Statuses that say nothing of how the host negotiates. */
const SAYS_NOTHING: ReadonlySet<number> = new Set([304, 401, 407, 429]);

function variantOf(answer: Answer, { markdown, notFound }: Reference): Variant {
  if (answer.kind === 'no-reply') {
    return REPLY_RULES[answer.reason] === 'unknown' || 'deadlineMs' in answer.evidence ? 'unseen' : 'failed';
  }
  const { status, body } = answer;
  if (SAYS_NOTHING.has(status)) return 'unseen';
  if (MISSING.has(status)) return 'missing';
  if (status !== 200) return 'failed';
  if (markdown.some((bytes) => Buffer.compare(bytes, body) === 0)) return 'markdown';
  if (isHtml(answer)) return 'html';
  return notFound.isMissing(answer) ? 'missing' : 'other';
}

function isHtml(reply: Reply): boolean {
  const type = mediaTypeOf(reply);
  if (type === 'text/html' || type === 'application/xhtml+xml') return true;
  return isHtmlDocument(beginningOf(reply.body, 2048));
}

function differenceOf(body: Uint8Array, { markdown: [wanted] }: Reference): number | null {
  return wanted === undefined ? null : firstDifference(body, wanted);
}

/** Headers of shared caches: RFC 9111, section 5.1; RFC 9211; and their own headers. */
const CACHE_HEADERS: Readonly<Record<string, string>> = {
  age: 'age',
  xCache: 'x-cache',
  cfCacheStatus: 'cf-cache-status',
  cacheStatus: 'cache-status',
  xVercelCache: 'x-vercel-cache',
  cacheControl: 'cache-control',
};

/** Platforms answer every static file out of a cache of their own, behind their rules; it mixes nothing. */
const OWN_CACHES = ['x-vercel-cache', 'x-nf-request-id'];

/** `CF-Cache-Status` does not count: a worker's static assets say `HIT` at any time. */
function isCacheHit(header: (name: string) => string | null): boolean {
  if (OWN_CACHES.some((name) => header(name) !== null)) return false;
  if (Number(header('age') ?? 0) > 0) return true;
  return ['x-cache', 'cache-status'].some((name) => /\bhit\b/i.test(header(name) ?? ''));
}

type PagePath = ReturnType<typeof pagePaths>[number];

const MOST_PAGES = 5;
const MOST_LANGUAGES = 2;
const MOST_WIDE = 40;

/** The root, a page of the first languages, the deepest, one with an encoded path, others; more to check less closely. */
export function samplePages(crawl: Crawl, base: URL, prefixes: readonly string[]) {
  const first: PagePath = { path: 'index.md', page: base, file: new URL('index.md', base), root: true, sha256: null };
  const folders = pagePaths(crawl, base);
  const [deepest] = folders.toSorted((a, b) => b.path.split('/').length - a.path.split('/').length);
  const ofLanguages = prefixes.flatMap((prefix) => folders.filter(({ path }) => path === `${prefix}/index.md`));
  const encoded = folders.find(({ path }) => /[^!-~]/.test(path));
  const chosen = [ofLanguages.slice(0, MOST_LANGUAGES), deepest ?? [], encoded ?? [], folders].flat();
  const close = [...new Set(chosen)].slice(0, MOST_PAGES - 1);
  const rest = folders.filter((page) => !close.includes(page));
  return { close: [first, ...close], wide: spread(rest, MOST_WIDE) };
}

/**
 * The folders with an `index.md`: `page` is the path that a client may ask for instead of the file. `root`: whether it is
 * the site's base. `sha256`: of the Markdown that the crawl received; not of the root.
 */
function pagePaths(crawl: Crawl, base: URL) {
  return [...crawl.pages.values()].flatMap(({ path, url, ok, sha256 }) => {
    if (!ok || !path.endsWith('/index.md')) return [];
    const file = new URL(url);
    const below = file.href.startsWith(base.href) && file.pathname.endsWith('/index.md');
    return below && file.search === '' ? [{ path, page: new URL('./', file), file, root: false, sha256 }] : [];
  });
}
