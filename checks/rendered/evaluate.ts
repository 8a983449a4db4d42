/** What views of pages show to be wrong. Pure. */
import type { FailedRequest, RenderedPage, View } from '../../src/browser/types.ts';
import type { Evidence, RawFinding } from '../../src/check.ts';
import { REASONS } from '../../src/http/reasons.ts';
import type { RenderedRule } from './check.ts';

export interface PageFile {
  readonly path: string;
  /** Where it may be; the first is what the link means. */
  readonly urls: readonly string[];
  readonly isReceived: boolean;
  readonly headings: readonly string[];
  readonly links: ReadonlySet<string>;
}

export interface Menu {
  readonly url: string;
  readonly isReceived: boolean;
}

/** A page and what was seen of it; `again`: a second time, where something was wrong. */
export interface ViewedPage {
  readonly route: string;
  readonly file: PageFile;
  readonly menu: Menu | null;
  /** Addresses that the menu leads to, and nothing else on the page. */
  readonly menuLinks: readonly string[];
  readonly withBarriers: boolean;
  readonly slowMs: number;
  readonly view: View;
  readonly again: View | null;
}

type Found = RawFinding<RenderedRule> & {
  readonly evidence: Evidence;
  /** What the finding is about: the same on several pages is reported once. */
  readonly key: string;
};

const LONGEST_SHOWN = 100;

/** What two views of a page show, one finding for what several pages have in common. */
export function confirmed(pages: readonly ViewedPage[]): readonly RawFinding<RenderedRule>[] {
  const twice = new Set(
    pages.flatMap((page) => (page.again === null ? [] : findingsOf(page, page.again).map(({ key }) => key))),
  );
  const byKey = Map.groupBy(
    pages.flatMap((page) => findingsOf(page, page.view)).filter(({ key }) => twice.has(key)),
    ({ key }) => key,
  );
  return [...byKey.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { rule, evidence } = first;
    return [{ rule, evidence: others.length === 0 ? evidence : { ...evidence, pages: others.length + 1 } }];
  });
}

export function findingsOf(page: ViewedPage, view: View): readonly Found[] {
  const { route, slowMs } = page;
  const found = (rule: RenderedRule, key: string, evidence: Evidence): Found => {
    return { rule, key: `${rule} ${key}`, evidence: { route: route === '' ? '/' : route, ...evidence } };
  };
  if (view.problem !== null) {
    const { error, reason } = view.problem;
    return [found('not-opened', `${reason} ${error}`, { error, ...(reason === null ? {} : { reason }) })];
  }
  const refused = [
    ...view.mixed.map((url) => found('mixed-content', url, { url })),
    ...view.blocked.map(({ directive, url }) => found('csp-blocked', `${directive} ${url}`, { directive, url })),
  ];
  // What the browser refused to load may be why the page is blank, and has a fix of its own.
  if (view.isBlank) return [found('blank', 'page', blankEvidence(view)), ...refused];
  const { headingMs } = view.measures;
  return [
    ...contentFindings(page, view, found),
    ...navigationFindings(page, view, found),
    ...view.errors.map(({ kind, message, url }) => {
      const rule = kind === 'console' ? 'console-error' : 'uncaught-exception';
      return found(rule, message, { message, ...(url === '' ? {} : { url }) });
    }),
    ...view.failed.filter(isFailure).map(({ url, isOwn, evidence }) => {
      return found(isOwn ? 'request-failed' : 'external-request-failed', url, { url, ...evidence });
    }),
    ...refused,
    ...(headingMs !== null && headingMs > slowMs ? [found('slow', 'page', { headingMs, limitMs: slowMs })] : []),
    ...(view.overflow === null ? [] : [found('layout-broken', view.overflow.element, { ...view.overflow })]),
    ...view.barriers.map(({ rule, element, count }) => found('not-accessible', rule, { rule, element, count })),
  ];
}

type Make = (rule: RenderedRule, key: string, evidence: Evidence) => Found;

/** The first error is most likely why. */
function blankEvidence({ errors, failed, unresponsiveMs }: View): Evidence {
  const [error] = [...errors.filter(({ kind }) => kind === 'exception'), ...errors];
  const request = failed.find(({ kind }) => kind === 'script') ?? failed.find(isFailure);
  return {
    ...(unresponsiveMs === null ? {} : { unresponsiveMs }),
    ...(error === undefined ? {} : { message: error.message }),
    ...(request === undefined ? {} : { url: request.url, ...request.evidence }),
  };
}

function contentFindings({ route, file }: ViewedPage, view: View, found: Make): readonly Found[] {
  if (!file.isReceived) {
    const seen = file.urls.map((url) => view.received.get(url)).find((one) => one !== undefined);
    const isMissing = seen !== undefined && (seen.status >= 400 || seen.mediaType === 'text/html');
    if (!isMissing) return [];
    return [found('route-not-found', route, { target: file.path, url: file.urls[0] ?? '', status: seen.status })];
  }
  if (view.hasHeading || file.headings.length === 0) return [];
  const shown = (view.headings[0] ?? view.text).slice(0, LONGEST_SHOWN);
  return [found('wrong-page', route, { target: file.path, expected: file.headings[0] ?? '', shown })];
}

/** A page that has requested its menu shows at least one of its links. */
function navigationFindings({ menu, menuLinks }: ViewedPage, view: View, found: Make): readonly Found[] {
  if (menu === null || view.links > 0 || (menu.isReceived && menuLinks.length === 0)) return [];
  const own = view.received.get(menu.url);
  const name = menu.url.slice(menu.url.lastIndexOf('/'));
  // Where hosts have a fallback, docsify gets HTML for the menu of each folder, and stops there.
  const html = [...view.received].find(([url, { status, mediaType }]) => {
    return status < 400 && mediaType === 'text/html' && url.endsWith(name);
  });
  const [url, response] = own === undefined ? (html ?? []) : [menu.url, own];
  if (url === undefined || response === undefined) return [];
  return [found('navigation-missing', url, { url, status: response.status })];
}

const PARTS: ReadonlySet<string> = new Set(['script', 'stylesheet', 'image', 'font', 'media', 'fetch', 'xhr']);

/** Engines ask for files that need not exist; other hosts only matter where the page is made of what they send. */
function isFailure({ url, isOwn, kind, evidence }: FailedRequest): boolean {
  const { status, reason } = evidence;
  if (typeof reason === 'string' && REASONS[reason as keyof typeof REASONS] === 'unknown') return false;
  if (!isOwn) return kind === 'script' || kind === 'stylesheet';
  if (/\/favicon\.ico(?:[?#]|$)/.test(url)) return false;
  const isAsked = kind === 'fetch' || kind === 'xhr';
  return PARTS.has(kind) && !(isAsked && typeof status === 'number' && status < 500);
}

export function renderedPage(page: ViewedPage): RenderedPage {
  const { route, view, again } = page;
  const last = again ?? view;
  const isOk = findingsOf(page, last).every(({ rule }) => !BROKEN.has(rule));
  return { route, ...last.measures, isOk, screenshot: last.screenshot };
}

const BROKEN: ReadonlySet<RenderedRule> = new Set([
  'blank',
  'not-opened',
  'route-not-found',
  'wrong-page',
  'navigation-missing',
]);
