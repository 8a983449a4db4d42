import { evaluateRobotsTxt, parseRobots, type RobotsFile, type Role, type Target } from './robots-txt.ts';
import type { Rule } from './check.ts';
import type { Answer, Evidence, RawFinding, Reply, Site } from '../../src/check.ts';
import { notEvaluated, notReceived, notReceivedFindings } from '../../src/expect/not-received.ts';
import { beginningOf, isThere } from '../../src/expect/fallback.ts';
import { ABOUT_REDIRECTS, isOk, replyEvidence } from '../../src/expect/reply.ts';
import { REASONS } from '../../src/http/reasons.ts';
import { isHtmlDocument } from '../../src/parse/html.ts';
import { startFiles, engineParts } from '../../src/site/loaded.ts';
import { readElements } from '../../src/parse/html-links.ts';
import { aboutFiles, pathsOf } from '../shared.ts';

type RobotsGathered = Awaited<ReturnType<typeof gather>>;

/** How much is searched for `<meta>` elements, which are in the head. In bytes. */
const LONGEST_BUNDLE = 256 * 1024;

export async function gather(site: Site) {
  const { base } = site;
  // The file counts for the whole origin, whatever path the site lives under (section 2.3).
  const url = new URL('/robots.txt', base);
  const [answer, bundle, config, starts, missing, crawl, parts, { kind: host }] = await Promise.all([
    site.pooled({ url, accept: '*/*' }),
    site.bundle(),
    site.config(),
    startFiles(site),
    site.notFound(),
    site.crawl(),
    engineParts(site),
    site.hosting(),
  ]);
  const isFound = (one: Answer | undefined): one is Reply =>
    one !== undefined && isThere(one) && !missing.isMissing(one) && !isHtml(one);
  const [home, navigation, index] = starts;
  const own = (role: Role, href: string): readonly Target[] => {
    const { origin, pathname, search } = new URL(href);
    // Another origin has a robots.txt of its own.
    return origin === base.origin ? [{ role, path: `${pathname}${search}` }] : [];
  };
  // Clean URLs lead from the bundle's own name to the base: what counts is where it is read.
  const start = isOk(bundle) ? [base.href, bundle.url] : [];
  const files = [config, navigation, home].filter(isFound);
  const found = [
    ...[...start, ...files.map((one) => one.url)].flatMap((href) => own('engine', href)),
    ...parts.flatMap(({ href }) => own('part', href)),
    ...(isFound(index) ? own('llms-txt', index.requestUrl) : []),
    ...[...crawl.pages.values()].flatMap(({ ok, url: page }) => (ok ? own('page', page) : [])),
  ];
  // A page that is part of the engine's start counts as that.
  const targets = [...Map.groupBy(found, ({ path }) => path).values()].flatMap(([first]) => first ?? []);
  const isFile = isOk(answer) && (answer.body.length === 0 || !(missing.isMissing(answer) || isHtml(answer)));
  const file = isFile ? parseRobots(answer.body) : null;
  const metas = isOk(bundle) ? metasOf(Buffer.from(bundle.body.subarray(0, LONGEST_BUNDLE)).toString('utf8')) : [];
  const checked = [answer, bundle, ...starts];
  return {
    answer,
    bundle,
    missing,
    targets,
    file,
    /** The files with directives for search engines: the bundle, and those that agents read. */
    indexed: {
      bundle: isOk(bundle) ? indexedFile(bundle, metas) : null,
      pages: starts.filter(isFound).map((one) => indexedFile(one)),
    },
    base,
    host,
    preview: site.requested.authorized || isPreview(base.hostname),
    cut: checked.flatMap((one) => notReceived(one) ?? []),
    wanted: checked.length,
    requests: 1,
    facts: factsOf(file, targets),
  };
}

const isHtml = ({ body }: Reply): boolean => isHtmlDocument(beginningOf(body));

