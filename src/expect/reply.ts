/** Judges what every answer has: that it came, that it was not a redirect, its status. Pure. */
import type { Answer, Draft, Evidence, Grade, Reply } from '../check.ts';
import { REASONS, type Reason } from '../http/reasons.ts';
import { visibleBytes } from '../parse/text.ts';
import { mediaTypeOf } from './media-type.ts';

/** The codes that any answer can earn. */
export const REPLY_CODES = {
  ...REASONS,
  redirected: 'error',
  'not-found': 'error',
  forbidden: 'error',
  'rate-limited': 'error',
  'server-error': 'error',
  status: 'error',
  'internal-error': 'unknown',
} as const satisfies Record<string, Grade>;

export type ReplyCode = keyof typeof REPLY_CODES;

/** A judgement that ends the matter, or the reply that can be judged further. */
export type Usable = { readonly reply: Reply } | { readonly draft: Draft<ReplyCode> };

/** Whether an answer is a reply with one of the expected statuses, straight from the URL that was asked. */
export function usable(answer: Answer, expected: readonly number[] = [200]): Usable {
  if (answer.kind === 'no-reply') return { draft: noReply(answer.reason, answer.evidence) };
  const [hop] = answer.redirects;
  const status = hop?.status ?? answer.status;
  if (expected.includes(status)) return { reply: answer };
  if (hop !== undefined) {
    const leadsTo = { status: hop.status, location: hop.location, finalUrl: answer.url, finalStatus: answer.status };
    return { draft: { code: 'redirected', evidence: { ...leadsTo, finalMediaType: mediaTypeOf(answer) } } };
  }
  return { draft: { code: statusCode(status), evidence: replyEvidence(answer) } };
}

function noReply(reason: Reason, evidence: Evidence): Draft<ReplyCode> {
  return { code: reason, evidence };
}

function statusCode(status: number): ReplyCode {
  if (status === 404 || status === 410) return 'not-found';
  if (status === 401 || status === 403) return 'forbidden';
  if (status === 429) return 'rate-limited';
  return status >= 500 && status <= 599 ? 'server-error' : 'status';
}

/** What a reader wants to see of a reply that is not as it should be. */
export function replyEvidence(reply: Reply): Evidence {
  return {
    status: reply.status,
    mediaType: mediaTypeOf(reply),
    bytes: reply.body.length,
    ...(reply.body.length > 0 ? { firstBytes: visibleBytes(reply.body) } : {}),
  };
}
