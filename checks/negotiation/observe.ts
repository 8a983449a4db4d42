import type { Answer, NotFound, Reply, GetRequest, Site } from '../../src/check.ts';
import { alike, fingerprint } from '../../src/expect/fallback.ts';
import { mediaTypeOf } from '../../src/expect/media-type.ts';
import { ACCEPT } from './accept.ts';
import type { PagePath } from './sample.ts';
import { isHtml, sha256Of, type Reference, type ResponseFacts, responseFactsOf } from './response-facts.ts';

/** What came for a page path, with and without a wish for Markdown. */
export interface PageObservation {
  readonly url: string;
  readonly root: boolean;
  /** Whether the page has a Markdown file to compare with. */
  readonly usable: boolean;
  /** Why it cannot be determined whether there is one. */
  readonly failure: Answer | null;
  /** Media type of that file itself. */
  readonly fileType: string | null;
  readonly agent: ResponseFacts | null;
  readonly browser: ResponseFacts | null;
  /** Path of the other page whose Markdown the agent got. */
  readonly otherPage: string | null;
  /** The agent's request again, past any cache; only where it got no Markdown. */
  readonly freshAgent: ResponseFacts | null;
  /** Whether the agent got the folder's `index.html`, which is there. */
  readonly fileFirst: boolean;
  /** The browser's request again, past any cache; only where it got Markdown. */
  readonly freshBrowser: ResponseFacts | null;
}

/** What the pages' observations share. */
export interface Scene {
  readonly requester: Requester;
  readonly notFound: NotFound;
  /** For the root: the home page's Markdown, where that is another file than `index.md`. */
  readonly home: Uint8Array | null;
  /** Paths of crawled pages by the SHA-256 of their Markdown. */
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

/** A page and what tells its variants apart, for a closer look. */
export interface Observed {
  readonly page: PagePath;
  readonly observed: PageObservation;
  readonly reference: Reference;
}

/** Asks for a page path as an agent and as a browser, in that order, and, where something is wrong, for its cause. */
export async function observePage(page: PagePath, root: boolean, scene: Scene): Promise<Observed> {
  const { requester, notFound } = scene;
  const url = page.page.href;
  const file = await requester.get({ url: page.file, accept: ACCEPT.any });
  const there = isPage(file, notFound);
  const home = root && scene.home !== null ? [scene.home] : [];
  const reference: Reference = { markdown: [...(there ? [file.body] : []), ...home], notFound };
  const failure = file.kind === 'no-reply' || file.status >= 500 ? file : null;
  const nothing = { page, observed: { ...NOTHING, url, root, failure }, reference };
  // Visitors open the root whatever its page is called.
  if (!there && !root) return nothing;
  const agent = await requester.ask(page.page, ACCEPT.agent, reference);
  const browser = await requester.ask(page.page, ACCEPT.browser, reference);
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

/** Where a variant is not as it should be, what shows why. */
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
    freshAgent: without ? await ask(ACCEPT.agent) : null,
    fileFirst: agent.variant === 'html' && (await isIndexHtml(page, root, agent, scene)),
    freshBrowser: browser.variant === 'markdown' ? await ask(ACCEPT.browser) : null,
  };
}

/** Asks for the file and the page path once more: a deploy may have come between. */
async function observeAgain(
  page: PagePath,
  { requester, notFound }: Scene,
  before: Reference,
): Promise<{ readonly agent: ResponseFacts; readonly reference: Reference }> {
  const file = await requester.get({ url: page.file, accept: ACCEPT.any });
  const reference = isPage(file, notFound) ? { ...before, markdown: [file.body, ...before.markdown.slice(1)] } : before;
  return { agent: await requester.ask(page.page, ACCEPT.agent, reference), reference };
}

/** Whether an answer is a page's own Markdown file. */
function isPage(file: Answer, notFound: NotFound): file is Reply {
  if (file.kind === 'no-reply' || file.status !== 200 || file.body.length === 0) return false;
  return !isHtml(file) && !notFound.isMissing(file);
}

/** Whether the folder has an `index.html`, and the agent got it. */
async function isIndexHtml(page: PagePath, root: boolean, agent: ResponseFacts, scene: Scene): Promise<boolean> {
  const url = new URL('index.html', page.page);
  const answer = await scene.requester.get({ url, accept: ACCEPT.browser });
  if (answer.kind === 'no-reply' || answer.status !== 200 || !isHtml(answer)) return false;
  // The root's own is the bundle, which is also what a fallback sends for files that are not there.
  if (!root && scene.notFound.isMissing(answer)) return false;
  if (agent.bytes === answer.body.length && agent.sha256 === sha256Of(answer.body)) return true;
  if (!root) return false;
  // A bundle that differs from one request to the next (a nonce) is known by its likeness.
  const again = await scene.requester.get({ url: page.page, accept: ACCEPT.agent });
  return (
    again.kind === 'reply' &&
    alike(fingerprint(again.requestUrl, again.body), fingerprint(answer.requestUrl, answer.body))
  );
}

/** Sends this check's requests, and counts them. */
export interface Requester {
  readonly site: Site;
  /** The answer as it came. */
  get(request: GetRequest): Promise<Answer>;
  /** What an answer is for the page of `reference`. */
  ask(url: URL, accept: string, reference: Reference, more?: Partial<GetRequest>): Promise<ResponseFacts>;
  /** How many requests were sent. */
  readonly sent: () => number;
}

/** Redirects that caches may keep (RFC 9110, section 15.4), so that their own `Vary` counts. */
const CACHEABLE_REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 308]);

export function createRequester(site: Site): Requester {
  let sent = 0;
  const get = (request: GetRequest): Promise<Answer> => {
    sent++;
    return site.pooled(request);
  };
  return {
    site,
    get,
    async ask(url, accept, reference, more) {
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

/** The same path with a query that no cache can have seen. */
export function uncachedUrl(page: URL): URL {
  const url = new URL(page);
  url.searchParams.set('docvitals', crypto.randomUUID());
  return url;
}
