import type { ExternalTarget, LinkMistake } from '../check.ts';
import type { MarkdownLink } from '../parse/markdown.ts';
import type { EngineLinks } from '../engines/engine.ts';
import { resolveLink, type Link } from '../engines/link.ts';
import type { From, Frontier } from './frontier.ts';
import { copiedString, LinkLocations, LocationsByKey } from './link-locations.ts';

interface Holder {
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
  /** What `#/` shows. */
  readonly #home: string;
  readonly #links: EngineLinks;
  readonly #frontier: Frontier;
  readonly #external = new LocationsByKey(MOST_EXTERNAL);
  readonly #elsewhere = new Set<string>();
  readonly #mistakes = new Map<LinkMistake['rule'], LocationsByKey>();
  readonly insecure = new LinkLocations();
  count = 0;

  constructor(base: URL, home: string, links: EngineLinks, frontier: Frontier) {
    this.#base = base;
    this.#home = home;
    this.#links = links;
    this.#frontier = frontier;
  }

  read(links: readonly MarkdownLink[], holder: Holder): void {
    for (const link of links) this.#read(link, holder);
  }

  /** The paths that links mean, not requested yet. */
  pathsOf(links: readonly MarkdownLink[], from: string): readonly string[] {
    return links.flatMap(({ url }) => {
      const link = resolveLink(url, from, this.#base, { home: this.#home });
      return link.kind === 'page' || link.kind === 'file' ? [link.path] : [];
    });
  }

  external(): ReadonlyMap<string, ExternalTarget> {
    const targets = [...this.#external.all].map(([url, { locations, count }]): [string, ExternalTarget] => [
      url,
      { locations, count, elsewhere: this.#elsewhere.has(url) },
    ]);
    return new Map(targets);
  }

  mistakes(): readonly LinkMistake[] {
    return [...this.#mistakes].flatMap(([rule, { all }]) =>
      [...all].map(([written, { locations, count }]) => ({ rule, written, locations, count })),
    );
  }

  #read(written: MarkdownLink, holder: Holder): void {
    const { url, kind, line, column } = written;
    this.count += 1;
    const { path } = holder;
    if (!holder.page && /^\s*[?#](?![!/])/.test(url) && !/\.md|\/$/i.test(url)) return;
    const link = this.#resolve(written, holder);
    const { depth, reachable } = holder;
    const from: From = { path, line, column, image: kind === 'image', written: url, depth: depth + 1, reachable };
    if (link.kind === 'page' || link.kind === 'file') {
      if (link.insecure === true) this.insecure.add(path, line, column);
      this.#frontier.add(link, from);
    } else if (link.kind === 'external') {
      this.#external.add(link.url, from);
      if (link.elsewhere && this.#external.all.has(link.url)) this.#elsewhere.add(link.url);
    } else if (link.kind === 'mistake') {
      const known = this.#mistakes.get(link.rule) ?? new LocationsByKey(MOST_MISTAKES);
      this.#mistakes.set(link.rule, known);
      known.add(link.written, from);
    }
  }

  #resolve(written: MarkdownLink, { path, page, engine }: Holder): Link {
    const link = { ...written, url: copiedString(written.url) };
    const [base, home] = [this.#base, this.#home];
    if (engine) return this.#links.resolve(link, { path, base, home, menu: !page });
    return resolveLink(link.url, path, base, { home, image: link.kind === 'image' });
  }
}
