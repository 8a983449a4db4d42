import type { Answer, Crawl, CrawledPage, LinkedFile, Site, CrawlLinks } from '../check.ts';
import { hrefOfPath, isMarkdownPath, pathUnder, type LinkTarget, beyondBase } from '../engines/link.ts';
import { linksOf, type EngineSettings } from '../engines/engine.ts';
import type { MarkdownFacts } from '../parse/markdown.ts';
import { KnownPaths, diagnoseFaults, DIAGNOSIS_BUDGET, pathsOf, unlinkedPages } from './diagnose.ts';
import { Frontier, type Target, findRoots, type Roots, inOrder } from './frontier.ts';
import { FactsBudget } from './link-locations.ts';
import { missingAnchors } from './anchors.ts';
import { LinkReader } from './read-links.ts';
import { candidates } from '../site/settings.ts';
import { faultOf, fileOf, pageOf, received, type Fault, type Visit, type VisitContext } from './visit.ts';
import { readMarkdown, textFile } from '../expect/page.ts';

const MOST_BYTES = 16 * 1024 * 1024;
const LEAST_AT_ONCE = 2;
const MOST_CONCURRENT = 24;

class BodyLimit {
  #open = 0;
  #largest = 0;
  #answers = 0;
  readonly #waiting: (() => void)[] = [];

  async enter(): Promise<void> {
    if (this.#open < this.#most()) {
      this.#open++;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    await promise;
  }

  /** After `enter`, when a body of this length is not needed any more. */
  leave(bytes: number): void {
    this.#open--;
    this.#answers++;
    this.#largest = Math.max(this.#largest, bytes);
    while (this.#waiting.length > 0 && this.#open < this.#most()) {
      this.#open++;
      this.#waiting.shift()?.();
    }
  }

  /** Grows with the answers: before the first of them nothing is known of their sizes. */
  #most(): number {
    const fitting = Math.floor(MOST_BYTES / Math.max(this.#largest, 1));
    return Math.max(LEAST_AT_ONCE, Math.min(MOST_CONCURRENT, 6 + this.#answers, fitting));
  }
}

interface Visited {
  readonly visit: Visit;
  readonly at: LinkTarget;
}

/** So many requests in a row without anybody there: the site went away. */
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
  async visit(target: Target): Promise<Visited> {
    const visit = await this.look(target.path, target.url, target.kind);
    if (!visit.missing && visit.status !== 403) return { visit, at: target };
    for (const other of target.others) {
      const kind = other.path !== null && isMarkdownPath(other.path) ? 'page' : 'file';
      const found = await this.look(other.path ?? '', other.url, kind);
      if (found.ok) return { visit: found, at: other };
      // What the link means may well be there.
      if (found.ended) return { visit: { ...visit, ended: true }, at: target };
    }
    return { visit, at: target };
  }

  /** Requests one URL. Never rejects. */
  async look(path: string, url: string, kind: Target['kind']): Promise<Visit> {
    this.requests += 1;
    await this.#bodies.enter();
    let bytes = 0;
    try {
      const evaluate = await this.#context.site.pooled({ url: new URL(url), accept: '*/*' }).then((answer) => {
        bytes = answer.kind === 'reply' ? answer.body.length : 0;
        return received(answer, path, kind, this.#context);
      });
      return this.#noted(await evaluate());
    } finally {
      this.#bodies.leave(bytes);
    }
  }

  /** Evaluates a page that came before the crawl. */
  async evaluate(answer: Answer, path: string): Promise<Visit> {
    return this.#noted(await received(answer, path, 'page', this.#context)());
  }

  #noted(visit: Visit): Visit {
    const { nobody } = visit;
    this.#failures = nobody === null ? 0 : this.#failures + 1;
    if (nobody !== null && this.#failures === MOST_FAILURES && this.gaveUp === null) {
      this.gaveUp = { reason: nobody.reason, evidence: nobody.evidence ?? {}, failures: this.#failures };
      this.#giveUp();
    }
    return visit;
  }
}

/** How many targets are requested and parsed at once; how many connections that takes is the transport's business. */
const CONCURRENCY = 24;

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
  const stop = new AbortController();
  const end = (): void => stop.abort();
  const timer = setTimeout(end, site.requested.crawlMs);
  site.limits.signal?.addEventListener('abort', end);
  if (site.limits.signal?.aborted === true) end();
  try {
    const index = roots.index && (await readIndex(roots.index, context));
    const options = { roots, index, source, engine, stop: stop.signal, onProgress };
    return await new Crawler(site, new Requester(context, end), options).run();
  } finally {
    clearTimeout(timer);
    site.limits.signal?.removeEventListener('abort', end);
  }
}

interface CrawlerOptions {
  readonly roots: Roots;
  readonly index: IndexLinks | null;
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
  readonly #reader: LinkReader;
  readonly #pages = new Map<string, CrawledPage>();
  readonly #files = new Map<string, LinkedFile>();
  readonly #faults = new Map<string, Fault>();
  readonly #room = new FactsBudget();
  readonly #known = new KnownPaths();
  readonly #source: ReadonlySet<string>;
  readonly #budget = { ...DIAGNOSIS_BUDGET };
  /** Folders whose menus were looked for. */
  readonly #folders = new Set<string>();
  readonly #menus: Set<string>;
  #done = 0;

  constructor({ base, requested }: Site, requester: Requester, options: CrawlerOptions) {
    const { roots, engine, source } = options;
    this.#base = base;
    this.#requester = requester;
    this.#options = options;
    this.#source = new Set(source);
    this.#menus = new Set(roots.pages.flatMap(({ menu, path }) => (menu ? [path] : [])));
    this.#frontier = new Frontier(requested);
    this.#reader = new LinkReader(base, roots.home, engine.links, this.#frontier);
  }

