import type { Answer, Evidence } from '../../src/core/answer.ts';
import type { Crawl } from '../../src/crawl/crawl.ts';
import type { NamedFile, Site } from '../../src/site/types.ts';
import type { CrawledFile } from '../../src/crawl/frontier.ts';
import type { Location, RawFinding } from '../../src/core/finding.ts';
import { pathsOf } from '../../src/crawl/diagnose.ts';
import { received } from '../../src/crawl/visit.ts';
import { PAGE_RULES, readMarkdown, textFile } from '../../src/expect/page.ts';
import type { MarkdownFacts, MarkdownLink } from '../../src/parse/markdown.ts';
import {
  beyondBase,
  hasExtension,
  hrefOfPath,
  isMarkdownPath,
  MOST_LOCATIONS,
  onlyIn,
  pathUnder,
  resolveLink,
} from '../../src/engines/link.ts';
import type { Link } from '../../src/engines/link.ts';
import { decoded } from '../../src/parse/urls.ts';
import type { FollowedRule } from './check.ts';
import {
  brokenFinding,
  firstFindings,
  linkedFinding,
  locatedAtAll,
  missingEvidence,
  MOST_SHOWN,
} from '../full-check.ts';
import { misspellingRule } from '../../src/expect/text.ts';
import { isLoopback } from '../../src/http/address-scope.ts';
import { REASONS } from '../../src/http/reasons.ts';
import { frontMatterLength } from '../../src/parse/markdown-text.ts';

type Findings = readonly RawFinding<FollowedRule>[];

type Followed = Awaited<ReturnType<typeof followLinks>>['followed'];

export interface FollowedIndex extends NamedFile {
  /** Set where the file is missing and nothing of the site says that it has one. */
  readonly isUndeclared?: true;
  readonly followed?: Followed;
  /** Set where the end of the run kept something of it from being checked. */
  readonly ended?: true;
}

/** The index with what its links lead to. The crawl has requested those of the site; others are only counted. */
export async function followIndex(file: NamedFile, site: Site): Promise<FollowedIndex> {
  const { text } = textFile({ ...file.answer, redirects: [] }, file.bundle);
  if (text === null || file.missing === true) return file;
  const [facts, crawl] = await Promise.all([readMarkdown(text, site.limits), site.crawl()]);
  if (!facts.ok) return facts.limit === 'ended' ? { ...file, ended: true } : file;
  return { ...file, ...(await followLinks(file, facts, crawl, site)) };
}

async function followLinks(file: NamedFile, facts: MarkdownFacts, crawl: Crawl, site: Site) {
  const url = new URL(file.answer.requestUrl);
  const below = pathUnder(url, site.base);
  const path = below ?? url.pathname.slice(1);
  const links = facts.links.map((link) => {
    // Relative links of an index beyond the base mean what they mean to any agent, not to the engine.
    const written = below === null ? beyondBase(link.url, url) : link.url;
    return { link, to: resolveLink({ ...link, url: written }, { path, base: site.base }) };
  });
  const { faults: all, roots, index } = crawl.links;
  // Targets that nothing but the index names; navigations and home pages have checks of their own.
  const faults = [...all.values()].filter((fault) => !roots.has(fault.path) && onlyIn(fault, index ?? path));
  const negotiable = faults.filter((fault) => fault.missing && !hasExtension(fault.path)).slice(0, MOST_ASKED);
  const asked = negotiable.map(async (fault) => [fault, await markdownForAgents(fault, file.bundle, site)] as const);
  const negotiated = new Map(await Promise.all(asked));
  const followed = {
    path,
    facts,
    source: new Set(await pathsOf(site.requested.source)),
    faults: faults.filter((fault) => (negotiated.get(fault) ?? 'no') === 'no'),
    /** Links to other hosts; whether no link leads to a file of this one, so that nothing of the index was checked. */
    foreign: links.flatMap(({ link, to }) => (isForeign(to) ? [{ link, url: new URL(to.url) }] : [])),
    hasNoOwn: links.length > 0 && links.every(({ to }) => isForeign(to) || to.kind === 'ignored' || isIn(to, path)),
    isLocal: isLoopback(site.base.hostname),
    /** Links that only the engine understands: the part after `#` does not reach the server. */
    routes: facts.links.filter((link) => isRoute(link, url, site.base)),
    html: links.flatMap(({ link, to }) => {
      const linked = to.kind === 'file' ? crawl.files.get(to.path) : undefined;
      const html = linked?.ok === true && linked.kind === 'file' && linked.mediaType === 'text/html';
      return html ? [{ link, path: linked.path }] : [];
    }),
  };
  const requests = 1 + negotiable.length;
  return {
    ...(requests > 1 ? { requests } : {}),
    facts: factsOf(links.map(({ to }) => to)),
    followed,
    ...([...negotiated.values()].includes('ended') ? { ended: true as const } : {}),
  };
}

