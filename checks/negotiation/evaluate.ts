import type { Evidence } from '../../src/core/answer.ts';
import type { HostKind } from '../../src/site/host-product.ts';
import type { Hosting } from '../../src/site/hosting.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import { notEvaluated } from '../../src/expect/not-received.ts';
import { variesBy } from '../full-check.ts';
import type { Rule } from './check.ts';
import { isWithout, type CloseObservation, type gather, type PageObservation, type ResponseFacts } from './gather.ts';

export { gather } from './gather.ts';

type Findings = readonly RawFinding<Rule>[];

function about(rule: Rule, observed: ResponseFacts, more: Evidence = {}): RawFinding<Rule> {
  return { rule, evidence: { ...evidenceOf(observed), ...more } };
}

function evidenceOf({ url, accept, status, reason, mediaType, redirect }: ResponseFacts): Evidence {
  return {
    url,
    accept,
    ...(reason === null ? { status, mediaType } : { reason }),
    ...(redirect === null ? {} : { redirect }),
  };
}

export function evaluate({ observed }: Awaited<ReturnType<typeof gather>>): Findings {
  const { hosting, promised, bundle, pages, close, baseNoSlash } = observed;
  const { kind } = hosting;
  const evaluable = pages.filter(isEvaluable);
  const root = pages.flatMap(({ page, browser }) =>
    bundle && page.root && browser?.variant === 'missing' ? [about('root-missing', browser)] : [],
  );
  if (evaluable.length === 0) return root.length > 0 ? root : [nothingEvaluated(pages)];
  const negotiating = evaluable.find(negotiates);
  const some = negotiating !== undefined;
  const bare = evaluable.some((page) => !page.fileFirst && !negotiates(page));
  const promisedBy = promised.by ?? negotiating?.agent?.url ?? null;
  const expected: Expected = { kind, promisedBy, fileFirst: some || !bare };
  const baseLost = baseNoSlash !== null && ['missing', 'markdown', 'other'].includes(baseNoSlash.variant);
  const findings = [
    ...root,
    ...evaluable.flatMap((page) => [...evaluateAgent(page, expected), ...evaluateBrowser(page), ...evaluateVary(page)]),
    ...close.flatMap((one) => evaluateClosely(one, kind)),
    ...(baseLost ? [about('base-without-slash', baseNoSlash)] : []),
  ];
  if (promisedBy !== null || findings.length > 0) return merged(findings);
  return promised.wanted === false ? [] : [notOffered(hosting, evaluable)];
}

interface Expected {
  readonly kind: HostKind | null;
  /** What says that agents get Markdown: an option, a file, or the path at which they do; `null`: nothing. */
  readonly promisedBy: string | null;
  /** Whether files that come before the rules are the cause where they do not. */
  readonly fileFirst: boolean;
}

/** Whether rules of this kind of host map a folder without its slash, too. */
const isRuled = (kind: HostKind | null): boolean => kind === 'platform' || kind === 'worker';

/** Whether an agent's request says something of negotiation: an error that browsers get as well does not. */
function isEvaluable({ usable, agent, browser }: PageObservation): boolean {
  if (!usable || agent === null || agent.variant === 'unseen') return false;
  return agent.variant !== 'failed' || (browser?.variant !== 'failed' && browser?.variant !== 'unseen');
}

function nothingEvaluated(pages: readonly PageObservation[]): RawFinding<Rule> {
  const failure = pages.find((page) => page.failure !== null)?.failure ?? null;
  if (failure !== null) return notEvaluated(failure);
  const agent = pages.find(({ usable }) => usable)?.agent ?? null;
  return agent === null ? { rule: 'no-pages' } : about('no-answer', agent);
}

/** Whether an agent got a text at all: the page's Markdown, or what is meant as such. */
function negotiates({ agent }: PageObservation): boolean {
  return agent?.variant === 'markdown' || (agent?.variant === 'other' && !agent.counted && isText(agent));
}

function notOffered({ kind, by, evidence }: Hosting, [page]: readonly PageObservation[]): RawFinding<Rule> {
  // The host's behaviour at one page path is as valid as at another.
  const agent = 'url' in evidence ? null : (page?.agent ?? null);
  const found: Evidence = { ...evidence, ...(agent === null ? {} : { ...evidenceOf(agent), ...agent.cache }) };
  if (kind === 'server') return { rule: 'plain-server', evidence: { host: kind, by, ...found } };
  return { rule: 'not-offered', evidence: kind === null ? found : { host: kind, by, ...found } };
}

