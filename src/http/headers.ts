import type { GetRequest, ReadonlyHeaders } from '../core/answer.ts';
import type { HttpOptions } from './get.ts';

/** The content codings that are undone on every version of Node (RFC 9110, section 8.4.1; RFC 7932). */
const ACCEPT_ENCODING = 'gzip, br';

/** From undici's flat list of names and values. Bytes are read as Latin-1 (RFC 9110, section 5.5). */
export function readHeaders(raw: readonly (Buffer | string)[]): ReadonlyHeaders {
  const fields = new Map<string, string[]>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = latin1(raw[index]).toLowerCase();
    const value = latin1(raw[index + 1]).trim();
    const values = fields.get(name);
    if (values === undefined) fields.set(name, [value]);
    else values.push(value);
  }
  const all = (name: string): readonly string[] => fields.get(name.toLowerCase()) ?? [];
  const get = (name: string): string | null => (fields.has(name.toLowerCase()) ? all(name).join(', ') : null);
  return { get, all, names: () => [...fields.keys()] };
}

function latin1(part: Buffer | string = ''): string {
  return typeof part === 'string' ? part : part.toString('latin1');
}

/** Only the client itself sets what frames the message or names the connection. */
export const FRAMING_HEADERS: ReadonlySet<string> = new Set(
  'connection content-length expect keep-alive proxy-connection te trailer transfer-encoding upgrade'.split(' '),
);

/** Nor may a check set what is set here, names the host or carries the user's secrets. */
const OWN_HEADERS: ReadonlySet<string> = new Set(['accept', 'authorization', 'cookie', 'host', 'proxy-authorization']);

/** The user's headers override all others. They and the site's credentials are sent to the site's origin only. */
export function requestHeaders(url: URL, proxy: URL | null, request: GetRequest, options: HttpOptions) {
  const headers: Record<string, string> = { 'user-agent': options.userAgent };
  if (request.accept !== '') headers['accept'] = request.accept;
  headers['accept-encoding'] = ACCEPT_ENCODING;
  for (const [written, value] of Object.entries(request.headers ?? {})) {
    const name = written.toLowerCase();
    if (!FRAMING_HEADERS.has(name) && !OWN_HEADERS.has(name)) headers[name] = value;
  }
  if (proxy !== null && url.protocol !== 'https:') Object.assign(headers, credentials('proxy-authorization', proxy));
  if (isOwnOrigin(url, options)) Object.assign(headers, credentials('authorization', options.site));
  for (const [name, value] of Object.entries(ownHeaders(url, options))) headers[name.toLowerCase()] = value;
  return headers;
}

type Own = Pick<HttpOptions, 'site' | 'headers'>;

const isOwnOrigin = (url: URL, { site }: Own): boolean => url.origin === site.origin;

/** The user's headers for a URL: of the site's own origin only, wherever a redirect or a page leads. */
export function ownHeaders(url: URL, options: Own): HttpOptions['headers'] {
  return isOwnOrigin(url, options) ? options.headers : {};
}

/** The `Basic` credentials (RFC 7617) of a URL's userinfo, or `null` when it has none. */
export function authorization(url: URL): string | null {
  if (url.username === '' && url.password === '') return null;
  const userinfo = `${decodedPart(url.username)}:${decodedPart(url.password)}`;
  return `Basic ${Buffer.from(userinfo, 'utf8').toString('base64')}`;
}

export function credentials(name: string, url: URL): Record<string, string> {
  const value = authorization(url);
  return value === null ? {} : { [name]: value };
}

export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // A lone percent sign is meant literally.
  }
}
