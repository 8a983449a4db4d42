import type { Answer, Draft, Grade } from '../check.ts';
import { replyEvidence } from './reply.ts';

/** The code of a check that could not look, because what it looks at did not come; another check says why. */
export const UNJUDGED_CODES = { 'no-answer': 'skip' } as const satisfies Record<string, Grade>;

/** The draft for an answer that leaves nothing to judge: no reply, or not the file itself. */
export function unjudged(answer: Answer): Draft<'no-answer'> {
  const why = answer.kind === 'reply' ? replyEvidence(answer) : { reason: answer.reason };
  return { code: 'no-answer', evidence: { url: answer.requestUrl, ...why } };
}