export async function evaluate(gathered: RobotsGathered): Promise<readonly RawFinding<Rule>[]> {
  const { indexed, preview, cut, wanted } = gathered;
  return [...(await evaluateFile(gathered)), ...indexing(indexed, preview), ...notReceivedFindings(cut, wanted)];
}

async function evaluateFile(gathered: RobotsGathered): Promise<readonly RawFinding<Rule>[]> {
  const { answer, bundle, targets, file, base, preview } = gathered;
  // Where the whole host fails, that is reported by other checks.
  const isHealthy = bundle.kind === 'reply' && bundle.status < 500;
  if (notReceived(answer) !== null) return [];
  if (answer.kind === 'no-reply') {
    const { reason, evidence } = answer;
    if (ABOUT_REDIRECTS.has(reason)) return [{ rule: reason as Rule, evidence }];
    if (!isHealthy || REASONS[reason] !== 'error') return [notEvaluated(answer)];
    return [{ rule: 'server-failure', evidence: { reason, ...evidence } }];
  }
  if (answer.status >= 500) {
    return isHealthy ? [{ rule: 'server-failure', evidence: replyEvidence(answer) }] : [notEvaluated(answer)];
  }
  // Every other status than 200 means that there are no rules (section 2.3.1.3).
  if (answer.status !== 200) return [];
  if (file === null) return [{ rule: servedInstead(answer, gathered), evidence: replyEvidence(answer) }];
  const path = base.pathname === '/' ? 'robots.txt' : '/robots.txt';
  return evaluateRobotsTxt({ file, targets, preview, path });
}

/** The response instead of the file. A plain web server has a fallback by design: the file is simply missing. */
function servedInstead(reply: Reply, { missing, host }: RobotsGathered): Rule {
  if (!missing.isMissing(reply)) return 'html';
  return host === 'server' ? 'fallback-by-design' : 'spa-fallback';
}

function factsOf(file: RobotsFile | null, targets: readonly Target[]): Evidence {
  if (file === null) return { paths: targets.length };
  const rules = file.groups.flatMap((group) => group.rules);
  return { groups: file.groups.length, rules: rules.length, sitemaps: file.sitemaps, paths: targets.length };
}

function indexedFile(reply: Reply, metas: ReturnType<typeof metasOf> = []) {
  return { path: new URL(reply.requestUrl).pathname, headers: reply.headers.all('x-robots-tag'), metas };
}

const PREVIEWS = [
  // <project>-git-<branch>-<team>, <project>-<hash>-<team>
  /-git-[a-z0-9-]+\.vercel\.app$/,
  /-(?=[a-z]*\d)[a-z0-9]{9}-[a-z0-9-]+\.vercel\.app$/,
  // <hash or branch>.<project>
  /^[a-z0-9-]+\.[a-z0-9-]+\.pages\.dev$/,
  // <version>-<worker>.<account>
  /^[0-9a-f]{8}-[a-z0-9-]+\.[a-z0-9-]+\.workers\.dev$/,
  // deploy-preview-<number>--<site>, <branch>--<site>
  /--[a-z0-9-]+\.netlify\.app$/,
];

const LABELS = [
  /^(?:dev|development|test|testing|stage|qa|uat|beta|canary|sandbox)\d*$/,
  /(?:^|-)(?:staging|preview|previews)\d*(?:-|$)/,
  // Of one pull or merge request, or of one branch.
  /^(?:pr|mr)-?\d+(?:-|$)/,
  /-(?:pr|mr)-?\d+$/,
  /-git-/,
];

/** Whether a host name is that of a preview or a test site, which search engines are meant to be kept out of. */
export function isPreview(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  const registered = /(?:^|\.)[a-z]{2,3}\.[a-z]{2}$/.test(name) && name.split('.').length > 2 ? 3 : 2;
  // The parts before the one that was registered: `dev` in `dev.harbour.example`, not in `harbour.dev`.
  const labels = name.split('.').slice(0, -registered);
  return PREVIEWS.some((form) => form.test(name)) || LABELS.some((form) => labels.some((label) => form.test(label)));
}

