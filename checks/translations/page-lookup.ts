/** Finds out what there is at a path: from the crawl where that has asked, otherwise by asking. */
import { mapConcurrently } from '../../src/map-concurrently.ts';
import type { Answer, Crawl, RawFinding, NotFound, Site } from '../../src/check.ts';
import { noReplyReason } from '../../src/expect/no-reply-reason.ts';
import { page, PAGE_RULES, type PageRule } from '../../src/expect/page.ts';
import type { MarkdownFacts } from '../../src/parse/markdown-types.ts';
import { hrefOfPath } from '../../src/site/link-path.ts';

/** What there is at a path. */
export type PageState =
  | {
      readonly state: 'there';
      readonly facts: MarkdownFacts | null;
      readonly findings: readonly RawFinding<PageRule>[];
    }
  /** `linked`: a link leads to it, so that another check names it. */
  | { readonly state: 'missing'; readonly linked: boolean }
  | { readonly state: 'broken'; readonly findings: readonly RawFinding<PageRule>[] }
  | { readonly state: 'unknown' };

/** Most paths of a run that are asked for here. */
const MOST_REQUESTS = 2_000;
const CONCURRENCY = 24;

export class PageLookup {
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
  known(path: string): PageState | null {
    const crawled = this.#crawl.pages.get(path);
    const fault = this.#crawl.links.faults.get(path);
    if (fault?.missing === true) return { state: 'missing', linked: fault.count > 0 };
    if (crawled === undefined) return null;
    const findings = fault?.findings ?? [];
    if (crawled.ok) return { state: 'there', facts: crawled.facts, findings };
    return findings.length === 0 ? { state: 'unknown' } : { state: 'broken', findings };
  }

  /** What there is at each path, in order. */
  async look(paths: readonly string[]): Promise<readonly PageState[]> {
    const observed: PageState[] = paths.map((path) => this.known(path) ?? { state: 'unknown' });
    const open = [...paths.entries()].filter(([, path]) => this.known(path) === null);
    await mapConcurrently(open, CONCURRENCY, async ([at, path]) => {
      if (this.#requests < MOST_REQUESTS && !this.#isOver()) observed[at] = await this.#ask(path);
    });
    return observed;
  }

  async #ask(path: string): Promise<PageState> {
    this.#requests += 1;
    const url = new URL(this.#site.base.href + hrefOfPath(path));
    const answer = await this.#site.pooled({ url, accept: '*/*' });
    if (answer.kind === 'reply' && this.#notFound.isMissing(answer)) return { state: 'missing', linked: false };
    const { findings, facts = null } = await page({ ...answer, redirects: [] }, this.#bundle, this.#site.limits);
    if (findings.every(({ rule }) => PAGE_RULES[rule] === 'warning')) return { state: 'there', facts, findings };
    if (findings.some(({ rule }) => MISSING.has(rule))) return { state: 'missing', linked: false };
    // What the end of the run cut off is not the site's fault.
    const ended = answer.kind === 'no-reply' && noReplyReason(answer) === 'interrupted';
    return ended || this.#isOver() ? { state: 'unknown' } : { state: 'broken', findings };
  }

  /** Whether the run has come to its end, or nobody answers any more. */
  #isOver(): boolean {
    return this.#site.limits.signal?.aborted === true || this.#crawl.links.gaveUp !== null;
  }
}

const MISSING: ReadonlySet<string> = new Set(['not-found', 'spa-fallback']);