/** One finding for each rule: the first, and where else it was seen. */
function merged(findings: Findings): Findings {
  return [...Map.groupBy(findings, ({ rule }) => rule).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const alike = others.every(({ evidence }) => evidence?.accept === first.evidence?.accept);
    const location = ({ evidence: { url, accept } = {} }: RawFinding): string => {
      const { pathname, search } = new URL(typeof url === 'string' ? url : 'about:blank');
      return `${pathname}${search}${alike || typeof accept !== 'string' ? '' : ` (Accept: ${accept})`}`;
    };
    const also = [...new Set(others.map(location))].filter((other) => other !== location(first));
    return [also.length === 0 ? first : { ...first, evidence: { ...first.evidence, also } }];
  });
}

function evaluateClosely(close: CloseObservation, kind: HostKind | null): Findings {
  const { agent, browser, noSlash } = close;
  // A worker maps the path without its slash, a platform redirects it; what a server does is its own.
  const slashLost = noSlash !== null && isWithout(noSlash) && isRuled(kind);
  return [
    // Where a browser gets Markdown, that fault has been reported already.
    ...(browser.variant === 'markdown'
      ? []
      : [...evaluateAccepts(close), ...evaluateCaches(close), ...evaluateEtags(close)]),
    ...evaluateHead(agent, close.headForAgent),
    ...(browser.variant === 'html' ? evaluateHead(browser, close.headForBrowser) : []),
    ...evaluateFile(close),
    ...(slashLost ? [about('not-negotiated', noSlash, { promisedBy: agent.url })] : []),
  ];
}

function evaluateAccepts({ agent, preferences }: CloseObservation): Findings {
  return preferences.flatMap(({ wants, rule, observed }) => {
    if (wants === 'html') return observed.variant === 'markdown' ? [about(rule, observed)] : [];
    return isWithout(observed) ? [about(rule, observed, { promisedBy: agent.url })] : [];
  });
}

/** A cache that does not distinguish the variants stores the first one and serves it to everyone. */
function evaluateCaches({ agent, again, fresh }: CloseObservation): Findings {
  const [first] = fresh;
  if (first !== undefined && isWithout(first)) return [about('not-negotiated', first, { promisedBy: agent.url })];
  const wrong = [...again, ...fresh].find(({ variant }, index) => variant === (index % 2 === 0 ? 'html' : 'markdown'));
  if (wrong === undefined) return [];
  const got = (fresh.includes(wrong) ? fresh : again).map(({ variant }) => variant);
  const more = { got, vary: wrong.vary, ...wrong.cache };
  return [about('cache-mixes-variants', wrong, more)];
}

/** RFC 9110, section 13.1.2: a 304 says that the variant that the client has is the current one. */
function evaluateEtags({ etags }: CloseObservation): Findings {
  const crossed = etags.find(({ status }) => status === 304);
  if (crossed === undefined) return [];
  const { known, requested } = crossed;
  const { url, accept } = requested;
  return [{ rule: 'cache-mixes-variants', evidence: { url, accept, ifNoneMatch: known.etag, status: 304 } }];
}

/** RFC 9110, section 9.3.2: the same header fields as for GET. */
function evaluateHead(get: ResponseFacts, head: ResponseFacts): Findings {
  if (head.status === null || head.variant === 'unseen' || get.status === null) return [];
  // A coding changes the length, and whether HEAD has it is the server's own choice.
  const length = head.contentEncoding === null && head.contentLength !== null ? Number(head.contentLength) : null;
  const differs = [
    { header: 'status', get: get.status, head: head.status, same: head.status === get.status },
    { header: 'content-type', get: get.mediaType, head: head.mediaType, same: head.mediaType === get.mediaType },
    { header: 'vary', get: get.vary, head: head.vary, same: variesByAccept(head) === variesByAccept(get) },
    { header: 'content-length', get: get.bytes, head: length, same: length === null || length === get.bytes },
  ].find(({ same }) => !same);
  if (differs === undefined) return [];
  const { same: _same, ...difference } = differs;
  return [{ rule: 'head-differs', evidence: { url: get.url, accept: get.accept, ...difference } }];
}

