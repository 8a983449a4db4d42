import type { Answer, Evidence, Get, GetRequest, Redirect, TlsFacts } from '../check.ts';
import { scopeGuard, type ScopeGuard } from './address.ts';
import { authorization } from './authorization.ts';
import { dial, systemResolver, type Resolver, type ResolveRule } from './connect.ts';
import { ACCEPT_ENCODING } from './decode.ts';
import { Ended } from './ended.ts';
import { exchange, type RawResponse } from './exchange.ts';
import { Failure, failureOf, TIMEOUTS } from './failure.ts';
import { Phases, type Phase } from './phases.ts';
import type { Reason } from './reasons.ts';
import { redirectTarget } from './redirect.ts';
import { isWorthRetrying, retry } from './retry.ts';

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

const MOST_REDIRECTS = 10;

/** Makes the function that all requests go through. Each request has a connection of its own. */
export function createGet(options: HttpOptions): Get {
  const guard = scopeGuard(options.site);
  const once = (request: GetRequest, count: number): Promise<Answer> => attempt(request, count, options, guard);
  return async (request) => {
    const first = await once(request, 1);
    if (options.retries === 0 || options.signal.aborted) return first;
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
  const timer = setTimeout(() => limit.abort(new Ended('timeout', options.timeoutMs)), options.timeoutMs);
  const signal = AbortSignal.any([limit.signal, options.signal]);
  const context = { accept: request.accept, options, guard, phases, signal };
  const requestUrl = shown(request.url);
  let url = request.url;
  try {
    for (;;) {
      const { response, address, tls } = await hop(url, context);
      const target = request.follow === false ? null : redirectTarget(response, url);
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
    const failure = failureIn(error, url, context);
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
  url: URL,
  { phases, signal }: AttemptContext,
): { readonly reason: Reason; readonly evidence: Evidence } {
  const ended: unknown = signal.aborted ? signal.reason : error;
  if (!(ended instanceof Ended)) {
    const { reason, evidence } = failureOf(error, phases.current);
    return { reason, evidence: CONNECTING.has(phases.current) ? { host: url.host, ...evidence } : evidence };
  }
  if (ended.by === 'interrupt') return { reason: 'interrupted', evidence: {} };
  return { reason: TIMEOUTS[phases.current], evidence: { [`${ended.by}Ms`]: ended.limitMs } };
}

/** The phases in which it matters which host was to be reached. */
const CONNECTING: ReadonlySet<Phase> = new Set<Phase>(['dns', 'connect', 'tls']);

/** A URL as it may be printed: without userinfo and fragment. */
function shown(url: URL): string {
  const copy = new URL(url);
  copy.username = copy.password = copy.hash = '';
  return copy.href;
}
