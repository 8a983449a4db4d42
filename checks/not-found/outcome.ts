/** Says what each probe for a missing file came to. Pure. */
import type { Answer, MissingKind, MissingProbe, Reply } from '../../src/check.ts';
import { isFallback } from '../../src/expect/fallback.ts';
import { alike, fingerprint } from '../../src/expect/fingerprint.ts';
import { noReplyReason } from '../../src/expect/no-reply-reason.ts';
import type { Reason } from '../../src/http/reasons.ts';

/** What came for a file that is not there: a real 404 (`missing`), the bundle, another page, or no answer to the question. */
export type Outcome =
  | 'missing'
  | 'bundle'
  | 'other'
  | 'redirected'
  | 'forbidden'
  | 'rate-limited'
  | 'server-error'
  | 'status'
  | Reason;

/** What was asked for: a name with an extension or without, or a `.md` name below a folder. */
export type ProbeKind = MissingKind | 'folder';

export interface Probed {
  readonly asked: ProbeKind;
  readonly outcome: Outcome;
  readonly answer: Answer;
}

/** What the probes came to, in their order. */
export function outcomesOf(probes: readonly MissingProbe[], bundle: Answer, base: URL): readonly Probed[] {
  return probes.map(({ kind, answer }) => {
    const below = new URL(answer.requestUrl).pathname.slice(base.pathname.length).includes('/');
    return { asked: below ? 'folder' : kind, outcome: outcomeOf(answer, bundle), answer };
  });
}

function outcomeOf(answer: Answer, bundle: Answer): Outcome {
  if (answer.kind === 'no-reply') return noReplyReason(answer);
  const { status } = answer;
  if (status === 404 || status === 410) return 'missing';
  if (status >= 200 && status <= 299) return pageOf(answer, bundle);
  if (status === 401 || status === 403) return 'forbidden';
  if (status === 429) return 'rate-limited';
  return status >= 500 ? 'server-error' : 'status';
}

function pageOf(reply: Reply, bundle: Answer): Outcome {
  if (isFallback(reply, bundle) || isLikeBundle(reply, bundle)) return 'bundle';
  return reply.redirects.length > 0 && !isSameLocation(reply) ? 'redirected' : 'other';
}

/** The bundle is not always the same: hosts put nonces, scripts and obfuscated addresses in. */
function isLikeBundle(reply: Reply, bundle: Answer): boolean {
  if (bundle.kind !== 'reply' || bundle.status !== 200) return false;
  return alike(fingerprint(reply.requestUrl, reply.body), fingerprint(bundle.requestUrl, bundle.body));
}

/** Whether the redirects only added a slash, or went to https or another name of the host. */
function isSameLocation({ requestUrl, url }: Reply): boolean {
  const [asked, came] = [requestUrl, url].map((href) => new URL(href).pathname.replace(/\/$/, ''));
  return asked === came;
}

/**
 * Those whose answers are each made anew, so that nothing tells them from real files, and the others. One answer alone
 * has nothing that it could differ from: it is made anew where others are and it is like none that stays the same.
 */
export function wildcardsOf(kinds: readonly (readonly Probed[])[]): {
  readonly wild: readonly Probed[];
  readonly same: readonly Probed[];
} {
  const wild = kinds.filter(isWildcard);
  const steady = kinds.filter((kind) => kind.length > 1 && !wild.includes(kind)).flat();
  const isStray = (kind: readonly Probed[]): boolean =>
    wild.length > 0 &&
    kind.length === 1 &&
    !kind.some(isEmpty) &&
    steady.every((other) => isWildcard([...kind, other]));
  const all = kinds.filter((kind) => wild.includes(kind) || isStray(kind));
  return { wild: all.flat(), same: kinds.filter((kind) => !all.includes(kind)).flat() };
}

const isEmpty = ({ answer }: Probed): boolean => answer.kind === 'reply' && answer.body.length === 0;

function isWildcard(probed: readonly Probed[]): boolean {
  const bodies = probed.flatMap(({ outcome, answer }) =>
    outcome === 'other' && answer.kind === 'reply' && answer.body.length > 0
      ? [fingerprint(answer.requestUrl, answer.body)]
      : [],
  );
  const [first, second] = bodies;
  return first !== undefined && second !== undefined && !alike(first, second);
}
