/** One page, opened once in a context of its own. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext, CDPSession, Page, Request, Response } from 'playwright-core';
import { Ended } from '../http/ended.ts';
import { untilAborted } from '../http/timing.ts';
import type { Gate } from './gate.ts';
import { Probe, type Shown } from './probe.ts';
import type { FailedRequest, PageError, View, ViewRequest } from './types.ts';

export interface Viewing {
  readonly browser: Browser;
  /** `null`: the browser is elsewhere, and reaches the network by itself. */
  readonly gate: Gate | null;
  /** Of the site, ends with a slash. */
  readonly base: URL;
  /** Sent to the site's own origin only. */
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: { readonly username: string; readonly password: string } | null;
  /** Throws where a host must not be requested. */
  readonly guard: (url: URL) => Promise<void>;
  /** The source of axe-core. */
  readonly axe: string;
  readonly timeoutMs: number;
  /** Aborted with an `Ended` when the run is over. */
  readonly signal: AbortSignal;
}

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
/** So long nothing has changed and no request is open: after the heading, and where none is shown. In milliseconds. */
const QUIET_MS = 150;
const PATIENCE_MS = 1_500;
/** What still happens so long after the heading is not waited for. */
const LONGEST_AFTER_MS = 3_000;
/** So long the browser may take to make a context, and to close it. In milliseconds. */
const CONTEXT_MS = 20_000;
const POLL_MS = 40;
const MOST_LISTED = 20;
const LONGEST = 500;
const QUALITY = 60;

/** Opens the page; what the site does is in the view. Rejects where the browser ended, or with the signal's `Ended`. */
export async function viewPage(request: ViewRequest, viewing: Viewing): Promise<View> {
  const { browser, gate, credentials, base, timeoutMs, signal } = viewing;
  signal.throwIfAborted();
  const making = browser.newContext({
    viewport: DESKTOP,
    ...(gate === null ? {} : { proxy: { server: gate.address } }),
    ...(credentials === null ? {} : { httpCredentials: { ...credentials, origin: base.origin } }),
    acceptDownloads: false,
    serviceWorkers: 'block',
  });
  const context = await untilAborted(making, AbortSignal.any([signal, AbortSignal.timeout(CONTEXT_MS)]));
  // A page may keep its process busy for ever: nothing below is waited for any longer.
  const longestMs = timeoutMs + 4 * LONGEST_AFTER_MS;
  const timeout = AbortSignal.timeout(longestMs);
  const recorder = new Recorder(base, gate);
  try {
    return await untilAborted(new Visit(context, request, viewing, recorder).run(), AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (error instanceof Ended || !browser.isConnected()) throw error;
    // Visitors see what was shown before the scripts kept the page busy, which mostly is nothing.
    if (timeout.aborted && recorder.hasPage) {
      await demandResponse(browser);
      return recorder.view({ isBlank: true, unresponsiveMs: longestMs });
    }
    return recorder.view({ problem: { error: messageOf(error), reason: gate?.failureOf(request.url) ?? null } });
  } finally {
    await untilAborted(context.close(), AbortSignal.timeout(CONTEXT_MS)).catch(() => {});
  }
}

/** Rejects where it is the browser that is busy, not the page. */
async function demandResponse(browser: Browser): Promise<void> {
  const asked = browser.newBrowserCDPSession().then((session) => session.send('Browser.getVersion'));
  await untilAborted(asked, AbortSignal.timeout(PATIENCE_MS)).catch(() => {
    throw new Error('The browser does not respond.');
  });
}

class Visit {
  readonly #context: BrowserContext;
  readonly #request: ViewRequest;
  readonly #viewing: Viewing;
  readonly #recorder: Recorder;

  constructor(context: BrowserContext, request: ViewRequest, viewing: Viewing, recorder: Recorder) {
    this.#context = context;
    this.#request = request;
    this.#viewing = viewing;
    this.#recorder = recorder;
  }

  async run(): Promise<View> {
    const { axe, timeoutMs } = this.#viewing;
    const { url, headings, links, withBarriers } = this.#request;
    const page = await this.#context.newPage();
    this.#context.on('page', (other) => void other.close().catch(() => {}));
    const session = await this.#context.newCDPSession(page);
    const [probe] = await Promise.all([
      Probe.attach(session, headings),
      this.#recorder.listen(page, session),
      this.#routed(page),
    ]);
    const response = await page.goto(url.href, { waitUntil: 'commit', timeout: timeoutMs });
    await this.#settled(probe);
    const shown = await probe.collect(links);
    const screenshot = await page.screenshot({ type: 'jpeg', quality: QUALITY, scale: 'css' }).catch(() => null);
    const isBlank = await this.#isBlank(page, probe, shown, response);
    const barriers = isBlank || !withBarriers ? [] : await probe.barriers(axe);
    const overflow = isBlank ? null : await overflowOf(page, probe);
    return this.#recorder.view({ ...shown, screenshot, isBlank, barriers, overflow });
  }

  /** Requests pass through this program only where it adds headers, or has to check addresses. */
  async #routed(page: Page): Promise<void> {
    const { headers, gate, guard } = this.#viewing;
    if (gate === null) {
      // Frames of other sites, too, but not where a redirect leads.
      await page.route('**/*', async (route) => {
        const url = URL.parse(route.request().url());
        const isAllowed = url === null || !isRemote(url) || (await isAdmitted(url, guard));
        await (isAllowed ? route.continue() : route.abort('blockedbyclient')).catch(() => {});
      });
    }
    if (Object.keys(headers).length === 0 && gate !== null) return;
    const session = await this.#context.newCDPSession(page);
    session.on('Fetch.requestPaused', (paused) => void this.#passOn(session, paused).catch(() => {}));
    await session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
  }

  /** Each hop of a redirect comes here: what is added to one request is not sent to the next. */
  async #passOn(session: CDPSession, { requestId, request }: PausedRequest): Promise<void> {
    const { headers, base, gate, guard } = this.#viewing;
    const url = URL.parse(request.url);
    if (gate === null && url !== null && isRemote(url) && !(await isAdmitted(url, guard))) {
      await session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
      return;
    }
    const added = url?.origin === base.origin ? headers : {};
    const replaced = new Set(Object.keys(added).map((name) => name.toLowerCase()));
    const kept = Object.entries(request.headers).filter(([name]) => !replaced.has(name.toLowerCase()));
    const all = [...kept, ...Object.entries(added)].map(([name, value]) => ({ name, value }));
    await session.send('Fetch.continueRequest', { requestId, ...(replaced.size === 0 ? {} : { headers: all }) });
  }

  /** Waits until the heading is shown and all is quiet; without a heading, until nothing more happens. */
  async #settled(probe: Probe): Promise<void> {
    const { timeoutMs, signal } = this.#viewing;
    const began = performance.now();
    let quietSince = began;
    let shownAt = Infinity;
    let size = -1;
    for (;;) {
      const state = await this.#state(probe);
      const now = performance.now();
      if (state.isBusy || state.size !== size) quietSince = now;
      if (state.isShown) shownAt = Math.min(shownAt, now);
      const patienceMs = shownAt === Infinity ? PATIENCE_MS : QUIET_MS;
      if (now - quietSince >= patienceMs || now - shownAt > LONGEST_AFTER_MS || now - began > timeoutMs) return;
      size = state.size;
      await delay(POLL_MS, undefined, { signal });
    }
  }

  /** A page that is on its way to another one has no state. */
  async #state(probe: Probe) {
    const state = await probe.state().catch(() => null);
    if (state === null) return { isShown: false, isBusy: true, size: -1 };
    return { ...state, isBusy: !state.isComplete || this.#recorder.pending > 0 };
  }

  /** Whether nothing is visible but what the bundle shows without scripts, such as `Loading …`. */
  async #isBlank(page: Page, probe: Probe, { headings, text }: Shown, response: Response | null): Promise<boolean> {
    if (headings.length > 0) return false;
    if (text !== '') return probe.isStatic((await response?.text()) ?? '');
    if (this.#request.headings.length > 0) return true;
    const before = await page.screenshot();
    await probe.clear();
    return before.equals(await page.screenshot());
  }
}

