import type { Answer, Get, GetRequest, NoReply, Redirect } from '../core/answer.ts';
import { guardOf, type Admit, type ScopeGuard } from './address.ts';
import { cookieJar } from './cookies.ts';
import { openConnection, type ConnectOptions } from './connect.ts';
import type { HttpConnection, RawResponse, WireRequest } from './connection.ts';
import { Ended, Failure, failureOf } from './failure.ts';
import { requestHeaders } from './headers.ts';
import { hostRecords, type HostRecords } from './host-record.ts';
import type { KnownBodies } from './repeated-body.ts';
import { retry } from './retry.ts';
import { timed, type Phase, type Stopwatch } from './timing.ts';

export interface HttpOptions extends Pick<ConnectOptions, 'rules' | 'family' | 'resolver' | 'secureContext'> {
  /** The base URL as given: its userinfo is sent to its origin only. */
  readonly site: URL;
  /** Longest time for one attempt of one request, redirects included; waiting for a slot does not count. */
  readonly timeoutMs: number;
  readonly retries: number;
  /** Most decoded bytes of one body. */
  readonly bodyCap: number;
  /** Absent: every body is received whole. */
  readonly known?: KnownBodies;
  /** Called with the bytes of each response, headers included, also of those that broke off. */
  readonly onReceived?: (bytes: number) => void;
  readonly userAgent: string;
  /** Sent to the site's own origin only, and never reported. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Whether an address may be connected to, also one of the site's own; any other is reported as `blocked-address`. By
   * default the site may have any address, and what it leads to must be public or as near as the site.
   */
  readonly admit?: Admit | undefined;
  /** Made of `site` and `admit` where it is absent. What connects in one run shares it: the site has one scope. */
  readonly guard?: ScopeGuard | undefined;
  /** Throws a `ProxyError` if a variable holds no usable proxy. */
  readonly proxyFor: (url: URL) => URL | null;
  /** Its reason is an {@link Ended}. */
  readonly signal: AbortSignal;
  /** When the run ends, on the clock of `clock`. */
  readonly endsAt: number;
  /**
   * The longest `Retry-After` that is waited for, in milliseconds; 0: none, and a busy host gets no more requests, which
   * ends a crawl. By default whatever ends before the deadline.
   */
  readonly patienceMs?: number | undefined;
  /** What is known of the hosts. Made where it is absent; what requests in one run shares it. */
  readonly hosts?: HostRecords | undefined;
  /** Monotonic. */
  readonly clock: () => number;
}

const MOST_REDIRECTS = 10;

interface Attempt {
  readonly request: GetRequest;
  /** 1 for the first. */
  readonly count: number;
  readonly options: HttpOptions;
  readonly guard: ScopeGuard;
  readonly watch: Stopwatch;
  /** Whether anything left the queue; an attempt that did not does not count in the answer's `attempts`. */
  isSent: boolean;
}

export interface Hop extends WireRequest {
  readonly proxy: URL | null;
  readonly attempt: Attempt;
}

/** Sends one hop over whatever connection, and sets `isSent`. Rejects with what went wrong. */
export type SendHop = (hop: Hop) => Promise<RawResponse>;

/** Sends each request over a connection of its own. */
export function createGet(options: HttpOptions): Get {
  return retried(options, sendAlone);
}

/** Requests to the first one's origin share a connection, one after the other, until anything is slow or wrong. */
export function createSharedGet(options: HttpOptions, patienceMs = PATIENCE_MS): Get {
  return retried(options, shareConnection(options.signal, patienceMs));
}

/** `isHopeless`: given by what waits for `Retry-After` itself; whether a host refuses every request. */
export function retried(options: HttpOptions, send: SendHop, isHopeless?: (url: URL) => boolean): Get {
  const { guard = guardOf(options), hosts = hostRecords(options.clock) } = options;
  // It never rejects.
  const attempt = (request: GetRequest, count: number): Promise<Answer> =>
    timed(options, (watch) => follow({ request, count, options, guard, watch, isSent: false }, send));
  return async (request) => {
    const host = hosts.of(request.url);
    const known = host.givenUp();
    if (known !== null) return { ...known, requestUrl: shown(request.url), url: shown(request.url), attempts: 0 };
    let last = await attempt(request, 1);
    host.record(last);
    const isRefused = last.kind === 'reply' && (last.status === 429 || last.status === 503);
    if (request.once === true || host.onlyFails() || (isRefused && isHopeless?.(request.url) === true)) return last;
    const again = async (count: number): Promise<Answer> => {
      if (host.onlyFails()) return last;
      const next = await attempt(request, count);
      // What was never sent, or cut off by the end of the run, says less than the answer before it.
      if (next.attempts < count || isCutOff(next)) return last;
      host.record(next);
      return (last = next);
    };
    return retry(last, again, options, isHopeless !== undefined, host.granted);
  };
}

/** By the end of the run, not by the host. */
const isCutOff = (answer: Answer): boolean =>
  answer.kind === 'no-reply' && Object.hasOwn(answer.evidence, 'deadlineMs');

