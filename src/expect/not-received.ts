import type { Answer, Evidence, NoReply } from '../core/answer.ts';
import type { RawFinding, SeverityOrOutcome } from '../core/finding.ts';
import { refusalIn, refusedFinding } from './refusal.ts';
import { replyEvidence } from './reply.ts';
import { Ended } from '../http/failure.ts';
import type { Reason } from '../http/reasons.ts';

export const NOT_RECEIVED_RULES = {
  'proxy-failed': 'unknown',
  'no-network': 'unknown',
  'out-of-descriptors': 'unknown',
  interrupted: 'unknown',
  'rate-limited': 'unknown',
  'client-refused': 'unknown',
} as const satisfies Record<string, SeverityOrOutcome>;

export type NotReceivedRule = keyof typeof NOT_RECEIVED_RULES;

export type NotReceived = NonNullable<ReturnType<typeof notReceived>>;

const MOST_SHOWN = 5;

/** `null`: the answer is about its file, even if the host failed. */
export function notReceived(answer: Answer) {
  const found = (rule: NotReceivedRule, evidence: Evidence) => ({ rule, url: answer.requestUrl, evidence });
  const refusal = refusalIn(answer);
  if (refusal !== null) return found('client-refused', refusedFinding(answer, refusal).evidence);
  if (answer.kind === 'reply') {
    if (answer.status !== 429) return null;
    const after = answer.headers.get('retry-after');
    return found('rate-limited', { status: 429, ...(after === null ? {} : { retryAfter: after }) });
  }
  const { evidence } = answer;
  // What a host that bans the run says last ends all requests that wait.
  if (answer.reason === 'interrupted' && evidence['status'] === 429) return found('rate-limited', evidence);
  const reason = noReplyReason(answer);
  return isOfTheRun(reason) ? found(reason, evidence) : null;
}

const isOfTheRun = (reason: string): reason is NotReceivedRule => Object.hasOwn(NOT_RECEIVED_RULES, reason);

/** One finding for each reason; `partly`: files that were received, of which a further request was not answered. */
export function notReceivedFindings(all: readonly NotReceived[], files: number, partly: readonly NotReceived[] = []) {
  const byRule = Map.groupBy([...all, ...partly], ({ rule }) => rule);
  return [...byRule].map(([rule, group]) => {
    const [notObserved, partlyObserved] = [all, partly].map(
      (some) => new Set(some.filter((one) => one.rule === rule).map(({ url }) => url)).size,
    );
    const counts = { notSeen: notObserved ?? 0, ...(partlyObserved ? { partlySeen: partlyObserved } : {}), files };
    const paths = [...new Set(group.map(({ url }) => pathOf(url)))].slice(0, MOST_SHOWN);
    return { rule, evidence: { ...counts, ...group[0]?.evidence, paths } };
  });
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Another check reports why the file was not received. */
export function notEvaluated(answer: Answer): RawFinding<'no-answer'> {
  const why = answer.kind === 'reply' ? replyEvidence(answer) : { reason: answer.reason };
  return { rule: 'no-answer', evidence: { url: answer.requestUrl, ...why } };
}

/** What the end of the run cut off is `interrupted`, whatever its phase. */
export function noReplyReason({ reason, evidence }: NoReply): Reason {
  return Object.hasOwn(evidence, 'deadlineMs') ? 'interrupted' : reason;
}

export function interruptedFinding(reason: unknown): RawFinding<'interrupted'> {
  const isDeadline = reason instanceof Ended && reason.by === 'deadline';
  return { rule: 'interrupted', evidence: isDeadline ? { deadlineMs: reason.limitMs } : {} };
}

export function isStopped(signal: AbortSignal | undefined): boolean {
  const reason: unknown = signal?.reason;
  return reason instanceof Ended && reason.by === 'interrupt';
}
