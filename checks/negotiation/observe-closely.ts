import { ACCEPT } from './accept.ts';
import { uncachedUrl, type Requester } from './requester.ts';
import type { Observed } from './observe.ts';
import type { ResponseFacts } from './response-facts.ts';

/** What came for a page path that negotiates, asked for in every other way. */
export interface CloseObservation {
  readonly url: string;
  readonly root: boolean;
  readonly agent: ResponseFacts;
  readonly browser: ResponseFacts;
  /** By what the client accepts. */
  readonly any: ResponseFacts;
  readonly none: ResponseFacts;
  readonly low: ResponseFacts;
  readonly zero: ResponseFacts;
  readonly weighted: ResponseFacts;
  readonly list: ResponseFacts;
  /** The page's file, for an agent and for a browser. */
  readonly fileForAgent: ResponseFacts;
  readonly fileForBrowser: ResponseFacts;
  readonly headForAgent: ResponseFacts;
  readonly headForBrowser: ResponseFacts;
  /** The path as it is, again: an agent, a browser. */
  readonly again: readonly ResponseFacts[];
  /** The path with a query that was never asked for before: agent, browser, agent, browser. */
  readonly fresh: readonly ResponseFacts[];
  /** Another such query, a browser first; only where `fresh` has Markdown for a browser. */
  readonly otherFresh: ResponseFacts | null;
  /** The path without its slash; `null` for the root, where that is outside the site. */
  readonly noSlash: ResponseFacts | null;
  /** The status for the validator of one variant sent for the other; `null`: not asked. */
  readonly etagOfAgent: number | null;
  readonly etagOfBrowser: number | null;
}

/** Asks in all these ways, one after the other where a cache could make the order matter. */
export async function observeClosely(
  { page, observed, reference }: Observed,
  requester: Requester,
): Promise<CloseObservation | null> {
  const { agent, browser, root, url } = observed;
  if (agent === null || browser === null) return null;
  const ask = (accept: string, at: URL = page.page, method: 'GET' | 'HEAD' = 'GET'): Promise<ResponseFacts> =>
    requester.ask(at, accept, reference, { method });
  const again = await inOrder(ask, [ACCEPT.agent, ACCEPT.browser], page.page);
  const fresh = await inOrder(
    ask,
    [ACCEPT.agent, ACCEPT.browser, ACCEPT.agent, ACCEPT.browser],
    uncachedUrl(page.page),
  );
  const mixed = fresh[1]?.variant === 'markdown';
  const noSlash = new URL(page.page.href.replace(/\/$/, ''));
  return {
    url,
    root,
    agent,
    browser,
    any: await ask(ACCEPT.any),
    none: await ask(ACCEPT.none),
    low: await ask(ACCEPT.low),
    zero: await ask(ACCEPT.zero),
    weighted: await ask(ACCEPT.weighted),
    list: await ask(ACCEPT.list),
    fileForAgent: await ask(ACCEPT.agent, page.file),
    fileForBrowser: await ask(ACCEPT.browser, page.file),
    headForAgent: await ask(ACCEPT.agent, page.page, 'HEAD'),
    headForBrowser: await ask(ACCEPT.browser, page.page, 'HEAD'),
    again,
    fresh,
    otherFresh: mixed ? await ask(ACCEPT.browser, uncachedUrl(page.page)) : null,
    noSlash: root ? null : await ask(ACCEPT.agent, noSlash),
    etagOfAgent: await statusFor(agent.etag, ACCEPT.browser, page.page, requester),
    etagOfBrowser:
      browser.variant === 'html' ? await statusFor(browser.etag, ACCEPT.agent, page.page, requester) : null,
  };
}

async function inOrder(
  ask: (accept: string, at: URL) => Promise<ResponseFacts>,
  accepts: readonly string[],
  at: URL,
): Promise<readonly ResponseFacts[]> {
  const observed: ResponseFacts[] = [];
  for (const accept of accepts) observed.push(await ask(accept, at));
  return observed;
}

/** An entity tag as RFC 9110, section 8.8.3, has it. Nothing else is sent back. */
const ENTITY_TAG = /^(?:W\/)?"[!#-~]{1,200}"$/;

/** What a client is told that has the variant of `etag` and asks for another. */
async function statusFor(etag: string | null, accept: string, url: URL, requester: Requester): Promise<number | null> {
  if (etag === null || !ENTITY_TAG.test(etag)) return null;
  const answer = await requester.get({ url, accept, headers: { 'if-none-match': etag } });
  return answer.kind === 'reply' ? answer.status : null;
}