interface PausedRequest {
  readonly requestId: string;
  readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
}

const isRemote = ({ protocol }: URL): boolean => /^(?:https?|wss?):$/.test(protocol);

const isAdmitted = (url: URL, guard: Viewing['guard']): Promise<boolean> =>
  guard(url).then(
    () => true,
    () => false,
  );

/** A menu that slides away sticks out meanwhile: only what stays counts. */
async function overflowOf(page: Page, probe: Probe): Promise<View['overflow']> {
  await page.setViewportSize(PHONE);
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const overflow = await probe.overflow();
    if (overflow === null || performance.now() > end) return overflow;
    await delay(2 * POLL_MS);
  }
}

/** A context has at most so many requests before the rest is not listed. */
const MOST_REQUESTS = 5_000;

/** Listens to what happens on a page. */
class Recorder {
  readonly #base: URL;
  readonly #gate: Gate | null;
  readonly #errors: PageError[] = [];
  readonly #failed: FailedRequest[] = [];
  readonly #received = new Map<string, { status: number; mediaType: string }>();
  readonly #mixed = new Set<string>();
  readonly #blocked = new Map<string, { directive: string; url: string }>();
  readonly #open = new Set<Request>();
  #requests = 0;

  constructor(base: URL, gate: Gate | null) {
    this.#base = base;
    this.#gate = gate;
  }

  get pending(): number {
    return this.#open.size;
  }

  /** Whether the page's own document was received. */
  get hasPage(): boolean {
    return this.#received.size > 0;
  }