  async run(): Promise<Crawl> {
    const { roots, index, source } = this.#options;
    const listed = index === null ? [] : this.#reader.pathsOf(index.links, index.path);
    for (const path of [...listed, ...source]) this.#known.add(path);
    for (const { path, url } of roots.pages) this.#frontier.addRoot(path, url);
    await this.#follow();
    if (index !== null) {
      this.#reader.read(index.links, { path: index.path, depth: 0, reachable: false, page: false, engine: false });
      await this.#follow();
    }
    return this.#found(await this.#live(unlinkedPages(source, (path) => this.#frontier.get(path) !== undefined)));
  }

  /** Requests everything known and what that leads to; then the likely targets of broken links. */
  async #follow(): Promise<void> {
    for (let level = this.#frontier.takeNext(); level.length > 0; level = await this.#nextLevel()) {
      const left = new Set(level);
      await inOrder<Target, Visited>({
        items: level,
        atOnce: CONCURRENCY,
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
    return next.length > 0 || this.#options.stop.aborted ? next : this.#meant();
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
        const about = { kind: 'page', depth: 0, reachable: true, optional: true } as const;
        this.#frontier.addUnlinked(file, this.#base.href + hrefOfPath(file), about);
      }
    }
  }

  /** Diagnoses the faults so far; gives the pages that the links mean and that nothing else leads to. */
  async #meant(): Promise<readonly Target[]> {
    for (const { path, ok } of [...this.#pages.values(), ...this.#files.values()]) if (ok) this.#known.add(path);
    await diagnoseFaults(this.#faults.values(), {
      base: this.#base,
      look: (path, url, kind) => this.#requester.look(path, url, kind),
      known: this.#known,
      source: this.#source,
      observed: (path) => (this.#pages.get(path) ?? this.#files.get(path))?.ok,
      stop: this.#options.stop,
      budget: this.#budget,
    });
    for (const { path, diagnosis } of this.#faults.values()) {
      const target = this.#frontier.get(path);
      if (diagnosis === null || target === undefined || !isMarkdownPath(diagnosis.suggestion)) continue;
      const url = this.#base.href + hrefOfPath(diagnosis.suggestion);
      this.#frontier.addUnlinked(diagnosis.suggestion, url, target);
    }
    return this.#frontier.takeNext();
  }

  async #visit(target: Target): Promise<Visited> {
    const answer = this.#options.roots.pages.find(({ path }) => path === target.path)?.answer ?? null;
    if (answer === null) return this.#requester.visit(target);
    return { visit: await this.#requester.evaluate(answer, target.path), at: target };
  }

  #take({ visit, at }: Visited, asked: Target): void {
    this.#options.onProgress?.(++this.#done, this.#frontier.known);
    if (visit.ended) return this.#frontier.leaveOut([asked], 'time');
    // The link means something on the same host that is not part of the site.
    if (at.path === null) return undefined;
    const target = at.path === asked.path ? asked : this.#frontier.alias(asked, { path: at.path, url: at.url });
    if (target !== asked || (target.optional === true && visit.missing)) return undefined;
    const fault = faultOf(target, visit);
    if (fault !== null) this.#faults.set(target.path, fault);
    if (target.kind === 'file') {
      this.#files.set(target.path, fileOf(target, visit));
      return undefined;
    }
    const facts = visit.facts && this.#room.keep(visit.facts);
    this.#pages.set(target.path, pageOf(target, { ...visit, facts }));
    if (visit.ok && visit.facts !== null) this.#readPage(target, visit, visit.facts);
    return undefined;
  }

  /** The links of a page that moved to another folder start from there: the page is requested by its new path. */
  #readPage(target: Target, { landed }: Visit, facts: MarkdownFacts): void {
    const { path, depth, reachable } = target;
    if (landed !== null && new URL('./', landed).pathname !== new URL('./', target.url).pathname) {
      const moved = pathUnder(new URL(landed), this.#base);
      if (moved !== null && isMarkdownPath(moved)) this.#frontier.addUnlinked(moved, landed, target);
      return;
    }
    const page = !this.#menus.has(path);
    const links = linksOf(facts, this.#options.engine.links, !page);
    this.#reader.read(links, { path, depth, reachable, page, engine: true });
  }

  async #live(paths: readonly string[]): Promise<readonly string[]> {
    const live: string[] = [];
    await inOrder<string, Visit>({
      items: paths,
      atOnce: CONCURRENCY,
      stop: this.#options.stop,
      work: (path) => this.#requester.look(path, this.#base.href + hrefOfPath(path), 'page'),
      take: ({ ok }, path) => {
        if (ok) live.push(path);
      },
    });
    return live;
  }

  #found(unlinked: readonly string[]): Crawl {
    const { roots, index } = this.#options;
    const { gaveUp, requests } = this.#requester;
    const faults = [...this.#faults].filter(([, { nobody }]) => gaveUp === null || !nobody);
    return {
      pages: this.#pages,
      files: this.#files,
      requests,
      links: {
        count: this.#reader.count,
        roots: new Set(roots.pages.map(({ path }) => path)),
        index: index?.path ?? null,
        faults: new Map(faults),
        missingAnchors: missingAnchors(this.#frontier.targets(), this.#pages, this.#faults),
        mistakes: this.#reader.mistakes(),
        external: this.#reader.external(),
        insecure: this.#reader.insecure,
        unlinked,
        leftOut: this.#frontier.leftOut([...this.#pages.values()].filter(({ facts }) => facts?.whole === false).length),
        gaveUp,
      },
    };
  }
}

type IndexLinks = NonNullable<Awaited<ReturnType<typeof readIndex>>>;

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
