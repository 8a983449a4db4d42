import type { Answer, Evidence, Get, GetRequest, NoReply, Redirect, Reply, TlsFacts } from '../check.ts';
import { scopeOf, type Scope } from './address.ts';
import { authorization } from './authorization.ts';
import { dial, systemResolver, type Resolver, type ResolveRule } from './connect.ts';
import { ACCEPT_ENCODING } from './decode.ts';
import { exchange, type RawResponse } from './exchange.ts';
import { Failure, failureOf, TIMEOUTS } from './failure.ts';
import { Phases } from './phases.ts';
import { redirectTarget } from './redirect.ts';

/** How requests are sent. Times are in milliseconds. */
export interface HttpOptions {
  /** The site's base URL as given: its origin is the only one that `headers` and its userinfo are sent to. */
  readonly site: URL;
  /** Longest time for one attempt of one request, redirects included. */
  readonly timeoutMs: number;
  /** How often to try again. */
  readonly retries: number;
  /** Most decoded bytes of one body. */
  readonly bodyCap: number;
  readonly userAgent: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly rules: readonly ResolveRule[];
  readonly family: 0 | 4 | 6;
  readonly resolver?: Resolver;
  /** The proxy for a URL, or `null`. */
  readonly proxyFor: (url: URL) => URL | null;
  /** Ends everything: its reason is an {@link Ended}. */
  readonly signal: AbortSignal;
  /** When the run ends, on the clock of `clock`. */
  readonly endsAt: number;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
}

/** Why a run ended early. */
export class Ended extends Error {
  readonly by: 'deadline' | 'interrupt';
  readonly limitMs: number | null;

  constructor(by: 'deadline' | 'interrupt', limitMs: number | null = null) {
    super(by);
    this.by = by;
    this.limitMs = limitMs;
  }
}

const MOST_REDIRECTS = 10;

/** Makes the function that all requests go through. Each request has a connection of its own. */
export function createGet(options: HttpOptions): Get {
  const guard = scopeGuard(options.site);
  const once = (request: GetRequest, count: number): Promise<Answer> => attempt(request, options, guard, count);
  return async (request) => {
    const first = await once(request, 1);
    if (options.retries === 0 || options.signal.aborted) return first;
    const { isWorthRetrying, retry } = await import('./retry.ts');
    return isWorthRetrying(first) ? await retry(first, (count) => once(request, count), options) : first;
  };
}

/** One attempt: follows redirects, and turns whatever goes wrong into a no-reply. */
async function attempt(
  request: GetRequest,
  options: HttpOptions,
  guard: ScopeGuard,
  attempts: number,
): Promise<Answer> {
  const phases = new Phases(options.clock);
  const hops: Redirect[] = [];
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new Ended('deadline', options.timeoutMs)), options.timeoutMs);
  const signal = AbortSignal.any([limit.signal, options.signal]);
  const facts = (url: URL) => ({
    requestUrl: shown(request.url),
    url: shown(url),
    redirects: hops,
    attempts,
    timings: phases.timings(),
  });
  let url = request.url;
  try {
    for (;;) {
      const { response, address, tls } = await hop(url, request.accept, options, guard, phases, signal);
      const target = redirectTarget(response, url);
      if (target === null) return { kind: 'reply', ...facts(url), ...response, address, tls } satisfies Reply;
      hops.push({ url: shown(url), status: response.status, location: target.location });
      if (hops.length > MOST_REDIRECTS || hops.some((one) => one.url === shown(target.url))) {
        throw new Failure('redirect-loop', { hops: hops.length });
      }
      url = target.url;
    }
  } catch (error) {
    phases.charge();
    return { kind: 'no-reply', ...facts(url), ...noReply(error, phases, signal, options) } satisfies NoReply;
  } finally {
    clearTimeout(timer);
  }
}

interface Hop {
  readonly response: RawResponse;
  readonly address: string | null;
  readonly tls: TlsFacts | null;
}

async function hop(
  url: URL,
  accept: string,
  options: HttpOptions,
  guard: ScopeGuard,
  phases: Phases,
  signal: AbortSignal,
): Promise<Hop> {
  const own = url.origin === options.site.origin;
  const proxy = options.proxyFor(url);
  const connection = await dial(url, {
    rules: options.rules,
    family: options.family,
    resolver: options.resolver ?? systemResolver,
    proxy,
    admit: (addresses) => guard(url, addresses),
    phases,
    signal,
  });
  const headers = requestHeaders(url, accept, proxy, own, options);
  const absolute = proxy !== null && url.protocol === 'http:';
  const response = await exchange(
    connection.socket,
    { url, headers, absolute, bodyCap: options.bodyCap },
    phases,
    signal,
  );
  return { response, address: connection.address, tls: connection.tls };
}

/** Throws when an address may not be connected to for this URL. */
type ScopeGuard = (url: URL, addresses: readonly string[]) => void;

/**
 * The site itself may live anywhere. Another host that it names (in a redirect, in its configuration) must be public
 * or as near as the site is: a public site must not send us to this machine, its network or its cloud's metadata.
 */
function scopeGuard(site: URL): ScopeGuard {
  const siteScopes = new Set<Scope>();
  return (url, addresses) => {
    if (url.hostname === site.hostname) {
      for (const address of addresses) siteScopes.add(scopeOf(address));
      return;
    }
    for (const address of addresses) {
      const scope = scopeOf(address);
      if (scope !== 'public' && !siteScopes.has(scope)) {
        throw new Failure('blocked-address', { host: url.host, address, scope });
      }
    }
  };
}

function requestHeaders(
  url: URL,
  accept: string,
  proxy: URL | null,
  own: boolean,
  options: HttpOptions,
): Record<string, string> {
  const headers: Record<string, string> = {
    'user-agent': options.userAgent,
    accept,
    'accept-encoding': ACCEPT_ENCODING,
  };
  const proxied = proxy === null || url.protocol === 'https:' ? null : authorization(proxy);
  if (proxied !== null) headers['proxy-authorization'] = proxied;
  if (!own) return headers;
  const credentials = authorization(options.site);
  if (credentials !== null) headers['authorization'] = credentials;
  for (const [name, value] of Object.entries(options.headers)) headers[name.toLowerCase()] = value;
  return headers;
}

function noReply(
  error: unknown,
  phases: Phases,
  signal: AbortSignal,
  options: HttpOptions,
): Pick<NoReply, 'reason' | 'evidence'> {
  const ended = error instanceof Ended ? error : signal.aborted ? (signal.reason as Ended) : null;
  if (ended === null) {
    const { reason, evidence } = failureOf(error, phases.current);
    return { reason, evidence };
  }
  if (ended.by === 'interrupt') return { reason: 'interrupted', evidence: {} };
  const evidence: Evidence = ended.limitMs === options.timeoutMs ? { timeoutMs: ended.limitMs } : { deadlineMs: ended.limitMs };
  return { reason: TIMEOUTS[phases.current], evidence };
}

/** A URL as it may be printed: without userinfo and fragment. */
function shown(url: URL): string {
  const copy = new URL(url);
  copy.username = copy.password = copy.hash = '';
  return copy.href;
}
