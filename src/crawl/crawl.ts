import type { Answer, Crawl, CrawledFile, CrawlLinks, Site } from '../check.ts';
import { linksOf, type EngineSettings } from '../engines/engine.ts';
import { beyondBase, isMarkdownPath, pathUnder, resolveLink, targetOf, type LinkTarget } from '../engines/link.ts';
import { readMarkdown, textFile } from '../expect/page.ts';
import type { MarkdownFacts } from '../parse/markdown.ts';
import { candidates } from '../site/settings.ts';
import { missingAnchors } from './anchors.ts';
import { diagnoseFaults, diagnosisBudget, KnownPaths, pathsOf, unlinkedPages } from './diagnose.ts';
import { Frontier, readLinks, type Target } from './frontier.ts';
import { AT_ONCE, inOrder } from './in-order.ts';
import { Budget, keptFacts, MOST_FACTS } from './link-locations.ts';
import { findRoots, type Roots } from './roots.ts';
import { received, type Visit, type VisitContext } from './visit.ts';

const MOST_BYTES = 16 * 1024 * 1024;
const LEAST_AT_ONCE = 2;
const FIRST_AT_ONCE = 6;

/** Lets so many requests begin that their bodies fit into memory if each is as large as the largest so far. */
class BodyLimit {
  #open = 0;
  #largest = 1;
  #answers = 0;
  readonly #waiting: (() => void)[] = [];

