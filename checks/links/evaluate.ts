import { posix } from 'node:path';
import type { Answer, Evidence } from '../../src/core/answer.ts';
import type { Crawl } from '../../src/crawl/crawl.ts';
import type { CrawledFile } from '../../src/crawl/frontier.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import type { EvaluationLimits, Site } from '../../src/site/types.ts';
import { notEvaluated, isStopped } from '../../src/expect/not-received.ts';
import { badRedirect } from '../../src/expect/reply.ts';
import { onlyIn, MOST_LOCATIONS, misspelledScheme, hasExtension } from '../../src/engines/link.ts';
import type { LinksRule } from './check.ts';
import { REASONS } from '../../src/http/reasons.ts';
import { mapConcurrently } from '../../src/core/concurrency.ts';
import { misspellingRule } from '../../src/expect/text.ts';
import {
  brokenFinding,
  countingRequests,
  firstFindings,
  linkedFinding,
  locatedAtAll,
  missingEvidence,
  MOST_SHOWN,
} from '../full-check.ts';
import { renameCommand } from '../../src/text/shell-word.ts';

/** Of one rule. */
const MOST_FINDINGS = 500;

export type LinksGathered = Awaited<ReturnType<typeof gather>>;

export async function gather(site: Site) {
  const crawl = await site.crawl();
  const { roots, gaveUp } = crawl.links;
  // A root that the run did not come to is not among the pages.
  const begun =
    roots.size === 0 ||
    [...roots].some((path) => !crawl.pages.has(path)) ||
    [...crawl.pages.values()].some(({ ok }) => ok);
  const nothing = begun || gaveUp !== null ? null : (await site.file('navigationFile')).answer;
  const external = await externalLinks(site.requested.external ? crawl.links.external : new Map(), site);
  const requests = crawl.requests + external.requests;
  const [source, folder] = await Promise.all([sourceFiles(site), folderRedirect(site)]);
  return { answer: null, requests, facts: factsOf(crawl, external), crawl, nothing, external, source, folder };
}

/** What is wrong with the address of the site as people type it, without its last slash; `null`: nothing. */
async function folderRedirect({ base, pooled }: Site) {
  if (base.pathname === '/') return null;
  const url = new URL(base.href.slice(0, -1));
  const finding = badRedirect(await pooled({ url, accept: ACCEPT }));
  return finding && { ...finding, evidence: { url: url.href, ...finding.evidence } };
}

type Findings = readonly RawFinding<LinksRule>[];

export function evaluate(
  { crawl, nothing, external, source, folder }: LinksGathered,
  { signal }: EvaluationLimits,
): Findings {
  const { mistakes, missingAnchors, insecure } = crawl.links;
  const all: Findings = [
    ...(nothing === null ? [] : [notEvaluated(nothing)]),
    ...(folder === null ? [] : [folder]),
    ...faultFindings(crawl, source),
    ...mistakes.map((mistake) => {
      const link = withoutUser(mistake.written);
      const suggestion = mistake.rule === 'misspelled-scheme' ? (misspelledScheme(link.trim()) ?? null) : null;
      return linkedFinding(mistake.rule, { link, ...(suggestion === null ? {} : { suggestion }) }, mistake);
    }),
    ...missingAnchors.map((missing) =>
      linkedFinding('missing-anchor', { target: missing.path, anchor: missing.anchor }, missing),
    ),
    ...unlinkedFindings(crawl),
    ...externalFindings(external),
    ...(insecure.count === 0 ? [] : [linkedFinding('insecure-link', {}, insecure)]),
    ...leftOutFindings(crawl, signal),
  ];
  return firstFindings(all, MOST_FINDINGS);
}

type SourceFiles = Awaited<ReturnType<typeof sourceFiles>>;

async function sourceFiles({ requested: { source } }: Site) {
  try {
    return source && { paths: new Set((await source.files()).keys()), folder: await source.repositoryFolder() };
  } catch {
    // The check `source` reports a source that cannot be read.
    return null;
  }
}

