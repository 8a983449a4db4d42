import type { RawFinding, Gathered, Site, Evidence, HostKind, Hosting } from '../../src/check.ts';
import {
  ACCEPTS,
  createRequester,
  type Requester,
  uncachedUrl,
  observePage,
  type Scene,
  type PageObservation,
  type Observed,
  samplePages,
  type PagePath,
  isHtml,
  sha256Of,
  type ResponseFacts,
  type Variant,
} from './observe.ts';
import type { Rule } from './check.ts';
import { mapConcurrently } from '../../src/map-concurrently.ts';
import { localeFolders } from '../../src/site/settings.ts';
import { notEvaluated } from '../../src/expect/not-received.ts';

export interface Negotiation extends Gathered {
  readonly observed: SiteObservation;
}

const MOST_CLOSE = 2;
const WIDE_AT_ONCE = 4;
const MOST_SUSPECTS = 5;

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

async function observe(site: Site, requester: Requester) {
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

async function askWide(pages: readonly PagePath[], { requester }: Scene) {
  const checked = await mapConcurrently(pages, WIDE_AT_ONCE, async (page) => {
    const answer = await requester.get({ url: page.page, accept: ACCEPTS.agent });
    return answer.kind === 'no-reply' || sha256Of(answer.body) !== page.sha256 ? [page] : [];
  });
  const suspects = checked.flat();
  return { fine: pages.length - suspects.length, suspects: suspects.slice(0, MOST_SUSPECTS) };
}

function askBase({ base }: Site, requester: Requester): Promise<ResponseFacts> {
  const reference = { markdown: [], notFound: { probes: [], isMissing: () => false } };
  return requester.ask(new URL(base.href.slice(0, -1)), ACCEPTS.browser, reference);
}

interface SiteObservation {
  readonly hosting: Hosting;
  readonly bundle: boolean;
  readonly pages: readonly PageObservation[];
  readonly close: readonly CloseObservation[];
  /** The base without its slash, as a browser requests it; only on a platform, and where the base is a folder. */
  readonly baseNoSlash: ResponseFacts | null;
}

function evaluateSite(site: SiteObservation): readonly RawFinding<Rule>[] {
  const { pages, hosting } = site;
  const evaluable = pages.filter(isEvaluable);
  const root = site.bundle ? pages.flatMap(rootMissing) : [];
  if (evaluable.length === 0) return root.length > 0 ? root : [nothingEvaluated(pages)];
  const expected = expectedOf(evaluable, hosting.kind);
  const findings = [
    ...root,
    ...evaluable.flatMap((page) => evaluatePage(page, expected)),
    ...site.close.flatMap((close) => evaluateClosely(close, hosting.kind)),
    ...evaluateBase(site.baseNoSlash),
  ];
  return merged(expected.markdown || findings.length > 0 ? findings : [skip(hosting, evaluable)]);
}

/** Whether an agent's request says something of negotiation: an error that browsers get as well does not. */
function isEvaluable({ usable, agent, browser }: PageObservation): boolean {
  if (!usable || agent === null || agent.variant === 'unseen') return false;
  return agent.variant !== 'failed' || (browser?.variant !== 'failed' && browser?.variant !== 'unseen');
}

function rootMissing({ root, browser }: PageObservation): readonly RawFinding<Rule>[] {
  return root && browser?.variant === 'missing' ? [{ rule: 'root-missing', evidence: evidenceOf(browser) }] : [];
}

function nothingEvaluated(pages: readonly PageObservation[]): RawFinding<Rule> {
  const failure = pages.find((page) => page.failure !== null)?.failure ?? null;
  if (failure !== null) return notEvaluated(failure);
  const agent = pages.find(({ usable }) => usable)?.agent ?? null;
  return agent === null ? { rule: 'no-pages' } : { rule: 'no-answer', evidence: evidenceOf(agent) };
}

/** Whether an agent got a text at all: the page's Markdown, or what is meant as such. */
function negotiates({ agent }: PageObservation): boolean {
  if (agent === null) return false;
  return agent.variant === 'markdown' || (agent.variant === 'other' && !agent.counted && isText(agent));
}

function expectedOf(pages: readonly PageObservation[], kind: HostKind | null) {
  const some = pages.some(negotiates);
  const bare = pages.some((page) => !page.fileFirst && !negotiates(page));
  return { kind, markdown: some || kind === 'platform' || kind === 'worker', fileFirst: some || !bare };
}

function evaluateBase(observed: ResponseFacts | null): readonly RawFinding<Rule>[] {
  const lost = observed !== null && ['missing', 'markdown', 'other'].includes(observed.variant);
  return lost ? [{ rule: 'base-without-slash', evidence: evidenceOf(observed) }] : [];
}

function skip({ kind, by, evidence }: Hosting, [page]: readonly PageObservation[]): RawFinding<Rule> {
  // The host's behaviour at one page path is as valid as at another.
  const agent = 'url' in evidence ? null : (page?.agent ?? null);
  const found: Evidence = { ...evidence, ...(agent === null ? {} : { ...evidenceOf(agent), ...agent.cache }) };
  return kind === 'server'
    ? { rule: 'plain-server', evidence: { host: kind, by, ...found } }
    : { rule: 'not-offered', evidence: found };
}

/** One finding a code: the first, and where else it was seen. */
function merged(findings: readonly RawFinding<Rule>[]): readonly RawFinding<Rule>[] {
  const byRule = Map.groupBy(findings, ({ rule }) => rule);
  return [...byRule.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const alike = others.every(({ evidence }) => evidence?.['accept'] === first.evidence?.['accept']);
    const location = ({ evidence }: RawFinding): string => locationOf(evidence ?? {}, alike);
    const also = [...new Set(others.map(location))].filter((other) => other !== location(first));
    return [also.length === 0 ? first : { ...first, evidence: { ...first.evidence, also } }];
  });
}

