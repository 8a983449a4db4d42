import type { Answer, Crawl, Draft, Evidence, Gathered, JudgeLimits, Site } from '../../src/check.ts';
import { unjudged } from '../../src/expect/unjudged.ts';
import { isMarkdownPath, pathUnder } from '../../src/site/link-path.ts';
import { onlyIn } from '../../src/site/linked-from.ts';
import type { LinksCode } from './codes.ts';
import { askForExternal, type ExternalLinks } from './external.ts';
import { faultDrafts } from './faults.ts';
import { anchorDrafts, externalDrafts, insecureDrafts, leftOutDrafts, mistakeDrafts } from './link-drafts.ts';
import { unlinkedDrafts, unlinkedPages } from './unlinked.ts';

export interface LinksGathered extends Gathered {
  readonly answer: null;
  readonly crawl: Crawl;
  /** What came for the navigation, where it cannot be read: what it would lead to is not known then. */
  readonly nothing: Answer | null;
  readonly external: ExternalLinks;
}

/** The crawl, and what came for the links that lead elsewhere. */
export async function gather(site: Site): Promise<LinksGathered> {
  const crawl = await site.crawl();
  const { answer: navigation } = await site.file('navigationFile');
  const path = pathUnder(new URL(navigation.requestUrl), site.base);
  const begun = path === null || !isMarkdownPath(path) || crawl.pages.get(path)?.ok !== false;
  const nothing = begun || crawl.links.gaveUp !== null ? null : navigation;
  const external = await externalLinks(crawl, site);
  const requests = crawl.requests + external.requests;
  return { answer: null, requests, facts: factsOf(crawl, external), crawl, nothing, external };
}

/** The findings about targets first, then those about how links are written. */
export function judge(
  { crawl, nothing, external }: LinksGathered,
  { signal }: JudgeLimits,
): readonly Draft<LinksCode>[] {
  return [
    ...(nothing === null ? [] : [unjudged(nothing)]),
    ...faultDrafts(crawl),
    ...mistakeDrafts(crawl),
    ...anchorDrafts(crawl),
    ...unlinkedDrafts(crawl),
    ...externalDrafts(external),
    ...insecureDrafts(crawl),
    ...leftOutDrafts(crawl, signal),
  ];
}

function externalLinks({ links: { external } }: Crawl, site: Site): Promise<ExternalLinks> {
  return site.wants.external
    ? askForExternal(external, site)
    : Promise.resolve({ requests: 0, missing: [], unsure: 0 });
}

function factsOf(crawl: Crawl, external: ExternalLinks): Evidence {
  const { pages, files, links: seen } = crawl;
  const told = [...seen.faults.values()].filter((fault) => !seen.roots.has(fault.path) && !onlyIn(fault, seen.index));
  const counts = {
    missing: told.filter(({ missing, diagnosis }) => missing || diagnosis !== null).length,
    missingAnchors: seen.missingAnchors.length,
    unlinked: unlinkedPages(crawl).length,
    external: seen.external.size,
    externalUnsure: external.unsure,
    leftOut: seen.leftOut.pages + seen.leftOut.files,
  };
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return { pages: pages.size, files: files.size, links: seen.count, ...Object.fromEntries(some) };
}
