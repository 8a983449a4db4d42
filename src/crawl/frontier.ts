/** What a crawl knows of its targets: each one once, with the locations that link to it, and what the caps leave out. */
import type { CrawledFile, Diagnosis, ExternalTarget, LeftOut, LinkMistake, Location, RunRequest } from '../check.ts';
import type { EngineLinks } from '../engines/engine.ts';
import { resolveLink, type Link, type LinkTarget } from '../engines/link.ts';
import type { MarkdownLink } from '../parse/markdown.ts';
import { Budget, copiedString, LinkLocations } from './link-locations.ts';
import type { Visit } from './visit.ts';

type SiteLink = Extract<Link, { readonly kind: 'page' | 'file' }>;
type Cap = Exclude<LeftOut['by'][number], 'size'>;
type Caps = Pick<RunRequest, 'pages' | 'depth'>;

/** What is known of a target from the first link to it. */
interface About {
  readonly depth: number;
  readonly reachable: boolean;
  /** Set for a menu that the engine does without where it is missing. */
  readonly isOptional?: boolean;
  readonly isImage?: boolean;
  readonly written?: string;
}

export type From = Location & About;

/** A page or file: what links say of it and, once it was requested, what came. */
export class Target implements CrawledFile {
  path: string;
  url: string;
  readonly kind: CrawledFile['kind'];
  readonly depth: number;
  reachable: boolean;
  readonly isOptional: boolean;
  readonly written: string;
  readonly others: readonly LinkTarget[];
  /** Every path that links to it name. */
  readonly names: string[];
  readonly linked = new LinkLocations();
  /** The anchors that links name; only those of pages. */
  readonly anchors = new Map<string, LinkLocations>();
  ok = false;
  missing = false;
  findings: CrawledFile['findings'] = [];
  status: number | null = null;
  mediaType: string | null = null;
  sha256: string | null = null;
  bytes = 0;
  facts: CrawledFile['facts'] = null;
  unreachable: Visit['unreachable'] = null;
  diagnosis: Diagnosis | null = null;

  constructor({ path, url, kind, others = [] }: Pick<SiteLink, 'path' | 'url' | 'kind' | 'others'>, about: About) {
    const { depth, reachable, isOptional = false, isImage = false, written = '' } = about;
    this.path = path;
    this.url = url;
    this.kind = isImage ? 'image' : kind;
    this.depth = depth;
    this.reachable = reachable;
    this.isOptional = isOptional;
    this.written = copiedString(written);
    this.others = others;
    this.names = [path];
  }

  get locations(): readonly Location[] {
    return this.linked.locations;
  }

  get count(): number {
    return this.linked.count;
  }
}

/** Anchors of one target, and those of all: hostile pages name very many. */
const MOST_ANCHORS = 1_000;
const MOST_ANCHORS_IN_ALL = 100_000;
const MOST_ANCHOR_LOCATIONS = 1_000_000;
/** How many targets beyond the caps are remembered, so that each counts once. */
const MOST_LEFT_OUT = 100_000;
const MOST_EXTERNAL = 10_000;
const MOST_MISTAKES = 3_000;
/** Of all paths and anchors that are remembered, and of all other links, in UTF-16 code units. */
const MOST_TEXT = 16 * 1024 * 1024;
const MOST_OTHER_TEXT = 8 * 1024 * 1024;

export class Frontier {
  readonly #caps: Caps;
  /** Under every name that a target is known by. */
  readonly #targets = new Map<string, Target>();
  readonly #leftOut = new Map<string, { readonly isPage: boolean; readonly cap: Cap; reachable: boolean }>();
  readonly #requested = { page: 0, file: 0 };
  readonly #anchors = new Budget(MOST_ANCHORS_IN_ALL);
  readonly #anchorLocations = new Budget(MOST_ANCHOR_LOCATIONS);
  readonly #text = new Budget(MOST_TEXT);
  readonly #otherText = new Budget(MOST_OTHER_TEXT);
  /** Kinds of targets that there was no room to remember. */
  readonly #forgotten = new Set<SiteLink['kind']>();
  #next: Target[] = [];
  readonly external = new Map<string, LinkLocations & Pick<ExternalTarget, 'elsewhere'>>();
  readonly mistakes = new Map<string, LinkLocations & Pick<LinkMistake, 'rule' | 'written'>>();
  readonly insecure = new LinkLocations();

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
  add(link: Link, from: From): void {
    if (link.kind === 'external') {
      const { url, elsewhere } = link;
      this.#note(this.external, url, MOST_EXTERNAL, { elsewhere })?.add(from);
    } else if (link.kind === 'mistake') {
      const { rule, written } = link;
      this.#note(this.mistakes, `${rule} ${written}`, MOST_MISTAKES, { rule, written })?.add(from);
    } else if (link.kind !== 'ignored') {
      if (link.insecure === true) this.insecure.add(from);
      const target = this.#targets.get(link.path) ?? this.#enqueue(link, from);
      target?.linked.add(from);
      if (link.kind === 'page' && link.anchor !== null && target) this.#anchorOf(target, link.anchor)?.add(from);
    }
  }