async function follow(attempt: Attempt, send: SendHop): Promise<Answer> {
  const { request, watch, count } = attempt;
  const redirects: Redirect[] = [];
  const cookies = cookieJar();
  /** The addresses that were requested since a cookie was set. */
  let requested: string[] = [];
  let { url } = request;
  const facts = () => ({
    requestUrl: shown(request.url),
    url: shown(url),
    redirects,
    attempts: attempt.isSent ? count : count - 1,
    timings: watch.timings(),
  });
  try {
    for (;;) {
      const response = await sendHop(url, attempt, send, cookies.sent(url));
      const target = request.follow === false ? null : redirectTarget(response, url);
      if (target === null) {
        // What came back to its own address with a cookie is, for a browser, the file at this address.
        const isBack = shown(url) === shown(request.url);
        return { kind: 'reply', ...facts(), ...(isBack && { redirects: [] }), ...response };
      }
      redirects.push({ url: shown(url), status: response.status, location: target.location });
      requested = cookies.store(url, response.headers) ? [] : [...requested, shown(url)];
      if (redirects.length > MOST_REDIRECTS || requested.includes(shown(target.url))) {
        throw new Failure('redirect-loop', { hops: redirects.length });
      }
      url = target.url;
    }
  } catch (error) {
    if (attempt.isSent) watch.charge();
    return { kind: 'no-reply', ...facts(), ...failureIn(error, url, attempt) };
  }
}

async function sendHop(url: URL, attempt: Attempt, send: SendHop, cookies: string): Promise<RawResponse> {
  const { request, options, watch } = attempt;
  const proxy = options.proxyFor(url);
  const absolute = proxy !== null && url.protocol === 'http:';
  const headers = requestHeaders(url, proxy, request, options);
  if (cookies !== '') headers['cookie'] = [headers['cookie'] ?? [], cookies].flat().join('; ');
  const { bodyCap, known, onReceived } = options;
  const { method = 'GET' } = request;
  const got = await send({ method, url, headers, absolute, bodyCap, known, onReceived, proxy, watch, attempt });
  if (absolute && got.status === 407) throw new Failure('proxy-failed', { proxy: proxy.host, status: 407 });
  return got;
}

function failureIn(error: unknown, url: URL, { watch, isSent }: Attempt): Pick<NoReply, 'reason' | 'evidence'> {
  const { phase, signal } = watch;
  const ended: unknown = signal.aborted ? signal.reason : error;
  if (!(ended instanceof Ended)) {
    const { reason, evidence } = failureOf(error, phase);
    return { reason, evidence: CONNECTING.has(phase) ? { host: url.host, ...evidence } : evidence };
  }
  if (ended.by === 'interrupt') return { reason: 'interrupted', evidence: {} };
  return { reason: isSent ? `${phase}-timeout` : 'interrupted', evidence: { [`${ended.by}Ms`]: ended.limitMs } };
}

/** The phases whose failures name the host. */
const CONNECTING: ReadonlySet<Phase> = new Set<Phase>(['dns', 'connect', 'tls']);

/** Without userinfo and fragment, as it may be printed. */
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

export function connectFor({ url, proxy, watch, attempt }: Hop): Promise<HttpConnection> {
  const { options, guard } = attempt;
  return openConnection(url, proxy, { ...options, guard, watch });
}

export function keyOf(url: URL, proxy: URL | null): string {
  return proxy === null ? url.origin : `${url.origin} ${proxy.href}`;
}

async function sendAlone(hop: Hop): Promise<RawResponse> {
  hop.attempt.isSent = true;
  const connection = await connectFor(hop);
  try {
    return await connection.send(hop);
  } finally {
    connection.close();
  }
}

/** In milliseconds: how long the next request waits for the one before it. */
const PATIENCE_MS = 1_000;

function shareConnection(signal: AbortSignal, patienceMs: number): SendHop {
  let sharedKey: string | undefined;
  let shared: HttpConnection | undefined;
  let isOver = false;
  let turn: Promise<void> = Promise.resolve();
  signal.addEventListener('abort', () => shared?.close(), { once: true });

  const sendShared = async (hop: Hop, leave: () => void): Promise<RawResponse | null> => {
    hop.attempt.isSent = true;
    const patience = setTimeout(() => {
      isOver = true;
      leave();
    }, patienceMs);
    try {
      const used = shared;
      shared ??= await connectFor(hop);
      const got = used === undefined ? await shared.send(hop) : await used.sendAgain(hop);
      if (isOver || signal.aborted) shared.close();
      isOver ||= got === null;
      return got;
    } catch (error) {
      isOver = true;
      throw error;
    } finally {
      clearTimeout(patience);
      leave();
    }
  };

  return async (hop) => {
    const { attempt, method, url, proxy } = hop;
    // Retries have connections of their own.
    if (method !== 'GET' || attempt.count > 1 || attempt.request.alone === true) return sendAlone(hop);
    sharedKey ??= keyOf(url, proxy);
    if (keyOf(url, proxy) !== sharedKey) return sendAlone(hop);
    const before = turn;
    const { promise, resolve: leave } = Promise.withResolvers<void>();
    turn = promise;
    await attempt.watch.pausedUntil(before);
    isOver ||= signal.aborted || shared?.isOpen() === false;
    const got = isOver ? null : await sendShared(hop, leave);
    leave();
    if (got === null && signal.aborted) throw signal.reason as Error;
    return got ?? sendAlone(hop);
  };
}