function indexing({ bundle, pages }: RobotsGathered['indexed'], preview: boolean): readonly RawFinding<Rule>[] {
  const ofBundle = bundle && noIndex(bundle);
  const shut = pages.filter((file) => noIndex(file)?.everybody === true);
  if (ofBundle?.everybody === true) {
    return [{ rule: preview ? 'preview-noindex' : 'noindex', evidence: ofBundle.evidence }];
  }
  return [
    ...(ofBundle === null ? [] : [{ rule: 'noindex-agents', evidence: ofBundle.evidence } as const]),
    ...aboutFiles('pages-noindex', shut, pathsOf),
  ];
}

function noIndex({ path, headers, metas }: ReturnType<typeof indexedFile>) {
  const byHeader = readRobotsTags(headers).filter(isNoIndex);
  const meta = metas.filter((one) => readRobotsMetas([one]).some(isNoIndex));
  const all = [...byHeader, ...readRobotsMetas(meta)];
  if (all.length === 0) return null;
  const everybody = all.some(({ agent }) => agent === null);
  const evidence = {
    path,
    ...(byHeader.length > 0 ? { xRobotsTag: headers } : {}),
    ...(meta.length > 0 ? { meta: meta.map(({ content }) => content) } : {}),
    ...(everybody ? {} : { agents: all.flatMap(({ agent }) => agent ?? []) }),
  };
  return { everybody, evidence };
}

/** Directives for one agent, or for all where `agent` is `null`. Both in lower case. */
interface RobotsTag {
  readonly agent: string | null;
  readonly directives: readonly string[];
}

/** Directives that take a value after a colon, so that they are no agent's name. */
const WITH_VALUE = new Set(['max-snippet', 'max-image-preview', 'max-video-preview', 'unavailable_after']);
const META_AGENTS: ReadonlySet<string> = new Set(['robots', 'googlebot', 'googlebot-news', 'bingbot']);

/** Reads the lines of `X-Robots-Tag`. An agent's name holds for what follows it on its line. */
export function readRobotsTags(lines: readonly string[]): readonly RobotsTag[] {
  return lines.flatMap((line) => {
    const tags: { agent: string | null; directives: string[] }[] = [];
    for (const part of line.toLowerCase().split(',')) {
      const [, agent, rest = ''] = /^\s*([^\s:]+)\s*:(.*)$/s.exec(part) ?? [];
      const named = agent !== undefined && !WITH_VALUE.has(agent);
      if (named || tags.length === 0) tags.push({ agent: named ? agent : null, directives: [] });
      tags.at(-1)?.directives.push((named ? rest : part).trim());
    }
    return tags;
  });
}

export function readRobotsMetas(metas: readonly { readonly name: string; readonly content: string }[]) {
  return metas.flatMap(({ name, content }) => {
    const known = name.trim().toLowerCase();
    if (!META_AGENTS.has(known)) return [];
    const directives = content.split(',').map((one) => one.trim().toLowerCase());
    return [{ agent: known === 'robots' ? null : known, directives }];
  });
}

export function isNoIndex({ directives }: RobotsTag): boolean {
  return directives.includes('noindex') || directives.includes('none');
}

const MOST = 200;

/** The `<meta>` elements of the head with a name and content; none of those in comments, scripts or templates. */
export function metasOf(html: string): readonly { readonly name: string; readonly content: string }[] {
  const metas: { name: string; content: string }[] = [];
  let templates = 0;
  readElements(html, {
    open(element, { name, content }) {
      if (element === 'template') templates++;
      if (element === 'body' && templates === 0) return false;
      if (element !== 'meta' || templates > 0) return true;
      if (name !== undefined && content !== undefined) metas.push({ name, content });
      return metas.length < MOST;
    },
    close(element) {
      if (element === 'template') templates--;
      return element !== 'head' || templates > 0;
    },
  });
  return metas;
}
