import type {
  Answer,
  Crawl,
  CrawledPage,
  Draft,
  Evidence,
  Gathered,
  JudgeLimits,
  LinkedFile,
  Site,
} from '../../src/check.ts';
import { unjudged } from '../../src/expect/unjudged.ts';
import { onlyIn } from '../../src/site/linked-from.ts';
import type { LinksCode } from './codes.ts';
import { askForExternal, type ExternalLinks } from './external.ts';
import { faultDrafts } from './faults.ts';
import { anchorDrafts, externalDrafts, insecureDrafts, leftOutDrafts, mistakeDrafts } from './link-drafts.ts';
import type { SourceFiles } from './renames.ts';
import { unlinkedDrafts, unlinkedPages } from './unlinked.ts';

export interface LinksGathered extends Gathered {
  readonly answer: null;
  readonly crawl: Crawl;
  /** What came for the navigation, where no page could be read: there are no links then. */
  readonly nothing: Answer | null;
  readonly external: ExternalLinks;
  readonly source: SourceFiles | null;
}

/** The crawl, and what came for the links that lead elsewhere. */
export async function gather(site: Site): Promise<LinksGathered> {
  const crawl = await site.crawl();
  const { roots, gaveUp } = crawl.links;
  // A root that the run did not come to is not among the pages.
  const begun =
    roots.size === 0 ||
    [...roots].some((path) => !crawl.pages.has(path)) ||
    [...crawl.pages.values()].some(({ ok }) => ok);
  const nothing = begun || gaveUp !== null ? null : (await site.file('navigationFile')).answer;
  const external = await externalLinks(crawl, site);
  const requests = crawl.requests + external.requests;
  const source = await sourceFiles(site);
  return { answer: null, requests, facts: factsOf(crawl, external), crawl, nothing, external, source };
}

/** The findings about targets first, then those about how links are written. */
export function judge(
  { crawl, nothing, external, source }: LinksGathered,
  { signal }: JudgeLimits,
): readonly Draft<LinksCode>[] {
  return [
    ...(nothing === null ? [] : [unjudged(nothing)]),
    ...faultDrafts(crawl, source),
    ...mistakeDrafts(crawl),
    ...anchorDrafts(crawl),
    ...unlinkedDrafts(crawl),
    ...externalDrafts(external),
    ...insecureDrafts(crawl),
    ...leftOutDrafts(crawl, signal),
  ];
}

async function sourceFiles({ wants: { source } }: Site): Promise<SourceFiles | null> {
  try {
    return source && { paths: new Set((await source.files()).keys()), folder: await source.repositoryFolder() };
  } catch {
    // The check `source` reports a source that cannot be read.
    return null;
  }
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
  const received = (all: Iterable<CrawledPage | LinkedFile>): number =>
    [...all].filter(({ path, status }) => status !== null && seen.faults.get(path)?.missing !== true).length;
  return {
    pages: received(pages.values()),
    files: received(files.values()),
    links: seen.count,
    ...Object.fromEntries(some),
  };
}
