/** What a crawl knows of its targets: each one once, with the places that link to it, and what the caps leave out. */
import { posix } from 'node:path';
import type { LeftOut, Answer, RunRequest, Site } from '../check.ts';
import { type Link, type LinkTarget, isMarkdownPath, pathUnder, hrefOfPath } from '../engines/link.ts';
import { copiedString, LinkLocations, type LocationBudget } from './link-locations.ts';
import { localeFolders } from '../site/settings.ts';

export interface Target {
  path: string;
  url: string;
  /** Every path that links to it name. */
  readonly names: string[];
  readonly kind: 'page' | 'file';
  /** Set for a menu that the engine does without where it is missing. */
  readonly optional?: true;
  /** As the first link to it names it; empty where none does. */
  readonly written: string;
  readonly image: boolean;
  readonly others: readonly LinkTarget[];
  readonly depth: number;
  reachable: boolean;
  readonly locations: LinkLocations;
  /** The anchors that links name; only those of pages. */
  readonly anchors: Map<string, LinkLocations>;
}

export interface From {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly image: boolean;
  readonly written?: string;
  readonly depth: number;
  readonly reachable: boolean;
}

type SiteLink = Extract<Link, { readonly kind: 'page' | 'file' }>;

type Caps = Pick<RunRequest, 'pages' | 'depth'>;

/** Anchors of one target, and those of all: hostile pages name very many. */
const MOST_ANCHORS = 1_000;
const MOST_ANCHORS_IN_ALL = 100_000;
const MOST_ANCHOR_LOCATIONS = 1_000_000;
/** How many targets beyond the caps are remembered, so that each counts once. */
const MOST_LEFT_OUT = 100_000;
/** Of all paths and anchors that are remembered, in UTF-16 code units. */
const MOST_TEXT = 16 * 1024 * 1024;

type Cap = Exclude<LeftOut['by'][number], 'size'>;

export class Frontier {
  readonly #caps: Caps;
  /** Under every name that a target is known by. */
  readonly #targets = new Map<string, Target>();
  readonly #leftOut = new Map<string, { readonly kind: Target['kind']; readonly cap: Cap; reachable: boolean }>();
  readonly #asked = { page: 0, file: 0 };
  readonly #anchorRoom: LocationBudget = { left: MOST_ANCHOR_LOCATIONS };
  #anchors = 0;
  #text = MOST_TEXT;
  /** What there was no room to remember. */
  readonly #forgotten = new Set<Target['kind']>();
  #next: Target[] = [];

  constructor(caps: Caps) {
    this.#caps = caps;
  }

  get known(): number {
    return this.#targets.size;
  }

  get(path: string): Target | undefined {
    return this.#targets.get(path);
  }

