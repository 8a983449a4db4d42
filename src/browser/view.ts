/** One page, opened once in a context of its own. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext, CDPSession, Page, Request, Response } from 'playwright-core';
import inPage from '../generated/in-page.json' with { type: 'json' };
import { Ended } from '../http/failure.ts';
import type { HttpOptions } from '../http/get.ts';
import { decodedPart, ownHeaders } from '../http/headers.ts';
import { untilAborted } from '../http/timing.ts';
import type { Gate } from './gate.ts';
import type { Barrier, FailedRequest, Measures, PageError, View, ViewRequest } from './open.ts';

interface Viewing extends Pick<HttpOptions, 'site' | 'headers' | 'timeoutMs' | 'signal'> {
  readonly browser: Browser;
  /** Ends the browser at once, because of what a page sends. */
  readonly endFlooded: () => void;
  /** Whether it reaches the network through the gate only; nothing of the site is opened before. */
  readonly isConfined: Promise<boolean>;
  /** `null`: the browser is elsewhere, and reaches the network by itself. */
  readonly gate: Gate | null;
  /** Throws where a host must not be requested. */
  readonly guard: (url: URL) => Promise<void>;
  /** The source of axe-core. */
  readonly axe: string;
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
/** A page with more messages and navigations, or requests, is closed, and so is the browser where that takes long. */
const MOST_EVENTS = 1_000;
const MOST_REQUESTS = 5_000;
/** Of all messages of a page, in UTF-16 code units. */
const MOST_TEXT = 1024 * 1024;
/** Meanwhile what was sent before is received. */
const FLOODED_CLOSE_MS = 300;
const POLL_MS = 40;
const MOST_LISTED = 20;
const LONGEST = 500;
const QUALITY = 60;

/** Opens the page; what the site does is in the view. Rejects where the browser ended, or with the signal's `Ended`. */
export async function viewPage(request: ViewRequest, viewing: Viewing): Promise<View> {
  const { browser, gate, site, timeoutMs, signal } = viewing;
  const [username, password] = [decodedPart(site.username), decodedPart(site.password)];
  signal.throwIfAborted();
  const making = browser.newContext({
    viewport: DESKTOP,
    ...(gate === null ? {} : { proxy: { server: gate.address } }),
    ...(username + password === '' ? {} : { httpCredentials: { username, password, origin: site.origin } }),
    acceptDownloads: false,
    serviceWorkers: 'block',
  });
  const context = await untilAborted(making, AbortSignal.any([signal, AbortSignal.timeout(CONTEXT_MS)]));
  // A page may keep its process busy for ever: nothing below is waited for any longer.
  const longestMs = timeoutMs + 4 * LONGEST_AFTER_MS;
  const timeout = AbortSignal.timeout(longestMs);
  const recorded = emptyRecord();
  const flooded = recorded.flood.signal;
  try {
    return await untilAborted(visit(context, request, viewing, recorded), AbortSignal.any([signal, timeout, flooded]));
  } catch (error) {
    if (error instanceof Ended || !browser.isConnected()) throw error;
    // Visitors see what was shown before the scripts kept the page busy, which mostly is nothing.
    if (timeout.aborted && recorded.received.size > 0) {
      await demandResponse(browser);
      return viewOf(recorded, gate, { isBlank: true, unresponsiveMs: longestMs });
    }
    const reason = gate?.failureOf(request.url) ?? null;
    return viewOf(recorded, gate, { problem: { error: messageOf(error), reason } });
  } finally {
    const patience = AbortSignal.timeout(flooded.aborted ? FLOODED_CLOSE_MS : CONTEXT_MS);
    await untilAborted(context.close(), AbortSignal.any([signal, patience])).catch(() => {
      if (flooded.aborted) viewing.endFlooded();
    });
  }
}

/** Rejects where it is the browser that is busy, not the page. */
async function demandResponse(browser: Browser): Promise<void> {
  const asked = browser.newBrowserCDPSession().then((session) => session.send('Browser.getVersion'));
  await untilAborted(asked, AbortSignal.timeout(PATIENCE_MS)).catch(() => {
    throw new Error('The browser does not respond.');
  });
}

