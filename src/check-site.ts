import type { BaseUrl } from './base-url.ts';
import type { BrowserOptions, RequestedBrowser } from './browser/types.ts';
import type { OpenRenderer } from './browser/open.ts';
import { type Admit, guardOf, proxyFor } from './http/address.ts';
import type { Answer, Check, CheckResult, Get, ParseMarkdown, Report, RunRequest } from './check.ts';
import { CRAWL_SHARE, DEFAULT_LIMITS, FULL_DEADLINE_MS, type Limits } from './limits.ts';
import { sharedContext, type Resolver, type ResolveRule } from './http/connect.ts';
import { Ended } from './http/ended.ts';
import { createGet, createSharedGet, type HttpOptions } from './http/get.ts';
import { decodedPart } from './http/headers.ts';
import { knownBodies } from './http/known-bodies.ts';
import { createPooledGet } from './http/pool.ts';
import type { Revalidation } from './http/revalidation.ts';
import { lazy } from './lazy.ts';
import type { RuleSeverity } from './result.ts';
import { runChecks } from './run.ts';
import { isAuthorized, secretsOf } from './secrets.ts';
import { VERSION } from './version.ts';

/** How a site is checked. Everything but the site and the checks has a default. */
export interface CheckSiteOptions {
  readonly site: Extract<BaseUrl, { ok: true }>;
  readonly checks: readonly Check[];
  readonly limits?: Partial<Limits>;
  /** Sent to the site's own origin only, and never reported in a report. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Addresses to ask instead of those that names resolve to. */
  readonly resolve?: readonly ResolveRule[];
  /** 4 or 6: only addresses of that family; 0 (the default): either. */
  readonly family?: 0 | 4 | 6;
  /**
   * Whether an address may be connected to; whatever is not admitted is reported as `blocked-address`. Where it is absent the
   * site may live anywhere, and what it leads to must be public or as near as the site.
   */
  readonly admit?: Admit;
  /** What to check beyond the defaults. */
  readonly requested?: Partial<Omit<RunRequest, 'authorized' | 'pages' | 'depth' | 'crawlMs'>>;
  /** Grades of the user's own, by `<check id>/<code>`. */
  readonly rules?: ReadonlyMap<string, RuleSeverity>;
  readonly strict?: boolean;
  /** Renders pages in a browser. */
  readonly browser?: BrowserOptions;
  /** Where `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` are read from; no proxy when absent. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /**
   * The longest `Retry-After` that is waited for, in milliseconds; 0: a crawl makes no pause for a host that is busy, but
   * ends there; absent: whatever ends before the deadline.
   */
  readonly patienceMs?: number;
  /**
   * Requests that come at once share a connection while nothing fails, which costs both sides less. By default each has one
   * of its own, which is quicker.
   */
  readonly sharesConnection?: boolean;
  /** Keeps the bodies of the core checks from run to run. `isWhole`: all of them are received again in this run. */
  readonly revalidation?: { readonly bodies: Revalidation; readonly isWhole: boolean };
  /** What connections over TLS are made with, where a site is checked again and again: it is costly to make. */
  readonly secureContext?: NonNullable<HttpOptions['secureContext']>;
  /** Resolves names; the system's `getaddrinfo` where it is absent. */
  readonly resolver?: Resolver;
  /** Ends the run early; what is not known by then is reported as unknown. */
  readonly interrupt?: AbortSignal;
  readonly onResult?: (result: CheckResult) => void;
  /** Called during a crawl, with how many targets were requested and how many are known. */
  readonly onProgress?: (done: number, known: number) => void;
  /** Called with every answer, as it came. */
  readonly onAnswer?: (answer: Answer) => void;
}

/** As browsers do. */
const CONNECTIONS_PER_HOST = 6;

/** A page with its scripts takes longer than one file. In milliseconds. */
const SHORTEST_RENDERING_MS = 10_000;

/** A run that takes longer than this has time to load what its pages may be parsed with. In milliseconds. */
const PRELOAD_MS = 400;

