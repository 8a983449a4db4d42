import { describe, expect, it, vi } from 'vitest';
import { noReply, reply, SHELL } from '../../test/answers.ts';
import {
  fake,
  html,
  inDocs,
  json,
  options,
  ORIGIN,
  result,
  run,
  silent,
  SITE,
  siteIn,
  trouble,
  type Files,
} from '../../test/runs.ts';
import type { Answer, Get } from './answer.ts';
import type { Check, CheckResult, Status } from './check.ts';
import type { EvaluationLimits } from '../site/types.ts';
import type { RawFinding } from './finding.ts';
import { defineCheck } from './define-check.ts';
import { REASONS, type Reason } from '../http/reasons.ts';
import { runChecks, presentable } from './run.ts';

describe('runChecks: faults', () => {
  it.each<{ path: string; answer: Answer; id: string; rule: string; verdict: string }>([
    { path: '/index.html', answer: reply('', { status: 403 }), id: 'bundle', rule: 'forbidden', verdict: 'down' },
    { path: '/config.json', answer: json([]), id: 'config', rule: 'not-object', verdict: 'down' },
    { path: '/navigation.md', answer: html(SHELL), id: 'navigation', rule: 'spa-fallback', verdict: 'degraded' },
    { path: '/index.md', answer: reply('', { status: 404 }), id: 'home', rule: 'not-found', verdict: 'degraded' },
    { path: '/llms.txt', answer: json({ error: 404 }), id: 'llms-txt', rule: 'json', verdict: 'degraded' },
    {
      path: '/index.md',
      answer: reply('x', { contentType: 'a/b' }),
      id: 'home',
      rule: 'media-type',
      verdict: 'healthy',
    },
  ])('$path is found by $id and no other: $code', async ({ path, answer, id, rule, verdict }) => {
    const report = await run({ ...SITE, [path]: answer });
    expect(trouble(report)).toEqual({ [id]: [rule] });
    expect(report.verdict).toBe(verdict);
  });

  const reasons = Object.entries(REASONS) as [Reason, string][];

  it.each(reasons)('%s on every request: %s', async (reason, severity) => {
    const { get } = fake({}, noReply(reason));
    const report = await runChecks(options(get));
    const status: Status = severity === 'unknown' ? 'unknown' : 'fail';
    expect(report.checks.map((check) => check.status)).toEqual(Array.from({ length: 5 }, () => status));
    expect(report.verdict).toBe(status === 'unknown' ? 'unknown' : 'down');
  });

  it('does not hold one unknown against the site', async () => {
    const report = await run({ ...SITE, '/index.md': noReply('out-of-descriptors') });
    expect(result(report, 'home')).toMatchObject({
      status: 'unknown',
      findings: [{ severity: null }],
      httpStatus: null,
    });
    expect(report.verdict).toBe('unknown');
  });

  it('reports the status that the URL itself answered with', async () => {
    const redirects = [{ url: `${ORIGIN}/index.html`, status: 308, location: '/' }];
    const report = await run({ ...SITE, '/index.html': reply(SHELL, { redirects, contentType: 'text/html' }) });
    expect(result(report, 'bundle')).toMatchObject({ httpStatus: 308, findings: [{ rule: 'redirected' }] });
  });
});

describe('runChecks: findings beyond those that are reported', () => {
  const check = defineCheck({
    id: 'many',
    target: 'index.html',
    rules: { some: 'error', whole: 'warning' },
    gather: (site) => site.file('homePage'),
    evaluate: async () => [{ rule: 'some', omitted: 3 }, { rule: 'whole' }, { rule: 'some', omitted: 4 }],
  }) as unknown as Check;

  it('are counted by code, and named with no finding', async () => {
    const { omitted, findings } = result(await run(SITE, { checks: [check] }), 'many');
    expect(omitted).toEqual({ some: 7 });
    expect(findings.some((finding) => 'omitted' in finding)).toBe(false);
  });

  it('are not counted where the rules turn the code off', async () => {
    const rules = new Map([['many/some', 'off' as const]]);
    expect(result(await run(SITE, { checks: [check], rules }), 'many')).not.toHaveProperty('omitted');
  });
});

