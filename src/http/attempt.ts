import type { Answer, Evidence, GetRequest, Redirect, TlsFacts } from '../check.ts';
import { guardOf, type Admit, type ScopeGuard, ProxyError } from './address.ts';
import type { ConnectOptions } from './connect.ts';
import type { RawResponse, WireRequest } from './connection.ts';
import { Ended } from './ended.ts';
import { Failure, failureOf } from './failure.ts';
import type { KnownBodies } from './known-bodies.ts';
import { limited, Phases, type Phase, type TimeLimit } from './timing.ts';
import type { Reason } from './reasons.ts';
import { requestHeaders } from './headers.ts';

/** How requests are sent. Times are in milliseconds. */
export interface HttpOptions extends Pick<ConnectOptions, 'rules' | 'family' | 'resolver' | 'secureContext'> {
  /** The site's base URL as given: its origin is the only one that `headers` and its userinfo are sent to. */
  readonly site: URL;
  /** Longest time for one attempt of one request, redirects included; waiting for a slot does not count. */
  readonly timeoutMs: number;
  readonly retries: number;
  /** Most decoded bytes of one body. */
  readonly bodyCap: number;
  /** Bodies that need not be received again; absent: every body is received whole. */
  readonly known?: KnownBodies;
  /** Called with the bytes of each response, headers included, also of those that broke off. */
  readonly onReceived?: (bytes: number) => void;
  readonly userAgent: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Decides about every address that would be connected to, also the site's own; absent: about those of other hosts. */
  readonly admit?: Admit;
  /** The proxy for a URL, or `null`. Throws a `ProxyError` if a variable holds no usable one. */
  readonly proxyFor: (url: URL) => URL | null;
  /** Ends everything: its reason is an {@link Ended}. */
  readonly signal: AbortSignal;
  /** When the run ends, on the clock of `clock`. */
  readonly endsAt: number;
  /** The longest `Retry-After` that is waited for; 0: a busy host is asked no more; absent: whatever ends before the run. */
  readonly patienceMs?: number;
  /** Monotonic. */
  readonly clock: () => number;
}

const MOST_REDIRECTS = 10;

/** What the hops of one attempt share. */
export interface AttemptContext {
  readonly request: GetRequest;
  /** 1 for the first. */
  readonly count: number;
  readonly options: HttpOptions;
  readonly guard: ScopeGuard;
  readonly phases: Phases;
  readonly limit: TimeLimit;
  sent: number;
}

/** One request of an attempt, ready to be sent. */
export interface Hop extends WireRequest {
  readonly proxy: URL | null;
  readonly context: AttemptContext;
}

export interface HopResponse {
  readonly response: RawResponse;
  readonly address: string | null;
  readonly tls: TlsFacts | null;
}

/** Sends one hop over whatever connection; counts it in `context.sent`. Rejects with what went wrong. */
export type SendHop = (hop: Hop) => Promise<HopResponse>;

/**
 * Makes the function for one attempt of one request: it follows redirects, and turns whatever goes wrong into a
 * no-reply. An attempt whose request was never sent does not count in its `attempts`.
 */
export function attempts(options: HttpOptions, send: SendHop): (request: GetRequest, count: number) => Promise<Answer> {
  const guard = guardOf(options);
  return (request, count) =>
    limited(options, (limit) =>
      attempt({ request, count, options, guard, phases: new Phases(options.clock), limit, sent: 0 }, send),
    );
}

async function attempt(context: AttemptContext, send: SendHop): Promise<Answer> {
  const { request, phases } = context;
  const redirects: Redirect[] = [];
  const requestUrl = shown(request.url);
  let url = request.url;
  const facts = (count: number) => ({
    requestUrl,
    url: shown(url),
    redirects,
    attempts: count,
    timings: phases.timings(),
  });
  try {
    for (;;) {
      const { response, address, tls } = await hop(url, context, send);
      const target = request.follow === false ? null : redirectTarget(response, url);
      if (target === null) {
        return { kind: 'reply', ...facts(context.count), ...response, address, tls };
      }
      redirects.push({ url: shown(url), status: response.status, location: target.location });
      if (redirects.length > MOST_REDIRECTS || redirects.some((one) => one.url === shown(target.url))) {
        throw new Failure('redirect-loop', { hops: redirects.length });
      }
      url = target.url;
    }
  } catch (error) {
    if (context.sent > 0) phases.charge();
    return {
      kind: 'no-reply',
      ...facts(context.count - (context.sent > 0 ? 0 : 1)),
      ...failureIn(error, url, context),
    };
  }
}

async function hop(url: URL, context: AttemptContext, send: SendHop): Promise<HopResponse> {
  const { request, options } = context;
  const proxy = proxyOf(url, options);
  const absolute = proxy !== null && url.protocol === 'http:';
  const headers = requestHeaders(url, proxy, request, options);
  const { bodyCap, known, onReceived } = options;
  const { method = 'GET' } = request;
  const got = await send({ method, url, headers, absolute, bodyCap, known, onReceived, proxy, context });
  if (absolute && got.response.status === 407) throw new Failure('proxy-failed', { proxy: proxy.host, status: 407 });
  return got;
}

/** A redirect may lead to a scheme whose proxy variable is unusable. */
function proxyOf(url: URL, options: HttpOptions): URL | null {
  try {
    return options.proxyFor(url);
  } catch (error) {
    throw new Failure('proxy-failed', { variable: error instanceof ProxyError ? error.variable : '' });
  }
}

function failureIn(
  error: unknown,
  url: URL,
  { phases, limit: { signal }, sent }: AttemptContext,
): { readonly reason: Reason; readonly evidence: Evidence } {
  const ended: unknown = signal.aborted ? signal.reason : error;
  if (!(ended instanceof Ended)) {
    const { reason, evidence } = failureOf(error, phases.current);
    return { reason, evidence: CONNECTING.has(phases.current) ? { host: url.host, ...evidence } : evidence };
  }
  if (ended.by === 'interrupt') return { reason: 'interrupted', evidence: {} };
  // Nothing was sent to the host.
  const reason: Reason = sent === 0 ? 'interrupted' : `${phases.current}-timeout`;
  return { reason, evidence: { [`${ended.by}Ms`]: ended.limitMs } };
}

/** The phases in which it matters which host was to be reached. */
const CONNECTING: ReadonlySet<Phase> = new Set<Phase>(['dns', 'connect', 'tls']);

/** A URL as it may be printed: without userinfo and fragment. */
function shown(url: URL): string {
  if (url.username === '' && url.password === '' && !url.href.includes('#')) return url.href;
  const copy = new URL(url);
  copy.username = copy.password = copy.hash = '';
  return copy.href;
}

/** The statuses that `fetch` follows for a GET (Fetch standard, "redirect status"). */
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/** Where a response leads to, or `null` if it is not a redirect. Throws a `bad-redirect` failure. */
function redirectTarget(response: RawResponse, from: URL): { readonly url: URL; readonly location: string } | null {
  if (!REDIRECT_STATUSES.has(response.status)) return null;
  const locations = [...new Set(response.headers.all('location'))];
  const [location] = locations;
  const evidence = { status: response.status, locations: locations.map((one) => one.slice(0, 500)).slice(0, 3) };
  const url = location === undefined || locations.length > 1 ? null : URL.parse(location, from.href);
  if (location === undefined || url === null || !/^https?:$/.test(url.protocol)) {
    throw new Failure('bad-redirect', evidence);
  }
  return { url, location: location.slice(0, 500) };
}