const MOST_ASKED = 100;

/** Whether agents get Markdown for a path that others get nothing for: the host negotiates. */
async function markdownForAgents({ path }: CrawledFile, bundle: Answer, site: Site): Promise<'yes' | 'no' | 'ended'> {
  const url = new URL(site.base.href + hrefOfPath(path));
  const [answer, notFound] = await Promise.all([site.pooled({ url, accept: 'text/markdown' }), site.notFound()]);
  const { ok, ended } = await received(answer, path, true, { site, bundle, notFound });
  if (ended) return 'ended';
  return ok ? 'yes' : 'no';
}

/** `#/guide.md`, `/#!guide.md`, `https://site/index.html#guide.md`: a page behind the bundle. */
function isRoute({ url, kind }: MarkdownLink, index: URL, base: URL): boolean {
  if (kind === 'image' || !URL.canParse(url, base.href)) return false;
  const to = new URL(url, url.trim().startsWith('#') ? base : index);
  if (to.host !== base.host || !/^\/(?:.*\/)?(?:index\.html)?$/.test(to.pathname)) return false;
  const fragment = to.hash.slice(1);
  return /^[!/]/.test(fragment) || isMarkdownPath(decoded(fragment.replace(/[?#].*$/s, '')));
}

type Foreign = Extract<Link, { kind: 'external' }>;

/** An anchor of the file itself. */
const isIn = (to: Link, path: string): boolean => (to.kind === 'page' || to.kind === 'file') && to.path === path;

const isForeign = (to: Link): to is Foreign => to.kind === 'external' && !to.elsewhere;

function factsOf(links: readonly Link[]): Evidence {
  const foreign = links.flatMap((to) => (isForeign(to) ? [new URL(to.url).host] : []));
  const elsewhere = links.filter((to) => to.kind === 'external' && to.elsewhere).length;
  return {
    links: links.length,
    own: links.filter(({ kind }) => kind === 'page' || kind === 'file').length,
    ...(elsewhere === 0 ? {} : { elsewhere }),
    ...(foreign.length === 0 ? {} : { foreign: foreign.length, foreignHosts: [...new Set(foreign)].slice(0, 20) }),
  };
}

const MOST_TARGETS = 500;
/** Faults of the host that concern all files, or many requests: other checks report them. */
const NOT_OF_THE_PAGE: ReadonlySet<string> = new Set(['media-type', 'redirected', 'rate-limited', 'internal-error']);

/** Findings about what the links of an index lead to, and where its layout differs from the proposal. `text`: all of it. */
export function followedFindings(text: string, followed: Followed): Findings {
  const { path, faults, routes, html, source } = followed;
  const files = [...new Set(html.map((found) => found.path))].slice(0, MOST_SHOWN);
  const links = routes.map(({ url }) => url).slice(0, MOST_SHOWN);
  const pages = html.map(({ link }) => link);
  const ofTargets = faults.flatMap((fault) => faultFindings(fault, source));
  return [
    ...firstFindings(ofTargets, MOST_TARGETS),
    ...elsewhereFindings(followed),
    ...about('hash-route', routes, path, { count: routes.length, links }),
    ...about('html-link', pages, path, { count: html.length, files }),
    ...layoutFindings(text, followed),
  ];
}

/** Links to the machine that built the index, and an index of which nothing was checked: it never passes silently. */
function elsewhereFindings({ path, facts, foreign, hasNoOwn, isLocal, routes }: Followed): Findings {
  const local = isLocal ? [] : foreign.filter(({ url }) => isLoopback(url.hostname));
  const hosts = (some: typeof foreign): string[] => [...new Set(some.map(({ url }) => url.host))].slice(0, MOST_SHOWN);
  const places = (some: typeof foreign): IndexPlace[] => some.map(({ link }) => link);
  if (local.length > 0)
    return about('local-links', places(local), path, { count: local.length, foreignHosts: hosts(local) });
  if (!hasNoOwn || routes.length > 0) return [];
  return about('no-own-links', facts.links, path, { links: facts.links.length, foreignHosts: hosts(foreign) });
}

function layoutFindings(text: string, { path, facts }: Followed): Findings {
  const { titles, beginsWithTitle, hasSummary, inSections, unlisted } = readLayout(text, facts);
  const first = titles.slice(0, 1);
  // Where there is no title, that is reported first; the rest follows from it.
  if (first.length === 0 || !facts.whole) return [];
  const hasLinks = facts.links.some(({ kind }) => kind !== 'image');
  const lacksSections = titles.length === 1 && hasLinks && inSections.length === 0;
  return [
    ...about('heading-not-first', beginsWithTitle ? [] : first, path),
    ...about('no-summary', hasSummary ? [] : first, path),
    ...about('several-headings', titles.slice(1), path, { count: titles.length }),
    ...about('no-sections', lacksSections ? first : [], path),
    ...about('unlisted-links', unlisted, path, { count: unlisted.length }),
  ];
}

function about(rule: FollowedRule, places: readonly IndexPlace[], path: string, evidence?: Evidence): Findings {
  const locations = places.slice(0, MOST_LOCATIONS).map(({ line, column }) => ({ path, line, column }));
  return places.length === 0 ? [] : [{ rule, ...(evidence && { evidence }), ...locatedAtAll(locations) }];
}

function faultFindings(fault: CrawledFile, source: ReadonlySet<string>): Findings {
  const { diagnosis, missing, findings } = fault;
  if (missing || diagnosis !== null)
    return [linkedFinding(misspellingRule(diagnosis) ?? 'missing', missingEvidence(fault, source), fault)];
  return findings.flatMap(({ rule, evidence }): Findings => {
    if (NOT_OF_THE_PAGE.has(rule) || (REASONS as Readonly<Record<string, string>>)[rule] === 'unknown') return [];
    if (rule === 'git-lfs-pointer' || rule === 'merge-conflict') return [brokenFinding(rule, { ...evidence }, fault)];
    return PAGE_RULES[rule] === 'warning' ? [] : [brokenFinding('broken-page', { problem: rule, ...evidence }, fault)];
  });
}

type IndexPlace = Pick<Location, 'line' | 'column'>;

const LONGEST = 1024 * 1024;
const LINE_END = /\r\n|\n|\r/;
/** The text before a link that begins a list item: the marker, a task's box, emphasis. */
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ x]\]\s+)?(?:[*_]{1,3})?$/i;
/** Deeper indentation does not begin a list item; long lines with many links are not read again and again. */
const WIDEST_ITEM = 200;
const FENCE = /^ {0,3}(?:`{3}|~{3})/;
const QUOTATION = /^ {0,3}>[ \t]*[^\s>]/;

export function readLayout(text: string, facts: Pick<MarkdownFacts, 'headings' | 'links'>) {
  const lines = text.slice(0, LONGEST).split(LINE_END);
  const titles = facts.headings.filter(({ depth }) => depth === 1).map(({ line }) => ({ line, column: 1 }));
  const [title] = titles;
  const sections = sectionsOf(facts);
  return {
    titles,
    beginsWithTitle: title !== undefined && title.line === firstLine(text),
    hasSummary: title !== undefined && isSummarised(lines, title.line, facts.headings),
    inSections: sections.flat(),
    unlisted: sections.filter((links) => !links.some((link) => isListed(link, lines))).flat(),
  };
}

/** White space or a comment. One at a time: a repeated group would keep state of millions of them, and overflow the stack. */
const SKIPPED = /\s+|<!(?=--)[^]*?-->/y;

function firstLine(text: string): number {
  let at = frontMatterLength(text);
  for (SKIPPED.lastIndex = at; SKIPPED.test(text);) at = SKIPPED.lastIndex;
  return text.slice(0, at).split(LINE_END).length;
}

function isSummarised(lines: readonly string[], title: number, headings: MarkdownFacts['headings']): boolean {
  const next = headings.find(({ line }) => line > title)?.line ?? lines.length + 1;
  let fenced = false;
  for (const line of lines.slice(title, next - 1)) {
    if (FENCE.test(line)) fenced = !fenced;
    else if (!fenced && QUOTATION.test(line)) return true;
  }
  return false;
}

/** The links below each second-level heading, up to the next heading of its level or above. */
function sectionsOf({ headings, links }: Pick<MarkdownFacts, 'headings' | 'links'>): readonly MarkdownLink[][] {
  const marks = headings.filter(({ depth }) => depth <= 2);
  let next = 0;
  const shown = links.filter(({ kind }) => kind !== 'image');
  const byMark = Map.groupBy(shown, ({ line }) => {
    while ((marks[next]?.line ?? Infinity) < line) next++;
    return marks[next - 1];
  });
  return [...byMark].flatMap(([mark, section]) => (mark?.depth === 2 ? [section] : []));
}

function isListed({ kind, line, column }: MarkdownLink, lines: readonly string[]): boolean {
  const text = lines[line - 1] ?? '';
  if (kind !== 'link' || column > WIDEST_ITEM) return false;
  return text.charAt(column - 1) === '[' && ITEM.test(text.slice(0, column - 1));
}
