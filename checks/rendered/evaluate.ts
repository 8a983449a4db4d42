import type { FailedRequest, RequestedBrowser, View } from '../../src/browser/open.ts';
import type { Answer, Evidence } from '../../src/core/answer.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import type { Site } from '../../src/site/types.ts';
import { findRoots, type Root } from '../../src/crawl/crawl.ts';
import { type LinkPlace, linksOf } from '../../src/engines/engine.ts';
import { textFile, readMarkdown } from '../../src/expect/page.ts';
import { interruptedFinding, notEvaluated } from '../../src/expect/not-received.ts';
import { isOk } from '../../src/expect/reply.ts';
import { Ended } from '../../src/http/failure.ts';
import { REASONS } from '../../src/http/reasons.ts';
import { mapConcurrently } from '../../src/core/concurrency.ts';
import { withPlainBadges } from '../../src/crawl/anchors.ts';
import type { MarkdownFacts } from '../../src/parse/markdown.ts';
import { spread } from '../full-check.ts';
import type { RenderedRule } from './check.ts';

interface Route {
  /** As after the base URL; empty for the home page. */
  readonly route: string;
  /** Files that the route may show, the likeliest first. */
  readonly files: readonly { readonly path: string; readonly url: string }[];
}

interface Target extends Route {
  readonly menu: Menu | null;
  /** Whether it is looked for barriers: the first pages show those of the theme. */
  readonly withBarriers: boolean;
}

const AT_ONCE = 2;
/** Most pages where all are requested. */
const MOST_PAGES = 500;
const MOST_HEADINGS = 50;
const MOST_LINKS = 500;

export async function gather(site: Site) {
  const { browser } = site.requested;
  const stopped = (finding: RawFinding<RenderedRule>) => ({ answer: null, finding });
  if (browser === null) return stopped({ rule: 'no-browser' });
  const bundle = await site.bundle();
  if (!isOk(bundle)) return stopped(notEvaluated(bundle));
  try {
    const targets = await targetsOf(site, browser);
    // Loading what drives the browser keeps this thread busy: the core checks have their answers by now.
    const renderer = await browser.open();
    let ended = null as Ended | null;
    // When the run is over, what was viewed until then is evaluated.
    const view: ViewPage = ({ route, menuLinks, file, withBarriers }) => {
      const url = new URL(site.base.href + route);
      const viewed = renderer.view({ url, headings: file.headings, links: menuLinks, withBarriers });
      return viewed.catch((error: unknown) => {
        if (!(error instanceof Ended)) throw error;
        ended = error;
        return null;
      });
    };
    const first = await mapConcurrently(targets, AT_ONCE, (target) => firstView(target, site, view, browser));
    const viewed = first.flatMap((page) => page ?? []);
    const pages = await viewAgain(viewed, view);
    return { answer: null, requests: pages.length, pages, ended, rendered: pages.map(renderedPage) };
  } catch (error) {
    // By its name: a check without a browser does not load what drives one.
    if (!(error instanceof Error && error.name === 'BrowserFailed')) throw error;
    return stopped({ rule: 'browser-failed', evidence: { error: error.message } });
  }
}

export function evaluate(gathered: Awaited<ReturnType<typeof gather>>): readonly RawFinding<RenderedRule>[] {
  if ('finding' in gathered) return [gathered.finding];
  const { pages, ended } = gathered;
  return [...confirmed(pages), ...(ended === null ? [] : [interruptedFinding(ended)])];
}

interface PageToView extends Pick<Target, 'route' | 'menu' | 'withBarriers'> {
  readonly file: PageFile;
  /** Addresses that the menu leads to, and nothing else on the page. */
  readonly menuLinks: readonly string[];
  readonly slowMs: number;
}

/** A page and what was seen of it; `again`: a second time, where something was wrong. */
export type ViewedPage = PageToView & { readonly view: View; readonly again: View | null };

/** `null`: the run was over before the page was shown. */
type ViewPage = (page: PageToView) => Promise<View | null>;

async function firstView(target: Target, site: Site, viewPage: ViewPage, { slowMs }: RequestedBrowser) {
  const { route, menu, withBarriers } = target;
  const file = await fileOf(target, site);
  // Anchors lead to the page itself.
  const menuLinks = (menu?.targets ?? [])
    .filter(({ path }) => path !== file.path && !file.links.has(path))
    .map((other) => site.base.href + other.route);
  const page = { route, file, menu, menuLinks, withBarriers, slowMs };
  const view = await viewPage(page);
  return view === null ? null : { ...page, view, again: null };
}

