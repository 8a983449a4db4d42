import type { Answer, Evidence, Get, GetRequest, Redirect, TlsFacts } from '../check.ts';
import { scopeOf, type Scope } from './address.ts';
import { authorization } from './authorization.ts';
import { dial, systemResolver, type Resolver, type ResolveRule } from './connect.ts';
import { ACCEPT_ENCODING } from './decode.ts';
import { exchange, type RawResponse } from './exchange.ts';
import { Failure, failureOf, TIMEOUTS } from './failure.ts';
import { Phases } from './phases.ts';
import type { Reason } from './reasons.ts';
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
  /** The proxy for a URL, or `null`. Throws a `RangeError` naming the variable that holds no usable proxy. */
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
  const once = (request: GetRequest, count: number): Promise<Answer> => attempt(request, count, options, guard);
  return async (request) => {
    const first = await once(request, 1);
    if (options.retries === 0 || options.signal.aborted) return first;
    const { isWorthRetrying, retry } = await import('./retry.ts');
    return isWorthRetrying(first) ? retry(first, (count) => once(request, count), options) : first;
  };
}

/** What the hops of one attempt share. */
interface AttemptContext {
  readonly accept: string;
  readonly options: HttpOptions;
  readonly guard: ScopeGuard;
  readonly phases: Phases;
  readonly signal: AbortSignal;
}

/** One attempt: follows redirects, and turns whatever goes wrong into a no-reply. */
async function attempt(
  request: GetRequest,
  attempts: number,
  options: HttpOptions,
  guard: ScopeGuard,
): Promise<Answer> {
  const phases = new Phases(options.clock);
  const redirects: Redirect[] = [];
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new Ended('deadline', options.timeoutMs)), options.timeoutMs);
  const signal = AbortSignal.any([limit.signal, options.signal]);
  const context = { accept: request.accept, options, guard, phases, signal };
  const requestUrl = shown(request.url);
  let url = request.url;
  try {
    for (;;) {
      const { response, address, tls } = await hop(url, context);
      const target = redirectTarget(response, url);
      if (target === null) {
        const timings = phases.timings();
        return { kind: 'reply', requestUrl, url: shown(url), redirects, attempts, timings, ...response, address, tls };
      }
      redirects.push({ url: shown(url), status: response.status, location: target.location });
      if (redirects.length > MOST_REDIRECTS || redirects.some((one) => one.url === shown(target.url))) {
        throw new Failure('redirect-loop', { hops: redirects.length });
      }
      url = target.url;
    }
  } catch (error) {
    phases.charge();
    const timings = phases.timings();
    const failure = failureIn(error, context);
    return { kind: 'no-reply', requestUrl, url: shown(url), redirects, attempts, timings, ...failure };
  } finally {
    clearTimeout(timer);
  }
}

interface Hop {
  readonly response: RawResponse;
  readonly address: string | null;
  readonly tls: TlsFacts | null;
}

/** One request over a connection of its own. */
async function hop(url: URL, context: AttemptContext): Promise<Hop> {
  const { options, guard, phases, signal } = context;
  const proxy = proxyOf(url, options);
  const { socket, address, tls } = await dial(url, {
    rules: options.rules,
    family: options.family,
    resolver: options.resolver ?? systemResolver,
    proxy,
    admit: (addresses) => guard(url, addresses),
    phases,
    signal,
  });
  const request = {
    url,
    headers: requestHeaders(url, proxy, context),
    absolute: proxy !== null && url.protocol === 'http:',
    bodyCap: options.bodyCap,
  };
  const response = await exchange(socket, request, phases, signal);
  if (request.absolute && response.status === 407)
    throw new Failure('proxy-failed', { proxy: proxy?.host ?? '', status: 407 });
  return { response, address, tls };
}

/** A redirect may lead to a scheme whose proxy variable is unusable, which nobody has noticed before. */
function proxyOf(url: URL, options: HttpOptions): URL | null {
  try {
    return options.proxyFor(url);
  } catch (error) {
    throw new Failure('proxy-failed', { variable: error instanceof RangeError ? error.message : '' });
  }
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

function requestHeaders(url: URL, proxy: URL | null, { accept, options }: AttemptContext): Record<string, string> {
  const headers: Record<string, string> = {
    'user-agent': options.userAgent,
    accept,
    'accept-encoding': ACCEPT_ENCODING,
  };
  const proxyCredentials = proxy === null || url.protocol === 'https:' ? null : authorization(proxy);
  if (proxyCredentials !== null) headers['proxy-authorization'] = proxyCredentials;
  if (url.origin !== options.site.origin) return headers;
  const credentials = authorization(options.site);
  if (credentials !== null) headers['authorization'] = credentials;
  for (const [name, value] of Object.entries(options.headers)) headers[name.toLowerCase()] = value;
  return headers;
}

function failureIn(
  error: unknown,
  { options, phases, signal }: AttemptContext,
): { readonly reason: Reason; readonly evidence: Evidence } {
  const ended: unknown = signal.aborted ? signal.reason : error;
  if (!(ended instanceof Ended)) {
    const { reason, evidence } = failureOf(error, phases.current);
    return { reason, evidence };
  }
  if (ended.by === 'interrupt') return { reason: 'interrupted', evidence: {} };
  const name = ended.limitMs === options.timeoutMs ? 'timeoutMs' : 'deadlineMs';
  return { reason: TIMEOUTS[phases.current], evidence: { [name]: ended.limitMs } };
}

/** A URL as it may be printed: without userinfo and fragment. */
function shown(url: URL): string {
  const copy = new URL(url);
  copy.username = copy.password = copy.hash = '';
  return copy.href;
}
