import { describe, expect, it } from 'vitest';
import { reportOf, finding } from '../../test/reports.ts';
import type { CheckResult, Verdict } from '../core/check.ts';
import type { ExpectedVersion, RunRequest } from '../site/types.ts';
import type { Answer } from '../core/answer.ts';
import type { CheckSiteOptions } from '../core/check-site.ts';
import { CORE, plan, SOURCE, VERSION } from './fixtures/plan.ts';
import { type WaitRunKind, baselineOf, serverFeedback } from './runs.ts';
import { noReply, reply } from '../../test/answers.ts';

const SINCE: ExpectedVersion = { version: null, from: null, optional: false, since: { etag: '"a"' } };

const idsOf = ({ checks }: CheckSiteOptions): string[] => checks.map(({ id }) => id);

const PLANS: readonly {
  name: string;
  ids: readonly string[];
  requested?: Partial<RunRequest>;
  sinceNow?: true;
  by: string;
  first: WaitRunKind;
  sample: readonly string[];
  quick: readonly string[];
  quickIsWhole: boolean;
}[] = [
  { name: 'nothing', ids: CORE, by: 'health', first: 'quick', sample: [], quick: CORE, quickIsWhole: true },
  {
    name: 'nothing, the whole site',
    ids: [...CORE, 'links', 'tls'],
    requested: { full: true },
    by: 'health',
    first: 'quick',
    sample: [],
    quick: CORE,
    quickIsWhole: false,
  },
  {
    name: 'nothing, checks of the whole site only',
    ids: ['links'],
    by: 'health',
    first: 'quick',
    sample: [],
    quick: ['links'],
    quickIsWhole: true,
  },
  {
    name: 'a source',
    ids: [...CORE, 'source'],
    requested: { source: SOURCE },
    by: 'source',
    first: 'sample',
    sample: ['source'],
    quick: [...CORE, 'source'],
    quickIsWhole: false,
  },
  {
    name: 'a source that is left out',
    ids: CORE,
    requested: { source: SOURCE },
    by: 'health',
    first: 'quick',
    sample: [],
    quick: CORE,
    quickIsWhole: true,
  },
  {
    name: 'the whole site, without a source',
    ids: [...CORE, 'source', 'deployed-version'],
    by: 'health',
    first: 'quick',
    sample: [],
    quick: CORE,
    quickIsWhole: false,
  },
  {
    name: 'a version',
    ids: [...CORE, 'deployed-version'],
    requested: { expected: VERSION },
    by: 'version',
    first: 'sample',
    sample: ['deployed-version'],
    quick: [...CORE, 'deployed-version'],
    quickIsWhole: true,
  },
  {
    name: 'a source and a version',
    ids: [...CORE, 'links', 'source', 'deployed-version'],
    requested: { expected: VERSION, source: SOURCE },
    by: 'source',
    first: 'sample',
    sample: ['source', 'deployed-version'],
    quick: [...CORE, 'source', 'deployed-version'],
    quickIsWhole: false,
  },
  {
    name: 'another bundle',
    ids: [...CORE, 'deployed-version'],
    requested: { expected: SINCE },
    by: 'since',
    first: 'sample',
    sample: ['deployed-version'],
    quick: [...CORE, 'deployed-version'],
    quickIsWhole: true,
  },
  {
    name: 'another bundle than now',
    ids: [...CORE, 'deployed-version'],
    sinceNow: true,
    by: 'since',
    first: 'before',
    sample: ['deployed-version'],
    quick: [...CORE, 'deployed-version'],
    quickIsWhole: true,
  },
];