async function visit(
  context: BrowserContext,
  { url, headings, links, withBarriers }: ViewRequest,
  viewing: Viewing,
  recorded: Recorded,
): Promise<View> {
  const page = await context.newPage();
  context.on('page', (other) => void other.close().catch(() => {}));
  const session = await context.newCDPSession(page);
  record(recorded, page, viewing);
  const [probe] = await Promise.all([
    attachProbe(session, headings),
    recordIssues(recorded, session),
    routeRequests(page, viewing),
  ]);
  if (!(await viewing.isConfined)) throw new Error('not confined');
  const response = await page.goto(url.href, { waitUntil: 'commit', timeout: viewing.timeoutMs });
  await settled(probe, viewing, recorded);
  const shown = await probe.collect(links);
  const screenshot = await page.screenshot({ type: 'jpeg', quality: QUALITY, scale: 'css' }).catch(() => null);
  const isBlank =
    shown.headings.length === 0 && (await isEmpty(page, probe, shown.text, response, headings.length > 0));
  const barriers = isBlank || !withBarriers ? [] : await probe.barriers(viewing.axe);
  const overflow = isBlank ? null : await overflowOf(page, probe);
  return viewOf(recorded, viewing.gate, { ...shown, screenshot, isBlank, barriers, overflow });
}

/** Requests pass through this program only where it adds headers, or has to check addresses. */
async function routeRequests(page: Page, { headers, site, gate, guard }: Viewing): Promise<void> {
  const isAllowed = async (url: URL | null): Promise<boolean> => {
    if (gate !== null || url === null || !/^(?:https?|wss?):$/.test(url.protocol)) return true;
    return guard(url).then(
      () => true,
      () => false,
    );
  };
  if (gate === null) {
    // Frames of other sites, too, but not where a redirect leads.
    await page.route('**/*', async (route) => {
      const isPassed = await isAllowed(URL.parse(route.request().url()));
      await (isPassed ? route.continue() : route.abort('blockedbyclient')).catch(() => {});
    });
  }
  if (Object.keys(headers).length === 0 && gate !== null) return;
  const session = await page.context().newCDPSession(page);
  // Each hop of a redirect comes here: what is added to one request is not sent to the next.
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const passOn = async (): Promise<unknown> => {
      const url = URL.parse(request.url);
      if (!(await isAllowed(url))) {
        return session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
      }
      const added = url === null ? {} : ownHeaders(url, { site, headers });
      const replaced = new Set(Object.keys(added).map((name) => name.toLowerCase()));
      const kept = Object.entries(request.headers).filter(([name]) => !replaced.has(name.toLowerCase()));
      const all = [...kept, ...Object.entries(added)].map(([name, value]) => ({ name, value }));
      return session.send('Fetch.continueRequest', { requestId, ...(replaced.size === 0 ? {} : { headers: all }) });
    };
    passOn().catch(() => {});
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
}

/** Waits until the heading is shown and all is quiet; without a heading, until nothing more happens. */
async function settled(probe: Probe, { timeoutMs, signal }: Viewing, { open }: Recorded): Promise<void> {
  const began = performance.now();
  let quietSince = began;
  let shownAt = Infinity;
  let size = -1;
  for (;;) {
    // A page that is on its way to another one has no state.
    const state = await probe.state().catch(() => ({ isShown: false, isComplete: false, size: -1 }));
    const now = performance.now();
    if (!state.isComplete || open.size > 0 || state.size !== size) quietSince = now;
    if (state.isShown) shownAt = Math.min(shownAt, now);
    const patienceMs = shownAt === Infinity ? PATIENCE_MS : QUIET_MS;
    if (now - quietSince >= patienceMs || now - shownAt > LONGEST_AFTER_MS || now - began > timeoutMs) return;
    size = state.size;
    await delay(POLL_MS, undefined, { signal });
  }
}

/** Whether a page without headings shows only what the bundle shows without scripts, such as `Loading …`. */
async function isEmpty(page: Page, probe: Probe, text: string, response: Response | null, isHeadingAwaited: boolean) {
  if (text !== '') {
    // A browser drops bodies of pages that it has left (`Network.getResponseBody` fails): it is not known then.
    const html = await response?.text().catch(() => null);
    return html !== null && html !== undefined && probe.isStatic(html);
  }
  if (isHeadingAwaited) return true;
  const before = await page.screenshot();
  await probe.clear();
  return before.equals(await page.screenshot());
}

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