describe('runChecks: rules', () => {
  const noLinks = { ...SITE, '/navigation.md': '# Handbook' };
  const noHome = { ...SITE, '/index.md': reply('', { status: 404 }) };
  const both = { ...SITE, '/navigation.md': reply('x', { contentType: 'a/b' }) };
  const off = { ...SITE, '/config.json': json({ llmsTxtUrl: null }) };
  const unknown = { ...SITE, '/index.md': noReply('no-network') };

  it.each<{
    files: Files;
    rule: string;
    severity: 'off' | 'warning' | 'error';
    id: string;
    status: Status;
    codes: string[];
  }>([
    { files: noLinks, rule: 'navigation/no-links', severity: 'off', id: 'navigation', status: 'pass', codes: [] },
    {
      files: noLinks,
      rule: 'navigation/no-links',
      severity: 'warning',
      id: 'navigation',
      status: 'warn',
      codes: ['no-links'],
    },
    {
      files: noLinks,
      rule: 'navigation/no-links',
      severity: 'error',
      id: 'navigation',
      status: 'fail',
      codes: ['no-links'],
    },
    {
      files: noLinks,
      rule: 'llms-txt/no-links',
      severity: 'error',
      id: 'navigation',
      status: 'warn',
      codes: ['no-links'],
    },
    { files: noHome, rule: 'home/not-found', severity: 'warning', id: 'home', status: 'warn', codes: ['not-found'] },
    { files: noHome, rule: 'home/not-found', severity: 'off', id: 'home', status: 'pass', codes: [] },
    {
      files: both,
      rule: 'navigation/media-type',
      severity: 'off',
      id: 'navigation',
      status: 'warn',
      codes: ['no-links'],
    },
    {
      files: both,
      rule: 'navigation/no-links',
      severity: 'error',
      id: 'navigation',
      status: 'fail',
      codes: ['media-type', 'no-links'],
    },
    { files: off, rule: 'llms-txt/off', severity: 'error', id: 'llms-txt', status: 'skip', codes: [] },
    {
      files: unknown,
      rule: 'home/no-network',
      severity: 'error',
      id: 'home',
      status: 'unknown',
      codes: ['no-network'],
    },
  ])('$rule $grade: $id is $status', async ({ files, rule, severity, id, status, codes }) => {
    const { findings, ...rest } = result(await run(files, { rules: new Map([[rule, severity]]) }), id);
    expect(rest.status).toBe(status);
    expect(findings.map(({ rule: ruleName }) => ruleName)).toEqual(codes);
  });

  it.each([
    { strict: false, verdict: 'healthy' },
    { strict: true, verdict: 'degraded' },
  ])('a warning with strict $strict: $verdict', async ({ strict, verdict }) => {
    expect((await run(noLinks, { strict })).verdict).toBe(verdict);
  });
});

describe('runChecks: redirects that the rules put up with', () => {
  const hop = { url: `${ORIGIN}/index.html`, status: 308, location: '/' };
  const leadsTo = (answer: Answer): Files => ({ ...SITE, '/index.html': { ...answer, redirects: [hop] } });

  it.each<[name: string, end: Answer, bundle: string[], verdict: string]>([
    ['to the bundle', reply(SHELL, { contentType: 'text/html' }), ['redirected'], 'healthy'],
    ['to nothing', reply('', { status: 404 }), ['redirected', 'not-found'], 'down'],
    ['to plain text', reply('Hello.', { contentType: 'text/plain' }), ['redirected', 'not-html'], 'down'],
  ])('%s', async (_name, end, bundle, verdict) => {
    const rules = new Map([['bundle/redirected', 'warning']] as const);
    const report = await run(leadsTo(end), { rules });
    expect(result(report, 'bundle').findings.map(({ rule }) => rule)).toEqual(bundle);
    expect(report.verdict).toBe(verdict);
  });
});