describe('what each run checks', () => {
  it.each(PLANS)(
    'waiting for $name',
    async ({ ids, requested = {}, sinceNow = false, by, first, sample, quick, quickIsWhole }) => {
      const { rounds, ran } = plan(ids, requested, { sinceNow });
      for (const kind of ['sample', 'quick', 'whole'] as const) await rounds.ask(kind, 60_000);
      expect({ by: rounds.by, first: rounds.first, quickIsWhole: rounds.quickIsWhole }).toEqual({
        by,
        first,
        quickIsWhole,
      });
      expect(ran.map(idsOf).map((one) => one.toSorted())).toEqual(
        [sample, quick, ids].map((one) => [...one].toSorted()),
      );
    },
  );

  it('is little until all is new', async () => {
    const { rounds, ran } = plan([...CORE, 'source'], { source: SOURCE, full: true, external: true });
    for (const kind of ['sample', 'quick', 'whole'] as const) await rounds.ask(kind, 60_000);
    expect(ran.map(({ requested }) => [requested?.samples, requested?.full, requested?.external])).toEqual([
      [1, false, false],
      [20, false, false],
      [undefined, true, true],
    ]);
  });

  it.each([
    { name: 'in time', left: 60_000, limits: {}, deadline: 20_000 },
    { name: 'near the end', left: 4_000, limits: {}, deadline: 16_000 },
    { name: 'after the end', left: 0, limits: {}, deadline: 20_000 },
    { name: 'with a deadline of the user', left: 60_000, limits: { deadlineMs: 7_000 }, deadline: 7_000 },
  ])('is bounded: $name', async ({ left, limits, deadline }) => {
    const { rounds, ran } = plan(
      [...CORE, 'deployed-version'],
      { expected: VERSION },
      { limits: { retries: 5, ...limits } },
    );
    for (const kind of ['sample', 'quick', 'whole'] as const) await rounds.ask(kind, left);
    expect(ran.map((one) => [one.limits?.deadlineMs, one.limits?.retries])).toEqual([
      [deadline, 0],
      [deadline, 0],
      // A whole run is what it is without waiting.
      [limits.deadlineMs, 5],
    ]);
  });

  it('and who hears of its results', async () => {
    const onResult = (): void => {};
    const whole = plan([...CORE, 'deployed-version'], { expected: VERSION }, { onResult });
    const some = plan([...CORE, 'deployed-version', 'links'], { expected: VERSION }, { onResult });
    for (const { rounds } of [whole, some])
      for (const kind of ['sample', 'quick', 'whole'] as const) await rounds.ask(kind, 1);
    const heard = [whole, some].map(({ ran }) => ran.map((one) => one.onResult !== undefined));
    expect(heard).toEqual([
      [false, true, true],
      [false, false, true],
    ]);
  });
});

describe('the bundle of now', () => {
  it('is asked for alone, and waited for to have been modified where it never came', async () => {
    const { rounds, ran } = plan([...CORE, 'deployed-version'], {}, { sinceNow: true });
    const { taken } = await rounds.ask('before', 1_000);
    await rounds.ask('whole', 1_000);
    expect([taken, ran.map(idsOf)[0]]).toEqual([false, ['baseline']]);
    expect(ran[1]?.requested?.expected).toEqual({
      version: null,
      from: null,
      optional: false,
      since: { modifiedMs: 1e12 },
    });
  });

  it('keeps the version that was named', async () => {
    const { rounds, ran } = plan([...CORE, 'deployed-version'], { expected: VERSION }, { sinceNow: true });
    await rounds.ask('sample', 1_000);
    expect([rounds.by, ran[0]?.requested?.expected]).toEqual(['version', { ...VERSION, since: { modifiedMs: 1e12 } }]);
  });
});

const OBSERVED: readonly {
  name: string;
  requested: Partial<RunRequest>;
  fresh?: boolean;
  checks: readonly Partial<CheckResult>[];
  isNew: boolean;
}[] = [
  {
    name: 'a source that passes',
    requested: { source: SOURCE },
    checks: [{ id: 'source', status: 'pass' }],
    isNew: true,
  },
  { name: 'one with warnings', requested: { source: SOURCE }, checks: [{ id: 'source', status: 'warn' }], isNew: true },
  { name: 'an old one', requested: { source: SOURCE }, checks: [{ id: 'source', status: 'fail' }], isNew: false },
  {
    name: 'one that is mixed',
    requested: { source: SOURCE },
    checks: [{ id: 'source', status: 'fail', facts: { source: 'mixed' } }],
    isNew: true,
  },
  {
    name: 'an old one that rules made a warning',
    requested: { source: SOURCE },
    checks: [{ id: 'source', status: 'warn', findings: [finding({ rule: 'stale', severity: 'warning' })] }],
    isNew: false,
  },
  {
    name: 'an old version that rules made a warning',
    requested: { expected: VERSION },
    checks: [
      { id: 'deployed-version', status: 'warn', findings: [finding({ rule: 'old-version', severity: 'warning' })] },
    ],
    isNew: false,
  },
  {
    name: 'a source that passes beside an old bundle',
    requested: { source: SOURCE, expected: SINCE },
    checks: [
      { id: 'source', status: 'pass' },
      { id: 'deployed-version', findings: [finding({ rule: 'not-changed' })] },
    ],
    fresh: false,
    isNew: false,
  },
  {
    name: 'a new version beside an old source',
    requested: { source: SOURCE, expected: VERSION },
    checks: [{ id: 'source' }, { id: 'deployed-version', status: 'pass' }],
    fresh: false,
    isNew: true,
  },
  {
    name: 'places that contradict one another',
    requested: { expected: VERSION },
    checks: [{ id: 'deployed-version', findings: [finding({ rule: 'old-version', evidence: { expectedAt: 'a' } })] }],
    fresh: false,
    isNew: true,
  },
  { name: 'one not known', requested: { source: SOURCE }, checks: [{ id: 'source', status: 'unknown' }], isNew: false },
  {
    name: 'other checks that pass',
    requested: { source: SOURCE },
    checks: [{ id: 'bundle', status: 'pass' }],
    isNew: false,
  },
  {
    name: 'a site that answers',
    requested: {},
    checks: [{ status: 'fail' }, { id: 'home', status: 'pass' }],
    isNew: true,
  },
  { name: 'a site that does not', requested: {}, checks: [{ status: 'fail' }], isNew: false },
];

