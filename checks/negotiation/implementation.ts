import type { RawFinding, Gathered, Site } from '../../src/check.ts';
import { ACCEPT } from './accept.ts';
import { createRequester, type Requester } from './requester.ts';
import type { Rule } from './rules.ts';
import { evaluateSite, type SiteObservation } from './evaluate.ts';
import { observePage, type Scene } from './observe.ts';
import { observeClosely, type CloseObservation } from './observe-closely.ts';
import { samplePages, type PagePath } from './sample.ts';
import { mapConcurrently } from '../../src/map-concurrently.ts';
import { localeFolders } from '../../src/site/locales.ts';
import { isHtml, sha256Of, type ResponseFacts } from './response-facts.ts';

export interface Negotiation extends Gathered {
  readonly observed: SiteObservation;
}

/** How many pages are asked for in every way. */
const MOST_CLOSE = 2;
/** How many requests for single pages run at once. */
const WIDE_AT_ONCE = 4;
/** How many of the pages that were not right at once are looked at again. */
const MOST_SUSPECTS = 5;

/** A few pages asked for in every way, the others once. */
export async function gather(site: Site): Promise<Negotiation> {
  const requester = createRequester(site);
  const [hosting, bundle] = await Promise.all([site.hosting(), site.bundle()]);
  const { pages, close, fine } = await observe(site, requester);
  const folder = site.base.pathname !== '/' && hosting.kind === 'platform';
  const baseNoSlash = folder ? await askBase(site, requester) : null;
  const there = bundle.kind === 'reply' && bundle.status === 200;
  const evaluated = pages.filter(({ usable }) => usable);
  return {
    answer: null,
    requests: requester.sent(),
    facts: {
      host: hosting.kind,
      by: hosting.by,
      pages: evaluated.length + fine,
      negotiated: evaluated.filter(({ agent }) => agent?.variant === 'markdown').length + fine,
    },
    observed: { hosting, bundle: there, pages, close, baseNoSlash },
  };
}

export function evaluate({ observed }: Negotiation): readonly RawFinding<Rule>[] {
  return evaluateSite(observed);
}

interface Pages extends Pick<SiteObservation, 'pages' | 'close'> {
  /** How many more were right at the first request. */
  readonly fine: number;
}

async function observe(site: Site, requester: Requester): Promise<Pages> {
  const [crawl, configuration, scene] = await Promise.all([
    site.crawl(),
    site.configuration(),
    sceneOf(site, requester),
  ]);
  const sample = samplePages(crawl, site.base, localeFolders(configuration));
  const observed = await Promise.all(sample.close.map((page, index) => observePage(page, index === 0, scene)));
  const negotiating = observed.filter(({ observed: observation }) => observation.agent?.variant === 'markdown');
  // The root first, where it negotiates, and one below it: what a host does for both may differ.
  const chosen = [
    ...negotiating.filter(({ observed: observation }) => observation.root),
    ...negotiating.filter(({ observed: observation }) => !observation.root),
  ];
  const close: readonly (CloseObservation | null)[] = await Promise.all(
    chosen.slice(0, MOST_CLOSE).map((one) => observeClosely(one, requester)),
  );
  const wide = negotiating.length === 0 ? { fine: 0, suspects: [] } : await askWide(sample.wide, scene);
  const others = await Promise.all(wide.suspects.map((page) => observePage(page, false, scene)));
  return {
    pages: [...observed, ...others].map(({ observed: observation }) => observation),
    close: close.filter((one) => one !== null),
    fine: wide.fine,
  };
}

async function sceneOf(site: Site, requester: Requester): Promise<Scene> {
  const [crawl, notFound, home] = await Promise.all([site.crawl(), site.notFound(), site.file('homePage')]);
  const { answer } = home;
  const there = answer.kind === 'reply' && answer.status === 200 && answer.body.length > 0 && !isHtml(answer);
  const pathsBySha = new Map([...crawl.pages.values()].map(({ sha256, path }) => [sha256 ?? '', path]));
  return { requester, notFound, home: there && !notFound.isMissing(answer) ? answer.body : null, pathsBySha };
}

interface Wide {
  readonly fine: number;
  /** The first of those that were not what the crawl got. */
  readonly suspects: readonly PagePath[];
}

/** Asks for each page once. */
async function askWide(pages: readonly PagePath[], { requester }: Scene): Promise<Wide> {
  const checked = await mapConcurrently(pages, WIDE_AT_ONCE, async (page) => {
    const answer = await requester.get({ url: page.page, accept: ACCEPT.agent });
    return answer.kind === 'no-reply' || sha256Of(answer.body) !== page.sha256 ? [page] : [];
  });
  const suspects = checked.flat();
  return { fine: pages.length - suspects.length, suspects: suspects.slice(0, MOST_SUSPECTS) };
}

function askBase({ base }: Site, requester: Requester): Promise<ResponseFacts> {
  const reference = { markdown: [], notFound: { probes: [], isMissing: () => false } };
  return requester.ask(new URL(base.href.slice(0, -1)), ACCEPT.browser, reference);
}