/** So many pages are opened again for one finding that they share. */
const MOST_TRIES = 3;

/** Opens pages again where something is wrong, in new contexts: what is found only once is not reported. */
async function viewAgain(pages: readonly ViewedPage[], viewPage: ViewPage): Promise<readonly ViewedPage[]> {
  const again = new Map<ViewedPage, View>();
  const keysOf = (page: ViewedPage, view: View): readonly string[] => findingsOf(page, view).map(({ key }) => key);
  const all = new Set(pages.flatMap((page) => keysOf(page, page.view)));
  for (const key of all) {
    for (const page of pages.filter((one) => keysOf(one, one.view).includes(key)).slice(0, MOST_TRIES)) {
      const view = again.get(page) ?? (await viewPage(page));
      if (view === null) break;
      again.set(page, view);
      if (keysOf(page, view).includes(key)) break;
    }
  }
  return pages.map((page) => ({ ...page, again: again.get(page) ?? null }));
}

type PageFile = Awaited<ReturnType<typeof fileOf>>;

/** `urls`: where it may be; the first is what the link means. */
async function fileOf({ route, files }: Target, site: Site) {
  const [cover, roots] = await Promise.all([route === '' ? coverOf(site) : [], findRoots(site)]);
  const named = { path: files[0]?.path ?? '', urls: files.map(({ url }) => url) };
  for (const { path, url } of files) {
    const page = await readPage(ask(url, site), site);
    if (page === null) continue;
    const links = await pagesOf(page.facts, { path, home: roots.home, menu: false }, site);
    return { ...named, isReceived: true, headings: [...headingsOf(page), ...cover], links: new Set(links.keys()) };
  }
  return { ...named, isReceived: false, headings: [], links: new Set<string>() };
}

/** Headings of files that the engine shows beside the home page, such as a cover, which may be all of it. */
async function coverOf(site: Site): Promise<readonly string[]> {
  const { menus, settings } = await site.engineSettings();
  const shown = menus?.({ path: '', base: site.base, home: '' }) ?? [];
  const files = shown.flat().filter((file) => file !== settings.navigationFile);
  const urls = files.flatMap((file) => URL.parse(file, site.base.href) ?? []);
  const own = urls.filter(({ origin }) => origin === site.base.origin);
  const pages = await mapConcurrently(own, AT_ONCE, ({ href }) => readPage(ask(href, site), site));
  return pages.flatMap(headingsOf);
}

const ask = (url: string, site: Site): Promise<Answer> => site.pooled({ url: new URL(url), accept: '*/*' });

/** `null`: no text was received; `facts` is `null` where it could not be parsed. */
async function readPage(answer: Answer | Promise<Answer>, site: Site) {
  const { text } = textFile(await answer, await site.bundle());
  if (text === null) return null;
  const facts = await readMarkdown(text, site.limits);
  return { facts: facts.ok ? facts : null };
}

/** Headings in HTML are among the ids. */
function headingsOf(page: Awaited<ReturnType<typeof readPage>>): readonly string[] {
  const { headings = [], ids = [] } = page?.facts ?? {};
  return [...headings.map(({ text }) => withPlainBadges(text)), ...ids].slice(0, MOST_HEADINGS);
}

/** The home page, and pages of the navigation of each language in turn. */
async function targetsOf(site: Site, { routes }: RequestedBrowser): Promise<readonly Target[]> {
  const [roots, { profile }, { settings }] = await Promise.all([findRoots(site), site.engine(), site.engineSettings()]);
  const homes = roots.pages.filter(({ path }) => path === roots.home);
  const menus = await Promise.all(roots.pages.filter(({ menu }) => menu).map((root) => menuOf(root, site, roots.home)));
  const [own = null] = menus;
  const isRequired = profile.navigation === 'required' && settings.navigationFile !== null;
  const menu = own === null || isRequired || own.isReceived ? own : null;
  const home: Target = { route: '', files: homes.map(({ path, url }) => ({ path, url })), menu, withBarriers: true };
  const known = new Set(['', ...homes.map(({ path }) => path)]);
  const lists = menus.map((each) => spread(each.targets, routes));
  const chosen: Target[] = [];
  const most = Math.min(routes, MOST_PAGES);
  for (let index = 0; lists.some(({ length }) => index < length); index++) {
    for (const [at, list] of lists.entries()) {
      const target = list[index];
      if (target === undefined || chosen.length >= most || known.has(target.path)) continue;
      known.add(target.path);
      const withBarriers = index === 0 || routes === Infinity;
      chosen.push({ ...target, menu: menus[at] ?? null, withBarriers });
    }
  }
  return [home, ...chosen];
}

