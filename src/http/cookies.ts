import type { ReadonlyHeaders } from '../core/answer.ts';

interface Cookie {
  readonly value: string;
  readonly path: string;
}

const MOST_COOKIES = 20;
const LONGEST_COOKIE = 4_096;

/**
 * The cookies that are set while one request follows redirects: some hosts set one and send the browser to the same
 * address again. Each goes back only to the host that has set it, whatever its `Domain` (RFC 6265, section 5.3), and only
 * within this request.
 */
export function cookieJar() {
  const hosts = new Map<string, Map<string, Cookie>>();
  return {
    /** Whether anything has changed. */
    store(url: URL, headers: Pick<ReadonlyHeaders, 'all'>): boolean {
      const known = hosts.get(url.host) ?? new Map<string, Cookie>();
      let hasChanged = false;
      for (const line of headers.all('set-cookie')) {
        const { name, cookie } = parsed(line, url);
        if (name === '' || known.get(name)?.value === cookie?.value) continue;
        hasChanged = true;
        if (cookie === null) known.delete(name);
        else if (known.size < MOST_COOKIES) known.set(name, cookie);
      }
      hosts.set(url.host, known);
      return hasChanged;
    },
    /** The value of `Cookie`; empty: none. */
    sent(url: URL): string {
      const known = [...(hosts.get(url.host) ?? [])];
      return known
        .filter(([, { path }]) => isWithin(url.pathname, path))
        .map(([name, { value }]) => `${name}=${value}`)
        .join('; ');
    },
  };
}

/** `cookie`: `null`: the host deletes it. */
function parsed(line: string, url: URL): { readonly name: string; readonly cookie: Cookie | null } {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const at = pair.indexOf('=');
  if (at < 1 || line.length > LONGEST_COOKIE) return { name: '', cookie: null };
  const attribute = (wanted: string): string | undefined =>
    attributes.find((one) => one.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
  const maxAge = Number(attribute('max-age') ?? 1);
  const isExpired = maxAge <= 0 || Date.parse(attribute('expires') ?? '') < Date.now();
  const given = attribute('path') ?? '';
  // RFC 6265, section 5.1.4.
  const path = given.startsWith('/') ? given : url.pathname.replace(/\/[^/]*$/, '') || '/';
  return { name: pair.slice(0, at).trim(), cookie: isExpired ? null : { value: pair.slice(at + 1).trim(), path } };
}

function isWithin(pathname: string, path: string): boolean {
  return pathname === path || (pathname.startsWith(path) && (path.endsWith('/') || pathname[path.length] === '/'));
}