  async enter(): Promise<void> {
    while (this.#open >= this.#most()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#open++;
  }

  /** After `enter`, when a body of this length is not needed any more. */
  leave(bytes: number): void {
    this.#open--;
    this.#answers++;
    this.#largest = Math.max(this.#largest, bytes);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Grows with the answers: before the first of them nothing is known of their sizes. */
  #most(): number {
    const fitting = Math.floor(MOST_BYTES / this.#largest);
    return Math.max(LEAST_AT_ONCE, Math.min(AT_ONCE, FIRST_AT_ONCE + this.#answers, fitting));
  }
}

/** So many requests in a row without a response: the site went away. */
const MOST_FAILURES = 20;

class Requester {
  readonly #context: VisitContext;
  readonly #giveUp: () => void;
  readonly #bodies = new BodyLimit();
  #failures = 0;
  requests = 0;
  gaveUp: CrawlLinks['gaveUp'] = null;

  constructor(context: VisitContext, giveUp: () => void) {
    this.#context = context;
    this.#giveUp = giveUp;
  }

  /** Requests a target and, where it is missing, what else the link may mean. Never rejects. */
  async visit(target: Target): Promise<{ readonly visit: Visit; readonly at: LinkTarget }> {
    const visit = await this.request(target.path, target.url, target.kind === 'page');
    if (!visit.missing && visit.status !== 403) return { visit, at: target };
    for (const other of target.others) {
      const found = await this.request(other.path ?? '', other.url, isMarkdownPath(other.path ?? ''));
      if (found.ok) return { visit: found, at: other };
      // What the link means may well exist.
      if (found.ended) return { visit: { ...visit, ended: true }, at: target };
    }
    return { visit, at: target };
  }

  /** Requests one URL. Never rejects. */
  async request(path: string, url: string, isPage: boolean): Promise<Visit> {
    this.requests += 1;
    await this.#bodies.enter();
    let bytes = 0;
    try {
      const evaluate = await this.#context.site.pooled({ url: new URL(url), accept: '*/*' }).then((answer) => {
        bytes = answer.kind === 'reply' ? answer.body.length : 0;
        return received(answer, path, isPage, this.#context);
      });
      return this.#noted(await evaluate());
    } finally {
      this.#bodies.leave(bytes);
    }
  }

  /** Evaluates a page that came before the crawl. */
  async evaluate(answer: Answer, path: string): Promise<Visit> {
    return this.#noted(await received(answer, path, true, this.#context)());
  }

  #noted(visit: Visit): Visit {
    const { unreachable } = visit;
    this.#failures = unreachable === null ? 0 : this.#failures + 1;
    if (unreachable !== null && this.#failures === MOST_FAILURES && this.gaveUp === null) {
      this.gaveUp = { reason: unreachable.reason, evidence: unreachable.evidence ?? {}, failures: this.#failures };
      this.#giveUp();
    }
    return visit;
  }
}

/**
 * Requests every page and file that the site's own links lead to: first from the navigations and home pages, then from
 * the agent index, then what the source knows beyond them. Each level is done before the next begins, so that what the
 * caps leave out does not depend on which answer came first. Never rejects on what a site does.
 */
export async function crawl(site: Site, onProgress?: (done: number, known: number) => void): Promise<Crawl> {
  const [bundle, engine, notFound, roots, source] = await Promise.all([
    site.bundle(),
    site.engineSettings(),
    site.notFound(),
    findRoots(site),
    pathsOf(site.requested.source),
  ]);
  const context = { site, bundle, notFound };
  const giveUp = new AbortController();
  const ends = [
    giveUp.signal,
    AbortSignal.timeout(Math.ceil(site.requested.crawlMs)),
    site.limits.signal ?? giveUp.signal,
  ];
  const index = roots.index && (await readIndex(roots.index, context));
  const options = { roots, index, source, engine, stop: AbortSignal.any(ends), onProgress };
  return new Crawler(site, new Requester(context, () => giveUp.abort()), options).run();
}

interface CrawlerOptions {
  readonly roots: Roots;
  readonly index: Awaited<ReturnType<typeof readIndex>>;
  readonly source: readonly string[];
  readonly engine: EngineSettings;
  readonly stop: AbortSignal;
  readonly onProgress: ((done: number, known: number) => void) | undefined;
}

const MOST_MENU_FOLDERS = 500;

class Crawler {
  readonly #base: URL;
  readonly #requester: Requester;
  readonly #options: CrawlerOptions;
  readonly #frontier: Frontier;
  readonly #pages = new Map<string, Target>();
  readonly #files = new Map<string, Target>();
  readonly #faults = new Map<string, Target>();
  readonly #facts = new Budget(MOST_FACTS);
  readonly #known = new KnownPaths();
  readonly #budget = diagnosisBudget();
  /** Folders whose menus were looked for. */
  readonly #folders = new Set<string>();
  readonly #menus: Set<string>;
  #links = 0;
  #done = 0;

  constructor({ base, requested }: Site, requester: Requester, options: CrawlerOptions) {
    this.#base = base;
    this.#requester = requester;
    this.#options = options;
    this.#menus = new Set(options.roots.pages.flatMap(({ menu, path }) => (menu ? [path] : [])));
    this.#frontier = new Frontier(requested);
  }

  async run(): Promise<Crawl> {
    const { roots, index, source } = this.#options;
    for (const path of source) this.#known.add(path);
    for (const { url } of index?.links ?? []) {
      const link = resolveLink(url, index?.path ?? '', this.#base, { home: roots.home });
      if (link.kind === 'page' || link.kind === 'file') this.#known.add(link.path);
    }
    for (const { path, url } of roots.pages) this.#frontier.addRoot(path, url);
    await this.#follow();
    if (index !== null) {
      this.#read(index.links, { path: index.path, depth: 0, reachable: false }, false, false);
      await this.#follow();
    }
    return this.#found(await this.#live(unlinkedPages(source, (path) => this.#frontier.get(path) !== undefined)));
  }

  /** Requests everything known and what that leads to; then the likely targets of broken links. */
  async #follow(): Promise<void> {
    for (let level = this.#frontier.takeNext(); level.length > 0; level = await this.#nextLevel()) {
      const left = new Set(level);
      await inOrder({
        items: level,
        stop: this.#options.stop,
        work: (target) => this.#visit(target),
        take: (visited, target) => {
          left.delete(target);
          this.#take(visited, target);
        },
      });
      if (left.size > 0) this.#frontier.leaveOut(left, this.#requester.gaveUp === null ? 'time' : 'gave-up');
    }
  }

  async #nextLevel(): Promise<readonly Target[]> {
    this.#addMenus();
    const next = this.#frontier.takeNext();
    if (next.length > 0 || this.#options.stop.aborted) return next;
    await this.#diagnose();
    return this.#frontier.takeNext();
  }

  /** The menus that the engine looks for in the folders of the pages so far. */
  #addMenus(): void {
    const { menus } = this.#options.engine;
    if (menus === undefined) return;
    for (const { path, ok } of this.#pages.values()) {
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      if (!ok || this.#folders.has(folder) || this.#folders.size === MOST_MENU_FOLDERS) continue;
      this.#folders.add(folder);
      for (const name of menus(folder)) {
        const [url] = candidates(name, this.#base);
        const file = url === undefined ? null : pathUnder(url, this.#base);
        if (file === null) continue;
        this.#menus.add(file);
        const about = { depth: 0, reachable: true, isOptional: true };
        this.#frontier.addUnlinked(targetOf(file, this.#base), 'page', about);
      }
    }
  }

  /** Diagnoses the faults so far; the pages that the links mean are requested next. */
  async #diagnose(): Promise<void> {
    for (const { path, ok } of [...this.#pages.values(), ...this.#files.values()]) if (ok) this.#known.add(path);
    await diagnoseFaults(this.#faults.values(), {
      isThere: async (path) =>
        (await this.#requester.request(path, targetOf(path, this.#base).url, isMarkdownPath(path))).ok,
      known: this.#known,
      source: new Set(this.#options.source),
      observed: (path) => (this.#pages.get(path) ?? this.#files.get(path))?.ok,
      stop: this.#options.stop,
      budget: this.#budget,
    });
    for (const { path, kind, diagnosis } of this.#faults.values()) {
      const target = this.#frontier.get(path);
      if (diagnosis === null || target === undefined || !isMarkdownPath(diagnosis.suggestion)) continue;
      this.#frontier.addUnlinked(targetOf(diagnosis.suggestion, this.#base), kind === 'page' ? kind : 'file', target);
    }
  }

  async #visit(target: Target): Promise<{ readonly visit: Visit; readonly at: LinkTarget }> {
    const answer = this.#options.roots.pages.find(({ path }) => path === target.path)?.answer ?? null;
    if (answer === null) return this.#requester.visit(target);
    return { visit: await this.#requester.evaluate(answer, target.path), at: target };
  }

  #take({ visit, at }: { readonly visit: Visit; readonly at: LinkTarget }, asked: Target): void {
    this.#options.onProgress?.(++this.#done, this.#frontier.known);
    if (visit.ended) return this.#frontier.leaveOut([asked], 'time');
    // The link means something on the same host that is not part of the site.
    if (at.path === null) return undefined;
    const target = at.path === asked.path ? asked : this.#frontier.alias(asked, { path: at.path, url: at.url });
    if (target !== asked || (target.isOptional && visit.missing)) return undefined;
    const { facts, landed, ended: _ended, ...observed } = visit;
    Object.assign(target, observed, { facts: facts && keptFacts(facts, this.#facts) });
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
    this.#read(linksOf(facts, this.#options.engine.links, isMenu), target, !isMenu, true);
  }

  #read(
    links: MarkdownFacts['links'],
    { path, depth, reachable }: Pick<Target, 'path' | 'depth' | 'reachable'>,
    isPage: boolean,
    byEngine: boolean,
  ): void {
    const { roots, engine } = this.#options;
    this.#links += links.length;
    const holder = { path, depth, reachable, isPage, engine: byEngine ? engine.links : null };
    readLinks(links, holder, { base: this.#base, home: roots.home }, this.#frontier);
  }

  async #live(paths: readonly string[]): Promise<readonly string[]> {
    const live: string[] = [];
    await inOrder({
      items: paths,
      stop: this.#options.stop,
      work: (path) => this.#requester.request(path, targetOf(path, this.#base).url, true),
      take: ({ ok }, path) => {
        if (ok) live.push(path);
      },
    });
    return live;
  }

  #found(unlinked: readonly string[]): Crawl {
    const { roots, index } = this.#options;
    const { gaveUp, requests } = this.#requester;
    const pages: readonly CrawledFile[] = [...this.#pages.values()];
    return {
      pages: this.#pages,
      files: this.#files,
      requests,
      links: {
        count: this.#links,
        roots: new Set(roots.pages.map(({ path }) => path)),
        index: index?.path ?? null,
        faults: new Map([...this.#faults].filter(([, { unreachable }]) => gaveUp === null || unreachable === null)),
        missingAnchors: missingAnchors(this.#frontier.targets()),
        mistakes: [...this.#frontier.mistakes.values()],
        external: this.#frontier.external,
        insecure: this.#frontier.insecure,
        unlinked,
        leftOut: this.#frontier.leftOut(pages.filter(({ facts }) => facts?.whole === false).length),
        gaveUp,
      },
    };
  }
}

async function readIndex({ path, answer }: NonNullable<Roots['index']>, { site, bundle, notFound }: VisitContext) {
  if (answer.kind !== 'reply' || notFound.isMissing(answer)) return null;
  const { text } = textFile({ ...answer, redirects: [] }, bundle);
  const parsed = text === null ? null : await readMarkdown(text, site.limits);
  if (parsed?.ok !== true) return null;
  if (path !== null) return { path, links: parsed.links };
  const url = new URL(answer.requestUrl);
  const links = parsed.links.map((link) => ({ ...link, url: beyondBase(link.url, url) }));
  return { path: url.pathname.slice(1), links };
}
