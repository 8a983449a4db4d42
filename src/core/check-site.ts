import type { BaseUrl } from './base-url.ts';
import type { BrowserOptions, Renderer } from '../browser/open.ts';
import { guardOf, proxyFor } from '../http/address.ts';
import type { Get } from './answer.ts';
import type { Report } from './check.ts';
import type { RunRequest } from '../site/types.ts';
import { CRAWL_SHARE, DEFAULT_LIMITS, FULL_DEADLINE_MS, type Limits } from './limits.ts';
import { sharedContext, type ResolveRule } from '../http/connect.ts';
import { Ended } from '../http/failure.ts';
import { createGet, createSharedGet, type HttpOptions } from '../http/get.ts';
import { hostRecords } from '../http/host-record.ts';
import { knownBodies } from '../http/repeated-body.ts';
import { createPooledGet } from '../http/pool.ts';
import type { Revalidation } from '../http/revalidation.ts';
import { runChecks, type RunOptions } from './run.ts';
import { isAuthorized, secretsOf } from './secrets.ts';
import { VERSION } from './version.ts';

/** How a site is checked. Everything but the site and the checks has a default. */
export interface CheckSiteOptions
  extends
    Pick<RunOptions, 'checks' | 'onResult' | 'onProgress' | 'onAnswer'>,
    Partial<Pick<RunOptions, 'rules' | 'strict' | 'interrupt' | 'control'>>,
    Partial<Pick<HttpOptions, 'headers' | 'family' | 'admit' | 'secureContext' | 'resolver' | 'patienceMs'>> {
  readonly site: Extract<BaseUrl, { ok: true }>;
  readonly limits?: Partial<Limits>;
  /** Addresses to connect to instead of those that names resolve to. */
  readonly resolve?: readonly ResolveRule[];
  readonly requested?: Partial<Omit<RunRequest, 'authorized' | 'pages' | 'depth' | 'crawlMs'>>;
  readonly browser?: BrowserOptions;
  /** Where `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` are read from; no proxy by default. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Requests share a connection while nothing fails, which costs both sides less, but is slower. */
  readonly sharesConnection?: boolean;
  /** Keeps the bodies of the core checks from run to run. `bypassCache`: all of them are received again in this run. */
  readonly revalidation?: { readonly bodies: Revalidation; readonly bypassCache: boolean };
}

/** From the end of all requests to the end of evaluating. */
const GRACE_MS = 400;

/**
 * Runs the checks against a site, all at once, and reports their findings. Whatever the site does is in the report.
 * Throws a `ProxyError` before anything is sent when `environment` has an unusable proxy, and rejects only on a defect
 * of docvitals.
 */
export async function checkSite(options: CheckSiteOptions): Promise<Report> {
  const { site, requested = {}, revalidation } = options;
  const isFull = coversWholeSite(options);
  const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits, deadlineMs: deadlineOf(options) };
  const settings = httpOptions(options, limits);
  settings.proxyFor(site.base);
  // `performance` has more to load than this.
  const clock = (): number => Number(process.hrtime.bigint()) / 1e6;
  const interrupt = options.interrupt ?? new AbortController().signal;
  const lifetime = startLifetime(limits.deadlineMs, interrupt);
  let receivedBytes = 0;
  const http: HttpOptions = {
    ...settings,
    ...(isFull && { known: knownBodies() }),
    signal: lifetime.requests,
    endsAt: clock() + limits.deadlineMs,
    clock,
    onReceived: (bytes) => void (receivedBytes += bytes),
    hosts: hostRecords(clock),
  };
  const { first, pooled } = connections(options, http, { isFull, rate: limits.rate });
  const browser = requestedBrowser(options, http);
  const isSampled = (requested.samples ?? null) !== null;
  // Of a few files no page is worth a thread.
  const read = isFull && !isSampled ? await startWorker(limits.parseMs, lifetime.evaluating) : undefined;
  const report = runChecks({
    rules: new Map(),
    strict: false,
    ...options,
    base: site.base,
    // What a proxy reaches, this machine need not reach.
    control: settings.proxyFor(site.base) === null ? options.control : undefined,
    get: revalidation?.bodies.run(first, revalidation.bypassCache) ?? first,
    pooled,
    requested: {
      ...requested,
      browser: browser?.requested ?? null,
      authorized: isAuthorized(options),
      pages: limits.maxPages,
      depth: limits.maxDepth,
      crawlMs: limits.deadlineMs * CRAWL_SHARE,
    },
    tool: { name: 'docvitals', version: VERSION },
    secrets: secretsOf(options),
    limits: {
      parseMs: limits.parseMs,
      signal: lifetime.evaluating,
      ...(read && { read }),
    },
    interrupt,
    receivedBytes: () => receivedBytes,
    clock,
    startedAt: new Date(),
  });
  try {
    return await report;
  } finally {
    lifetime.end();
    await browser?.close();
  }
}

