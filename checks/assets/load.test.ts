import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Answer } from '../../src/core/answer.ts';
import { reply } from '../../test/answers.ts';
import { patience, integrityOf } from './load.ts';
import { createHash } from 'node:crypto';

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

const BODY = Buffer.from('start()');
const digest = (name: string, body = BODY): string => `${name}-${createHash(name).update(body).digest('base64')}`;
const OTHER = Buffer.from('stop()');

describe('integrityOf', () => {
  it.each([
    { name: 'sha256', value: digest('sha256'), is: true },
    { name: 'sha384', value: digest('sha384'), is: true },
    { name: 'sha512', value: digest('sha512'), is: true },
    { name: 'options', value: `${digest('sha256')}?ct=x`, is: true },
    { name: 'one of two', value: `${digest('sha256', OTHER)}\n ${digest('sha256')}`, is: true },
    { name: 'the strongest counts', value: `${digest('sha512')} ${digest('sha256', OTHER)}`, is: true },
    { name: 'the strongest does not match', value: `${digest('sha512', OTHER)} ${digest('sha256')}`, is: false },
    { name: 'base64url', value: digest('sha256').replaceAll('+', '-').replaceAll('/', '_').replace('=', ''), is: true },
    { name: 'another body', value: digest('sha256', OTHER), is: false },
    { name: 'nothing', value: '', is: true },
    { name: 'an unknown function', value: 'md5-AAAA', is: true },
    { name: 'nonsense', value: 'sha256- sha384', is: true },
  ])('$name: $is', ({ value, is }) => {
    expect(integrityOf(value, BODY).ok).toBe(is);
  });

  it('reports both digests', () => {
    expect(integrityOf(digest('sha384', OTHER), BODY)).toEqual({
      ok: false,
      expected: [digest('sha384', OTHER)],
      actual: digest('sha384'),
    });
  });
});
