import type { GetRequest } from '../check.ts';
import type { HttpOptions } from './attempt.ts';
import { authorization } from './authorization.ts';
import { ACCEPT_ENCODING } from './decode.ts';

/** What a request may not say by itself: what frames the message, names the host or carries the user's secrets. */
const RESERVED: ReadonlySet<string> = new Set([
  'accept',
  'authorization',
  'connection',
  'content-length',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The headers of one request. The user's own win over all others, and are sent to the site's origin only, as are the
 * credentials of its address.
 */
export function requestHeaders(
  url: URL,
  proxy: URL | null,
  request: GetRequest,
  options: Pick<HttpOptions, 'site' | 'headers' | 'userAgent'>,
): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': options.userAgent };
  if (request.accept !== '') headers['accept'] = request.accept;
  headers['accept-encoding'] = ACCEPT_ENCODING;
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    if (!RESERVED.has(name.toLowerCase())) headers[name.toLowerCase()] = value;
  }
  const proxyCredentials = proxy === null || url.protocol === 'https:' ? null : authorization(proxy);
  if (proxyCredentials !== null) headers['proxy-authorization'] = proxyCredentials;
  if (url.origin !== options.site.origin) return headers;
  const credentials = authorization(options.site);
  if (credentials !== null) headers['authorization'] = credentials;
  for (const [name, value] of Object.entries(options.headers)) headers[name.toLowerCase()] = value;
  return headers;
}