  async listen(page: Page, session: CDPSession): Promise<void> {
    page.on('request', (request) => {
      this.#requests += 1;
      if (this.#requests < MOST_REQUESTS && !/^(?:websocket|eventsource|ping)$/.test(request.resourceType()))
        this.#open.add(request);
    });
    page.on('requestfinished', (request) => void this.#open.delete(request));
    page.on('requestfailed', (request) => {
      this.#open.delete(request);
      const error = request.failure()?.errorText ?? '';
      // What the page itself gives up has not failed, and what a policy stops has a finding of its own.
      if (/ERR_ABORTED|csp|mixed-content/i.test(error)) return;
      this.#fail(request, this.#failureOf(request, error));
    });
    page.on('response', (response) => {
      const status = response.status();
      const url = withoutQuery(response.url());
      if (this.#isOwn(url) && this.#received.size < MOST_REQUESTS) {
        const mediaType = (response.headers()['content-type'] ?? '').split(';', 1)[0] ?? '';
        this.#received.set(url, { status, mediaType: mediaType.trim().toLowerCase() });
      }
      if (status >= 400) this.#fail(response.request(), { status });
    });
    page.on('console', (message) => {
      if (message.type() !== 'error' || OF_THE_BROWSER.test(message.text())) return;
      this.#error('console', message.text(), message.location().url);
    });
    page.on('pageerror', ({ name, message, stack = '' }) => {
      const [url = ''] = /\bhttps?:\/\/[^\s)]+?(?=:\d+:\d+)/.exec(stack) ?? [];
      this.#error('exception', message.startsWith(name) ? message : `${name}: ${message}`, url);
    });
    await this.#listenForIssues(session);
  }

  /** Insecure content and what a Content-Security-Policy stopped, as Chromium's Audits domain reports them. */
  async #listenForIssues(session: CDPSession): Promise<void> {
    session.on('Audits.issueAdded', ({ issue: { details } }) => {
      const { mixedContentIssueDetails: mixed, contentSecurityPolicyIssueDetails: policy } = details;
      if (mixed !== undefined && this.#mixed.size < MOST_LISTED) this.#mixed.add(mixed.insecureURL.slice(0, LONGEST));
      if (policy === undefined || policy.isReportOnly || this.#blocked.size >= MOST_LISTED) return;
      const { violatedDirective: directive, blockedURL: url = '' } = policy;
      this.#blocked.set(`${directive} ${url}`, { directive, url: url.slice(0, LONGEST) });
    });
    await session.send('Audits.enable');
  }

  view(shown: Partial<View> & Partial<Shown>): View {
    const { headingMs = null, largestPaintMs = null, layoutShift = null, text = '', unresponsiveMs = null } = shown;
    return {
      problem: shown.problem ?? null,
      measures: {
        headingMs: rounded(headingMs),
        largestPaintMs: rounded(largestPaintMs),
        layoutShift: thousandths(layoutShift),
        transferredBytes: this.#gate?.bytes ?? null,
        requests: this.#requests,
      },
      hasHeading: headingMs !== null,
      headings: shown.headings ?? [],
      text: text.slice(0, LONGEST),
      isBlank: shown.isBlank ?? false,
      unresponsiveMs,
      links: shown.links ?? 0,
      errors: this.#errors,
      failed: this.#failed,
      received: this.#received,
      mixed: [...this.#mixed],
      blocked: [...this.#blocked.values()],
      overflow: shown.overflow ?? null,
      barriers: (shown.barriers ?? []).slice(0, MOST_LISTED),
      screenshot: shown.screenshot ?? null,
    };
  }

  #isOwn(url: string): boolean {
    return url.startsWith(`${this.#base.origin}/`);
  }

  #failureOf(request: Request, error: string): FailedRequest['evidence'] {
    if (this.#gate?.isExhausted === true) return { limitBytes: this.#gate.mostBytes };
    const reason = this.#gate?.failureOf(new URL(request.url())) ?? null;
    return reason === null ? { error } : { reason };
  }

  #fail(request: Request, evidence: FailedRequest['evidence']): void {
    if (this.#failed.length >= MOST_LISTED || !request.url().startsWith('http')) return;
    const url = request.url().slice(0, LONGEST);
    this.#failed.push({ url, isOwn: this.#isOwn(url), kind: request.resourceType(), evidence });
  }

  #error(kind: PageError['kind'], text: string, url: string): void {
    if (this.#errors.length < MOST_LISTED) this.#errors.push({ kind, message: text.slice(0, LONGEST), url });
  }
}

/** Messages of Chromium itself, about what other findings report. */
const OF_THE_BROWSER =
  /^(?:Failed to load resource|Mixed Content:|Refused to |Access to |(?:Loading|Executing|Applying|Connecting|Framing) .*Content Security Policy)|violates the following (?:report-only )?Content Security Policy/;

const rounded = (ms: number | null): number | null => (ms === null ? null : Math.round(ms));

const thousandths = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 1_000) / 1_000;

const withoutQuery = (url: string): string => url.split(/[?#]/, 1)[0] ?? url;

/** Playwright's messages go on with a log of its calls. */
function messageOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return line
    .replace(/^[\w.]+: /, '')
    .replace(/ at https?:.*$/, '')
    .slice(0, LONGEST);
}
