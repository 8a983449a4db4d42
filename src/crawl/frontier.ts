/** What a crawl knows of its targets: each one once, with the locations that link to it, and what the caps leave out. */
import type { Location } from '../core/finding.ts';
import type { RunRequest } from '../site/types.ts';
import { MOST_LOCATIONS, type Link } from '../engines/link.ts';
import { boundedFacts } from '../parse/markdown-text.ts';
import type { MarkdownFacts } from '../parse/markdown.ts';
import type { Diagnosis } from './diagnose.ts';
import { NOTHING_RECEIVED, type Visit } from './visit.ts';

/** How much of something there may still be. Counts down. */
export class Budget {
  left: number;

  constructor(left: number) {
    this.left = left;
  }

  /** `false`: there is not so much left, and nothing is taken. */
  take(amount: number): boolean {
    if (amount > this.left) return false;
    this.left -= amount;
    return true;
  }
}

/** What a crawl remembers of links, which hostile sites have very many of. In UTF-16 code units, as are the costs. */
const MOST_REMEMBERED = 48 * 1024 * 1024;
/** Of a target, an anchor or another link, beside its text. */
const ENTRY = 100;
const LOCATION = 30;

/** Every location that links to a target: the first hundred, and how many there are in all. */
export interface LinkedFrom {
  readonly locations: readonly Location[];
  readonly count: number;
}

/** An address of another site that pages link to. */
export type ExternalTarget = LinkedFrom & Pick<Extract<Link, { readonly kind: 'external' }>, 'elsewhere'>;
/** A link that leads nowhere as it is written. */
export type LinkMistake = LinkedFrom & Pick<Extract<Link, { readonly kind: 'mistake' }>, 'rule' | 'written'>;

/** A file of the site that was requested; its `facts` are without links. */
export interface CrawledFile extends LinkedFrom, Omit<Visit, 'landed' | 'unreachable' | 'ended'> {
  readonly path: string;
  readonly url: string;
  /** A Markdown page, a picture that pages show, or another file that they link to. */
  readonly kind: 'page' | 'image' | 'file';
  /** Links between a root (navigation, home page, agent index) and the file; 0 for a root. */
  readonly depth: number;
  /** Whether a way leads to it from a navigation or a home page, of whatever language. */
  readonly reachable: boolean;
  /** What a link to a missing file most likely means; only files that were requested are suggested. */
  readonly diagnosis: Diagnosis | null;
}

export class LinkLocations implements LinkedFrom {
  readonly locations: Location[] = [];
  readonly #room: Budget;
  count = 0;

  constructor(room: Budget) {
    this.#room = room;
  }

