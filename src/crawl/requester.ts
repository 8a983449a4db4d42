/** Sends a crawl's requests, counts them, and notices when nobody answers any more. */
import type { Answer, CrawlLinks } from '../check.ts';
import type { LinkTarget } from '../site/link.ts';
import { isMarkdownPath } from '../site/link-path.ts';
import type { Target } from './frontier.ts';
import { BodyLimit } from './body-limit.ts';
import { evaluateFile, evaluatePage, receivedPage, type Visit, type VisitContext } from './visit.ts';

/** What was learnt of a target, and where: under its own name or another that the link may mean. */
export interface Visited {
  readonly visit: Visit;
  readonly at: LinkTarget;
}

/** So many requests in a row without anybody there: the site went away. */
const MOST_FAILURES = 20;

export class Requester {
  readonly #context: VisitContext;
  readonly #giveUp: () => void;
  readonly #bodies = new BodyLimit();
  #requests = 0;
  #failures = 0;
  #gaveUp: CrawlLinks['gaveUp'] = null;

  constructor(context: VisitContext, giveUp: () => void) {
    this.#context = context;
    this.#giveUp = giveUp;
  }

  get requests(): number {
    return this.#requests;
  }

  get gaveUp(): CrawlLinks['gaveUp'] {
    return this.#gaveUp;
  }

  /** Asks for a target, and for what else the link may mean where it is not there. Never rejects. */
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

  /** Asks for one URL. Never rejects. */
  async look(path: string, url: string, kind: Target['kind']): Promise<Visit> {
    this.#requests += 1;
    await this.#bodies.enter();
    let bytes = 0;
    try {
      // Nothing here may keep the answer while its page is parsed: bodies are large.
      const evaluating = await this.#context.site.pooled({ url: new URL(url), accept: '*/*' }).then((answer) => {
        bytes = answer.kind === 'reply' ? answer.body.length : 0;
        return this.#received(answer, path, kind);
      });
      return this.#noted(await evaluating());
    } finally {
      this.#bodies.leave(bytes);
    }
  }

  /** Judges what came. */
  async evaluate(answer: Answer, path: string, kind: Target['kind']): Promise<Visit> {
    return this.#noted(await this.#received(answer, path, kind)());
  }

  /** What is left to do for an answer, without its body. */
  #received(answer: Answer, path: string, kind: Target['kind']): () => Promise<Visit> {
    const context = this.#context;
    if (kind === 'page') {
      const page = receivedPage(answer, context);
      return () => evaluatePage(page, context);
    }
    const visit = evaluateFile(answer, path, context);
    return () => Promise.resolve(visit);
  }

  #noted(visit: Visit): Visit {
    const { nobody } = visit;
    this.#failures = nobody === null ? 0 : this.#failures + 1;
    if (nobody === null || this.#failures < MOST_FAILURES || this.#gaveUp !== null) return visit;
    this.#gaveUp = { reason: nobody.reason, evidence: nobody.evidence ?? {}, failures: this.#failures };
    this.#giveUp();
    return visit;
  }
}
