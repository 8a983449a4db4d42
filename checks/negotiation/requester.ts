import type { Answer, GetRequest, Site } from '../../src/check.ts';
import { responseFactsOf, type Reference, type ResponseFacts } from './response-facts.ts';

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
