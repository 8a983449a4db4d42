import type { RestOptions, RestRequest } from './rest.ts';

/** The path of the GraphQL API. */
export const GRAPHQL = '/graphql';

/** More redirects than any renaming and moving makes. */
const MOST_REDIRECTS = 5;

/**
 * The answer at the end of redirects, which GitHub gives for repositories that were renamed or moved; the redirect itself
 * where it is not followed. Token and text go nowhere but where they were meant to go. Rejects where there is no answer.
 */
export async function send(options: RestOptions, request: RestRequest, timeout: AbortSignal): Promise<Response> {
  const { method, body } = request;
  let address = new URL(addressOf(options.apiUrl, request.path));
  for (let redirects = 0; ; redirects++) {
    const response = await options.fetch(address, {
      method,
      redirect: 'manual',
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${options.token}`,
        'user-agent': options.userAgent,
        'x-github-api-version': '2022-11-28',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([options.signal, timeout]),
    });
    const next = redirects < MOST_REDIRECTS ? redirectOf(response, method, address) : null;
    if (next === null) return response;
    await response.body?.cancel();
    address = next;
  }
}

/** An Enterprise server has its GraphQL beside the version of its REST API: `/api/graphql`, `/api/v3`. */
function addressOf(apiUrl: string, path: string): string {
  const root = apiUrl.replace(/\/+$/, '');
  return path === GRAPHQL ? `${root.replace(/\/v3$/, '')}${path}` : `${root}${path}`;
}

/**
 * Where a redirect leads that may be followed: to the same origin, and by a status that keeps the method (RFC 9110,
 * section 15.4). `null` for the others and for what is none.
 */
function redirectOf({ status, headers }: Response, method: RestRequest['method'], from: URL): URL | null {
  const isKept = status === 307 || status === 308 || (method === 'GET' && (status === 301 || status === 302));
  const location = headers.get('location');
  if (!isKept || location === null || !URL.canParse(location, from.href)) return null;
  const to = new URL(location, from);
  return to.origin === from.origin ? to : null;
}
