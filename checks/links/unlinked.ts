/** Tells pages that are there and that no way leads to. Pure. */
import type { Crawl, CrawledPage, RawFinding, TargetFault } from '../../src/check.ts';
import { MOST_LOCATIONS } from '../../src/site/linked-from.ts';
import type { LinksRule } from './rules.ts';

const MOST_PATHS = 20;

/** Pages that only the agent index or the source knows. None where the crawl did not see all that it would have to. */
export function unlinkedPages(crawl: Crawl): readonly string[] {
  const { roots, leftOut, gaveUp, unlinked, faults } = crawl.links;
  if (leftOut.by.length > 0 || gaveUp !== null || [...roots].some((path) => crawl.pages.get(path)?.ok !== true)) {
    return [];
  }
  const broken = [...faults.values()].filter(
    (fault) => fault.kind === 'page' && crawl.pages.get(fault.path)?.ok !== true,
  );
  // Behind a page that cannot be read now there may be a way.
  if (broken.some(({ missing }) => !missing)) return [];
  const lost = broken.filter(({ diagnosis }) => diagnosis === null).map(folderOf);
  const listed = [...crawl.pages.values()].filter(({ ok, reachable }) => ok && !reachable).map(({ path }) => path);
  return [...listed, ...unlinked].filter((path) => !lost.some((folder) => path.startsWith(folder)));
}

/** One finding for all of them. */
export function unlinkedFindings(crawl: Crawl): readonly RawFinding<LinksRule>[] {
  const paths = unlinkedPages(crawl);
  if (paths.length === 0) return [];
  const pages = paths.flatMap((path): readonly CrawledPage[] => {
    const page = crawl.pages.get(path);
    return page === undefined ? [] : [page];
  });
  const locations = pages.flatMap((page) => page.locations.slice(0, 1)).slice(0, MOST_LOCATIONS);
  const [location] = locations;
  const knownFrom = [...(pages.length > 0 ? ['index'] : []), ...(pages.length < paths.length ? ['source'] : [])];
  const evidence = { count: paths.length, pages: paths.slice(0, MOST_PATHS), knownFrom };
  return [{ rule: 'unlinked', evidence, ...(location === undefined ? {} : { location, locations }) }];
}

/** What a page that is missing would have led to: what lies below it. */
function folderOf({ path }: TargetFault): string {
  const folder = /^(.*\/)index\.md$/.exec(path)?.[1];
  return folder ?? `${path.replace(/\.\w+$/, '')}/`;
}
