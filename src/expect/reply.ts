import type { Answer, Evidence, Reply, ReadonlyHeaders } from '../core/answer.ts';
import type { RawFinding, SeverityOrOutcome } from '../core/finding.ts';
import { REASONS, type Reason } from '../http/reasons.ts';
import { visibleBytes } from '../parse/text.ts';
import { refusalIn, refusedFinding } from './refusal.ts';

export const REPLY_RULES = {
  ...REASONS,
  redirected: 'error',
  'not-found': 'error',
  forbidden: 'error',
  'rate-limited': 'unknown',
  'client-refused': 'unknown',
  'server-error': 'error',
  status: 'error',
  'internal-error': 'unknown',
} as const satisfies Record<string, SeverityOrOutcome>;

export type ReplyRule = keyof typeof REPLY_RULES;

export type Usable = { readonly reply: Reply } | { readonly finding: RawFinding<ReplyRule> };

/** It must come from the requested URL itself. */
export function usable(answer: Answer, expected: readonly number[] = [200]): Usable {
  const [hop] = answer.redirects;
  const refusal = refusalIn(answer);
  if (refusal !== null) return { finding: refusedFinding(answer, refusal) };
  if (answer.kind === 'no-reply') {
    const evidence = { ...redirectEvidence(answer), ...answer.evidence };
    // Where the site itself answered, what is wrong is its redirect, not the redirect's target.
    const isOwnReason = ABOUT_REDIRECTS.has(answer.reason) || REASONS[answer.reason] === 'unknown';
    if (hop === undefined || isOwnReason) return { finding: { rule: answer.reason, evidence } };
    return { finding: { rule: 'redirected', evidence: { ...evidence, finalReason: answer.reason } } };
  }
  const status = hop?.status ?? answer.status;
  if (expected.includes(status)) return { reply: answer };
  if (hop !== undefined) {
    const leadsTo = { finalStatus: answer.status, finalMediaType: mediaTypeOf(answer) };
    return { finding: { rule: 'redirected', evidence: { ...redirectEvidence(answer), ...leadsTo } } };
  }
  return { finding: { rule: ruleOfStatus(status), evidence: replyEvidence(answer) } };
}

/** Failures that show themselves what is wrong with a redirect. */
export const ABOUT_REDIRECTS: ReadonlySet<Reason> = new Set(['bad-redirect', 'redirect-loop', 'blocked-address']);

/**
 * A redirect of the host to where nothing answers, or to another port of itself, as of a server behind a proxy that writes
 * its inner address; `null`: none.
 */
export function badRedirect(answer: Answer): RawFinding<'bad-redirect'> | null {
  const hop = answer.redirects.at(-1);
  const from = new URL(answer.requestUrl);
  const to = hop === undefined ? null : URL.parse(hop.location, hop.url);
  if (to === null || from.origin === to.origin) return null;
  const evidence = redirectEvidence(answer);
  if (answer.kind === 'no-reply') {
    if (ABOUT_REDIRECTS.has(answer.reason) || REASONS[answer.reason] === 'unknown') return null;
    return { rule: 'bad-redirect', evidence: { ...evidence, ...answer.evidence, finalReason: answer.reason } };
  }
  const isOtherPort = from.hostname === to.hostname && from.protocol === to.protocol && to.port !== '';
  return isOtherPort ? { rule: 'bad-redirect', evidence } : null;
}

export function redirectEvidence({ redirects, url }: Answer): Evidence {
  const [hop] = redirects;
  if (hop === undefined) return {};
  return {
    status: hop.status,
    location: hop.location,
    ...(redirects.length > 1 ? { hops: redirects.length } : {}),
    finalUrl: url,
  };
}

export function ruleOfStatus(status: number): Exclude<ReplyRule, 'internal-error' | 'client-refused'> {
  if (status === 404 || status === 410) return 'not-found';
  if (status === 401 || status === 403) return 'forbidden';
  if (status === 429) return 'rate-limited';
  return status >= 500 && status <= 599 ? 'server-error' : 'status';
}

export function replyEvidence(reply: Reply): Evidence {
  return {
    status: reply.status,
    mediaType: mediaTypeOf(reply),
    bytes: reply.body.length,
    ...(reply.body.length > 0 ? { firstBytes: visibleBytes(reply.body) } : {}),
  };
}

const SIGNS = ['cf-ray', 'x-amz-cf-id', 'x-amz-cf-pop'] as const;

/** Cloudflare and CloudFront compress by a list of types without `text/markdown`. */
export function isFromEdgeNetwork(headers: ReadonlyHeaders): boolean {
  if (SIGNS.some((name) => headers.get(name) !== null)) return true;
  return /^cloudflare\b/i.test(headers.get('server')?.trim() ?? '');
}

export function isOk(answer: Answer): answer is Reply & { readonly status: 200 } {
  return answer.kind === 'reply' && answer.status === 200;
}

/** In UTF-16 code units, with its parameters. */
const LONGEST_MEDIA_TYPE = 500;
/** HTTP tokens (WHATWG MIME Sniffing, "parse a MIME type"). Parameters are ignored. */
const ESSENCE = /^[\t\n\r ]*([!#$%&'*+\-.^_`|~\w]+\/[!#$%&'*+\-.^_`|~\w]+)[\t\n\r ]*(?:;|$)/;

/** The media type's essence in lower case, e.g. `text/html`, without parameters; `null` if missing (WHATWG MIME Sniffing). */
export function mediaTypeOf({ headers }: Pick<Reply, 'headers'>): string | null {
  const essences = headers.all('content-type').flatMap((value) => value.split(',').map(essenceOf));
  return essences.findLast((essence) => essence !== null) ?? null;
}

export function essenceOf(value: string): string | null {
  const essence = value.length > LONGEST_MEDIA_TYPE ? undefined : ESSENCE.exec(value)?.[1]?.toLowerCase();
  return essence === undefined || essence === '*/*' ? null : essence;
}

/** WHATWG MIME Sniffing, section 4.6. */
const JAVASCRIPT =
  /^(?:(?:application|text)\/(?:x-)?(?:ecmascript|javascript)|text\/(?:javascript1\.[0-5]|jscript|livescript))$/;

export function isJavaScriptType(mediaType: string | null): boolean {
  return mediaType !== null && JAVASCRIPT.test(mediaType);
}
