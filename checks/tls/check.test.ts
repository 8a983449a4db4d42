import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Answer, GetRequest, Reply, TlsFacts } from '../../src/core/answer.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import type { Site } from '../../src/site/types.ts';
import { DEFAULT_REQUEST } from '../../src/core/run.ts';
import { sharedSite } from '../../src/site/site.ts';
import { noReply, reply, SHELL } from '../../test/answers.ts';
import { tls as check } from './check.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const HSTS = { 'Strict-Transport-Security': 'max-age=31536000' };

const inDays = (days: number): string => new Date(NOW.getTime() + days * 86_400_000).toISOString();

function certificate(left: number, lifetime = 90): TlsFacts {
  const facts = { protocol: 'TLSv1.3', subject: 'docs.example', issuer: 'Test CA' };
  return { ...facts, validFrom: inDays(left - lifetime), validTo: inDays(left) };
}

interface Case {
  readonly base?: string;
  readonly tls?: TlsFacts | null;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly address?: string | null;
  readonly bundle?: Answer;
  /** What comes over plain HTTP; `silent`: nothing, for as long as anybody waits. */
  readonly plain?: Answer;
}

function siteOf(of: Case): { readonly site: Site; readonly asked: GetRequest[] } {
  const base = new URL(of.base ?? 'https://docs.example/');
  const { tls = certificate(60), headers = HSTS, address = '93.184.216.34' } = of;
  const url = new URL('index.html', base).href;
  const bundle: Answer = of.bundle ?? { ...reply(SHELL, { url, contentType: 'text/html', headers }), tls, address };
  const asked: GetRequest[] = [];
  const pooled = async (request: GetRequest): Promise<Answer> => {
    asked.push(request);
    return of.plain ?? noReply('refused');
  };
  const get = (): Promise<Answer> => Promise.resolve(bundle);
  return { site: sharedSite({ base, get, pooled, requested: DEFAULT_REQUEST, limits: { parseMs: 5000 } }), asked };
}

beforeAll(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
});
afterAll(() => {
  vi.useRealTimers();
});

async function findings(of: Case): Promise<readonly RawFinding[]> {
  return check.evaluate(await check.gather(siteOf(of).site), { parseMs: 5000 });
}

const rules = async (of: Case): Promise<string[]> => (await findings(of)).map(({ rule }) => rule);

describe('the certificate', () => {
  it.each([
    [60, 90, []],
    [22, 90, []],
    [21, 90, []],
    [20.9, 90, ['expires-soon']],
    [1, 90, ['expires-soon']],
    [-1, 90, ['expires-soon']],
    [300, 365, []],
    [20.9, 63, ['expires-soon']],
    [20.9, 62, []],
    [20.6, 62, ['expires-soon']],
    [16, 45, []],
    [14.9, 45, ['expires-soon']],
    [20, 47, []],
    [10, 11, []],
    [4, 10, []],
    [3, 10, ['expires-soon']],
    [7.1, 7.1, []],
    [7, 7, ['short-lived']],
    [5, 6.7, ['short-lived']],
    [2, 6.7, ['expires-soon']],
  ])('%d days left of %d: %j', async (left, lifetime, expected) => {
    expect(await rules({ tls: certificate(left, lifetime) })).toEqual(expected);
  });

  it('reports days, names and dates', async () => {
    const [first] = await findings({ tls: certificate(7.5) });
    expect(first?.evidence).toEqual({
      daysLeft: 7,
      lifetimeDays: 90,
      validTo: inDays(7.5),
      subject: 'docs.example',
      issuer: 'Test CA',
    });
  });

  it('takes a certificate of unknown age for a long one', async () => {
    expect(await rules({ tls: { ...certificate(20, 45), validFrom: null } })).toEqual(['expires-soon']);
  });

  it('says nothing of dates that it does not know', async () => {
    expect(await rules({ tls: { ...certificate(1), validTo: null } })).toEqual([]);
  });

  it.each(['tls-expired', 'tls-hostname', 'tls-untrusted', 'tls-protocol', 'tls-timeout'] as const)(
    'passes on what the transport says: %s',
    async (reason) => {
      expect(await findings({ bundle: noReply(reason, { error: 'E' }) })).toEqual([
        { rule: reason, evidence: { error: 'E' } },
      ]);
    },
  );

  it.each([
    ['refused', {}, 'no-answer'],
    ['interrupted', {}, 'interrupted'],
    ['tls-timeout', { deadlineMs: 5 }, 'interrupted'],
    ['no-network', {}, 'no-network'],
    ['interrupted', { status: 429 }, 'rate-limited'],
  ] as const)('no reply, %s %j: %s', async (reason, evidence, expected) => {
    expect(await rules({ bundle: noReply(reason, evidence) })).toEqual([expected]);
  });
});

