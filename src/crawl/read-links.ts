import type { ExternalTarget, LinkedFrom, LinkMistake } from '../check.ts';
import type { MarkdownLink } from '../parse/markdown.ts';
import { resolveLink, type Link, type LinkReading } from '../site/link.ts';
import { LocationsByKey, type From, type Frontier } from './frontier.ts';
import { copiedString, LinkLocations } from './link-locations.ts';

export interface Holder {
  readonly path: string;
  readonly depth: number;
  readonly reachable: boolean;
  /** Whether it is a page that has anchors of its own: neither a menu nor the agent index. */
  readonly page: boolean;
  /** Whether engines read it; agents take every path as it is. */
  readonly engine: boolean;
}

const MOST_EXTERNAL = 10_000;
const MOST_MISTAKES = 1_000;

export class LinkReader {
  readonly #base: URL;
  readonly #reading: LinkReading;
  readonly #agentReading: LinkReading;
  readonly #frontier: Frontier;
  readonly #external = new LocationsByKey(MOST_EXTERNAL);
  readonly #elsewhere = new Set<string>();
  readonly #mistakes = new Map<LinkMistake['rule'], LocationsByKey>();
  readonly #insecure = new LinkLocations();
  #count = 0;

  constructor(base: URL, reading: LinkReading, frontier: Frontier) {
    this.#base = base;
    this.#reading = reading;
    this.#agentReading = { ...reading, addsExtension: false, filesFrom: 'page' };
    this.#frontier = frontier;
  }

  read(links: readonly MarkdownLink[], holder: Holder): void {
    for (const link of links) this.#read(link, holder);
  }

  /** The paths that links mean, not requested yet. */
  pathsOf(links: readonly MarkdownLink[], holder: Pick<Holder, 'path'>): readonly string[] {
    return links.flatMap(({ url }) => {
      const link = resolveLink(url, holder.path, this.#base, { home: this.#reading.home ?? 'index.md' });
      return link.kind === 'page' || link.kind === 'file' ? [link.path] : [];
    });
  }

  get count(): number {
    return this.#count;
  }

  get insecure(): LinkedFrom {
    return this.#insecure;
  }

  external(): ReadonlyMap<string, ExternalTarget> {
    const targets = this.#external.entries().map(([url, linked]): [string, ExternalTarget] => {
      const { locations, count } = linked;
      return [url, { locations, count, elsewhere: this.#elsewhere.has(url) }];
    });
    return new Map(targets);
  }

  mistakes(): readonly LinkMistake[] {
    return [...this.#mistakes].flatMap(([rule, found]) =>
      found.entries().map(([written, { locations, count }]) => ({ rule, written, locations, count })),
    );
  }

  #read({ url, kind, line, column }: MarkdownLink, holder: Holder): void {
    this.#count += 1;
    const { path } = holder;
    if (!holder.page && /^\s*[?#](?![!/])/.test(url) && !/\.md|\/$/i.test(url)) return;
    const link = this.#resolve(url, kind === 'image', holder);
    const { depth, reachable } = holder;
    const from: From = { path, line, column, image: kind === 'image', written: url, depth: depth + 1, reachable };
    if (link.kind === 'page' || link.kind === 'file') {
      if (link.insecure === true) this.#insecure.add(path, line, column);
      this.#frontier.add(link, from);
    } else if (link.kind === 'external') {
      this.#external.add(link.url, from);
      if (link.elsewhere && this.#elsewhere.size < MOST_EXTERNAL && this.#external.has(link.url)) {
        this.#elsewhere.add(link.url);
      }
    } else if (link.kind === 'mistake') {
      const known = this.#mistakes.get(link.rule) ?? new LocationsByKey(MOST_MISTAKES);
      this.#mistakes.set(link.rule, known);
      known.add(link.written, from);
    }
  }

  #resolve(url: string, image: boolean, { path, engine }: Holder): Link {
    const reading = engine ? this.#reading : this.#agentReading;
    return resolveLink(copiedString(url), path, this.#base, image ? { ...reading, image } : reading);
  }
}
