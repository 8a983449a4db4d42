import type { Answer, RawFinding, Severity } from '../check.ts';
import { replyEvidence } from './reply.ts';

/** The code of a check that could not look, because what it looks at did not come; another check says why. */
export const NOT_EVALUATED_RULES = { 'no-answer': 'skip' } as const satisfies Record<string, Severity>;

/** The finding for an answer that leaves nothing to judge: no reply, or not the file itself. */
export function notEvaluated(answer: Answer): RawFinding<'no-answer'> {
  const why = answer.kind === 'reply' ? replyEvidence(answer) : { reason: answer.reason };
  return { rule: 'no-answer', evidence: { url: answer.requestUrl, ...why } };
}