function locationOf({ url, accept }: Evidence, alike: boolean): string {
  const { pathname, search } = new URL(typeof url === 'string' ? url : 'about:blank');
  return `${pathname}${search}${alike || typeof accept !== 'string' ? '' : ` (Accept: ${accept})`}`;
}

function evaluateClosely(close: CloseObservation, kind: HostKind | null): readonly RawFinding<Rule>[] {
  return [
    ...evaluateAccepts(close),
    ...evaluateCaches(close),
    ...evaluateEtags(close),
    ...evaluateHead(close.agent, close.headForAgent),
    ...(close.browser.variant === 'html' ? evaluateHead(close.browser, close.headForBrowser) : []),
    ...evaluateFile(close),
    ...evaluateSlash(close, kind),
  ];
}

const isWithout = ({ variant }: ResponseFacts): boolean =>
  variant === 'html' || variant === 'missing' || variant === 'failed';

function evaluateAccepts(close: CloseObservation): readonly RawFinding<Rule>[] {
  const unasked = [close.any, close.none].filter(({ variant }) => variant === 'markdown');
  const unwanted = [close.low, close.zero].filter(({ variant }) => variant === 'markdown');
  const wanted = [close.weighted, close.list].filter(isWithout);
  // Where a browser gets Markdown, that fault has been reported already.
  if (close.browser.variant === 'markdown') return [];
  return [
    ...unasked.map((observed) => ({ rule: 'html-lost', evidence: evidenceOf(observed) }) as const),
    ...unwanted.map((observed) => ({ rule: 'q-values-ignored', evidence: evidenceOf(observed) }) as const),
    ...wanted.map((observed) => ({ rule: 'list-ignored', evidence: evidenceOf(observed) }) as const),
  ];
}

/** A cache that does not distinguish the variants stores the first one and serves it to everyone. */
function evaluateCaches(close: CloseObservation): readonly RawFinding<Rule>[] {
  const { again, fresh, browser } = close;
  const [first] = fresh;
  if (browser.variant === 'markdown') return [];
  if (first !== undefined && isWithout(first)) return [{ rule: 'query-not-negotiated', evidence: evidenceOf(first) }];
  const sequence = [...again, ...fresh];
  const wrong = sequence.find((observed, index) =>
    index % 2 === 0 ? isWithout(observed) && observed.variant === 'html' : observed.variant === 'markdown',
  );
  if (wrong === undefined) return [];
  const got = (fresh.includes(wrong) ? fresh : again).map(({ variant }): Variant => variant);
  const evidence = { ...evidenceOf(wrong), got, vary: wrong.vary, ...wrong.cache };
  return [{ rule: 'cache-mixes-variants', evidence }];
}