describe('the report of a run that left checks out', () => {
  const old = { id: 'source', findings: [finding({ rule: 'stale' })] };
  const well = CORE.map((id) => ({ id, status: 'pass' as const }));

  it.each<{
    name: string;
    checks: readonly Partial<CheckResult>[];
    found: Verdict;
    verdict: Verdict;
    unseen: string[];
  }>([
    { name: 'a sample', checks: [old], found: 'stale', verdict: 'unknown', unseen: CORE },
    { name: 'a good sample', checks: [{ ...old, status: 'pass' }], found: 'healthy', verdict: 'unknown', unseen: CORE },
    { name: 'all of them', checks: [...well, old], found: 'stale', verdict: 'stale', unseen: [] },
    {
      name: 'a bundle that is not there',
      checks: [{ id: 'bundle' }],
      found: 'down',
      verdict: 'down',
      unseen: [...CORE.slice(1), 'source'],
    },
    {
      name: 'a fault',
      checks: [old, { id: 'home' }],
      found: 'degraded',
      verdict: 'degraded',
      unseen: CORE.filter((id) => id !== 'home'),
    },
    { name: 'nothing', checks: [], found: 'healthy', verdict: 'unknown', unseen: [...CORE, 'source'] },
  ])('$name: $verdict', ({ checks, found, verdict, unseen }) => {
    const { rounds } = plan([...CORE, 'source'], { source: SOURCE });
    const report = rounds.completed(reportOf(checks, { verdict: found, fresh: false }));
    expect([report.verdict, report.fresh, report.checks.length]).toEqual([verdict, false, 6]);
    const left = report.checks.filter(({ findings: [first] }) => first?.rule === 'interrupted');
    expect(left.map(({ id }) => id)).toEqual(expect.arrayContaining(unseen));
    expect(left.map(({ status, httpStatus }) => [status, httpStatus])).toEqual(unseen.map(() => ['unknown', null]));
  });

  it('does not take an answer for a bundle that is healthy', async () => {
    const report = reportOf([{ id: 'bundle', status: 'pass' }], { verdict: 'healthy' });
    const { rounds } = plan([...CORE, 'deployed-version'], {}, { sinceNow: true, report });
    const run = await rounds.ask('before', 1_000);
    expect(rounds.completed(run.report).checks.every(({ status }) => status === 'unknown')).toBe(true);
  });
});

describe('a first sign', () => {
  it.each(OBSERVED)('$name: $isNew', async ({ requested, checks, isNew, fresh = null }) => {
    const { rounds } = plan([...CORE, 'source', 'deployed-version'], requested, {
      report: reportOf(checks, { fresh }),
    });
    expect((await rounds.ask('quick', 1_000)).isNew).toBe(isNew);
  });
});

const NOW = Date.parse('2026-03-01T12:00:00Z');
const DAY = 86_400_000;
const on = (ms: number): string => new Date(ms).toUTCString();
const page = (headers: Readonly<Record<string, string>>, status = 200): Answer =>
  reply('<!doctype html>', { status, contentType: 'text/html', headers });

