/** Judges a page path that negotiates, asked for in every other way. Pure. */
import type { Draft, HostKind } from '../../src/check.ts';
import type { Code } from './codes.ts';
import { isKept, told, variesByAccept } from './judge-page.ts';
import type { CloseSeen } from './observe-closely.ts';
import type { Seen, Variant } from './seen.ts';

export function judgeClosely(close: CloseSeen, kind: HostKind | null): readonly Draft<Code>[] {
  return [
    ...judgeAccepts(close),
    ...judgeCaches(close),
    ...judgeEtags(close),
    ...judgeHead(close.agent, close.headForAgent),
    ...(close.browser.variant === 'html' ? judgeHead(close.browser, close.headForBrowser) : []),
    ...judgeFile(close),
    ...judgeSlash(close, kind),
  ];
}

const isWithout = ({ variant }: Seen): boolean => variant === 'html' || variant === 'missing' || variant === 'failed';

function judgeAccepts(close: CloseSeen): readonly Draft<Code>[] {
  const unasked = [close.any, close.none].filter(({ variant }) => variant === 'markdown');
  const unwanted = [close.low, close.zero].filter(({ variant }) => variant === 'markdown');
  const wanted = [close.weighted, close.list].filter(isWithout);
  // Where a browser gets Markdown, that is what is wrong, and it has been told.
  if (close.browser.variant === 'markdown') return [];
  return [
    ...unasked.map((seen) => ({ code: 'html-lost', evidence: told(seen) }) as const),
    ...unwanted.map((seen) => ({ code: 'q-values-ignored', evidence: told(seen) }) as const),
    ...wanted.map((seen) => ({ code: 'list-ignored', evidence: told(seen) }) as const),
  ];
}

/** A cache in front that does not tell the variants apart keeps the first one, and gives it to everybody. */
function judgeCaches(close: CloseSeen): readonly Draft<Code>[] {
  const { again, fresh, browser } = close;
  const [first] = fresh;
  if (browser.variant === 'markdown') return [];
  if (first !== undefined && isWithout(first)) return [{ code: 'query-not-negotiated', evidence: told(first) }];
  const sequence = [...again, ...fresh];
  const wrong = sequence.find((seen, index) =>
    index % 2 === 0 ? isWithout(seen) && seen.variant === 'html' : seen.variant === 'markdown',
  );
  if (wrong === undefined) return [];
  const got = (fresh.includes(wrong) ? fresh : again).map(({ variant }): Variant => variant);
  const evidence = { ...told(wrong), got, vary: wrong.vary, ...wrong.cache };
  return [{ code: 'cache-mixes-variants', evidence }];
}

/** RFC 9110, section 13.1.2: a 304 says that the variant which the client holds is the one it asks for. */
function judgeEtags({ agent, browser, etagOfAgent, etagOfBrowser }: CloseSeen): readonly Draft<Code>[] {
  if (browser.variant === 'markdown') return [];
  const crossed = [
    { seen: agent, asked: browser, status: etagOfAgent },
    { seen: browser, asked: agent, status: etagOfBrowser },
  ].find(({ status }) => status === 304);
  if (crossed === undefined) return [];
  const { url, accept } = crossed.asked;
  return [{ code: 'etag-crosses', evidence: { url, accept, ifNoneMatch: crossed.seen.etag, status: 304 } }];
}

/** RFC 9110, section 9.3.2: the same header fields as for GET. */
function judgeHead(get: Seen, head: Seen): readonly Draft<Code>[] {
  if (head.status === null || head.variant === 'unseen' || get.status === null) return [];
  const { url, accept } = get;
  const about = (header: string, got: string | number | null, instead: string | number | null): Draft<Code> => ({
    code: 'head-differs',
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
function judgeFile({ fileForAgent, fileForBrowser }: CloseSeen): readonly Draft<Code>[] {
  const drafts: Draft<Code>[] = [];
  const changed = (seen: Seen): boolean => isWithout(seen) || seen.variant === 'other';
  if (changed(fileForAgent)) drafts.push({ code: 'md-path-changed', evidence: told(fileForAgent) });
  const html = fileForBrowser.variant === 'html';
  // To the page's hash route, as some hosts send a browser.
  const redirected = html && fileForBrowser.redirect !== null;
  if (html && !redirected) drafts.push({ code: 'md-path-html', evidence: told(fileForBrowser) });
  if (!html && changed(fileForBrowser)) drafts.push({ code: 'md-path-changed', evidence: told(fileForBrowser) });
  if (redirected && isKept(fileForBrowser) && !variesByAccept(fileForBrowser)) {
    drafts.push({ code: 'vary-missing', evidence: { ...told(fileForBrowser), vary: fileForBrowser.vary } });
  }
  return drafts;
}

/** A worker maps the path without its slash, a platform redirects it; what a server does is its own. */
function judgeSlash({ noSlash }: CloseSeen, kind: HostKind | null): readonly Draft<Code>[] {
  if (noSlash === null || !isWithout(noSlash) || (kind !== 'platform' && kind !== 'worker')) return [];
  return [{ code: 'slash-not-negotiated', evidence: { ...told(noSlash), host: kind } }];
}