/** RFC 9110, section 13.1.2: a 304 says that the variant that the client has is the current one. */
function evaluateEtags({ agent, browser, etagOfAgent, etagOfBrowser }: CloseObservation): readonly RawFinding<Rule>[] {
  if (browser.variant === 'markdown') return [];
  const crossed = [
    { seen: agent, asked: browser, status: etagOfAgent },
    { seen: browser, asked: agent, status: etagOfBrowser },
  ].find(({ status }) => status === 304);
  if (crossed === undefined) return [];
  const { url, accept } = crossed.asked;
  return [{ rule: 'etag-crosses', evidence: { url, accept, ifNoneMatch: crossed.seen.etag, status: 304 } }];
}

/** RFC 9110, section 9.3.2: the same header fields as for GET. */
function evaluateHead(get: ResponseFacts, head: ResponseFacts): readonly RawFinding<Rule>[] {
  if (head.status === null || head.variant === 'unseen' || get.status === null) return [];
  const { url, accept } = get;
  const about = (header: string, got: string | number | null, instead: string | number | null): RawFinding<Rule> => ({
    rule: 'head-differs',
    evidence: { url, accept, header, get: got, head: instead },
  });
  if (head.status !== get.status) return [about('status', get.status, head.status)];
  if (head.mediaType !== get.mediaType) return [about('content-type', get.mediaType, head.mediaType)];
  if (variesByAccept(head) !== variesByAccept(get)) return [about('vary', get.vary, head.vary)];
  // A coding changes the length, and whether HEAD has it is the server's own choice.
  const length = head.contentEncoding === null ? head.contentLength : null;
  if (length !== null && Number(length) !== get.bytes) return [about('content-length', get.bytes, Number(length))];
  return [];
}

function evaluateFile({ fileForAgent, fileForBrowser }: CloseObservation): readonly RawFinding<Rule>[] {
  const findings: RawFinding<Rule>[] = [];
  const changed = (observed: ResponseFacts): boolean => isWithout(observed) || observed.variant === 'other';
  if (changed(fileForAgent)) findings.push({ rule: 'md-path-changed', evidence: evidenceOf(fileForAgent) });
  const html = fileForBrowser.variant === 'html';
  // To the page's hash route, as some hosts send a browser.
  const redirected = html && fileForBrowser.redirect !== null;
  if (html && !redirected) findings.push({ rule: 'md-path-html', evidence: evidenceOf(fileForBrowser) });
  if (!html && changed(fileForBrowser))
    findings.push({ rule: 'md-path-changed', evidence: evidenceOf(fileForBrowser) });
  if (redirected && isCacheable(fileForBrowser) && !variesByAccept(fileForBrowser)) {
    findings.push({ rule: 'vary-missing', evidence: { ...evidenceOf(fileForBrowser), vary: fileForBrowser.vary } });
  }
  return findings;
}

/** A worker maps the path without its slash, a platform redirects it; what a server does is its own. */
function evaluateSlash({ noSlash }: CloseObservation, kind: HostKind | null): readonly RawFinding<Rule>[] {
  if (noSlash === null || !isWithout(noSlash) || (kind !== 'platform' && kind !== 'worker')) return [];
  return [{ rule: 'slash-not-negotiated', evidence: { ...evidenceOf(noSlash), host: kind } }];
}

type CloseObservation = NonNullable<Awaited<ReturnType<typeof observeClosely>>>;

