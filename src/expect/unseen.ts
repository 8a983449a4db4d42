/** What could not be seen for reasons that lie with the run or the host's limits, not with the files. Pure. */
import type { Answer, Draft, Evidence, Grade } from '../check.ts';
import { noReplyReason } from './no-reply-reason.ts';

/** The codes of a check that looks at many files and could not look at all of them. */
export const UNSEEN_CODES = {
  'proxy-failed': 'unknown',
  'no-network': 'unknown',
  'out-of-descriptors': 'unknown',
  interrupted: 'unknown',
  'rate-limited': 'unknown',
} as const satisfies Record<string, Grade>;

export type UnseenCode = keyof typeof UNSEEN_CODES;

/** A file that could not be seen. */
export interface Unseen {
  readonly code: UnseenCode;
  readonly url: string;
  readonly evidence: Evidence;
}

/** Named in evidence. */
const MOST_SHOWN = 5;

/** Why an answer says nothing of its file; `null` where it says something, were it that the host fails. */
export function unseen(answer: Answer): Unseen | null {
  const { requestUrl: url } = answer;
  if (answer.kind === 'reply') {
    if (answer.status !== 429) return null;
    const after = answer.headers.get('retry-after');
    return { code: 'rate-limited', url, evidence: { status: 429, ...(after === null ? {} : { retryAfter: after }) } };
  }
  const { evidence } = answer;
  // What a host that bans the run says last ends all requests that wait.
  if (answer.reason === 'interrupted' && evidence['status'] === 429) return { code: 'rate-limited', url, evidence };
  const reason = noReplyReason(answer);
  return isOfTheRun(reason) ? { code: reason, url, evidence } : null;
}

const isOfTheRun = (reason: string): reason is UnseenCode => Object.hasOwn(UNSEEN_CODES, reason);

/**
 * One finding for each reason, with how many of all `files` that were wanted it kept from being seen; `partly`: files
 * that came, of which a further request was kept from being answered.
 */
export function unseenDrafts(
  all: readonly Unseen[],
  files: number,
  partly: readonly Unseen[] = [],
): readonly Draft<UnseenCode>[] {
  const byCode = Map.groupBy([...all, ...partly], ({ code }) => code);
  return [...byCode].map(([code, group]) => {
    const [notSeen, partlySeen] = [all, partly].map(
      (some) => new Set(some.filter((one) => one.code === code).map(({ url }) => url)).size,
    );
    const counts = { notSeen: notSeen ?? 0, ...(partlySeen ? { partlySeen } : {}), files };
    const paths = [...new Set(group.map(({ url }) => pathOf(url)))].slice(0, MOST_SHOWN);
    return { code, evidence: { ...counts, ...group[0]?.evidence, paths } };
  });
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
