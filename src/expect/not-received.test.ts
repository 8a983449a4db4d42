import { describe, expect, it } from 'vitest';
import type { Answer } from '../core/answer.ts';
import { noReply, reply } from '../../test/answers.ts';
import { notReceived, notReceivedFindings, type NotReceived, interruptedFinding, isStopped } from './not-received.ts';
import { Ended } from '../http/failure.ts';

describe('why a file was not seen', () => {
  it.each<[string, Answer, string | null]>([
    ['a reply', reply(''), null],
    ['missing', reply('', { status: 404 }), null],
    ['a server error', reply('', { status: 503 }), null],
    ['too many requests', reply('', { status: 429 }), 'rate-limited'],
    ['broken off by the host', noReply('reset'), null],
    ['late', noReply('headers-timeout', { limitMs: 10_000 }), null],
    ['late at the end of the run', noReply('headers-timeout', { deadlineMs: 8000 }), 'interrupted'],
    ['stopped', noReply('interrupted'), 'interrupted'],
    ['the rest of a ban', noReply('interrupted', { status: 429, retryAfterMs: 3_600_000 }), 'rate-limited'],
    ['no network here', noReply('no-network'), 'no-network'],
    ['a proxy that fails', noReply('proxy-failed'), 'proxy-failed'],
  ])('%s', (_, answer, expected) => {
    expect(notReceived(answer)?.rule ?? null).toBe(expected);
  });

  it('is reported once for each reason, with how many files', () => {
    const of = (path: string, answer: Answer): NotReceived => ({
      ...(notReceived(answer) as NotReceived),
      url: `https://docs.example/${path}`,
    });
    const cut = noReply('headers-timeout', { deadlineMs: 8000 });
    const all = [of('a.md', cut), of('a.md', cut), of('b.md', cut), of('c.md?v=1', reply('', { status: 429 }))];
    expect(notReceivedFindings(all, 9)).toEqual([
      { rule: 'interrupted', evidence: { notSeen: 2, files: 9, deadlineMs: 8000, paths: ['/a.md', '/b.md'] } },
      { rule: 'rate-limited', evidence: { notSeen: 1, files: 9, status: 429, paths: ['/c.md?v=1'] } },
    ]);
    expect(notReceivedFindings([], 9)).toEqual([]);
    expect(notReceivedFindings([of('a.md', cut)], 9, [of('b.md', cut)])).toEqual([
      {
        rule: 'interrupted',
        evidence: { notSeen: 1, partlySeen: 1, files: 9, deadlineMs: 8000, paths: ['/a.md', '/b.md'] },
      },
    ]);
  });
});

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
