import { posix } from 'node:path';
import type { Answer, Evidence } from '../core/answer.ts';
import type { Site } from '../site/types.ts';
import { linksOf, type EngineLinks, type EngineSettings, type LinkPlace } from '../engines/engine.ts';
import { beyondBase, isMarkdownPath, pathUnder, resolveLink, targetOf, type LinkTarget } from '../engines/link.ts';
import { readMarkdown, textFile } from '../expect/page.ts';
import type { Reason } from '../http/reasons.ts';
import type { MarkdownFacts } from '../parse/markdown.ts';
import { candidates, localeFolders } from '../site/settings.ts';
import { missingAnchors } from './anchors.ts';
import { diagnoseFaults, diagnosisBudget, KnownPaths, pathsOf, unlinkedPages } from './diagnose.ts';
import {
  Budget,
  Frontier,
  keptFacts,
  MOST_FACTS,
  type CrawledFile,
  type ExternalTarget,
  type LinkedFrom,
  type LinkMistake,
  type Target,
} from './frontier.ts';
import { inOrder } from './in-order.ts';
import { received, type Visit, type VisitContext } from './visit.ts';

/**
 * Requests every page and file that the site's own links lead to: first from the navigations and home pages, then from
 * the agent index, then what the source knows beyond them. Each level is done before the next begins, so that what the
 * caps leave out does not depend on which answer came first. Never rejects on what a site does.
 */
export async function crawl(site: Site, onProgress?: (done: number, known: number) => void) {
  const [bundle, engine, notFound, roots, source] = await Promise.all([
    site.bundle(),
    site.engineSettings(),
    site.notFound(),
    findRoots(site),
    pathsOf(site.requested.source),
  ]);
  return new Crawler({ site, bundle, engine, notFound, roots, source, onProgress }).run();
}

/** What a crawl found. Paths are relative to the base, percent-decoded, as `guide/index.md`. */
export type Crawl = Awaited<ReturnType<typeof crawl>>;
/** What a crawl found about links. */
export type CrawlLinks = Crawl['links'];
/** How much a crawl skipped, and why. */
export type LeftOut = CrawlLinks['leftOut'];
/** A link to a heading that its page does not have. */
export type MissingAnchor = CrawlLinks['missingAnchors'][number];

interface CrawlerOptions extends VisitContext {
  readonly roots: Awaited<ReturnType<typeof findRoots>>;
  readonly source: readonly string[];
  readonly engine: EngineSettings;
  readonly onProgress: ((done: number, known: number) => void) | undefined;
}

const MOST_MENU_FOLDERS = 500;
/** Other folders than its own from which the links of one menu are resolved. */
const MOST_FOLDERS_OF_MENU = 10;
/** So many requests in a row without a response: the site went away. */
const MOST_FAILURES = 20;

class Crawler {
  readonly #options: CrawlerOptions;
  readonly #base: URL;
  readonly #frontier: Frontier;
  readonly #pages = new Map<string, Target>();
  readonly #files = new Map<string, Target>();
  readonly #faults = new Map<string, Target>();
  readonly #facts = new Budget(MOST_FACTS);
  readonly #known = new KnownPaths();
  readonly #budget = diagnosisBudget();
  /** Folders whose menus were looked for: a page of each, and the menus. */
  readonly #folders = new Map<string, { readonly page: string; readonly menus: readonly (readonly string[])[] }>();
  readonly #menus: Set<string>;
  /** The links of menus that are shown beside pages of other folders, and these pages. */
  readonly #menuLinks = new Map<string, { readonly links: MarkdownFacts['links']; readonly beside: Set<string> }>();
  /** The pages in which a Markdown file is embedded, by its path. */
  readonly #embeddedIn = new Map<string, Set<string>>();
  readonly #giveUp = new AbortController();
  readonly #stop: AbortSignal;
  #gaveUp: { readonly reason: Reason; readonly evidence: Evidence; readonly failures: number } | null = null;
  #failures = 0;
  #requests = 0;
  #links = 0;
  #done = 0;

