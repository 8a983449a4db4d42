import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Answer } from '../../src/check.ts';
import { reply } from '../../test/answers.ts';
import { patience } from './load.ts';

const url = (path: string, host = 'cdn.example'): URL => new URL(path, `https://${host}/`);
const after = (ms: number) => (): Promise<Answer> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(reply('x')), ms);
  });
const never = (): Promise<Answer> => new Promise(() => {});

/** What each request came to: the time at which it was answered, or given up. */
async function ends(
  ms: number,
  asked: readonly { url: URL; get: () => Promise<Answer> }[],
): Promise<readonly string[]> {
  const ask = patience(5000);
  const start = Date.now();
  const reported: string[] = [];
  for (const each of asked) {
    void ask(each.url, each.get).then(({ kind }) => reported.push(`${kind} ${Date.now() - start}`));
  }
  await vi.advanceTimersByTimeAsync(ms);
  return reported;
}

describe('patience', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([
    { name: 'an answer', asked: [{ url: url('a'), get: after(100) }], is: ['reply 100'] },
    { name: 'silence', asked: [{ url: url('a'), get: never }], is: ['no-reply 5000'] },
    { name: 'an answer too late', asked: [{ url: url('a'), get: after(6000) }], is: ['no-reply 5000'] },
    {
      name: 'silence for several',
      asked: [
        { url: url('a'), get: never },
        { url: url('b'), get: never },
      ],
      is: ['no-reply 5000', 'no-reply 5000'],
    },
    {
      name: 'silence after an answer',
      asked: [
        { url: url('a'), get: after(1000) },
        { url: url('b'), get: never },
      ],
      is: ['reply 1000', 'no-reply 6000'],
    },
    {
      name: 'many that come one after the other',
      asked: [
        { url: url('a'), get: after(4000) },
        { url: url('b'), get: after(8000) },
        { url: url('c'), get: after(12_000) },
      ],
      is: ['reply 4000', 'reply 8000', 'reply 12000'],
    },
    {
      name: 'two hosts',
      asked: [
        { url: url('a'), get: never },
        { url: url('a', 'img.example'), get: after(4000) },
      ],
      is: ['reply 4000', 'no-reply 5000'],
    },
  ])('$name: $is', async ({ asked, is }) => {
    expect(await ends(20_000, asked)).toEqual(is);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('asks no more of a host that kept silent, and says so', async () => {
    const ask = patience(5000);
    const first = ask(url('a'), never);
    await vi.advanceTimersByTimeAsync(5000);
    expect(await first).toMatchObject({
      reason: 'headers-timeout',
      requestUrl: url('a').href,
      evidence: { timeoutMs: 5000 },
    });
    const get = vi.fn<typeof never>(never);
    expect(await ask(url('b'), get)).toMatchObject({ kind: 'no-reply' });
    expect(get).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});