describe('runChecks: interruption', () => {
  it('reports what is known, and that the rest is not', async () => {
    const stop = new AbortController();
    const { get } = fake({ ...SITE, '/llms.txt': silent, '/index.md': silent, '/navigation.md': '# Handbook' });
    const known = new Set<string>();
    const onResult = ({ id }: CheckResult): void => {
      known.add(id);
      if (known.size === 3) stop.abort();
    };
    const report = await runChecks(options(get, { interrupt: stop.signal, onResult }));
    expect(report.checks.map(({ id, status }) => [id, status])).toEqual([
      ['bundle', 'pass'],
      ['config', 'pass'],
      ['navigation', 'warn'],
      ['home', 'unknown'],
      ['llms-txt', 'unknown'],
    ]);
    expect(trouble(report)).toEqual({ navigation: ['no-links'], home: ['interrupted'], 'llms-txt': ['interrupted'] });
    expect(result(report, 'home')).toMatchObject({ target: 'GET /index.md', url: `${ORIGIN}/index.md`, attempts: 0 });
    expect(report).toMatchObject({ verdict: 'unknown', interrupted: true });
  });

  it('holds nothing against a site for a check that does not know of interruptions', async () => {
    const check = defineCheck({
      id: 'robots',
      target: 'robots.txt',
      rules: { absent: 'error' },
      gather: async (site) => ({ answer: await site.get({ url: new URL('robots.txt', site.base), accept: '*/*' }) }),
      evaluate: () => Promise.resolve([]),
    });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 20);
    const report = await runChecks(
      options(fake({ '/robots.txt': silent }).get, { checks: [check], interrupt: stop.signal }),
    );
    expect(report).toMatchObject({ verdict: 'unknown', checks: [{ status: 'unknown' }] });
  });

  it('ends a run that was stopped before its start', async () => {
    const report = await runChecks(options(fake({}, noReply('interrupted')).get, { interrupt: AbortSignal.abort() }));
    expect(report.checks.map(({ status }) => status)).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'unknown']);
    expect(report).toMatchObject({ verdict: 'unknown', interrupted: true });
  });

  it('keeps a failure that was known', async () => {
    const stop = new AbortController();
    const { get } = fake({ ...SITE, '/index.html': reply('', { status: 500 }), '/llms.txt': silent });
    const onResult = vi.fn<(result: CheckResult) => void>(() => {
      if (onResult.mock.calls.length === 4) stop.abort();
    });
    const report = await runChecks(options(get, { interrupt: stop.signal, onResult }));
    expect(report).toMatchObject({ verdict: 'down', interrupted: true });
    expect(onResult).toHaveBeenCalledTimes(5);
  });
});

describe('runChecks: a check that had nothing to check', () => {
  const blind: Check = defineCheck({
    id: 'caching',
    target: '**',
    rules: { 'no-answer': 'skip' },
    gather: () => Promise.resolve({ answer: null }),
    evaluate: () => Promise.resolve([{ rule: 'no-answer' }]),
  });
  const pass: Check = { ...blind, id: 'tls', evaluate: () => Promise.resolve([]) };
  const fail: Check = {
    ...pass,
    id: 'links',
    rules: { missing: 'error' },
    evaluate: () => Promise.resolve([{ rule: 'missing' }]),
  };

  it.each([
    { name: 'alone', checks: [blind], statuses: ['unknown'], verdict: 'unknown' },
    { name: 'beside one that passed', checks: [blind, pass], statuses: ['unknown', 'pass'], verdict: 'unknown' },
    { name: 'beside one that failed', checks: [blind, fail], statuses: ['skip', 'fail'], verdict: 'degraded' },
  ])('$name: $verdict', async ({ checks, statuses, verdict }) => {
    const report = await run(SITE, { checks });
    expect({ statuses: report.checks.map(({ status }) => status), verdict: report.verdict }).toEqual({
      statuses,
      verdict,
    });
  });
});