  targets(): ReadonlySet<Target> {
    return new Set(this.#targets.values());
  }

  /** Notes a link; its target is requested next unless it is known or a cap forbids it. */
  add(link: SiteLink, from: From): void {
    const target = this.#targets.get(link.path) ?? this.#enqueue(link, from);
    if (target === undefined) return;
    target.locations.add(from.path, from.line, from.column);
    if (link.kind === 'page' && link.anchor !== null) {
      this.#anchorOf(target, link.anchor)?.add(from.path, from.line, from.column);
    }
  }

  addRoot(path: string, url: string): void {
    if (!this.#targets.has(path)) this.#register({ path, url, kind: 'page' }, { depth: 0, reachable: true });
  }

  /** A target that no link names. */
  addUnlinked(path: string, url: string, about: Pick<Target, 'depth' | 'reachable' | 'kind' | 'optional'>): void {
    if (this.#targets.has(path) || this.#capFor(about.kind, about.depth) !== null) return;
    this.#register({ path, url, kind: about.kind }, about);
  }

  takeNext(): readonly Target[] {
    const next = this.#next;
    this.#next = [];
    return next;
  }

  /** A target turned out to be at another path: from now on both are one. */
  alias(target: Target, { path, url }: Pick<Target, 'path' | 'url'>): Target {
    const known = this.#targets.get(path);
    if (known === target) return target;
    if (known === undefined) {
      Object.assign(target, { path, url });
      target.names.push(path);
      this.#targets.set(path, target);
      return target;
    }
    known.reachable ||= target.reachable;
    known.locations.addAll(target.locations);
    for (const [anchor, locations] of target.anchors) this.#anchorOf(known, anchor)?.addAll(locations);
    for (const name of target.names) {
      known.names.push(name);
      this.#targets.set(name, known);
    }
    return known;
  }

  leaveOut(targets: Iterable<Target>, cap: Cap): void {
    for (const { path, kind, reachable } of targets) this.#leftOut.set(path, { kind, cap, reachable });
  }

  leftOut(unread: number): LeftOut {
    const all = [...this.#leftOut.values()];
    const count = (wanted: Target['kind']): number =>
      all.filter(({ kind }) => kind === wanted).length + (this.#forgotten.has(wanted) ? 1 : 0);
    const bySize = this.#forgotten.size > 0 || unread > 0 ? (['size'] as const) : [];
    return {
      pages: count('page'),
      files: count('file'),
      late: all.filter(({ cap }) => cap === 'time' || cap === 'gave-up').length,
      by: [...new Set([...all.map(({ cap }) => cap), ...bySize])],
      ...(unread > 0 ? { unread } : {}),
    };
  }

  #enqueue(link: SiteLink, from: From): Target | undefined {
    const left = this.#leftOut.get(link.path);
    const cap = this.#capFor(link.kind, from.depth);
    if (left === undefined && !this.#hasRoom(cap === null ? 3 * link.path.length : link.path.length)) {
      this.#forgotten.add(link.kind);
      return undefined;
    }
    if (cap === null) {
      this.#leftOut.delete(link.path);
      return this.#register(link, { ...from, reachable: from.reachable || left?.reachable === true });
    }
    if (left !== undefined) left.reachable ||= from.reachable;
    else if (this.#leftOut.size < MOST_LEFT_OUT) {
      this.#leftOut.set(link.path, { kind: link.kind, cap, reachable: from.reachable });
    }
    return undefined;
  }

  #hasRoom(length: number): boolean {
    if (length > this.#text) return false;
    this.#text -= length;
    return true;
  }

  #capFor(kind: Target['kind'], depth: number): Cap | null {
    if (this.#asked[kind] >= this.#caps.pages) return 'pages';
    return kind === 'page' && depth > this.#caps.depth ? 'depth' : null;
  }

  #register(
    link: Pick<SiteLink, 'path' | 'url' | 'kind' | 'others'>,
    about: Pick<Target, 'depth' | 'reachable' | 'optional'> & Partial<Pick<From, 'image' | 'written'>>,
  ): Target {
    const { depth, reachable, optional, image = false, written = '' } = about;
    const { path, url, kind, others = [] } = link;
    const locations = new LinkLocations();
    const anchors = new Map<string, LinkLocations>();
    const own = { locations, anchors, names: [path], written: copiedString(written) };
    const target: Target = { path, url, kind, image, others, depth, reachable, ...own, ...(optional && { optional }) };
    this.#targets.set(path, target);
    this.#asked[kind] += 1;
    this.#next.push(target);
    return target;
  }

  #anchorOf({ anchors }: Target, anchor: string): LinkLocations | undefined {
    const known = anchors.get(anchor);
    if (known !== undefined || anchors.size === MOST_ANCHORS || this.#anchors === MOST_ANCHORS_IN_ALL) return known;
    if (!this.#hasRoom(anchor.length)) return undefined;
    this.#anchors += 1;
    const locations = new LinkLocations(this.#anchorRoom);
    anchors.set(anchor, locations);
    return locations;
  }
}

/** A Markdown file to begin with. */
export interface Root {
  readonly path: string;
  readonly url: string;
  /** Whether it is a menu: anchors without a path do not mean the menu itself. */
  readonly menu: boolean;
  /** What came for it, where the run has asked already. */
  readonly answer: Answer | null;
}

export type Roots = Awaited<ReturnType<typeof findRoots>>;

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
  const homeOf = (prefix: string): string => {
    const folder = folders.some(holds(homeName)) ? undefined : profile.localeFolder?.(prefix, homeName);
    return folder === undefined ? `${prefix}/${below(homeName)}` : `${folder}/${posix.basename(homeName)}`;
  };
  const ofLocales = folders.flatMap((prefix) => {
    const menu = profile.localeNavigation?.(menuName, prefix) ?? `${prefix}/${below(menuName)}`;
    return [
      { path: menu, url: base.href + hrefOfPath(menu), menu: true, answer: null },
      { path: homeOf(prefix), url: base.href + hrefOfPath(homeOf(prefix)), menu: false, answer: null },
    ];
  });
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

/** How far results may run ahead of the first that is still awaited: what waits takes memory. */
const MOST_AHEAD = 2_000;

interface Ordered<T, R> {
  readonly items: readonly T[];
  readonly atOnce: number;
  readonly work: (item: T) => Promise<R>;
  /** Gets each result, in the order of the items, whatever order they come in. */
  readonly take: (result: R, item: T) => void;
  /** Once aborted nothing is begun or taken any more, and the call ends; what is under way is not waited for. */
  readonly stop: AbortSignal;
}

/** Works on items, several at once, and hands the results on in order. Rejects only when `work` or `take` does. */
export async function inOrder<T, R>({ items, atOnce, work, take, stop }: Ordered<T, R>): Promise<void> {
  const ready = new Map<number, R>();
  const ended = Promise.withResolvers<void>();
  let [begun, taken, running] = [0, 0, 0];
  const run = async (index: number): Promise<void> => {
    running++;
    try {
      ready.set(index, await work(items[index] as T));
      running--;
      for (; !stop.aborted && ready.has(taken); taken++) {
        const next = ready.get(taken) as R;
        ready.delete(taken);
        take(next, items[taken] as T);
      }
      begin();
    } catch (error) {
      ended.reject(error);
    }
  };
  const mayBegin = (): boolean =>
    !stop.aborted && running < atOnce && begun < items.length && begun - taken < MOST_AHEAD;
  const begin = (): void => {
    while (mayBegin()) void run(begun++);
    if (stop.aborted || taken === items.length) ended.resolve();
  };
  const onStop = (): void => ended.resolve();
  stop.addEventListener('abort', onStop);
  try {
    begin();
    await ended.promise;
  } finally {
    stop.removeEventListener('abort', onStop);
  }
}