function evaluateFile({ fileForAgent, fileForBrowser }: CloseObservation): Findings {
  const changed = (observed: ResponseFacts): Findings =>
    isWithout(observed) || observed.variant === 'other' ? [about('md-path-changed', observed)] : [];
  const ofAgent = changed(fileForAgent);
  if (fileForBrowser.variant !== 'html') return [...ofAgent, ...changed(fileForBrowser)];
  // Rendered for people, or a redirect to the page's hash route: caches must know that it depends on `Accept`.
  return [...ofAgent, ...lacksVary(fileForBrowser)];
}

const variesByAccept = ({ vary }: ResponseFacts): boolean => variesBy(vary, 'accept');

/** RFC 9110, section 12.5.5: what varies by `Accept` says so, in each variant that caches may keep. */
function lacksVary(observed: ResponseFacts): Findings {
  const isCacheable = [null, 301, 308].includes(observed.redirect);
  return isCacheable && !variesByAccept(observed) ? [about('vary-missing', observed, { vary: observed.vary })] : [];
}

function evaluateVary({ agent, browser }: PageObservation): Findings {
  if (agent?.variant !== 'markdown' || browser === null || browser.variant === 'markdown') return [];
  return [...lacksVary(agent), ...(browser.variant === 'html' ? lacksVary(browser) : [])];
}

function evaluateAgent(page: PageObservation, expected: Expected): Findings {
  const { agent, freshAgent } = page;
  if (agent === null) return [];
  if (agent.variant === 'markdown') return evaluateType(page, agent);
  if (agent.variant === 'other') return evaluateOther(page, agent, expected);
  // A hit for an address that was never requested: the cache ignores queries and hides the origin.
  const hidden = expected.promisedBy !== null && freshAgent?.cacheHit === true;
  if (hidden || freshAgent?.variant === 'markdown') {
    return [about('cache-mixes-variants', agent, { vary: agent.vary, ...agent.cache })];
  }
  const { promisedBy } = expected;
  if (promisedBy === null) return [];
  const { fileFirst } = page;
  const more = { ...(fileFirst && { indexHtml: true }), promisedBy, ...agent.cache };
  return [about(causeOf(page, agent, expected), agent, more)];
}

function causeOf({ fileFirst }: PageObservation, agent: ResponseFacts, expected: Expected): Rule {
  const { pathname } = new URL(agent.url);
  // With trailing slashes kept, a platform takes a name with a dot for a file's, and cuts its slash off.
  const cut = agent.redirect === 308 && `${agent.finalPath}/` === pathname && /\.[^/]*\/$/.test(pathname);
  if (expected.kind === 'server') return 'not-negotiated';
  if (cut) return 'filesystem-first';
  // A worker can be asked before the files are.
  const isOrder = fileFirst && expected.fileFirst && expected.kind !== 'worker';
  return isOrder ? 'filesystem-first' : 'not-negotiated';
}

/** The file's own type is the business of the checks that ask for the file. */
function evaluateType({ fileType }: PageObservation, agent: ResponseFacts): Findings {
  const { mediaType } = agent;
  const fits = mediaType !== null && mediaType.startsWith('text/') && mediaType !== 'text/html';
  return fits || mediaType === fileType ? [] : [about('wrong-type', agent, { fileType })];
}

function evaluateOther({ otherPage }: PageObservation, agent: ResponseFacts, expected: Expected): Findings {
  const { bytes } = agent;
  if (otherPage !== null) return [about('wrong-markdown', agent, { page: otherPage })];
  if (agent.counted) return [about('converted-html', agent, { bytes })];
  if (isText(agent)) return [about('wrong-markdown', agent, { bytes, offset: agent.differsAt })];
  const { promisedBy } = expected;
  return promisedBy === null ? [] : [about('not-negotiated', agent, { bytes, promisedBy })];
}

function isText({ mediaType }: ResponseFacts): boolean {
  return mediaType === null || mediaType.startsWith('text/') || mediaType === 'application/octet-stream';
}

function evaluateBrowser({ browser, agent, freshBrowser }: PageObservation): Findings {
  if (browser === null || agent?.variant !== 'markdown') return [];
  // The engine's hash routes do not need a page at this path; a base address without content is reported separately.
  if (browser.variant === 'missing') return [];
  const mixed = freshBrowser?.variant === 'html' || browser.cacheHit;
  if (browser.variant === 'markdown' && mixed) {
    return [about('cache-mixes-variants', browser, { vary: browser.vary, ...browser.cache })];
  }
  const lost = browser.variant === 'markdown' || browser.variant === 'other' || browser.status === 406;
  return lost ? [about('html-not-served', browser)] : [];
}