/** `first`: the requests of the core checks; `pooled`: all others. */
function connections(
  { site, sharesConnection = false }: CheckSiteOptions,
  http: HttpOptions,
  { isFull, rate }: { readonly isFull: boolean; readonly rate: number },
) {
  const alone = sharesConnection ? createSharedGet(http) : createGet(http);
  // The core checks do without connections that are kept alive, but for the bundle and its scripts.
  const withBundle = isFull || sharesConnection ? alone : createSharedGet(http);
  const bundle = new URL('index.html', site.base).href;
  const first: Get = (request) => (request.url.href === bundle ? withBundle : alone)(request);
  let pool: Get | undefined;
  const pooled: Get = (request) =>
    request.reuse === true && !isFull ? withBundle(request) : (pool ??= createPooledGet(http, rate))(request);
  return { first, pooled };
}

export const deadlineOf = (options: CheckSiteOptions): number =>
  options.limits?.deadlineMs ?? (coversWholeSite(options) ? FULL_DEADLINE_MS : DEFAULT_LIMITS.deadlineMs);

const coversWholeSite = ({ checks, requested = {} }: CheckSiteOptions): boolean =>
  requested.full === true || checks.some((check) => check.full);

/** The browser starts when it is needed: loading what drives it would delay the first requests. */
function requestedBrowser({ browser }: CheckSiteOptions, http: HttpOptions) {
  if (browser === undefined) return null;
  let opened: Promise<Renderer> | undefined;
  const open = async () => (await import('../browser/open.ts')).openRenderer(browser, http);
  return {
    requested: { routes: browser.routes, slowMs: browser.slowMs, open: () => (opened ??= open()) },
    close: async () => (await opened?.catch(() => null))?.close(),
  };
}

function httpOptions(options: CheckSiteOptions, { timeoutMs, retries, bodyBytes }: Limits) {
  const { site, headers = {}, family = 0, resolver, admit, patienceMs, environment = {} } = options;
  return {
    site: site.site,
    timeoutMs,
    retries,
    bodyCap: bodyBytes,
    userAgent: `docvitals/${VERSION}`,
    headers,
    rules: options.resolve ?? [],
    family,
    resolver,
    guard: guardOf({ admit, site: site.site }),
    secureContext: options.secureContext ?? sharedContext(),
    proxyFor: (url: URL) => proxyFor(url, environment),
    patienceMs,
  };
}

/** The heap of the thread that reads, in MiB. */
const WORKER_MB = 64;

/** Reads pages in a thread that ends with the signal. It starts while the first responses are on their way. */
async function startWorker(limitMs: number, signal: AbortSignal) {
  const { createWorkerPool } = await import('../parse/worker-pool.ts');
  return createWorkerPool({ limitMs, signal, memoryMb: WORKER_MB }).read;
}

/** Two signals: requests end at the deadline, evaluating soon after. */
function startLifetime(deadlineMs: number, interrupt: AbortSignal) {
  const requests = new AbortController();
  const evaluating = new AbortController();
  let timer = setTimeout(() => {
    const ended = new Ended('deadline', deadlineMs);
    requests.abort(ended);
    timer = setTimeout(() => evaluating.abort(ended), GRACE_MS);
  }, deadlineMs);
  const end = (): void => {
    clearTimeout(timer);
    interrupt.removeEventListener('abort', end);
    const ended = new Ended('interrupt');
    requests.abort(ended);
    evaluating.abort(ended);
  };
  interrupt.addEventListener('abort', end);
  if (interrupt.aborted) end();
  return { requests: requests.signal, evaluating: evaluating.signal, end };
}
