import type { GetRequest, ReadonlyHeaders } from '../check.ts';
import type { HttpOptions } from './attempt.ts';

/** The content codings that are undone on every version of Node (RFC 9110, section 8.4.1; RFC 7932). */
const ACCEPT_ENCODING = 'gzip, br';

/** Where there are more, they are sorted by name: usually there are few, of which fewer are requested. */
const FEW_PARTS = 100;

/** Turns undici's flat list of raw names and values into headers. Bytes are read as Latin-1 (RFC 9110, section 5.5). */
export function readHeaders(raw: readonly (Buffer | string)[]): ReadonlyHeaders {
  const fields = raw.map((part, index) => (index % 2 === 0 ? latin1(part).toLowerCase() : latin1(part).trim()));
  // A name without a value is none.
  if (fields.length % 2 === 1) fields.pop();
  const sorted = fields.length > FEW_PARTS ? byName(fields) : null;
  const all = (name: string): readonly string[] => {
    const wanted = name.toLowerCase();
    return sorted === null ? valuesOf(wanted, fields) : (sorted.get(wanted) ?? []);
  };
  return {
    get(name) {
      const values = all(name);
      return values.length === 0 ? null : values.join(', ');
    },
    all,
    names: () => [...new Set(fields.filter((_, index) => index % 2 === 0))],
  };
}

function valuesOf(name: string, fields: readonly string[]): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index < fields.length; index += 2) {
    if (fields[index] === name) values.push(fields[index + 1] as string);
  }
  return values;
}

function byName(fields: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] as string;
    const known = values.get(name);
    if (known) known.push(fields[index + 1] as string);
    else values.set(name, [fields[index + 1] as string]);
  }
  return values;
}

function latin1(part: Buffer | string): string {
  return typeof part === 'string' ? part : part.toString('latin1');
}

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

/** The `Basic` credentials (RFC 7617) of a URL's userinfo, or `null` when it has none. */
export function authorization(url: URL): string | null {
  if (url.username === '' && url.password === '') return null;
  const userinfo = `${decodedPart(url.username)}:${decodedPart(url.password)}`;
  return `Basic ${Buffer.from(userinfo, 'utf8').toString('base64')}`;
}

/** A part of a URL's userinfo with its percent-encoding undone. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // A lone percent sign is meant literally.
  }
}
