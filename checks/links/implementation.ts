import type {
  Answer,
  Crawl,
  CrawledPage,
  RawFinding,
  Evidence,
  Gathered,
  EvaluationLimits,
  LinkedFile,
  Site,
} from '../../src/check.ts';
import { notEvaluated } from '../../src/expect/not-evaluated.ts';
import { onlyIn } from '../../src/site/linked-from.ts';
import type { LinksRule } from './rules.ts';
import { askForExternal, type ExternalLinks } from './external.ts';
import { faultFindings } from './faults.ts';
import {
  anchorFindings,
  externalFindings,
  insecureFindings,
  leftOutFindings,
  mistakeFindings,
} from './link-findings.ts';
import type { SourceFiles } from './renames.ts';
import { unlinkedFindings, unlinkedPages } from './unlinked.ts';

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
export function evaluate(
  { crawl, nothing, external, source }: LinksGathered,
  { signal }: EvaluationLimits,
): readonly RawFinding<LinksRule>[] {
  return [
    ...(nothing === null ? [] : [notEvaluated(nothing)]),
    ...faultFindings(crawl, source),
    ...mistakeFindings(crawl),
    ...anchorFindings(crawl),
    ...unlinkedFindings(crawl),
    ...externalFindings(external),
    ...insecureFindings(crawl),
    ...leftOutFindings(crawl, signal),
  ];
}

async function sourceFiles({ requested: { source } }: Site): Promise<SourceFiles | null> {
  try {
    return source && { paths: new Set((await source.files()).keys()), folder: await source.repositoryFolder() };
  } catch {
    // The check `source` reports a source that cannot be read.
    return null;
  }
}

function externalLinks({ links: { external } }: Crawl, site: Site): Promise<ExternalLinks> {
  return site.requested.external
    ? askForExternal(external, site)
    : Promise.resolve({ requests: 0, missing: [], unsure: 0 });
}

function factsOf(crawl: Crawl, external: ExternalLinks): Evidence {
  const { pages, files, links: observed } = crawl;
  const reported = [...observed.faults.values()].filter(
    (fault) => !observed.roots.has(fault.path) && !onlyIn(fault, observed.index),
  );
  const counts = {
    missing: reported.filter(({ missing, diagnosis }) => missing || diagnosis !== null).length,
    missingAnchors: observed.missingAnchors.length,
    unlinked: unlinkedPages(crawl).length,
    external: observed.external.size,
    externalUnsure: external.unsure,
    leftOut: observed.leftOut.pages + observed.leftOut.files,
  };
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  const received = (all: Iterable<CrawledPage | LinkedFile>): number =>
    [...all].filter(({ path, status }) => status !== null && observed.faults.get(path)?.missing !== true).length;
  return {
    pages: received(pages.values()),
    files: received(files.values()),
    links: observed.count,
    ...Object.fromEntries(some),
  };
}
