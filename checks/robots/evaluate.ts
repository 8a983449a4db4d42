import type { Answer, Evidence, Reply } from '../../src/core/answer.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import type { Site } from '../../src/site/types.ts';
import { yieldToEventLoop } from '../../src/core/concurrency.ts';
import { beginningOf, isThere } from '../../src/expect/fallback.ts';
import { notEvaluated, notReceived, notReceivedFindings } from '../../src/expect/not-received.ts';
import { ABOUT_REDIRECTS, isOk, replyEvidence } from '../../src/expect/reply.ts';
import { REASONS } from '../../src/http/reasons.ts';
import { isHtmlDocument } from '../../src/parse/html.ts';
import { readElements } from '../../src/parse/html-links.ts';
import { comparable, robotsText, type RobotsFile, type RobotsGroup, type RobotsRule } from '../../src/parse/robots.ts';
import { readUntrusted, type ReadLimit } from '../../src/parse/untrusted.ts';
import { engineParts, startFiles } from '../../src/site/loaded.ts';
import { aboutFiles, countOf, locatedAtAll, MOST_SHOWN, pathsOf } from '../full-check.ts';
import aiAgents from './agents.json' with { type: 'json' };
import type { Rule } from './check.ts';

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
  const byPath = Map.groupBy(found, ({ path }) => path);
  const targets: readonly Target[] = [...byPath.values()].flatMap(([first]) => first ?? []);
  const isFile = isOk(answer) && (answer.body.length === 0 || !(missing.isMissing(answer) || isHtml(answer)));
  const file = isFile ? await readFile(answer, site) : null;
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
    facts: file?.ok === false ? {} : factsOf(file, targets),
  };
}

function readFile({ body }: Reply, { limits: { parseMs: limitMs, signal, read } }: Site) {
  const { text, isCut } = robotsText(body);
  return readUntrusted('robots', text, { isCut }, { limitMs, signal, read });
}

const isHtml = ({ body }: Reply): boolean => isHtmlDocument(beginningOf(body));

export async function evaluate(gathered: RobotsGathered): Promise<readonly RawFinding<Rule>[]> {
  const { indexed, preview, cut, wanted } = gathered;
  return [...(await evaluateFile(gathered)), ...indexing(indexed, preview), ...notReceivedFindings(cut, wanted)];
}

async function evaluateFile(gathered: RobotsGathered): Promise<readonly RawFinding<Rule>[]> {
  const { answer, bundle, file } = gathered;
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
  return file.ok ? evaluateRobotsTxt(file, gathered) : notCompared(file, gathered);
}

/** No page is compared with rules that take too long to read. */
function notCompared({ limit }: ReadLimit, { targets }: RobotsGathered): readonly RawFinding<Rule>[] {
  // The run reports its own end.
  return limit === 'ended' ? [] : [{ rule: 'too-many-rules', evidence: { paths: 0, of: targets.length } }];
}

