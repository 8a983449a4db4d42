import { describe, expect, it } from 'vitest';
import { Ended } from '../http/failure.ts';
import { interruptedFinding, isStopped } from './not-received.ts';

const aborted = (reason?: unknown): AbortSignal => AbortSignal.abort(reason);

describe('the end of a run', () => {
  it.each([
    { name: 'by Ctrl-C', signal: aborted(new Ended('interrupt')), evidence: {}, stopped: true },
    { name: 'by its deadline', signal: aborted(new Ended('deadline', 60_000)), evidence: { deadlineMs: 60_000 } },
    { name: 'for a reason of somebody else', signal: aborted(), evidence: {} },
    { name: 'not yet', signal: new AbortController().signal, evidence: {} },
    { name: 'without a reason', signal: undefined, evidence: {} },
  ])('$name', ({ signal, evidence, stopped = false }) => {
    expect(interruptedFinding(signal?.reason)).toEqual({ rule: 'interrupted', evidence });
    expect(isStopped(signal)).toBe(stopped);
  });
});