  constructor(options: CrawlerOptions) {
    const { base, requested, limits } = options.site;
    this.#options = options;
    this.#base = base;
    this.#frontier = new Frontier(requested);
    this.#menus = new Set(options.roots.pages.flatMap(({ menu, path }) => (menu ? [path] : [])));
    const timeout = AbortSignal.timeout(Math.ceil(requested.crawlMs));
    this.#stop = AbortSignal.any([this.#giveUp.signal, timeout, ...(limits.signal ? [limits.signal] : [])]);
  }

  async run() {
    const { roots, source } = this.#options;
    const index = await readIndex(this.#options);
    for (const path of source) this.#known.add(path);
    for (const { url } of index?.links ?? []) {
      const link = resolveLink({ url, kind: 'link' }, { path: index?.path ?? '', base: this.#base, home: roots.home });
      if (link.kind === 'page' || link.kind === 'file') this.#known.add(link.path);
    }
    for (const { path, url } of roots.pages) this.#frontier.addRoot(path, url);
    this.#addMenusOf(roots.home, '');
    const { menuInBundle = [], links } = this.#options.engine;
    this.#read(menuInBundle, { path: 'index.html', depth: 0, reachable: true }, false, links);
    await this.#follow();
    if (index !== null) {
      this.#read(index.links, { path: index.path, depth: 0, reachable: false }, false, null);
      await this.#follow();
    }
    const unlinked = unlinkedPages(source, (path) => this.#frontier.get(path) !== undefined);
    return this.#found(index?.path ?? null, await this.#live(unlinked));
  }

  /** Requests everything known and what that leads to; then the likely targets of broken links. */
  async #follow(): Promise<void> {
    for (let level = this.#frontier.takeNext(); level.length > 0; level = await this.#nextLevel()) {
      const left = new Set(level);
      await inOrder({
        items: level,
        stop: this.#stop,
        work: (target) => this.#visit(target),
        take: ({ visit, at }, target) => {
          left.delete(target);
          this.#take(visit, at, target);
        },
      });
      if (left.size > 0) this.#frontier.leaveOut(left, this.#gaveUp === null ? 'time' : 'gave-up');
    }
  }

  async #nextLevel(): Promise<readonly Target[]> {
    // The menus of the folders so far have been requested.
    this.#readMenus();
    this.#addMenus();
    if (!this.#frontier.hasNext) this.#readMenus();
    const next = this.#frontier.takeNext();
    if (next.length > 0 || this.#stop.aborted) return next;
    await this.#diagnose();
    return this.#frontier.takeNext();
  }

  /** The menus that the engine looks for in the folders of the pages so far. */
  #addMenus(): void {
    if (this.#options.engine.menus === undefined) return;
    for (const { path, ok } of this.#pages.values()) {
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      if (ok && !this.#menus.has(path)) this.#addMenusOf(path, path === this.#options.roots.home ? '' : folder);
    }
  }

  #addMenusOf(page: string, folder: string): void {
    const { home } = this.#options.roots;
    if (this.#folders.has(folder) || this.#folders.size === MOST_MENU_FOLDERS) return;
    const files = this.#options.engine.menus?.({ path: page, base: this.#base, home }) ?? [];
    const menus = files.map((names) =>
      names.flatMap((name) => {
        const [url] = candidates(name, this.#base);
        return (url && pathUnder(url, this.#base)) ?? [];
      }),
    );
    this.#folders.set(folder, { page, menus });
    for (const file of menus.flat()) {
      this.#menus.add(file);
      const about = { depth: 0, reachable: true, isOptional: true };
      this.#frontier.addUnlinked(targetOf(file, this.#base), 'page', about);
    }
  }

  /** Reads the relative links of menus again, from each folder beside whose pages they are shown. */
  #readMenus(): void {
    for (const { page, menus } of this.#folders.values()) {
      for (const files of menus) {
        const path = files.find((file) => this.#menuLinks.has(file));
        const menu = path === undefined ? undefined : this.#menuLinks.get(path);
        const target = path === undefined ? undefined : this.#pages.get(path);
        if (menu === undefined || target === undefined || menu.beside.has(page)) continue;
        if (menu.beside.size > MOST_FOLDERS_OF_MENU) continue;
        // Other links lead to the same from everywhere.
        const isFirst = menu.beside.size === 0;
        const links = isFirst ? menu.links : menu.links.filter(({ url }) => !/^\s*[/#?]|:/.test(url));
        menu.beside.add(page);
        const { path: from, depth, reachable } = target;
        this.#read(links, { path: from, depth, reachable, beside: page }, false, this.#options.engine.links);
      }
    }
  }

  /** Diagnoses the faults so far; the pages that the links mean are requested next. */
  async #diagnose(): Promise<void> {
    for (const { path, ok } of [...this.#pages.values(), ...this.#files.values()]) if (ok) this.#known.add(path);
    await diagnoseFaults(this.#faults.values(), {
      isThere: async (path) => (await this.#request(path, targetOf(path, this.#base).url, isMarkdownPath(path))).ok,
      known: this.#known,
      source: new Set(this.#options.source),
      observed: (path) => (this.#pages.get(path) ?? this.#files.get(path))?.ok,
      stop: this.#stop,
      budget: this.#budget,
    });
    for (const { path, kind, diagnosis } of this.#faults.values()) {
      const target = this.#frontier.get(path);
      if (diagnosis === null || target === undefined || !isMarkdownPath(diagnosis.suggestion)) continue;
      this.#frontier.addUnlinked(targetOf(diagnosis.suggestion, this.#base), kind === 'page' ? kind : 'file', target);
    }
  }

  /** Requests a target and, where it is missing, what else the link may mean. */
  async #visit(target: Target): Promise<{ readonly visit: Visit; readonly at: LinkTarget }> {
    const { roots } = this.#options;
    const answer = roots.pages.find(({ path }) => path === target.path)?.answer ?? null;
    if (answer !== null) return { visit: await this.#evaluate(answer, target.path, true), at: target };
    const visit = await this.#request(target.path, target.url, target.kind === 'page');
    if (!visit.missing && visit.status !== 403) return { visit, at: target };
    for (const other of target.others) {
      const found = await this.#request(other.path ?? '', other.url, isMarkdownPath(other.path ?? ''));
      if (found.ok) return { visit: found, at: other };
      // What the link means may well exist.
      if (found.ended) return { visit: { ...visit, ended: true }, at: target };
    }
    return { visit, at: target };
  }

  async #request(path: string, url: string, isPage: boolean): Promise<Visit> {
    this.#requests += 1;
    // In `then`, because a local variable would keep the body while its page is parsed.
    return this.#options.site
      .pooled({ url: new URL(url), accept: '*/*' })
      .then((answer) => this.#evaluate(answer, path, isPage));
  }

  #evaluate(answer: Answer, path: string, isPage: boolean): Promise<Visit> {
    return received(answer, path, isPage, this.#options).then((visit) => {
      const { unreachable } = visit;
      this.#failures = unreachable === null ? 0 : this.#failures + 1;
      if (unreachable !== null && this.#failures === MOST_FAILURES && this.#gaveUp === null) {
        const { reason, evidence = {} } = unreachable;
        this.#gaveUp = { reason, evidence, failures: this.#failures };
        this.#giveUp.abort();
      }
      return visit;
    });
  }

  #take(visit: Visit, at: LinkTarget, asked: Target): void {
    this.#options.onProgress?.(++this.#done, this.#frontier.known);
    if (visit.ended) return this.#frontier.leaveOut([asked], 'time');
    // The link means something on the same host that is not part of the site.
    if (at.path === null) return undefined;
    const target = at.path === asked.path ? asked : this.#frontier.alias(asked, { path: at.path, url: at.url });
    // An empty menu hides that of the folders above.
    const isNone = visit.missing || visit.findings.some(({ rule }) => rule === 'empty' || rule === 'no-content');
    if (target !== asked || (target.isOptional && isNone)) return undefined;
    const { facts, landed } = visit;
    Object.assign(target, visit, { facts: facts && keptFacts(facts, this.#facts) });
    if (!visit.ok || visit.findings.length > 0) this.#faults.set(target.path, target);
    (target.kind === 'page' ? this.#pages : this.#files).set(target.path, target);
    if (visit.ok && facts !== null) this.#readPage(target, landed, facts);
    return undefined;
  }

  /** The links of a page that moved to another folder start from there: the page is requested by its new path. */
  #readPage(target: Target, landed: string | null, facts: MarkdownFacts): void {
    const { path, url } = target;
    if (landed !== null && new URL('./', landed).pathname !== new URL('./', url).pathname) {
      const moved = pathUnder(new URL(landed), this.#base);
      if (moved !== null && isMarkdownPath(moved))
        this.#frontier.addUnlinked({ path: moved, url: landed }, 'page', target);
      return;
    }
    const isMenu = this.#menus.has(path);
    const { links, menusFollowPages } = this.#options.engine;
    const written = linksOf(facts, links, isMenu);
    if (target.kind === 'file') {
      for (const page of this.#embeddedIn.get(path) ?? []) {
        const { depth, reachable } = target;
        this.#read(written, { path, depth, reachable, embeddedIn: page }, false, links);
      }
      return;
    }
    if (isMenu && menusFollowPages === true) this.#menuLinks.set(path, { links: written, beside: new Set() });
    else this.#read(written, target, !isMenu, links);
  }

  /** Notes the links of a file. `isPage`: it has anchors of its own; `engine`: `null` for agents, who take every path as it is. */
  #read(
    links: MarkdownFacts['links'],
    place: Pick<Target, 'path' | 'depth' | 'reachable'> & Pick<LinkPlace, 'beside' | 'embeddedIn'>,
    isPage: boolean,
    engine: EngineLinks | null,
  ): void {
    const { path, depth, reachable, beside, embeddedIn } = place;
    const { home } = this.#options.roots;
    const base = this.#base;
    this.#links += links.length;
    for (const written of links) {
      const { url, kind, line, column } = written;
      // An anchor without a path does not mean a menu itself.
      if (!isPage && /^\s*[?#](?![!/])/.test(url) && !/\.md|\/$/i.test(url)) continue;
      const from = {
        path,
        base,
        home,
        menu: !isPage,
        ...(beside === undefined ? {} : { beside }),
        ...(embeddedIn === undefined ? {} : { embeddedIn }),
      };
      const link = engine === null ? resolveLink(written, from) : engine.resolve(written, from);
      const isImage = kind === 'image';
      if (link.kind === 'file' && link.embedded === true) {
        this.#embeddedIn.set(link.path, (this.#embeddedIn.get(link.path) ?? new Set()).add(path));
      }
      this.#frontier.add(link, { path, line, column, isImage, written: url, depth: depth + 1, reachable });
    }
  }

  async #live(paths: readonly string[]): Promise<readonly string[]> {
    const live: string[] = [];
    await inOrder({
      items: paths,
      stop: this.#stop,
      work: (path) => this.#request(path, targetOf(path, this.#base).url, true),
      take: ({ ok }, path) => {
        if (ok) live.push(path);
      },
    });
    return live;
  }

  #found(index: string | null, unlinked: readonly string[]) {
    const gaveUp = this.#gaveUp;
    const pages: ReadonlyMap<string, CrawledFile> = this.#pages;
    const files: ReadonlyMap<string, CrawledFile> = this.#files;
    const faults: ReadonlyMap<string, CrawledFile> = new Map(
      [...this.#faults].filter(([, { unreachable }]) => gaveUp === null || unreachable === null),
    );
    const external: ReadonlyMap<string, ExternalTarget> = this.#frontier.external;
    const mistakes: readonly LinkMistake[] = [...this.#frontier.mistakes.values()];
    const insecure: LinkedFrom = this.#frontier.insecure;
    return {
      pages,
      /** What else of the site is linked or shown (images, downloads), by path. */
      files,
      requests: this.#requests,
      /** A missing target that the agent index alone names is reported by the check `llms-txt`; all others by `links`. */
      links: {
        /** Links and images that were read, however often they name the same target. */
        count: this.#links,
        /** The roots' paths, whose own faults other checks report: navigation and home page, of whatever language. */
        roots: new Set(this.#options.roots.pages.map(({ path }) => path)),
        /**
         * The path that locations in the agent index are reported under: relative to the base, or of one beyond the
         * base relative to the origin's root; `null`: none, or unreadable.
         */
        index,
        /** Pages and files that are wrong, or worth a warning, by path. */
        faults,
        /** Anchors that their page has no heading or id for. */
        missingAnchors: missingAnchors(this.#frontier.targets()),
        mistakes,
        /** By URL without fragment. */
        external,
        /** Links to the site's own pages that name `http` where the site has `https`. */
        insecure,
        /** Pages of the source that nothing leads to, as far as they are live; requested, but not evaluated. */
        unlinked,
        leftOut: this.#frontier.leftOut([...pages.values()].filter(({ facts }) => facts?.whole === false).length),
        /** Why the crawl was given up: request after request got no response. */
        gaveUp,
      },
    };
  }
}

async function readIndex({ roots: { index }, site, bundle, notFound }: CrawlerOptions) {
  if (index === null || index.answer.kind !== 'reply' || notFound.isMissing(index.answer)) return null;
  const { path, answer } = index;
  const { text } = textFile({ ...answer, redirects: [] }, bundle);
  const parsed = text === null ? null : await readMarkdown(text, site.limits);
  if (parsed?.ok !== true) return null;
  if (path !== null) return { path, links: parsed.links };
  const url = new URL(answer.requestUrl);
  const links = parsed.links.map((link) => ({ ...link, url: beyondBase(link.url, url) }));
  return { path: url.pathname.slice(1), links };
}

export interface Root {
  readonly path: string;
  readonly url: string;
  /** Whether it is a menu: anchors without a path do not mean the menu itself. */
  readonly menu: boolean;
  /** What came for it, where the run has requested it already. */
  readonly answer: Answer | null;
}

/** The files to begin with. The core checks have requested most of them. */
export async function findRoots(site: Site) {
  const { base } = site;
  const [settings, configuration, { profile }] = await Promise.all([
    site.settings(),
    site.configuration(),
    site.engine(),
  ]);
  const [navigation, home, index] = await Promise.all([
    settings.navigationFile === null ? null : site.file('navigationFile'),
    site.file('homePage'),
    settings.llmsTxtUrl === null ? null : site.file('llmsTxtUrl'),
  ]);
  const own = [navigation && rootOf(navigation.answer, base, true), rootOf(home.answer, base, false)];
  const menuName = own[0]?.path ?? profile.files.navigationFile;
  const homeName = own[1]?.path ?? profile.files.homePage;
  const folders = localeFolders(configuration);
  const holds = (name: string) => (prefix: string) => name.startsWith(`${prefix}/`);
  // The files of a default language that has a folder of its own are named with it.
  const below = (name: string): string => name.slice((folders.find(holds(name)) ?? '').length).replace(/^\//, '');
  const hasDefaultFolder = folders.some(holds(homeName));
  const inLocale = (prefix: string, name: string, menu: boolean): Root => {
    const folder = menu || !hasDefaultFolder ? profile.localeFolder?.(prefix, name) : undefined;
    const path = folder === undefined ? `${prefix}/${below(name)}` : `${folder}/${posix.basename(name)}`;
    return { ...targetOf(path, base), menu, answer: null };
  };
  const ofLocales = folders.flatMap((prefix) => [inLocale(prefix, menuName, true), inLocale(prefix, homeName, false)]);
  const pages = new Map<string, Root>();
  for (const root of [...own, ...ofLocales]) if (root !== null) pages.set(root.path, root);
  return {
    pages: [...pages.values()],
    index: index && { path: pathUnder(new URL(index.answer.requestUrl), base), answer: index.answer },
    home: homeName,
  };
}

/** `null` beyond the base, or if it is not a Markdown file: its links would mean nothing. */
function rootOf(answer: Answer, base: URL, menu: boolean): Root | null {
  const path = pathUnder(new URL(answer.requestUrl), base);
  return path === null || !isMarkdownPath(path) ? null : { path, url: answer.requestUrl, menu, answer };
}