/** The response instead of the file. Where every missing file gets one, that is reported by another check, once. */
function servedInstead(reply: Reply, { missing, host }: RobotsGathered): Rule {
  if (!missing.isMissing(reply)) return 'html';
  const isForAll = missing.probes.some(({ kind, answer }) => kind === 'txt' && isOk(answer));
  return host === 'server' || isForAll ? 'fallback-by-design' : 'spa-fallback';
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
type RobotsTag = ReturnType<typeof readRobotsMetas>[number];

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

export function readRobotsMetas(metas: ReturnType<typeof metasOf>) {
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

/* Evaluates what robots.txt allows to which crawler, as RFC 9309 says. Pure and linear. */

/** Agents that fetch a page for a user, or that build the index of a search; product tokens as their companies name them. */
export const READERS: readonly string[] = aiAgents.readers;

/** The known AI agents: the readers, smaller ones, and those that gather text for training. */
export const AGENTS: readonly string[] = [...READERS, ...aiAgents.others];

/** All groups that name the agent, or else those for `*` (section 2.2.1). Letter case does not matter. */
export function groupsFor(file: RobotsFile, agent: string): readonly RobotsGroup[] {
  const token = agent.toLowerCase();
  const named = file.groups.filter(({ agents }) => agents.includes(token));
  return named.length > 0 ? named : file.groups.filter(({ agents }) => agents.includes('*'));
}

/** The rules of groups in the order in which they count: the longest pattern first, `Allow` among equals (section 2.2.2). */
export function rulesOf(groups: readonly RobotsGroup[]): readonly RobotsRule[] {
  const rules = groups.flatMap((group) => group.rules);
  return rules.toSorted((a, b) => b.path.length - a.path.length || Number(b.allow) - Number(a.allow));
}

/** The rule that decides about a comparable path; none: it is allowed, as `/robots.txt` itself always is (section 2.2.2). */
export function ruleFor(rules: readonly RobotsRule[], path: string): RobotsRule | undefined {
  return path === '/robots.txt' ? undefined : rules.find((rule) => matches(rule, path));
}

/** The parts between stars are searched for one after the other, so nothing is tried twice. */
function matches({ parts, anchored }: RobotsRule, path: string): boolean {
  const [first = ''] = parts;
  if (!path.startsWith(first)) return false;
  if (parts.length === 1) return !anchored || path.length === first.length;
  const last = anchored ? (parts.at(-1) ?? '') : '';
  let at = first.length;
  for (let index = 1; index < parts.length - (anchored ? 1 : 0); index++) {
    const part = parts[index] ?? '';
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}

/** `engine`: what a browser has to load before it shows any page; `part`: the scripts and styles of the bundle among that. */
type Role = 'engine' | 'part' | 'llms-txt' | 'page';

export interface Target {
  readonly role: Role;
  readonly path: string;
}

type Blocked = Target & { readonly rule: RobotsRule };

type RuleFacts = Pick<RobotsGathered, 'targets' | 'preview' | 'base'>;

export async function evaluateRobotsTxt(file: RobotsFile, { targets, preview, base }: RuleFacts, most?: number) {
  const path = base.pathname === '/' ? 'robots.txt' : '/robots.txt';
  const compared = await compareTargets(file, targets, most);
  const ofAll = forEverybody(compared, preview);
  const [paths, of] = [compared.targets.length, targets.length];
  return [
    ...[...ofAll, ...forAgents(compared, ofAll, file.managed)].map(({ rule, evidence, line }) => {
      return { rule, evidence, location: { path, line, column: 1 } };
    }),
    ...badLines(file, path),
    ...(paths === of ? [] : [{ rule: 'too-many-rules' as const, evidence: { paths, of } }]),
  ];
}

const withRole = (blocked: readonly Blocked[], wanted: Role) => blocked.filter(({ role }) => role === wanted);

function forEverybody(compared: Comparison, preview: boolean): readonly Reported[] {
  const blocked = compared.blocked('*');
  if (blocked.length === 0) return [];
  const index = withRole(blocked, 'llms-txt');
  const engine = [...withRole(blocked, 'engine'), ...withRole(blocked, 'part')];
  const pages = withRole(blocked, 'page');
  if (compared.isShut('*') && !compared.anybodyNamedMayRead) {
    return [reported(preview ? 'preview-disallowed' : 'disallow-all', blocked)];
  }
  const unread =
    index.length > 0 && !AGENTS.some((agent) => withRole(compared.blocked(agent), 'llms-txt').length === 0);
  const indexReported = unread ? [reported('llms-txt-blocked', index)] : [];
  // Whoever names those who may come in keeps the others out on purpose.
  const isRootBlocked = blocked.some(({ rule }) => ['/', '/*', '*'].includes(rule.path));
  if (engine.length + pages.length > 0 && compared.anybodyNamedMayRead && isRootBlocked) {
    return [...indexReported, reported('only-named-agents', blocked)];
  }
  // What one rule shuts is reported once: a rule against all pages shuts the home page with them.
  const rules = new Set(pages.map(({ rule }) => rule));
  const [withPages, alone] = [true, false].map((wanted) => engine.filter(({ rule }) => rules.has(rule) === wanted));
  return [
    ...indexReported,
    ...(alone?.length ? [reported('engine-blocked', alone)] : []),
    ...(pages.length > 0 ? [reported('pages-blocked', [...(withPages ?? []), ...pages])] : []),
  ];
}

function forAgents(
  compared: Comparison,
  others: readonly Reported[],
  managed: RobotsFile['managed'],
): readonly Reported[] {
  if (others.some(({ rule }) => rule === 'disallow-all' || rule === 'preview-disallowed')) return [];
  const also = new Set(compared.blocked('*').map(({ path }) => path));
  const shut = AGENTS.filter((agent) => compared.isNamed(agent)).flatMap((agent) => {
    const more = compared.blocked(agent).filter(({ path }) => !also.has(path));
    return more.length > 0 ? [{ agent, more }] : [];
  });
  const [first] = shut;
  if (first === undefined) return [];
  const unread = READERS.every((agent) =>
    shut.some((one) => one.agent === agent && withRole(one.more, 'llms-txt').length > 0),
  );
  const evidence = { agents: shut.map(({ agent }) => agent), ...rulesIn(first.more) };
  const all = shut.flatMap(({ more }) => more);
  const isManaged = all.every(({ rule: { line } }) => line > managed.from && line < managed.to);
  // Without an index, nothing shows that agents are wanted.
  const isUnwanted = isManaged && withRole(all, 'llms-txt').length > 0;
  const rule = isUnwanted ? 'agents-blocked-by-host' : 'agents-blocked';
  return [{ rule: unread ? 'llms-txt-agents-blocked' : rule, evidence, line: lineOf(first.more) }];
}

type Reported = ReturnType<typeof reported>;

function reported(rule: Rule, blocked: readonly Blocked[]) {
  const paths = blocked.slice(0, MOST_SHOWN).map(({ path }) => path);
  const evidence: Evidence = { agent: '*', ...rulesIn(blocked), paths, ...countOf(blocked) };
  return { rule, evidence, line: lineOf(blocked) };
}

const lineOf = ([first]: readonly Blocked[]): number => first?.rule.line ?? 1;

function rulesIn(blocked: readonly Blocked[]): Evidence {
  const rules = [...new Map(blocked.map(({ rule }) => [rule.line, rule])).values()];
  return {
    rules: rules.slice(0, MOST_SHOWN).map(({ pattern, line }) => `${line}: Disallow: ${pattern.slice(0, 200)}`),
  };
}

function badLines({ problems, cut }: RobotsFile, path: string): readonly RawFinding<Rule>[] {
  const lines = problems.slice(0, MOST_SHOWN).map(({ kind, line, text }) => ({ line, kind, text }));
  const locations = problems.map(({ line }) => ({ path, line, column: 1 }));
  return [
    ...(lines.length === 0 ? [] : [{ rule: 'bad-line' as const, evidence: { lines }, ...locatedAtAll(locations) }]),
    ...(cut ? [{ rule: 'too-long' as const }] : []),
  ];
}

/** Most characters that are compared, which takes about a second: beyond, only the first of many targets are compared. */
const MOST_COMPARED = 600_000_000;
const RULE_COST = 4;
/** How often the same character may be compared by a rule with stars. */
const MOST_AGAIN = 4;
const MOST_OTHERS = 20;

type Comparison = Awaited<ReturnType<typeof compareTargets>>;

/** What each agent may not request, of the targets that were compared. Agents with the same groups are compared once. */
export async function compareTargets(file: RobotsFile, targets: readonly Target[], most = MOST_COMPARED) {
  const named = agentsOf(file);
  const parties = new Map<string, { readonly rules: readonly RobotsRule[]; readonly blocked: Blocked[] }>();
  const numbers = new Map(file.groups.map((group, index) => [group, index]));
  const byAgent = new Map(
    ['*', ...named].map((agent) => {
      const groups = groupsFor(file, agent);
      const key = groups.map((group) => numbers.get(group)).join(' ');
      const party = parties.get(key) ?? { rules: rulesOf(groups), blocked: [] };
      parties.set(key, party);
      return [agent, party];
    }),
  );
  const rules = [...parties.values()].flatMap((party) => party.rules);
  const perCharacter = rules.reduce((sum, { parts }) => sum + (parts.length === 1 ? 1 : MOST_AGAIN), 0);
  const checked: Target[] = [];
  let left = most;
  for (const target of targets) {
    const path = comparable(target.path);
    left -= rules.length * RULE_COST + path.length * perCharacter;
    if (left < 0) break;
    checked.push(target);
    for (const { rules: own, blocked } of parties.values()) {
      const rule = ruleFor(own, path);
      if (rule?.allow === false) blocked.push({ ...target, rule });
      await yieldToEventLoop();
    }
  }
  const blocked = (agent: string): readonly Blocked[] =>
    (byAgent.get(agent.toLowerCase()) ?? byAgent.get('*'))?.blocked ?? [];
  const isShut = (agent: string): boolean => readable(blocked(agent)).length === readable(checked).length;
  return {
    targets: checked,
    blocked,
    isShut,
    isNamed: (agent: string): boolean => named.has(agent.toLowerCase()),
    anybodyNamedMayRead: [...named].some((agent) => !isShut(agent)),
  };
}

/** A site is shut where its pages are; that its scripts may be loaded opens nothing. */
const readable = (targets: readonly Target[]): readonly Target[] => targets.filter(({ role }) => role !== 'part');

/** Agents that have a group of their own, in lower case: the known ones, and the first of all others. */
function agentsOf(file: RobotsFile): ReadonlySet<string> {
  const all = new Set(file.groups.flatMap(({ agents }) => agents).filter((agent) => agent !== '*'));
  const known = AGENTS.map((agent) => agent.toLowerCase()).filter((agent) => all.has(agent));
  return new Set([...known, ...[...all].slice(0, MOST_OTHERS)]);
}
