/** Says what came for a file, as far as evaluating it goes. Pure. */
import type { Answer, Evidence, Reply } from '../../src/check.ts';
import { mediaTypeOf } from '../../src/expect/media-type.ts';
import { noReplyReason } from '../../src/expect/not-received.ts';
import type { Reason } from '../../src/http/reasons.ts';
import { isHtmlDocument } from '../../src/parse/html.ts';

/** What came, without the bytes. */
export interface FileOutcome {
  readonly url: string;
  /** `gone`: 404, or what the host sends for missing files; `html`: another page in its place. */
  readonly outcome: 'there' | 'gone' | 'html' | 'status' | 'no-reply';
  readonly reason: Reason | null;
  readonly status: number | null;
  readonly mediaType: string | null;
  readonly bytes: number;
  /** `false`: it is there, but too large to be checked: films are. */
  readonly whole: boolean;
  /** `X-Content-Type-Options: nosniff`. */
  readonly nosniff: boolean;
  /** `Access-Control-Allow-Origin`. */
  readonly allowOrigin: string | null;
  readonly lfsPointer: boolean;
  readonly svg: boolean;
  readonly evidence: Evidence;
}

/** The beginning of a body shows what it is; in bytes. */
const HEAD = 4096;

export function seen(answer: Answer, isMissing: (reply: Reply) => boolean): FileOutcome {
  const [hop] = answer.redirects;
  const way = hop === undefined ? {} : { redirect: hop.status, location: hop.location };
  if (answer.kind === 'no-reply') {
    const reason = noReplyReason(answer);
    const evidence = { url: answer.requestUrl, ...way, reason, ...answer.evidence };
    const outcome = reason === 'too-large' ? 'there' : 'no-reply';
    return { ...NOTHING, url: answer.requestUrl, outcome, reason, evidence };
  }
  const { status, headers, body } = answer;
  const mediaType = mediaTypeOf(answer);
  const head = Buffer.from(body.subarray(0, HEAD)).toString('utf8');
  const outcome = outcomeOf(answer, head, isMissing);
  // With a status of success it has to be said what came: the fallback of the host, or another page.
  const servedInstead =
    status > 299 || outcome === 'there' ? {} : { inPlace: outcome === 'html' ? 'page' : 'fallback' };
  return {
    url: answer.requestUrl,
    outcome,
    reason: null,
    status,
    mediaType,
    bytes: body.length,
    whole: true,
    nosniff: /^\s*nosniff\s*(?:,|$)/i.test(headers.get('x-content-type-options') ?? ''),
    allowOrigin: headers.get('access-control-allow-origin'),
    lfsPointer: head.startsWith('version https://git-lfs.github.com/spec/v'),
    svg: /^(?:<\?xml[^>]*>|<!--[^>]*-->|<!doctype svg[^>]*>|[\s\uFEFF])*<svg[\s>]/i.test(head.slice(0, 1024)),
    evidence: { url: answer.requestUrl, ...way, status, mediaType, bytes: body.length, ...servedInstead },
  };
}

const NOTHING = {
  status: null,
  mediaType: null,
  bytes: 0,
  whole: false,
  nosniff: false,
  allowOrigin: null,
  lfsPointer: false,
  svg: false,
} as const;

function outcomeOf(reply: Reply, head: string, isMissing: (reply: Reply) => boolean): FileOutcome['outcome'] {
  if (isMissing(reply)) return 'gone';
  if (reply.status < 200 || reply.status > 299) return 'status';
  return isHtmlDocument(head) && !isPage(reply) ? 'html' : 'there';
}

/** Whether a page was requested: `<object data="map.html">`. */
const isPage = ({ requestUrl }: Reply): boolean => /(?:\/|\.x?html?)$/i.test(new URL(requestUrl).pathname);