/** How long evaluating may go on after the deadline has ended all requests. */
const GRACE_MS = 400;

/**
 * Runs the checks against a site, all at once, and shows what they found. Whatever the site does is in the report;
 * throws a `ProxyError` before anything is sent when `environment` holds an unusable proxy,
 * and rejects only on a defect of docvitals.
 */
export async function checkSite(options: CheckSiteOptions): Promise<Report> {
  const limits = limitsFor(options);
  proxyFor(options.site.base, options.environment ?? {});
  // `performance` has more to load than this.
  const clock = (): number => Number(process.hrtime.bigint()) / 1e6;
  const interrupt = options.interrupt ?? new AbortController().signal;
  const lifetime = startLifetime(limits.deadlineMs, interrupt);
  let receivedBytes = 0;
  const onReceived = (bytes: number): void => void (receivedBytes += bytes);
  const http = { ...httpOptions(options, limits, { clock, signal: lifetime.requests }), onReceived };
  const alone = options.sharesConnection === true ? createSharedGet(http) : createGet(http);
  const { revalidation } = options;
  const browser = requestedBrowser(options, http);
  const report = runChecks({
    checks: options.checks,
    base: options.site.base,
    get: withAnswers(revalidation?.bodies.run(alone, revalidation.isWhole) ?? alone, options),
    pooled: onDemand(() =>
      withAnswers(createPooledGet(http, { rate: limits.rate, connectionsPerHost: CONNECTIONS_PER_HOST }), options),
    ),
    requested: {
      ...options.requested,
      browser: browser?.requested ?? null,
      authorized: isAuthorized(options),
      pages: limits.pages,
      depth: limits.depth,
      crawlMs: limits.deadlineMs * CRAWL_SHARE,
    },
    tool: { name: 'docvitals', version: VERSION },
    secrets: secretsOf(options),
    rules: options.rules ?? new Map(),
    strict: options.strict ?? false,
    parseMs: limits.parseMs,
    ...(isFull(options) && !isSampled(options) && { parse: pageParser(limits.parseMs, lifetime.evaluating) }),
    interrupt,
    ended: lifetime.evaluating,
    receivedBytes: () => receivedBytes,
    clock,
    startedAt: new Date(),
    ...(options.onResult && { onResult: options.onResult }),
    ...(options.onProgress && { onProgress: options.onProgress }),
  });
  // What cannot be loaded is reported where it is needed.
  const preload = setTimeout(() => void import('./parse/markdown-outline.ts').catch(() => {}), PRELOAD_MS);
  try {
    return await report;
  } finally {
    clearTimeout(preload);
    lifetime.end();
    await browser?.close();
  }
}

/** The browser starts when it is needed: loading what drives it would delay the first requests. */
function requestedBrowser(
  { browser, site, headers = {} }: CheckSiteOptions,
  http: HttpOptions,
): { readonly requested: RequestedBrowser; readonly close: () => Promise<void> } | null {
  if (browser === undefined) return null;
  const { username, password } = site.site;
  const open = async (): Promise<OpenRenderer> => {
    const { openRenderer } = await import('./browser/open.ts');
    return openRenderer({
      ...browser,
      ...http,
      guard: guardOf(http),
      base: site.base,
      headers,
      credentials:
        username + password === '' ? null : { username: decodedPart(username), password: decodedPart(password) },
      timeoutMs: Math.max(http.timeoutMs, SHORTEST_RENDERING_MS),
    });
  };
  let opened: Promise<OpenRenderer> | undefined;
  const once = (): Promise<OpenRenderer> => (opened ??= open());
  const close = async (): Promise<void> => (await opened?.catch(() => null))?.close();
  return { requested: { routes: browser.routes, slowMs: browser.slowMs, open: once }, close };
}

function isFull({ checks, requested = {} }: CheckSiteOptions): boolean {
  return requested.full === true || checks.some((check) => check.full);
}

