import { request } from './request.ts';

/** More than GitHub ever answers with: a page of a hundred long issues. */
const MOST_BYTES = 32 * 2 ** 20;
const LONGEST_MS = 60_000;

/** As much of `fetch` as the client of GitHub's API needs, over the proxies of the environment, which Node's own leaves out. */
export function fetchThrough(env: Readonly<Record<string, string | undefined>>): typeof fetch {
  return async (address, init = {}) => {
    const result = await request({
      method: init.method ?? 'GET',
      url: new URL(address instanceof Request ? address.url : address),
      headers: init.headers as Readonly<Record<string, string>>,
      body: typeof init.body === 'string' ? init.body : null,
      timeoutMs: LONGEST_MS,
      mostBytes: MOST_BYTES,
      env,
      signal: init.signal ?? new AbortController().signal,
    });
    if (result.kind === 'failed' || !result.isWhole) {
      const code = result.kind === 'failed' ? result.error : 'ECONNRESET';
      throw Object.assign(new TypeError('fetch failed', { cause: { code } }), {
        name: init.signal?.aborted === true ? 'TimeoutError' : 'TypeError',
      });
    }
    const { status, headers, body } = result;
    const empty = status === 204 || status === 205 || status === 304;
    const pairs = Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    );
    return new Response(empty ? null : new Uint8Array(body), { status, headers: pairs });
  };
}
