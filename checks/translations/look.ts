/** Finds out what there is at a path: from the crawl where that has asked, otherwise by asking. */
import { atOnce } from '../../src/at-once.ts';
import type { Answer, Crawl, Draft, NotFound, Site } from '../../src/check.ts';
import { noReplyReason } from '../../src/expect/no-reply-reason.ts';
import { page, PAGE_CODES, type PageCode } from '../../src/expect/page.ts';
import type { MarkdownFacts } from '../../src/parse/markdown-types.ts';
import { hrefOfPath } from '../../src/site/link-path.ts';

/** What there is at a path. */
export type Seen =
  | { readonly state: 'there'; readonly facts: MarkdownFacts | null; readonly drafts: readonly Draft<PageCode>[] }
  /** `linked`: a link leads to it, so that another check names it. */
  | { readonly state: 'missing'; readonly linked: boolean }
  | { readonly state: 'broken'; readonly drafts: readonly Draft<PageCode>[] }
  | { readonly state: 'unknown' };

/** Most paths of a run that are asked for here. */
const MOST_ASKED = 2_000;
const AT_ONCE = 24;

export class Looker {
  readonly #site: Site;
  readonly #crawl: Crawl;
  readonly #bundle: Answer;
  readonly #notFound: NotFound;
  #requests = 0;

  constructor(site: Site, crawl: Crawl, bundle: Answer, notFound: NotFound) {
    this.#site = site;
    this.#crawl = crawl;
    this.#bundle = bundle;
    this.#notFound = notFound;
  }

  get requests(): number {
    return this.#requests;
  }

  /** What the crawl knows of a path; `null`: it has not asked. */
  known(path: string): Seen | null {
    const crawled = this.#crawl.pages.get(path);
    const fault = this.#crawl.links.faults.get(path);
    if (fault?.missing === true) return { state: 'missing', linked: fault.count > 0 };
    if (crawled === undefined) return null;
    const drafts = fault?.drafts ?? [];
    if (crawled.ok) return { state: 'there', facts: crawled.facts, drafts };
    return drafts.length === 0 ? { state: 'unknown' } : { state: 'broken', drafts };
  }

  /** What there is at each path, in order. */
  async look(paths: readonly string[]): Promise<readonly Seen[]> {
    const seen: Seen[] = paths.map((path) => this.known(path) ?? { state: 'unknown' });
    const open = [...paths.entries()].filter(([, path]) => this.known(path) === null);
    await atOnce(open, AT_ONCE, async ([at, path]) => {
      if (this.#requests < MOST_ASKED && !this.#isOver()) seen[at] = await this.#ask(path);
    });
    return seen;
  }

  async #ask(path: string): Promise<Seen> {
    this.#requests += 1;
    const url = new URL(this.#site.base.href + hrefOfPath(path));
    const answer = await this.#site.pooled({ url, accept: '*/*' });
    if (answer.kind === 'reply' && this.#notFound.isMissing(answer)) return { state: 'missing', linked: false };
    const { drafts, facts = null } = await page({ ...answer, redirects: [] }, this.#bundle, this.#site.limits);
    if (drafts.every(({ code }) => PAGE_CODES[code] === 'warning')) return { state: 'there', facts, drafts };
    if (drafts.some(({ code }) => MISSING.has(code))) return { state: 'missing', linked: false };
    // What the end of the run cut off is not the site's fault.
    const ended = answer.kind === 'no-reply' && noReplyReason(answer) === 'interrupted';
    return ended || this.#isOver() ? { state: 'unknown' } : { state: 'broken', drafts };
  }

  /** Whether the run has come to its end, or nobody answers any more. */
  #isOver(): boolean {
    return this.#site.limits.signal?.aborted === true || this.#crawl.links.gaveUp !== null;
  }
}

const MISSING: ReadonlySet<string> = new Set(['not-found', 'spa-fallback']);