  add({ path, line, column }: Location): void {
    this.count += 1;
    const kept = this.locations.length;
    if (kept === 0 || (kept < MOST_LOCATIONS && this.#room.take(LOCATION))) this.locations.push({ path, line, column });
  }

  /** Takes over what was added to another target that turned out to be this one. */
  addAll({ locations, count }: LinkedFrom): void {
    for (const location of locations) this.add(location);
    this.count += count - locations.length;
  }
}

/** Of the facts of all pages together as JSON, in UTF-16 code units. */
export const MOST_FACTS = 40 * 1024 * 1024;
const MOST_OF_A_PAGE = 5_000;

/** The facts without links, as far as there is room. */
export function keptFacts({ links: _links, engineLinks: _own, ...facts }: MarkdownFacts, room: Budget): MarkdownFacts {
  const bounded = boundedFacts({ ...facts, links: [] }, MOST_OF_A_PAGE);
  return room.take(JSON.stringify(bounded).length) ? bounded : boundedFacts(bounded, 0);
}

type SiteLink = Extract<Link, { readonly kind: 'page' | 'file' }>;
type NewTarget = Pick<SiteLink, 'path' | 'url' | 'kind' | 'others'>;
type Cap = 'pages' | 'depth' | 'time' | 'gave-up';
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
export type Target = ReturnType<typeof makeTarget>;

function makeTarget(link: NewTarget, about: About, room: Budget) {
  const { path, url, others = [] } = link;
  const { depth, reachable, isOptional = false, isImage = false, written = '' } = about;
  const kind: CrawledFile['kind'] = isImage ? 'image' : link.kind;
  return Object.assign(new LinkLocations(room), {
    ...NOTHING_RECEIVED,
    path,
    url,
    kind,
    depth,
    reachable,
    isOptional,
    written,
    others,
    /** Every path that links to it name. */
    names: [path],
    /** The anchors that links name; only those of pages. */
    anchors: new Map<string, LinkLocations>(),
    diagnosis: null as Diagnosis | null,
  });
}

export class Frontier {
  readonly #caps: Caps;
  /** Under every name that a target is known by. */
  readonly #targets = new Map<string, Target>();
  readonly #leftOut = new Map<string, { readonly isPage: boolean; readonly cap: Cap; readonly reachable: boolean }>();
  readonly #requested = { page: 0, file: 0 };
  readonly #room = new Budget(MOST_REMEMBERED);
  /** Kinds of targets that there was no room to remember. */
  readonly #forgotten = new Set<SiteLink['kind']>();
  #next: Target[] = [];
  readonly external = new Map<string, LinkLocations & Pick<ExternalTarget, 'elsewhere'>>();
  readonly mistakes = new Map<string, LinkLocations & Pick<LinkMistake, 'rule' | 'written'>>();
  readonly insecure = new LinkLocations(this.#room);

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
      this.#locationsOf(this.external, url, { elsewhere })?.add(from);
    } else if (link.kind === 'mistake') {
      const { rule, written } = link;
      this.#locationsOf(this.mistakes, `${rule} ${written}`, { rule, written })?.add(from);
    } else if (link.kind !== 'ignored') {
      if (link.insecure === true) this.insecure.add(from);
      const target = this.#targets.get(link.path) ?? this.#enqueue(link, from);
      target?.add(from);
      if (link.kind === 'page' && link.anchor !== null && target) {
        this.#locationsOf(target.anchors, link.anchor, {})?.add(from);
      }
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

  get hasNext(): boolean {
    return this.#next.length > 0;
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
    known.addAll(target);
    for (const [anchor, linked] of target.anchors) this.#locationsOf(known.anchors, anchor, {})?.addAll(linked);
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

  /** How many known targets were not requested; a lower bound where there were too many to remember. */
  leftOut(unread: number) {
    const all = [...this.#leftOut.values()];
    const pages = all.filter(({ isPage }) => isPage).length;
    const bySize = this.#forgotten.size > 0 || unread > 0 ? (['size'] as const) : [];
    return {
      pages: pages + (this.#forgotten.has('page') ? 1 : 0),
      files: all.length - pages + (this.#forgotten.has('file') ? 1 : 0),
      /** How many of them because of time or missing responses, and not because of a cap on pages or depth. */
      late: all.filter(({ cap }) => cap === 'time' || cap === 'gave-up').length,
      /** The caps that were met; `size`: there were too many links, or pages too large, to remember all of them. */
      by: [...new Set([...all.map(({ cap }) => cap), ...bySize])],
      /** Pages that were not read in full, because they or all together are too large. */
      ...(unread > 0 ? { unread } : {}),
    };
  }

  /** `undefined`: there is no room to remember another one. */
  #locationsOf<T>(map: Map<string, LinkLocations & T>, key: string, about: T) {
    const known = map.get(key);
    if (known !== undefined || !this.#room.take(ENTRY + key.length)) return known;
    const locations = Object.assign(new LinkLocations(this.#room), about);
    map.set(key, locations);
    return locations;
  }

  #enqueue(link: SiteLink, from: From): Target | undefined {
    const left = this.#leftOut.get(link.path);
    const cap = this.#capFor(link.kind, from.depth);
    if (left === undefined && !this.#room.take(ENTRY + link.path.length)) {
      this.#forgotten.add(link.kind);
      return undefined;
    }
    const reachable = from.reachable || left?.reachable === true;
    if (cap === null) {
      this.#leftOut.delete(link.path);
      return this.#register(link, { ...from, reachable });
    }
    this.#leftOut.set(link.path, { isPage: link.kind === 'page', cap: left?.cap ?? cap, reachable });
    return undefined;
  }

  #capFor(kind: SiteLink['kind'], depth: number): Cap | null {
    if (this.#requested[kind] >= this.#caps.pages) return 'pages';
    return kind === 'page' && depth > this.#caps.depth ? 'depth' : null;
  }

  #register(link: NewTarget, about: About): Target {
    const target = makeTarget(link, about, this.#room);
    this.#targets.set(target.path, target);
    this.#requested[link.kind] += 1;
    this.#next.push(target);
    return target;
  }
}