function factsOf(crawl: Crawl, external: ExternalLinks): Evidence {
  const { pages, files, links: observed } = crawl;
  const reported = reportedFaults(observed);
  const counts = {
    missing: reported.filter(({ missing, diagnosis }) => missing || diagnosis !== null).length,
    missingAnchors: observed.missingAnchors.length,
    unlinked: unlinkedPages(crawl).length,
    external: observed.external.size,
    externalUnsure: external.unsure,
    leftOut: observed.leftOut.pages + observed.leftOut.files,
  };
  const some = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  const received = (all: Iterable<CrawledFile>): number =>
    [...all].filter(({ path, status }) => status !== null && observed.faults.get(path)?.missing !== true).length;
  return { pages: received(pages.values()), files: received(files.values()), links: observed.count, ...some };
}

/** Pages that only the agent index or the source knows. None where the crawl did not see all that it would have to. */
function unlinkedPages(crawl: Crawl): readonly string[] {
  const { roots, leftOut, gaveUp, unlinked, faults } = crawl.links;
  if (leftOut.by.length > 0 || gaveUp !== null || [...roots].some((path) => crawl.pages.get(path)?.ok !== true)) {
    return [];
  }
  const broken = [...faults.values()].filter(({ kind, path }) => kind === 'page' && crawl.pages.get(path)?.ok !== true);
  // Behind a page that cannot be read now there may be a way.
  if (broken.some(({ missing }) => !missing)) return [];
  const lost = broken
    .filter(({ diagnosis }) => diagnosis === null)
    .map(({ path }) => /^(.*\/)index\.md$/.exec(path)?.[1] ?? `${path.replace(/\.\w+$/, '')}/`);
  const listed = [...crawl.pages.values()].filter(({ ok, reachable }) => ok && !reachable).map(({ path }) => path);
  return [...listed, ...unlinked].filter((path) => !lost.some((folder) => path.startsWith(folder)));
}

function unlinkedFindings(crawl: Crawl): Findings {
  const paths = unlinkedPages(crawl);
  if (paths.length === 0) return [];
  const pages = paths.flatMap((path) => crawl.pages.get(path) ?? []);
  const locations = pages.flatMap((page) => page.locations.slice(0, 1)).slice(0, MOST_LOCATIONS);
  const knownFrom = [...(pages.length > 0 ? ['index'] : []), ...(pages.length < paths.length ? ['source'] : [])];
  const evidence = { count: paths.length, pages: paths.slice(0, MOST_SHOWN), knownFrom };
  return [{ rule: 'unlinked', evidence, ...locatedAtAll(locations) }];
}

