/** The address of a site, or why a text is none. */
export type BaseUrl =
  | {
      readonly ok: true;
      /** Ends with a slash; no userinfo, query or fragment. */
      readonly base: URL;
      /** The same with its userinfo, for the transport; never printed. */
      readonly site: URL;
    }
  | { readonly ok: false; readonly problem: BaseUrlProblem; readonly given: string };

/** `file`: a path on this machine. `no-scheme-local`: a server on this machine, which has no certificate. */
export type BaseUrlProblem = 'file' | 'scheme' | 'no-scheme' | 'no-scheme-local' | 'no-host' | 'invalid';

/** A path on this machine: `/srv/docs`, `./docs`, `C:\\docs`, `index.html`. (`.md` is a top-level domain.) */
const PATH = /^(?:\/(?!\/)|\.{1,2}(?:[\\/]|$)|\\\\|[a-z]:[\\/]|[^/:@]+\.(?:html?|json|txt)$)/i;

/** A host, with or without a path. */
const HOST = /^(?:[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+|localhost|\[[0-9a-f:.]+\])(?::\d+)?(?:[/?#].*)?$/iu;

/** Loopback names and addresses (RFC 6761, section 6.3; RFC 1122, section 3.2.1.3), and the one of all interfaces. */
const LOCAL = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])(?=$|[:/?#])/i;

/** Files that a base URL copied from a browser or a terminal may end in. */
const FILE = /[^/]*\.(?:html?|md|json|txt)$/i;

/** Reads a base URL as people write it: without its final slash, or pasted from the browser's address bar. */
export function parseBaseUrl(text: string): BaseUrl {
  const given = text.trim();
  const problem = (kind: BaseUrlProblem): BaseUrl => {
    const shown = withoutUserinfo(given).replace(/^\/\//, '');
    return { ok: false, problem: kind === 'no-scheme' && LOCAL.test(shown) ? 'no-scheme-local' : kind, given: shown };
  };
  // `new URL` would remove them, and join two lines.
  if (/[\t\r\n]/.test(given)) return problem('invalid');
  if (/^\/\/[^/]/.test(given)) return problem('no-scheme');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(given)?.[1]?.toLowerCase();
  if (scheme === 'file' || PATH.test(given)) return problem('file');
  if (scheme === 'http' || scheme === 'https') {
    if (!/^https?:\/\/[^/?#]/i.test(given)) return problem('no-host');
  } else if (scheme !== undefined && !/^[^/]*:\d+(?:[/?#]|$)/.test(given)) return problem('scheme');
  else if (HOST.test(given)) return problem('no-scheme');
  else return problem(scheme === undefined ? 'invalid' : 'no-scheme');
  if (!URL.canParse(given)) return problem('invalid');
  const site = new URL(given);
  site.search = site.hash = '';
  site.pathname = site.pathname.replace(FILE, '').replace(/\/*$/, '/');
  const base = new URL(site);
  base.username = base.password = '';
  return { ok: true, base, site };
}

/** The address of a base URL as it may be printed and compared; `null`: invalid. */
export function baseHref(text: string | null): string | null {
  const site = parseBaseUrl(text ?? '');
  return site.ok ? site.base.href : null;
}

/** Removes everything before an `@`, even where it is not clear what is userinfo. */
export function withoutUserinfo(given: string): string {
  return given.replace(/^((?:[a-z][a-z0-9+.-]*:)?\/+)?.*@/is, '$1');
}