/** Only a few files are checked, and no page is parsed that a thread would be worth. */
function isSampled({ requested = {} }: CheckSiteOptions): boolean {
  return (requested.samples ?? null) !== null;
}

function withAnswers(get: Get, { onAnswer }: CheckSiteOptions): Get {
  if (onAnswer === undefined) return get;
  return async (request) => {
    const answer = await get(request);
    onAnswer(answer);
    return answer;
  };
}

/** Made when something is requested: the core checks do without connections that are kept. */
function onDemand(create: () => Get): Get {
  let get: Get | undefined;
  return (request) => (get ??= create())(request);
}

/** The whole site takes longer than five files. */
function limitsFor(options: CheckSiteOptions): Limits {
  const deadlineMs = isFull(options) ? FULL_DEADLINE_MS : DEFAULT_LIMITS.deadlineMs;
  return { ...DEFAULT_LIMITS, deadlineMs, ...options.limits };
}

function httpOptions(
  options: CheckSiteOptions,
  { timeoutMs, retries, bodyBytes: bodyCap, deadlineMs }: Limits,
  { clock, signal }: Pick<HttpOptions, 'clock' | 'signal'>,
): HttpOptions {
  const { site, headers = {}, resolve: rules = [], family = 0, resolver, admit } = options;
  const { environment = {}, patienceMs = Infinity, secureContext = sharedContext() } = options;
  return {
    site: site.site,
    timeoutMs,
    retries,
    bodyCap,
    ...(isFull(options) ? { known: knownBodies() } : {}),
    userAgent: `docvitals/${VERSION}`,
    headers,
    rules,
    family,
    ...(resolver === undefined ? {} : { resolver }),
    ...(admit === undefined ? {} : { admit }),
    secureContext,
    proxyFor: (url) => proxyFor(url, environment),
    signal,
    endsAt: clock() + deadlineMs,
    patienceMs,
    clock,
  };
}

/** Of a longer page the beginning is read. In UTF-16 code units. */
const LONGEST_PAGE = 1024 * 1024;
const MOST_OF_A_PAGE = 20_000;
/** The heap of the thread that parses, in MiB. */
const PARSER_MB = 64;

/** Parses pages, those that take time in a thread that ends with the signal. */
function pageParser(limitMs: number, signal: AbortSignal): ParseMarkdown {
  const made = lazy(async () => {
    const { createMarkdownPool } = await import('./parse/markdown-pool.ts');
    return createMarkdownPool({ limitMs, signal, memoryMb: PARSER_MB, most: MOST_OF_A_PAGE });
  });
  return async (text) => {
    const { parse } = await made();
    if (text.length <= LONGEST_PAGE) return parse(text);
    const parsed = await parse(beginningOf(text));
    return parsed.ok ? { ...parsed, whole: false } : parsed;
  };
}

/** In a string of its own: a slice keeps all of the text in memory. */
function beginningOf(text: string): string {
  const end = text.lastIndexOf('\n', LONGEST_PAGE) + 1;
  return ` ${text.slice(0, end === 0 ? LONGEST_PAGE : end)}`.slice(1);
}

/** One for all runs, for each of them ends so: what is thrown costs a stack. */
const INTERRUPTED = new Ended('interrupt');

function startLifetime(deadlineMs: number, interrupt: AbortSignal) {
  const requests = new AbortController();
  const evaluating = new AbortController();
  let timer = setTimeout(() => {
    const ended = new Ended('deadline', deadlineMs);
    requests.abort(ended);
    // What came just before the deadline is still evaluated.
    timer = setTimeout(() => evaluating.abort(ended), GRACE_MS);
  }, deadlineMs);
  const end = (): void => {
    clearTimeout(timer);
    interrupt.removeEventListener('abort', end);
    requests.abort(INTERRUPTED);
    evaluating.abort(INTERRUPTED);
  };
  interrupt.addEventListener('abort', end);
  if (interrupt.aborted) end();
  return { requests: requests.signal, evaluating: evaluating.signal, end };
}