/** Asks in all these ways, one after the other where a cache could make the order matter. */
async function observeClosely({ page, observed, reference }: Observed, requester: Requester) {
  const { agent, browser, root, url } = observed;
  if (agent === null || browser === null) return null;
  const ask = (accept: string, at: URL = page.page, method: 'GET' | 'HEAD' = 'GET'): Promise<ResponseFacts> =>
    requester.ask(at, accept, reference, { method });
  const again = await inOrder(ask, [ACCEPTS.agent, ACCEPTS.browser], page.page);
  const fresh = await inOrder(
    ask,
    [ACCEPTS.agent, ACCEPTS.browser, ACCEPTS.agent, ACCEPTS.browser],
    uncachedUrl(page.page),
  );
  const mixed = fresh[1]?.variant === 'markdown';
  const noSlash = new URL(page.page.href.replace(/\/$/, ''));
  return {
    url,
    root,
    agent,
    browser,
    any: await ask(ACCEPTS.any),
    none: await ask(ACCEPTS.none),
    low: await ask(ACCEPTS.low),
    zero: await ask(ACCEPTS.zero),
    weighted: await ask(ACCEPTS.weighted),
    list: await ask(ACCEPTS.list),
    fileForAgent: await ask(ACCEPTS.agent, page.file),
    fileForBrowser: await ask(ACCEPTS.browser, page.file),
    headForAgent: await ask(ACCEPTS.agent, page.page, 'HEAD'),
    headForBrowser: await ask(ACCEPTS.browser, page.page, 'HEAD'),
    again,
    fresh,
    otherFresh: mixed ? await ask(ACCEPTS.browser, uncachedUrl(page.page)) : null,
    noSlash: root ? null : await ask(ACCEPTS.agent, noSlash),
    etagOfAgent: await statusFor(agent.etag, ACCEPTS.browser, page.page, requester),
    etagOfBrowser:
      browser.variant === 'html' ? await statusFor(browser.etag, ACCEPTS.agent, page.page, requester) : null,
  };
}

async function inOrder(
  ask: (accept: string, at: URL) => Promise<ResponseFacts>,
  accepts: readonly string[],
  at: URL,
): Promise<readonly ResponseFacts[]> {
  const observed: ResponseFacts[] = [];
  for (const accept of accepts) observed.push(await ask(accept, at));
  return observed;
}

/** An entity tag as RFC 9110, section 8.8.3, has it. Nothing else is sent back. */
const ENTITY_TAG = /^(?:W\/)?"[!#-~]{1,200}"$/;

/** The response to a client that has the variant of `etag` and requests another. */
async function statusFor(etag: string | null, accept: string, url: URL, requester: Requester): Promise<number | null> {
  if (etag === null || !ENTITY_TAG.test(etag)) return null;
  const answer = await requester.get({ url, accept, headers: { 'if-none-match': etag } });
  return answer.kind === 'reply' ? answer.status : null;
}

type Expected = ReturnType<typeof expectedOf>;

function evidenceOf(observed: ResponseFacts): Evidence {
  const { url, accept, status, reason, mediaType, redirect } = observed;
  return {
    url,
    accept,
    ...(reason === null ? { status, mediaType } : { reason }),
    ...(redirect === null ? {} : { redirect }),
  };
}

function variesByAccept({ vary }: ResponseFacts): boolean {
  const names = new Set((vary ?? '').split(',').map((name) => name.trim().toLowerCase()));
  return names.has('accept') || names.has('*');
}

function isCacheable({ redirect }: ResponseFacts): boolean {
  return redirect === null || redirect === 301 || redirect === 308;
}

function evaluatePage(page: PageObservation, expected: Expected): readonly RawFinding<Rule>[] {
  return [...evaluateAgent(page, expected), ...evaluateBrowser(page), ...evaluateVary(page)];
}

