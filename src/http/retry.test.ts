import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noReply, reply } from '../../test/answers.ts';
import type { Answer } from '../core/answer.ts';
import { backoffMs, pausesOf, repeat, retryAfterMs } from './retry.ts';

const NOW = Date.parse('2026-11-20T09:00:00Z');

describe('retryAfterMs', () => {
  it.each([
    ['0', 0],
    ['7', 7_000],
    [' 1.5 ', 1_500],
    ['0.0001', 1],
    ['Fri, 20 Nov 2026 09:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 08:59:00 GMT', 0],
    ['-5', null],
    ['soon', null],
    ['1234567890', null],
    ['', null],
  ])('%j is %j', (value, expected) => {
    expect(retryAfterMs(new Headers({ 'retry-after': value }), NOW)).toBe(expected);
  });

  it('is null without the header', () => {
    expect(retryAfterMs(new Headers(), NOW)).toBeNull();
  });
});

it('backoffMs grows by the factor from the first to the most', () => {
  const backoff = { first: 250, factor: 2, most: 1_500 };
  expect([1, 2, 3, 4, 50].map((failures) => backoffMs(backoff, failures))).toEqual([250, 500, 1_000, 1_500, 1_500]);
});

describe('repeat', () => {
  const NEVER = new AbortController().signal;
  const pauses: number[] = [];
  const sleep = async (ms: number): Promise<void> => void pauses.push(ms);
  beforeEach(() => void pauses.splice(0));

  it('resolves with the first result where no pause follows, without an attempt', async () => {
    const attempt = vi.fn<(count: number) => Promise<number>>();
    expect(await repeat(7, attempt, () => null, NEVER, sleep)).toBe(7);
    expect(attempt).not.toHaveBeenCalled();
  });

  it('counts the attempts, and pauses before each for what the last result asks', async () => {
    const counts: number[] = [];
    const attempt = async (count: number): Promise<number> => (counts.push(count), count * 10);
    const pauseAfter = (last: number, count: number): number | null => (count === 4 ? null : last + count);
    expect(await repeat(5, attempt, pauseAfter, NEVER, sleep)).toBe(40);
    expect([counts, pauses]).toEqual([
      [2, 3, 4],
      [6, 22, 33],
    ]);
  });

  it('resolves with the last result once the signal is aborted', async () => {
    const aborted = AbortSignal.abort();
    const attempt = vi.fn<(count: number) => Promise<number>>();
    expect(await repeat(1, attempt, () => 0, aborted, sleep)).toBe(1);
    expect(attempt).not.toHaveBeenCalled();
    const inPause = new AbortController();
    expect(
      await repeat(
        2,
        attempt,
        () => 0,
        inPause.signal,
        async () => inPause.abort(),
      ),
    ).toBe(2);
    expect(attempt).not.toHaveBeenCalled();
    const inAttempt = new AbortController();
    const abort = async (count: number): Promise<number> => (inAttempt.abort(), count);
    expect(await repeat(1, abort, () => 0, inAttempt.signal, sleep)).toBe(2);
  });

  it('rejects with the error of an attempt', async () => {
    const attempt = async (): Promise<never> => Promise.reject(new TypeError('broken'));
    await expect(repeat(1, attempt, () => 0, NEVER, sleep)).rejects.toThrow(new TypeError('broken'));
  });
});

describe('the pause before another attempt', () => {
  beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0.5));
  afterEach(() => void vi.restoreAllMocks());

  const failed = (retryAfter?: string): Answer =>
    reply('', { status: 503, headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter } });

  type Options = Partial<Parameters<typeof pausesOf>[0]> & { readonly isPaced?: boolean; readonly passedMs?: number };

  /** After an answer and so many attempts, `passedMs` after the first of them; the run may take a minute. */
  function pauseMs(answer: Answer, count = 1, { isPaced = false, passedMs = 0, ...given }: Options = {}) {
    let now = 0;
    const options = { retries: 2, endsAt: 60_000, timeoutMs: 10_000, clock: () => now, ...given };
    const pauseAfter = pausesOf(options, isPaced);
    now = passedMs;
    return pauseAfter(answer, count);
  }

  it('is made after a failure that may be over soon', () => {
    expect([failed(), noReply('reset'), noReply('dns-timeout')].map((answer) => pauseMs(answer))).toEqual([
      375, 375, 375,
    ]);
    const final = [reply('good'), reply('', { status: 404 }), noReply('redirect-loop')];
    expect(final.map((answer) => pauseMs(answer))).toEqual([null, null, null]);
  });

  it('is made as often as allowed', () => {
    expect([1, 2, 3].map((count) => pauseMs(failed(), count))).toEqual([375, 750, null]);
    expect(pauseMs(failed(), 1, { retries: 0 })).toBeNull();
  });

  it('doubles up to five seconds', () => {
    expect([3, 4, 5, 6].map((count) => pauseMs(failed(), count, { retries: 9 }))).toEqual([1_500, 3_000, 5_000, 5_000]);
  });

  it('is as long as the host asks, where that is longer', () => {
    expect(['0', '3'].map((asked) => pauseMs(failed(asked)))).toEqual([375, 3_000]);
  });

  it('leaves a tenth of the time for the last attempt, or its timeout where that is less', () => {
    expect(pauseMs(failed('100'))).toBe(54_000);
    expect(pauseMs(failed('100'), 1, { timeoutMs: 1_000 })).toBe(59_000);
    expect(pauseMs(failed('100'), 1, { passedMs: 50_000 })).toBe(4_000);
  });

  it('is none where the host was given all the time', () => {
    expect(pauseMs(failed('100'), 1, { passedMs: 53_625 })).toBe(375);
    expect(pauseMs(failed('100'), 1, { passedMs: 53_626 })).toBeNull();
    expect(pauseMs(failed('0.375'), 1, { passedMs: 53_626 })).toBe(375);
  });

  it('is none where the host asks for more than the patience', () => {
    expect(pauseMs(failed('3'), 1, { patienceMs: 3_000 })).toBe(3_000);
    expect(pauseMs(failed('3'), 1, { patienceMs: 2_999 })).toBeNull();
  });

  it('leaves Retry-After to what paces requests', () => {
    expect(pauseMs(failed('3'), 1, { isPaced: true, passedMs: 60_000 })).toBe(375);
  });
});
