/** Judges a page path that negotiates, asked for in every other way. Pure. */
import type { RawFinding, HostKind } from '../../src/check.ts';
import type { Rule } from './rules.ts';
import { isCacheable, evidenceOf, variesByAccept } from './evaluate-page.ts';
import type { CloseObservation } from './observe-closely.ts';
import type { ResponseFacts, Variant } from './response-facts.ts';

export function evaluateClosely(close: CloseObservation, kind: HostKind | null): readonly RawFinding<Rule>[] {
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
  // Where a browser gets Markdown, that is what is wrong, and it has been told.
  if (close.browser.variant === 'markdown') return [];
  return [
    ...unasked.map((observed) => ({ rule: 'html-lost', evidence: evidenceOf(observed) }) as const),
    ...unwanted.map((observed) => ({ rule: 'q-values-ignored', evidence: evidenceOf(observed) }) as const),
    ...wanted.map((observed) => ({ rule: 'list-ignored', evidence: evidenceOf(observed) }) as const),
  ];
}

/** A cache in front that does not tell the variants apart keeps the first one, and gives it to everybody. */
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

/** RFC 9110, section 13.1.2: a 304 says that the variant which the client holds is the one it asks for. */
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

/** The rules leave paths that end in `.md` alone. */
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