const BASELINES: readonly { name: string; answer: Answer; baseline: ReturnType<typeof baselineOf> }[] = [
  { name: 'an ETag', answer: page({ etag: '"65f1-4d2"' }), baseline: { since: { etag: '"65f1-4d2"' } } },
  { name: 'a weak ETag', answer: page({ etag: 'W/"65f1"' }), baseline: { since: { etag: 'W/"65f1"' } } },
  {
    name: 'both validators: the ETag',
    answer: page({ etag: '"a1"', 'last-modified': on(NOW - DAY) }),
    baseline: { since: { etag: '"a1"' } },
  },
  {
    name: 'a date only',
    answer: page({ 'last-modified': on(NOW - DAY), date: on(NOW) }),
    baseline: { since: { modifiedMs: NOW - DAY } },
  },
  {
    name: 'no validators: the time of the host',
    answer: page({ date: on(NOW + DAY) }),
    baseline: { since: { modifiedMs: NOW + DAY } },
  },
  { name: 'no validators and no time', answer: page({}), baseline: { since: { modifiedMs: NOW } } },
  {
    name: 'a date that is none',
    answer: page({ 'last-modified': 'yesterday', date: 'today' }),
    baseline: { since: { modifiedMs: NOW } },
  },
  { name: 'an empty ETag', answer: page({ etag: '' }), baseline: { since: { modifiedMs: NOW } } },
  { name: 'no file yet', answer: page({ etag: '"404"' }, 404), baseline: { since: null } },
  { name: 'a file that is gone', answer: page({}, 410), baseline: { since: null } },
  { name: 'nobody listening', answer: noReply('refused'), baseline: { since: null } },
  { name: 'no such name yet', answer: noReply('dns-not-found'), baseline: { since: null } },
  { name: 'an error of the host', answer: page({ etag: '"500"' }, 500), baseline: null },
  { name: 'too many requests', answer: page({}, 429), baseline: null },
  { name: 'nobody let in', answer: page({}, 403), baseline: null },
  { name: 'a host that is silent', answer: noReply('headers-timeout'), baseline: null },
  { name: 'a certificate that is not trusted', answer: noReply('tls-untrusted'), baseline: null },
];

describe('what the bundle has before the deploy', () => {
  it.each(BASELINES)('$name', ({ answer, baseline }) => {
    expect(baselineOf(answer, NOW)).toEqual(baseline);
  });
});

const answer = (status: number, retryAfter?: string, url = 'https://docs.example/x.md'): Answer =>
  reply('', { status, url, ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }) });

const FEEDBACK: readonly { name: string; answers: readonly Answer[]; refused: boolean; ms?: number }[] = [
  { name: 'nothing', answers: [], refused: false },
  { name: 'good answers', answers: [answer(200), answer(304), answer(302)], refused: false },
  { name: 'missing files', answers: [answer(404), answer(404)], refused: false },
  { name: '429', answers: [answer(200), answer(429)], refused: true },
  { name: '429 with a pause', answers: [answer(429, '30'), answer(429, '10')], refused: true, ms: 30_000 },
  { name: '429 with a date', answers: [answer(429, 'Sun, 01 Mar 2026 12:02:00 GMT')], refused: true, ms: 120_000 },
  { name: '429 with nonsense', answers: [answer(429, 'soon')], refused: true },
  { name: '503 by itself, as while a server starts', answers: [answer(503)], refused: false },
  { name: '503 with a pause', answers: [answer(503, '20')], refused: true, ms: 20_000 },
  { name: '403 for everything', answers: [answer(403), answer(403)], refused: true },
  { name: '401 for everything', answers: [answer(401)], refused: true },
  { name: '403 for a file that object storage does not have', answers: [answer(200), answer(403)], refused: false },
  { name: '429 of another host', answers: [answer(429, '60', 'https://other.example/')], refused: false },
  { name: 'no answers', answers: [noReply('refused')], refused: false },
];

describe('what the answers of a run say of how often to ask', () => {
  it.each(FEEDBACK)('$name', ({ answers, refused, ms = 0 }) => {
    const feedback = serverFeedback('https://docs.example', () => NOW);
    for (const one of answers) feedback.add(one);
    expect(feedback.summary()).toMatchObject({ refused, retryAfterMs: ms });
  });

  it('a pause grows shorter as time passes', () => {
    let now = NOW;
    const feedback = serverFeedback('https://docs.example', () => now);
    feedback.add(answer(429, '30'));
    now += 12_000;
    expect(feedback.summary().retryAfterMs).toBe(18_000);
  });
});
