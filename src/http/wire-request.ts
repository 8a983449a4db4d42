/** One request as it goes over a connection. */
export interface WireRequest {
  readonly method: 'GET' | 'HEAD';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Through a plain proxy the request line carries the absolute URL (RFC 9112, section 3.2.2). */
  readonly absolute: boolean;
  /** Most decoded bytes of the body. */
  readonly bodyCap: number;
}

/** What stands in the request line. */
export function targetOf({ url, absolute }: Pick<WireRequest, 'url' | 'absolute'>): string {
  const path = `${url.pathname}${url.search}`;
  return absolute ? `${url.origin}${path}` : path;
}

const TARGET = /^[\x21-\x7e]+$/;
const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Fields that frame a message or name its host. */
const RESERVED =
  /^(?:connection|content-length|expect|host|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;

/** The bytes of a GET, as Latin-1; `null` for a request that is not of the plainest kind. */
export function plainRequest(request: WireRequest): string | null {
  const target = targetOf(request);
  if (request.method !== 'GET' || !TARGET.test(target)) return null;
  let text = `GET ${target} HTTP/1.1\r\nhost: ${request.url.host}\r\nconnection: keep-alive\r\n`;
  for (const [name, value] of Object.entries(request.headers)) {
    if (!FIELD_NAME.test(name) || !FIELD_VALUE.test(value) || RESERVED.test(name)) return null;
    text += `${name}: ${value}\r\n`;
  }
  return `${text}\r\n`;
}
