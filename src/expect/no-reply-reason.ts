import type { NoReply } from '../check.ts';
import type { Reason } from '../http/reasons.ts';

/** Why no reply came. What the end of the run cut off is `interrupted`, in whatever phase it was: it is not held against the host. */
export function noReplyReason({ reason, evidence }: NoReply): Reason {
  return Object.hasOwn(evidence, 'deadlineMs') ? 'interrupted' : reason;
}