  addRoot(path: string, url: string): void {
    if (!this.#targets.has(path)) this.#register({ path, url, kind: 'page' }, { depth: 0, reachable: true });
  }

  /** A target that no link names. */
  addUnlinked({ path, url }: Pick<SiteLink, 'path' | 'url'>, kind: SiteLink['kind'], about: About): void {
    if (this.#targets.has(path) || this.#capFor(kind, about.depth) !== null) return;
    const { depth, reachable, isOptional = false } = about;
    this.#register({ path, url, kind }, { depth, reachable, isOptional });
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
    known.linked.addAll(target.linked);
    for (const [anchor, locations] of target.anchors) this.#anchorOf(known, anchor)?.addAll(locations);
    for (const name of target.names) {
      known.names.push(name);
      this.#targets.set(name, known);
    }
    return known;
  }

  leaveOut(targets: Iterable<Target>, cap: Cap): void {
    for (const { path, kind, reachable } of targets)
      this.#leftOut.set(path, { isPage: kind === 'page', cap, reachable });
  }

  leftOut(unread: number): LeftOut {
    const all = [...this.#leftOut.values()];
    const pages = all.filter(({ isPage }) => isPage).length;
    const bySize = this.#forgotten.size > 0 || unread > 0 ? (['size'] as const) : [];
    return {
      pages: pages + (this.#forgotten.has('page') ? 1 : 0),
      files: all.length - pages + (this.#forgotten.has('file') ? 1 : 0),
      late: all.filter(({ cap }) => cap === 'time' || cap === 'gave-up').length,
      by: [...new Set([...all.map(({ cap }) => cap), ...bySize])],
      ...(unread > 0 ? { unread } : {}),
    };
  }

  /** The locations of a link that leads to no target. */
  #note<T>(map: Map<string, LinkLocations & T>, key: string, most: number, about: T) {
    const known = map.get(key);
    if (known !== undefined || map.size === most || !this.#otherText.take(key.length)) return known;
    const locations = Object.assign(new LinkLocations(), about);
    map.set(key, locations);
    return locations;
  }

  #enqueue(link: SiteLink, from: From): Target | undefined {
    const left = this.#leftOut.get(link.path);
    const cap = this.#capFor(link.kind, from.depth);
    if (left === undefined && !this.#text.take(cap === null ? 3 * link.path.length : link.path.length)) {
      this.#forgotten.add(link.kind);
      return undefined;
    }
    if (cap === null) {
      this.#leftOut.delete(link.path);
      return this.#register(link, { ...from, reachable: from.reachable || left?.reachable === true });
    }
    if (left !== undefined) left.reachable ||= from.reachable;
    else if (this.#leftOut.size < MOST_LEFT_OUT) {
      this.#leftOut.set(link.path, { isPage: link.kind === 'page', cap, reachable: from.reachable });
    }
    return undefined;
  }

  #capFor(kind: SiteLink['kind'], depth: number): Cap | null {
    if (this.#requested[kind] >= this.#caps.pages) return 'pages';
    return kind === 'page' && depth > this.#caps.depth ? 'depth' : null;
  }

  #register(link: Pick<SiteLink, 'path' | 'url' | 'kind' | 'others'>, about: About): Target {
    const target = new Target(link, about);
    this.#targets.set(target.path, target);
    this.#requested[link.kind] += 1;
    this.#next.push(target);
    return target;
  }

  #anchorOf({ anchors }: Target, anchor: string): LinkLocations | undefined {
    const known = anchors.get(anchor);
    if (known !== undefined || anchors.size === MOST_ANCHORS) return known;
    if (!this.#text.take(anchor.length) || !this.#anchors.take(1)) return undefined;
    const locations = new LinkLocations(this.#anchorLocations);
    anchors.set(anchor, locations);
    return locations;
  }
}

/** A file that holds links. */
interface Holder {
  readonly path: string;
  readonly depth: number;
  readonly reachable: boolean;
  /** Whether it is a page that has anchors of its own: neither a menu nor the agent index. */
  readonly isPage: boolean;
  /** Who reads it; `null`: agents, which take every path as it is. */
  readonly engine: EngineLinks | null;
}

/** Notes the links of a file. `home`: what `#/` shows. */
export function readLinks(
  all: readonly MarkdownLink[],
  { path, depth, reachable, isPage, engine }: Holder,
  { base, home }: { readonly base: URL; readonly home: string },
  frontier: Frontier,
): void {
  for (const written of all) {
    const { kind, line, column } = written;
    const isImage = kind === 'image';
    const url = copiedString(written.url);
    // An anchor without a path does not mean a menu itself.
    if (!isPage && /^\s*[?#](?![!/])/.test(url) && !/\.md|\/$/i.test(url)) continue;
    const link =
      engine === null
        ? resolveLink(url, path, base, { home, image: isImage })
        : engine.resolve({ ...written, url }, { path, base, home, menu: !isPage });
    frontier.add(link, { path, line, column, isImage, written: url, depth: depth + 1, reachable });
  }
}