type Menu = Awaited<ReturnType<typeof menuOf>>;

/** `targets`: without the home page: a link to it is in most headers, too. */
async function menuOf({ path, url, answer }: Root, site: Site, home: string) {
  const page = await readPage(answer ?? ask(url, site), site);
  const targets = await pagesOf(page?.facts ?? null, { path, home, menu: true }, site);
  return { url, isReceived: page !== null, targets: [...targets.values()].filter((target) => target.path !== home) };
}

async function pagesOf(facts: MarkdownFacts | null, place: Omit<LinkPlace, 'base'>, site: Site) {
  const { links } = await site.engineSettings();
  const targets = new Map<string, Route & { readonly path: string }>();
  for (const link of facts === null ? [] : linksOf(facts, links, place.menu)) {
    if (targets.size >= MOST_LINKS) break;
    const to = links.resolve(link, { ...place, base: site.base });
    const route = to.kind === 'page' ? links.routeTo(to.path) : null;
    if (to.kind !== 'page' || route === null || targets.has(to.path)) continue;
    const files = [
      { path: to.path, url: to.url },
      ...(to.others ?? []).flatMap((other) => (other.path === null ? [] : [{ path: other.path, url: other.url }])),
    ];
    targets.set(to.path, { path: to.path, route, files });
  }
  return targets;
}

type Found = RawFinding<RenderedRule> & {
  readonly evidence: Evidence;
  /** What the finding is about: the same on several pages is reported once. */
  readonly key: string;
};

const LONGEST_SHOWN = 100;

/** What two views of a page show, one finding for what several pages have in common. */
function confirmed(pages: readonly ViewedPage[]): readonly RawFinding<RenderedRule>[] {
  const again = pages.flatMap((page) => (page.again === null ? [] : findingsOf(page, page.again)));
  const twice = new Set(again.map(({ key }) => key));
  const found = pages.flatMap((page) => findingsOf(page, page.view)).filter(({ key }) => twice.has(key));
  return [...Map.groupBy(found, ({ key }) => key).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { rule, evidence } = first;
    return [{ rule, evidence: others.length === 0 ? evidence : { ...evidence, pages: others.length + 1 } }];
  });
}

function findingsOf(page: ViewedPage, view: View): readonly Found[] {
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
    ...requestFindings(view, found),
    ...refused,
    ...(headingMs !== null && headingMs > slowMs ? [found('slow', 'page', { headingMs, limitMs: slowMs })] : []),
    ...(view.overflow === null ? [] : [found('layout-broken', view.overflow.element, layoutEvidence(view))]),
    ...view.barriers.map((barrier) => found('not-accessible', barrier.rule, { ...barrier })),
  ];
}

type Make = (rule: RenderedRule, key: string, evidence: Evidence) => Found;

/** Files of another host fail together: they are one finding. */
function requestFindings({ failed }: View, found: Make): readonly Found[] {
  const failures = failed.filter(isFailure);
  const own = failures.filter(({ isOwn }) => isOwn);
  const byHost = Map.groupBy(
    failures.filter(({ isOwn }) => !isOwn),
    ({ url }) => new URL(url).host,
  );
  return [
    ...own.map(({ url, evidence }) => found('request-failed', url, { url, ...evidence })),
    ...[...byHost].flatMap(([host, [first, ...others]]) => {
      if (first === undefined) return [];
      const also = others.map(({ url }) => url);
      return [
        found('external-request-failed', host, { url: first.url, ...first.evidence, ...(also.length > 0 && { also }) }),
      ];
    }),
  ];
}

/** A page without one of its stylesheets is wide for that reason. */
function layoutEvidence({ overflow, failed }: View): Evidence {
  const style = failed.find(({ kind }) => kind === 'stylesheet');
  return { ...overflow, ...(style !== undefined && { stylesheet: style.url }) };
}

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

function renderedPage(page: ViewedPage) {
  const { route, view, again } = page;
  const last = again ?? view;
  const isBroken = findingsOf(page, last).some(({ rule }) => BROKEN.has(rule));
  return { route, ...last.measures, isOk: !isBroken, screenshot: last.screenshot };
}

const BROKEN: ReadonlySet<RenderedRule> = new Set([
  'blank',
  'not-opened',
  'route-not-found',
  'wrong-page',
  'navigation-missing',
]);
