/** What the end of a run kept from being judged. Pure. */
import type { RawFinding } from '../check.ts';
import { Ended } from '../http/ended.ts';

/** The finding for what came too late to be judged: nothing is known of it. With the deadline, where that was the end. */
export function interruptedFinding(signal: AbortSignal | undefined): RawFinding<'interrupted'> {
  const reason: unknown = signal?.reason;
  const isDeadline = reason instanceof Ended && reason.by === 'deadline';
  return { rule: 'interrupted', evidence: isDeadline ? { deadlineMs: reason.limitMs } : {} };
}

/** Whether somebody stopped the run before its time was over. */
export function isStopped(signal: AbortSignal | undefined): boolean {
  const reason: unknown = signal?.reason;
  return reason instanceof Ended && reason.by === 'interrupt';
}