/** What is seen of a page from outside. */
type Recorded = ReturnType<typeof emptyRecord>;

function emptyRecord() {
  return {
    requests: 0,
    /** Messages and navigations. */
    events: 0,
    /** Of the messages. */
    length: 0,
    /** Aborts where there are too many. */
    flood: new AbortController(),
    open: new Set<Request>(),
    errors: [] as PageError[],
    failed: [] as FailedRequest[],
    received: new Map<string, { status: number; mediaType: string }>(),
    mixed: new Set<string>(),
    blocked: new Map<string, { directive: string; url: string }>(),
  };
}

function record(recorded: Recorded, page: Page, { site, gate }: Viewing): void {
  const { open, errors, failed, received } = recorded;
  const isOwn = (url: string): boolean => url.startsWith(`${site.origin}/`);
  const fail = (request: Request, evidence: FailedRequest['evidence']): void => {
    if (failed.length >= MOST_LISTED || !request.url().startsWith('http')) return;
    const url = request.url().slice(0, LONGEST);
    failed.push({ url, isOwn: isOwn(url), kind: request.resourceType(), evidence });
  };
  const count = (length = 0): void => {
    recorded.events += 1;
    recorded.length += length;
    if (recorded.events > MOST_EVENTS || recorded.length > MOST_TEXT) giveUp();
  };
  const giveUp = (): void => {
    page.removeAllListeners();
    recorded.flood.abort(new Error('Too many messages, navigations or requests.'));
  };
  const report = (kind: PageError['kind'], text: string, url: string): void => {
    if (errors.length < MOST_LISTED) errors.push({ kind, message: text.slice(0, LONGEST), url });
  };
  page.on('request', (request) => {
    recorded.requests += 1;
    if (recorded.requests > MOST_REQUESTS) giveUp();
    if (!/^(?:websocket|eventsource|ping)$/.test(request.resourceType())) open.add(request);
  });
  page.on('requestfinished', (request) => void open.delete(request));
  page.on('requestfailed', (request) => {
    open.delete(request);
    const error = request.failure()?.errorText ?? '';
    // What the page itself gives up has not failed, and what a policy stops has a finding of its own.
    if (/ERR_ABORTED|csp|mixed-content/i.test(error)) return;
    fail(request, failureOf(request, error, gate));
  });
  page.on('response', (response) => {
    const status = response.status();
    const [url = ''] = response.url().split(/[?#]/, 1);
    if (isOwn(url)) {
      const mediaType = (response.headers()['content-type'] ?? '').split(';', 1)[0] ?? '';
      received.set(url, { status, mediaType: mediaType.trim().toLowerCase() });
    }
    if (status >= 400) fail(response.request(), { status });
  });
  page.on('framenavigated', () => count());
  page.on('console', (message) => {
    count(message.text().length);
    if (message.type() !== 'error' || OF_THE_BROWSER.test(message.text())) return;
    report('console', message.text(), message.location().url);
  });
  page.on('pageerror', ({ name, message, stack = '' }) => {
    count(message.length + stack.length);
    const [url = ''] = /\bhttps?:\/\/[^\s)]+?(?=:\d+:\d+)/.exec(stack) ?? [];
    report('exception', message.startsWith(name) ? message : `${name}: ${message}`, url);
  });
}

function failureOf(request: Request, error: string, gate: Gate | null): FailedRequest['evidence'] {
  if (gate?.isExhausted()) return { limitBytes: gate.mostBytes };
  const reason = gate?.failureOf(new URL(request.url())) ?? null;
  return reason === null ? { error } : { reason };
}

/** Insecure content and what a Content-Security-Policy stopped, as Chromium's Audits domain reports them. */
async function recordIssues({ mixed, blocked }: Recorded, session: CDPSession): Promise<void> {
  session.on('Audits.issueAdded', ({ issue: { details } }) => {
    const { mixedContentIssueDetails: insecure, contentSecurityPolicyIssueDetails: policy } = details;
    if (insecure !== undefined && mixed.size < MOST_LISTED) mixed.add(insecure.insecureURL.slice(0, LONGEST));
    if (policy === undefined || policy.isReportOnly || blocked.size >= MOST_LISTED) return;
    const { violatedDirective: directive, blockedURL: url = '' } = policy;
    blocked.set(`${directive} ${url}`, { directive, url: url.slice(0, LONGEST) });
  });
  await session.send('Audits.enable');
}

function viewOf(recorded: Recorded, gate: Gate | null, seen: Partial<View & Shown>): View {
  const { requests, errors, failed, received, mixed, blocked } = recorded;
  const { headingMs = null, largestPaintMs = null, layoutShift = null, ...shown } = seen;
  const { text = '', barriers = [] } = shown;
  return {
    problem: null,
    headings: [],
    isBlank: false,
    unresponsiveMs: null,
    links: 0,
    overflow: null,
    screenshot: null,
    ...shown,
    measures: {
      headingMs: rounded(headingMs, 1),
      largestPaintMs: rounded(largestPaintMs, 1),
      layoutShift: rounded(layoutShift, 1_000),
      transferredBytes: gate?.received() ?? null,
      requests,
    },
    hasHeading: headingMs !== null,
    text: text.slice(0, LONGEST),
    barriers: barriers.slice(0, MOST_LISTED),
    errors,
    failed,
    received,
    mixed: [...mixed],
    blocked: [...blocked.values()],
  };
}

/** Messages of Chromium itself, about what other findings report. */
const OF_THE_BROWSER =
  /^(?:Failed to load resource|Mixed Content:|Refused to |Access to |(?:Loading|Executing|Applying|Connecting|Framing) .*Content Security Policy)|violates the following (?:report-only )?Content Security Policy/;

const rounded = (value: number | null, parts: number): number | null =>
  value === null ? null : Math.round(value * parts) / parts;

/** Playwright's messages end with a log of its calls. */
function messageOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return line
    .replace(/^[\w.]+: /, '')
    .replace(/ at https?:.*$/, '')
    .slice(0, LONGEST);
}