/** An address may hold a name and a password. */
const withoutUser = (link: string): string => link.replace(/^(\s*[a-z][a-z\d+.-]*[:;*\s/\\]+)[^/?#\\]*@/i, '$1');

function leftOutFindings({ pages: { size }, files: others, links }: Crawl, signal: AbortSignal | undefined): Findings {
  const { leftOut, gaveUp } = links;
  const { pages, files, by, late, unread = 0 } = leftOut;
  if (gaveUp !== null) {
    const { reason, failures } = gaveUp;
    const evidence = { reason, ...gaveUp.evidence, failures, pages, files };
    // Failures of this machine do not affect the result of the site.
    return [{ rule: REASONS[reason] === 'unknown' ? reason : 'site-stopped-responding', evidence }];
  }
  if (by.length === 0) return [];
  const looked = size + others.size;
  // The caps on pages and depth are the user's own.
  if (late === 0) return [{ rule: 'limit-reached', evidence: { pages, files, ...(unread > 0 ? { unread } : {}), by } }];
  // More time would not have helped a run that was stopped.
  if (isStopped(signal)) return [{ rule: 'interrupted', evidence: { pages, files, looked } }];
  return [{ rule: late > looked ? 'mostly-unchecked' : 'deadline-exceeded', evidence: { pages, files, by, looked } }];
}

type ExternalLinks = Awaited<ReturnType<typeof externalLinks>>;

const MOST_URLS = 2_000;
const MOST_PER_HOST = 100;
const HOSTS_AT_ONCE = 12;
/** Names that no site has (RFC 2606 and 6761): samples in the text. */
const SAMPLE_HOST = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)\.?$/i;
const ACCEPT = 'text/html,application/xhtml+xml,*/*;q=0.8';

/** Requests each URL once, one after another per host. Only a clear answer counts as a broken link. */
async function externalLinks(targets: Crawl['links']['external'], site: Site) {
  const urls = [...targets.keys()].filter((url) => !SAMPLE_HOST.test(new URL(url).hostname)).slice(0, MOST_URLS);
  const hosts = Map.groupBy(urls, (url) => new URL(url).host).values();
  const { get, sent } = countingRequests(site);
  const gone = new Map<string, Evidence>();
  let unsure = 0;
  const ask = (url: string, method: 'HEAD' | 'GET') => get({ url: new URL(url), method, accept: ACCEPT, once: true });
  await mapConcurrently(hosts, HOSTS_AT_ONCE, async (all) => {
    const host = all.slice(0, MOST_PER_HOST);
    for (const [index, url] of host.entries()) {
      if (site.limits.signal?.aborted === true) return;
      const head = await ask(url, 'HEAD');
      // Hosts answer HEAD wrongly; one that does not respond, or refuses, is not requested that way again.
      const answer = isThere(head) || isFinal(head) ? head : await ask(url, 'GET');
      const evidence = goneEvidence(answer);
      if (evidence !== null) gone.set(url, evidence);
      else if (isFinal(answer)) {
        // Another site's host with problems gets no further requests.
        unsure += host.length - index;
        return;
      } else if (!isThere(answer)) unsure += 1;
    }
  });
  const missing = [...targets].flatMap(([url, linked]) => {
    const evidence = gone.get(url);
    return evidence === undefined ? [] : [{ url, evidence, linked }];
  });
  return { requests: sent(), missing, unsure };
}

/** One for each host: what is wrong with one of its files is often wrong with all. */
function externalFindings({ missing }: ExternalLinks): Findings {
  return [...Map.groupBy(missing, ({ url }) => new URL(url).host).values()].flatMap((group): Findings => {
    const [first, ...others] = group;
    if (first === undefined) return [];
    const also = others.slice(0, MOST_SHOWN).map(({ url }) => url);
    const evidence = { link: first.url, ...first.evidence, ...(also.length > 0 && { also }) };
    const count = group.reduce((sum, { linked }) => sum + linked.count, 0);
    const locations = group.flatMap(({ linked }) => linked.locations).slice(0, MOST_LOCATIONS);
    return [linkedFinding('external-missing', evidence, { count, locations })];
  });
}

const isThere = (answer: Answer): boolean => answer.kind === 'reply' && answer.status < 400;
const isFinal = (answer: Answer): boolean => answer.kind === 'no-reply' || answer.status === 429;

function goneEvidence(answer: Answer): Evidence | null {
  if (answer.kind === 'reply') return answer.status === 404 || answer.status === 410 ? { status: answer.status } : null;
  return answer.reason === 'dns-not-found' ? { reason: answer.reason } : null;
}

/** Faults of the host that concern all files: where the navigation or home page shows them, their checks report them. */
const HOST_WIDE: ReadonlySet<string> = new Set(['media-type', 'redirected']);
const TOGETHER: ReadonlySet<string> = new Set(['media-type', 'rate-limited']);

/** One finding for each missing or broken target, or for each fault that many targets have. */
function faultFindings(crawl: Crawl, source: SourceFiles): Findings {
  const { faults, roots } = crawl.links;
  const renames = renamesOf(crawl, source);
  const ofRoots = [...faults.values()].filter(({ path }) => roots.has(path));
  const elsewhere = new Set(ofRoots.flatMap(({ findings }) => findings.filter(isHostWide).map(sameFor)));
  const reported = reportedFaults(crawl.links)
    .flatMap((fault): Findings => {
      const missing = missingFinding(fault, source, renames.get(fault.path));
      // A refused or odd answer is reported as the link's intended file, where that exists.
      if (fault.missing || fault.diagnosis !== null) return [missing];
      return fault.findings.map(({ rule, evidence = {} }) => {
        // A web page instead of a picture or download: the file does not exist.
        const isMissing = rule === 'not-found' || rule === 'spa-fallback' || (rule === 'html' && fault.kind !== 'page');
        return isMissing ? missing : brokenFinding(rule, evidence, fault);
      });
    })
    .filter((finding) => !(isHostWide(finding) && elsewhere.has(sameFor(finding))));
  const ofMany = reported.filter(({ rule }) => TOGETHER.has(rule));
  const together = [...Map.groupBy(ofMany, sameFor).values()].flatMap((group): Findings => {
    const [first] = group;
    if (first === undefined) return [];
    const { target: _target, count: _count, ...evidence } = first.evidence ?? {};
    const targets = group.flatMap((finding) => finding.evidence?.target ?? []).slice(0, MOST_SHOWN);
    return [{ rule: first.rule, evidence: { ...evidence, pages: group.length, targets } }];
  });
  return [...reported.filter(({ rule }) => !TOGETHER.has(rule)), ...together];
}

/** Without those that other checks report: of the roots, and of targets that only the agent index names. */
const reportedFaults = ({ faults, roots, index }: Crawl['links']): readonly CrawledFile[] =>
  [...faults.values()].filter((fault) => !roots.has(fault.path) && !onlyIn(fault, index));

const isHostWide = ({ rule }: RawFinding): boolean => HOST_WIDE.has(rule);
const sameFor = ({ rule, evidence }: RawFinding): string => JSON.stringify([rule, evidence?.['mediaType'] ?? null]);

/** `command`: renames the file to the name that the links have. */
function missingFinding(fault: CrawledFile, source: SourceFiles, command?: string): RawFinding<LinksRule> {
  const location = fault.findings.find(({ rule }) => rule === 'redirected')?.evidence?.location;
  const evidence = {
    ...missingEvidence(fault, source?.paths, command),
    ...(location !== undefined && { location }),
  };
  return linkedFinding(missingRule(fault), evidence, fault);
}

/** A name without extension, or with that of the page's HTML form, means a page. */
function missingRule({ kind, path, diagnosis }: CrawledFile): LinksRule {
  if (kind === 'image') return 'missing-image';
  const meansPage = kind === 'page' || !hasExtension(path) || diagnosis?.suggestion.endsWith('.md') === true;
  if (!meansPage) return 'missing-file';
  return misspellingRule(diagnosis) ?? 'missing';
}

/**
 * The commands that rename files, by the paths that links have. None for a file that other links name as it is, or in a
 * third way: a new name would break them.
 */
function renamesOf({ pages, files, links }: Crawl, source: SourceFiles) {
  const wrong = [...links.faults.values()].filter(({ diagnosis }) => diagnosis?.rule === 'letter-case');
  const byFile = Map.groupBy(wrong, ({ diagnosis }) => diagnosis?.suggestion ?? '');
  const commands = new Map<string, string>();
  for (const [from, [fault, ...others]] of byFile) {
    const linked = (pages.get(from) ?? files.get(from))?.count ?? 0;
    if (fault === undefined || others.length > 0 || linked > 0) continue;
    if (source !== null && !source.paths.has(from)) continue;
    const command = renameCommand(posix.join(source?.folder ?? '', from), posix.join(source?.folder ?? '', fault.path));
    if (command !== null) commands.set(fault.path, command);
  }
  return commands;
}
