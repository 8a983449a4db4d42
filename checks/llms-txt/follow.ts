/** Follows the links of the agent index: what the crawl of the whole site found behind them. */
import type { Answer, Crawl, Evidence, NamedFile, Site, TargetFault } from '../../src/check.ts';
import { noReplyReason } from '../../src/expect/not-received.ts';
import { page, PAGE_RULES, readMarkdown, textFile } from '../../src/expect/page.ts';
import { isPattern, linesOf } from './index-findings.ts';
import type { MarkdownFacts, MarkdownLink } from '../../src/parse/markdown.ts';
import {
  beyondBase,
  resolveLink,
  type Link,
  onlyIn,
  hasExtension,
  hrefOfPath,
  isMarkdownPath,
  pathUnder,
} from '../../src/site/link.ts';
import { decoded } from '../../src/parse/urls.ts';

export { followedFindings as followedDrafts, layoutFindings as layoutDrafts } from './index-findings.ts';

/** The links of an agent index and what they lead to. */
export interface Followed {
  /** What places in the index are reported under. */
  readonly path: string;
  readonly facts: MarkdownFacts;
  /** What is wrong with targets that nothing but the index names. */
  readonly faults: readonly TargetFault[];
  /** Links that only the engine understands: what stands behind the `#` does not reach the server. */
  readonly routes: readonly MarkdownLink[];
  /** The paths of what the site is deployed from; empty where that is not known. */
  readonly source: ReadonlySet<string>;
  /** Links to HTML documents of the site. */
  readonly html: readonly { readonly link: MarkdownLink; readonly path: string }[];
}

/** The agent index, as far as the whole site tells of it. */
export interface FollowedIndex extends NamedFile {
  readonly followed?: Followed;
  /** Set where the end of the run kept something of it from being checked. */
  readonly ended?: true;
}

/** The index with what its links lead to. The crawl has asked for those of the site; others are only counted. */
export async function followIndex(file: NamedFile, site: Site): Promise<FollowedIndex> {
  const { text } = textFile({ ...file.answer, redirects: [] }, file.bundle);
  if (text === null || file.missing === true) return file;
  const [facts, crawl] = await Promise.all([readMarkdown(text, site.limits), site.crawl()]);
  if (!facts.ok) return facts.limit === 'ended' ? { ...file, ended: true } : file;
  const url = new URL(file.answer.requestUrl);
  const path = pathUnder(url, site.base) ?? url.pathname.slice(1);
  const links = facts.links.map((link) => ({ link, to: leadsTo(link, path, url, site.base) }));
  const lines = linesOf(text);
  const patterns = new Set(facts.links.filter((link) => isPattern(link, lines)).map(locationKey));
  const faults = indexFaults(crawl, path).filter(
    ({ locations }) => !locations.every((at) => patterns.has(locationKey(at))),
  );
  const negotiable = faults
    .filter(({ path: target, missing }) => missing && !hasExtension(target))
    .slice(0, MOST_ASKED);
  const negotiated = await Promise.all(negotiable.map((fault) => markdownForAgents(fault, file.bundle, site)));
  const followed: Followed = {
    path,
    facts,
    source: await sourcePaths(site),
    faults: faults.filter((fault) => ['no', undefined].includes(negotiated[negotiable.indexOf(fault)])),
    routes: facts.links.filter((link) => isRoute(link, url, site.base)),
    html: links.flatMap(({ link, to }) => {
      const linked = to.kind === 'file' ? crawl.files.get(to.path) : undefined;
      const html = linked?.ok === true && linked.kind === 'link' && linked.mediaType === 'text/html';
      return html ? [{ link, path: linked.path }] : [];
    }),
  };
  const requests = 1 + negotiable.length;
  return {
    ...file,
    ...(requests > 1 ? { requests } : {}),
    facts: factsOf(links.map(({ to }) => to)),
    followed,
    ...(negotiated.includes('ended') ? { ended: true } : {}),
  };
}

async function sourcePaths({ requested: { source } }: Site): Promise<ReadonlySet<string>> {
  // The check `source` reports a source that cannot be read.
  const files = await source?.files().catch(() => null);
  return new Set(files?.keys());
}

/** Most paths without extension that are requested as agents do. */
const MOST_ASKED = 100;

/** Whether agents get Markdown for a path that others get nothing for: the host negotiates. */
async function markdownForAgents({ path }: TargetFault, bundle: Answer, site: Site): Promise<'yes' | 'no' | 'ended'> {
  const url = new URL(site.base.href + hrefOfPath(path));
  const [answer, notFound] = await Promise.all([site.pooled({ url, accept: 'text/markdown' }), site.notFound()]);
  if (answer.kind === 'no-reply') return noReplyReason(answer) === 'interrupted' ? 'ended' : 'no';
  if (notFound.isMissing(answer)) return 'no';
  const { findings } = await page({ ...answer, redirects: [] }, bundle, site.limits);
  if (findings.some(({ rule }) => rule === 'interrupted')) return 'ended';
  return findings.every(({ rule }) => PAGE_RULES[rule] === 'warning') ? 'yes' : 'no';
}

const locationKey = ({ line, column }: { readonly line: number; readonly column: number }): string =>
  `${line}:${column}`;

/** Targets that nothing but the index names; navigations and home pages have checks of their own. */
function indexFaults({ links: { faults, roots, index } }: Crawl, path: string): readonly TargetFault[] {
  return [...faults.values()].filter((fault) => !roots.has(fault.path) && onlyIn(fault, index ?? path));
}

/** Relative links of an index beyond the base mean what they mean to any agent, not to the engine. */
function leadsTo({ url, kind }: MarkdownLink, path: string, index: URL, base: URL): Link {
  const written = pathUnder(index, base) === null ? beyondBase(url, index) : url;
  return resolveLink(written, path, base, { image: kind === 'image' });
}

/** `#/guide.md`, `/#!guide.md`, `https://site/index.html#guide.md`: a page behind the bundle. */
function isRoute({ url, kind }: MarkdownLink, index: URL, base: URL): boolean {
  if (kind === 'image' || !URL.canParse(url, base.href)) return false;
  const to = new URL(url, url.trim().startsWith('#') ? base : index);
  if (to.host !== base.host || !/^\/(?:.*\/)?(?:index\.html)?$/.test(to.pathname)) return false;
  const fragment = to.hash.slice(1);
  return /^[!/]/.test(fragment) || isMarkdownPath(decoded(fragment.replace(/[?#].*$/s, '')));
}

function factsOf(links: readonly Link[]): Evidence {
  const foreign = links.flatMap((to) => (to.kind === 'external' && !to.elsewhere ? [new URL(to.url).host] : []));
  const elsewhere = links.filter((to) => to.kind === 'external' && to.elsewhere).length;
  const own = links.filter(({ kind }) => kind === 'page' || kind === 'file').length;
  return {
    links: links.length,
    own,
    ...(elsewhere === 0 ? {} : { elsewhere }),
    ...(foreign.length === 0 ? {} : { foreign: foreign.length, foreignHosts: [...new Set(foreign)].slice(0, 20) }),
  };
}