/** What is shown, without what is seen from outside. */
type Shown = Pick<Measures, 'headingMs' | 'largestPaintMs' | 'layoutShift'> & Pick<View, 'headings' | 'text' | 'links'>;

const WORLD = 'docvitals';

/**
 * Calls what `in-page.js` offers, in a world of its own in the page: scripts of the page see and change nothing of it.
 * `headings`: one of them is awaited.
 */
async function attachProbe(session: CDPSession, headings: readonly string[]) {
  /** The world in the page that is shown; each navigation makes a new one. */
  let world: number | null = null;
  const { frameTree } = await session.send('Page.getFrameTree');
  session.on('Runtime.executionContextCreated', ({ context: { id, name, auxData = {} } }) => {
    if (name === WORLD && (auxData as { frameId?: string }).frameId === frameTree.frame.id) world = id;
  });
  const source = `globalThis.docvitals = (${inPage.script})(${JSON.stringify(headings)})`;
  await Promise.all([session.send('Page.enable'), session.send('Runtime.enable')]);
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: WORLD });

  const evaluate = async <T>(expression: string): Promise<T> => {
    if (world === null) throw new Error('no page');
    const options = { contextId: world, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails: error } = await session.send('Runtime.evaluate', { expression, ...options });
    if (error !== undefined) throw new Error(error.exception?.description ?? error.text);
    return result.value as T;
  };
  return {
    /** `size` changes with the document. */
    state: () => evaluate<{ isShown: boolean; isComplete: boolean; size: number }>('docvitals.state()'),
    collect: (links: readonly string[]) => evaluate<Shown>(`docvitals.collect(${JSON.stringify(links)})`),
    /** Whether all text that is shown is in a document as it was received. */
    isStatic: (html: string) => evaluate<boolean>(`docvitals.isStatic(${JSON.stringify(html)})`),
    overflow: () => evaluate<View['overflow']>('docvitals.overflow()'),
    clear: () => evaluate<null>('document.body?.replaceChildren(), null'),
    async barriers(axe: string): Promise<readonly Barrier[]> {
      await evaluate(`${axe};null`);
      return evaluate('docvitals.barriers()');
    },
  };
}

type Probe = Awaited<ReturnType<typeof attachProbe>>;