describe('plain HTTP', () => {
  const over = (facts: Partial<Reply> & { status?: number }): Answer => ({
    ...reply('', { url: 'http://docs.example/' }),
    ...facts,
  });
  const hop = { url: 'http://docs.example/', status: 301, location: 'x' };

  it.each<{ name: string; plain: Answer; expected: readonly string[] }>([
    { name: 'nobody listens', plain: noReply('refused'), expected: [] },
    { name: 'nobody answers', plain: noReply('connect-timeout'), expected: [] },
    { name: 'leads to HTTPS', plain: over({ redirects: [hop], url: 'https://docs.example/' }), expected: [] },
    {
      name: 'leads to HTTPS under another name',
      plain: over({ redirects: [hop, hop], url: 'https://www.docs.example/' }),
      expected: [],
    },
    { name: 'an error', plain: over({ status: 404 }), expected: [] },
    { name: 'the end of the run', plain: noReply('connect-timeout', { deadlineMs: 8000 }), expected: ['interrupted'] },
    { name: 'a stop', plain: noReply('interrupted'), expected: ['interrupted'] },
    { name: 'no network here', plain: noReply('no-network'), expected: ['no-network'] },
    { name: 'too many requests', plain: over({ status: 429 }), expected: ['rate-limited'] },
    { name: 'refused to be served', plain: over({ status: 403 }), expected: [] },
    { name: 'the site', plain: over({}), expected: ['no-https-redirect'] },
    {
      name: 'leads to HTTP',
      plain: over({ redirects: [hop], url: 'http://www.docs.example/' }),
      expected: ['no-https-redirect'],
    },
  ])('$name: $expected', async ({ plain, expected }) => {
    expect(await rules({ plain })).toEqual(expected);
  });

  it.each([
    ['https://docs.example/docs/', ['http://docs.example/docs/']],
    ['https://docs.example:8443/', []],
    ['http://docs.example/', []],
  ])('is asked beside the standard port only: %s', async (base, expected) => {
    const { site, asked } = siteOf({ base });
    await check.gather(site);
    expect(asked.map(({ url }) => url.href)).toEqual(expected);
  });

  it.each([
    ['http://docs.example/', '93.184.216.34', 'no-https'],
    ['http://docs.example/', null, 'no-https'],
    ['http://docs.example/', '10.0.0.7', 'plain-http'],
    ['http://127.0.0.1:4173/', '127.0.0.1', 'plain-http'],
    ['http://localhost:4173/', '::1', 'plain-http'],
  ])('as the site itself: %s at %s: %s', async (base, address, expected) => {
    expect(await rules({ base, address, tls: null, headers: {} })).toEqual([expected]);
  });
});

describe('HSTS', () => {
  it.each<{ name: string; of: Case; expected: readonly string[] }>([
    { name: 'a year', of: {}, expected: [] },
    {
      name: 'and more',
      of: { headers: { 'Strict-Transport-Security': 'includeSubDomains; Max-Age="63072000"; preload' } },
      expected: [],
    },
    { name: 'none', of: { headers: {} }, expected: ['no-hsts'] },
    { name: 'turned off', of: { headers: { 'Strict-Transport-Security': 'max-age=0' } }, expected: ['no-hsts'] },
    { name: 'a day', of: { headers: { 'Strict-Transport-Security': 'max-age=86400' } }, expected: ['no-hsts'] },
    { name: 'no time', of: { headers: { 'Strict-Transport-Security': 'includeSubDomains' } }, expected: ['no-hsts'] },
    {
      name: 'the first of two',
      of: { headers: { 'Strict-Transport-Security': ['max-age=0', 'max-age=31536000'] } },
      expected: ['no-hsts'],
    },
    {
      name: 'none with an error, whose headers are others',
      of: { bundle: { ...reply('', { status: 500 }), tls: certificate(60) } },
      expected: [],
    },
    { name: 'an address', of: { base: 'https://93.184.216.34/', headers: {} }, expected: [] },
    { name: 'this machine', of: { base: 'https://localhost/', headers: {}, address: '127.0.0.1' }, expected: [] },
  ])('$name: $expected', async ({ of, expected }) => {
    expect(await rules(of)).toEqual(expected);
  });
});

it('reports what it saw', async () => {
  const { facts, requests } = await check.gather(siteOf({}).site);
  const observed = {
    protocol: 'TLSv1.3',
    issuer: 'Test CA',
    subject: 'docs.example',
    validTo: inDays(60),
    daysLeft: 60,
  };
  expect([facts, requests]).toEqual([{ ...observed, http: 'refused', hsts: 'max-age=31536000' }, 2]);
});
