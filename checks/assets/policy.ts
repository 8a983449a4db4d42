/** What a Content-Security-Policy keeps a page from starting with (https://www.w3.org/TR/CSP3/). Pure. */
import parse from 'content-security-policy-parser';
import type { Evidence } from '../../src/core/answer.ts';

export interface Needs {
  /** Scripts that the page cannot start without. */
  readonly scripts: readonly URL[];
  /** Whether it cannot start without a script in itself. */
  readonly inline: boolean;
  /** A file that the page requests by itself. */
  readonly fetched: URL;
}

/** A header may have several policies, and each has to allow it. `null`: nothing is blocked. */
export function blockedByPolicy(policies: readonly string[], page: URL, needs: Needs): Evidence | null {
  for (const policy of policies.flatMap((text) => text.split(','))) {
    const blocked = blockedBy(parse(policy), page, needs);
    if (blocked !== null) return blocked;
  }
  return null;
}

type Directives = ReturnType<typeof parse>;

function blockedBy(directives: Directives, page: URL, { scripts, inline, fetched }: Needs): Evidence | null {
  const firstOf = (names: readonly string[]) => names.find((name) => directives.has(name));
  const ofScripts = firstOf(['script-src-elem', 'script-src', 'default-src']);
  const ofRequests = firstOf(['connect-src', 'default-src']);
  if (ofScripts !== undefined) {
    const sources = directives.get(ofScripts) ?? [];
    // Which element has the nonce or the digest is not compared.
    const isMarked = sources.some((source) => /^'(?:nonce-|sha(?:256|384|512)-|strict-dynamic')/i.test(source));
    const isInlineAllowed = isMarked || sources.some((source) => source.toLowerCase() === "'unsafe-inline'");
    if (inline && !isInlineAllowed) return evidenceOf(ofScripts, sources, { element: '<script>' });
    const script = scripts.find((url) => !isMarked && !isAllowed(url, sources, page));
    if (script !== undefined) return evidenceOf(ofScripts, sources, { url: script.href });
  }
  if (ofRequests === undefined) return null;
  const sources = directives.get(ofRequests) ?? [];
  return isAllowed(fetched, sources, page) ? null : evidenceOf(ofRequests, sources, { url: fetched.href });
}

const LONGEST = 200;

function evidenceOf(directive: string, sources: readonly string[], blocked: Evidence): Evidence {
  return { directive, value: sources.join(' ').slice(0, LONGEST), ...blocked };
}

function isAllowed(url: URL, sources: readonly string[], page: URL): boolean {
  return sources.some((source) => matches(source.toLowerCase(), url, page));
}

const HOST = /^(?:([a-z][a-z\d+.-]*):\/\/)?(\*|(?:\*\.)?[^/:*]+)(?::(\d+|\*))?(\/.*)?$/;
const PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** Section 6.7.2. */
function matches(source: string, url: URL, page: URL): boolean {
  if (source === '*') return /^https?:$/.test(url.protocol);
  if (source === "'self'") return url.host === page.host && hasScheme(url, page.protocol);
  if (/^[a-z][a-z\d+.-]*:$/.test(source)) return hasScheme(url, source);
  const [, scheme, host = '', port, path = '/'] = HOST.exec(source) ?? [];
  if (!hasScheme(url, scheme === undefined ? page.protocol : `${scheme}:`)) return false;
  if (!hasHost(url, host) || !hasPort(url, port)) return false;
  const pathname = url.pathname.toLowerCase();
  return path.endsWith('/') ? pathname.startsWith(path) : pathname === path;
}

/** `http` allows `https` as well. */
const hasScheme = ({ protocol }: URL, scheme: string): boolean =>
  protocol === scheme || (scheme === 'http:' && protocol === 'https:');

function hasPort({ port, protocol }: URL, wanted = PORTS[protocol]): boolean {
  return wanted === '*' || wanted === (port || PORTS[protocol]);
}

function hasHost({ hostname }: URL, host: string): boolean {
  if (host === '*') return true;
  return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host;
}