describe('runChecks: the report', () => {
  it('is stamped with what was given', async () => {
    let now = 1000;
    const report = await run(siteIn('/docs/'), { ...inDocs, clock: () => (now += 10.4) });
    expect(report).toMatchObject({
      tool: { name: 'docvitals', version: '0.0.0' },
      site: { url: `${ORIGIN}/docs/` },
      startedAt: '2026-03-01T12:00:00.000Z',
      verdict: 'healthy',
      interrupted: false,
    });
    for (const { durationMs } of [report, ...report.checks]) {
      expect(Number.isInteger(durationMs)).toBe(true);
      expect(durationMs).toBeGreaterThan(0);
    }
  });

  it('keeps the order of the checks, whatever ends first', async () => {
    const ended: string[] = [];
    const { get } = fake(SITE);
    const late: Get = async (request) => {
      const answer = await get(request);
      if (request.url.pathname === '/index.html') await new Promise(setImmediate);
      return answer;
    };
    const report = await runChecks(options(late, { onResult: ({ id }) => void ended.push(id) }));
    expect(report.checks.map(({ id }) => id)).toEqual(['bundle', 'config', 'navigation', 'home', 'llms-txt']);
    expect(ended.toSorted()).toEqual(['bundle', 'config', 'home', 'llms-txt', 'navigation']);
  });

  it('passes the limits to the evaluation', async () => {
    const observed: EvaluationLimits[] = [];
    const check: Check = defineCheck({
      id: 'probe',
      target: 'x',
      rules: {},
      gather: async (site) => ({ answer: await site.bundle() }),
      evaluate: async (_gathered, limits) => (observed.push(limits), []),
    });
    const { signal } = new AbortController();
    await run(SITE, { checks: [check], limits: { parseMs: 1234, signal } });
    expect(observed).toEqual([{ parseMs: 1234, signal }]);
  });
});

it('bounds what a report reports', () => {
  const evidence = {
    text: 'x'.repeat(9_000_000),
    list: Array.from({ length: 1000 }, () => ({ deep: 'y'.repeat(600) })),
  };
  const reported = presentable({ rule: 'a', evidence }, []).evidence;
  expect(reported['text']).toBe(`${'x'.repeat(500)}…`);
  expect(reported['list']).toEqual(Array.from({ length: 20 }, () => ({ deep: `${'y'.repeat(500)}…` })));
});

it('hides what was sent in confidence, wherever it comes back', () => {
  const excerpt = { firstLine: 1, lines: ['{ "token": "s3cret-token" }'] };
  const finding = {
    rule: 'a',
    evidence: { firstBytes: 'bad s3cret-token, 7', files: [{ location: '/?k=s3cret-token' }] },
    excerpt,
  };
  const reported = presentable(finding, ['s3cret-token', '7']);
  expect(JSON.stringify(reported)).not.toContain('s3cret-token');
  expect(reported.evidence['firstBytes']).toBe('bad [hidden], 7');
});

it('hides it in places, too, and bounds those', () => {
  const location = { path: `s3cret-token/${'a'.repeat(4000)}.md`, line: 1, column: 1 };
  const finding = { rule: 'a', location, locations: Array.from({ length: 200 }, () => location) };
  const reported: RawFinding = presentable<RawFinding>(finding, ['s3cret-token']);
  expect(JSON.stringify(reported)).not.toContain('s3cret-token');
  expect([reported.location?.path.length, reported.locations?.length]).toEqual([501, 100]);
});

it.each([
  ['in other letter case', `no entry for S3CRET-TOKEN`],
  ['cut off at its end', `${'x'.repeat(50)} Bearer s3cret-tok…`],
  ['cut off without a mark', `${'x'.repeat(60)} s3cret-to`],
  ['cut off at its beginning', '…et-token", and so on'],
])('hides a secret that comes back %s', (_name, text) => {
  const reported = presentable({ rule: 'a', evidence: { text } }, ['s3cret-token']).evidence.text;
  expect(reported).toContain('[hidden]');
  expect(reported.toLowerCase()).not.toMatch(/s3cret|et-token/);
});

it('hides no word that only begins like a secret', () => {
  const reported = presentable({ rule: 'a', evidence: { url: 'https://docs.example/docs' } }, ['docs-token']);
  expect(reported.evidence['url']).toBe('https://docs.example/docs');
});