function evaluateAgent(page: PageObservation, expected: Expected): readonly RawFinding<Rule>[] {
  const { agent } = page;
  if (agent === null || !page.usable || agent.variant === 'unseen') return [];
  if (agent.variant === 'markdown') return evaluateType(page, agent);
  if (agent.variant === 'other') return evaluateOther(page, agent, expected);
  // A hit for an address that was never requested: the cache ignores queries and hides the origin.
  const hidden = expected.markdown && page.freshAgent?.cacheHit === true;
  if (hidden || page.freshAgent?.variant === 'markdown') {
    return [{ rule: 'cache-mixes-variants', evidence: { ...evidenceOf(agent), vary: agent.vary, ...agent.cache } }];
  }
  if (!expected.markdown) return [];
  return [
    { rule: causeOf(page, agent, expected), evidence: { ...evidenceOf(agent), host: expected.kind, ...agent.cache } },
  ];
}

function causeOf({ fileFirst }: PageObservation, agent: ResponseFacts, expected: Expected): Rule {
  const { pathname } = new URL(agent.url);
  // With trailing slashes kept, a platform takes a name with a dot for a file's, and cuts its slash off.
  const cut = agent.redirect === 308 && `${agent.finalPath}/` === pathname && /\.[^/]*\/$/.test(pathname);
  if (cut && expected.kind !== 'server') return 'slash-dropped';
  return fileFirst && expected.fileFirst ? fileFirstRule(expected.kind) : 'not-negotiated';
}

function fileFirstRule(kind: HostKind | null): Rule {
  if (kind === 'server') return 'not-negotiated';
  return kind === 'worker' ? 'assets-first' : 'filesystem-first';
}

/** The file's own type is the business of the checks that ask for the file. */
function evaluateType({ fileType }: PageObservation, agent: ResponseFacts): readonly RawFinding<Rule>[] {
  const { mediaType } = agent;
  const fits = mediaType !== null && mediaType.startsWith('text/') && mediaType !== 'text/html';
  return fits || mediaType === fileType ? [] : [{ rule: 'wrong-type', evidence: { ...evidenceOf(agent), fileType } }];
}

function evaluateOther(page: PageObservation, agent: ResponseFacts, expected: Expected): readonly RawFinding<Rule>[] {
  const { otherPage } = page;
  if (otherPage !== null) return [{ rule: 'wrong-markdown', evidence: { ...evidenceOf(agent), page: otherPage } }];
  const evidence = { ...evidenceOf(agent), bytes: agent.bytes };
  if (agent.counted) return [{ rule: 'converted-html', evidence }];
  if (!isText(agent)) return expected.markdown ? [{ rule: 'not-negotiated', evidence }] : [];
  return [{ rule: 'markdown-differs', evidence: { ...evidence, offset: agent.differsAt } }];
}

/** Whether a body of another kind than HTML may be meant as Markdown. */
function isText({ mediaType }: ResponseFacts): boolean {
  return mediaType === null || mediaType.startsWith('text/') || mediaType === 'application/octet-stream';
}

function evaluateBrowser(page: PageObservation): readonly RawFinding<Rule>[] {
  const { browser, agent, root } = page;
  if (browser === null || agent?.variant !== 'markdown') return [];
  // A base address without content is reported separately.
  if (browser.variant === 'missing') return root ? [] : [{ rule: 'no-html', evidence: evidenceOf(browser) }];
  if (browser.variant === 'markdown') {
    const mixed = page.freshBrowser?.variant === 'html' || browser.cacheHit;
    const evidence = { ...evidenceOf(browser), vary: browser.vary, ...browser.cache };
    return [mixed ? { rule: 'cache-mixes-variants', evidence } : { rule: 'html-lost', evidence: evidenceOf(browser) }];
  }
  const lost = browser.variant === 'other' || browser.status === 406;
  return lost ? [{ rule: 'html-lost', evidence: evidenceOf(browser) }] : [];
}

/** RFC 9110, section 12.5.5: what varies by `Accept` says so, in each variant. */
function evaluateVary({ agent, browser }: PageObservation): readonly RawFinding<Rule>[] {
  if (agent?.variant !== 'markdown' || browser === null || browser.variant === 'markdown') return [];
  const variants = browser.variant === 'html' ? [agent, browser] : [agent];
  return variants
    .filter((observed) => isCacheable(observed) && !variesByAccept(observed))
    .map((observed) => ({ rule: 'vary-missing', evidence: { ...evidenceOf(observed), vary: observed.vary } }));
}
