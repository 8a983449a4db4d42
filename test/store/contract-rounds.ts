import { describe, expect, it } from 'vitest';
import type { RunRecord, Store } from '../../src/monitor/store/store.ts';
import { eachWith, type OpenEmpty } from './opened.ts';
import { checkRecord, commitOf, DAY, HOUR, incidentOf, MINUTE, NOON, roundRecord, siteState, EVER } from './samples.ts';
import { checkedAt } from '../monitor/incident/state.ts';

const RUNS: readonly (readonly [name: string, run: RunRecord])[] = [
  ['healthy', roundRecord()],
  ['of the whole site', roundRecord({ scope: 'full', checks: [checkRecord({ id: 'links', httpStatus: null })] })],
  ['in maintenance', roundRecord({ maintenance: true, verdict: 'down' })],
  ['about us', roundRecord({ verdict: 'unknown', checks: [] })],
  ['stale', roundRecord({ verdict: 'stale' })],
  ['before its time', roundRecord({ ticks: 0 })],
  ['longer than the time to the next', roundRecord({ ticks: 3, maintenance: true })],
  [
    'without an answer',
    roundRecord({ checks: [checkRecord({ status: 'fail', rules: ['bundle/refused'], httpStatus: null })] }),
  ],
  ['without a request', roundRecord({ checks: [checkRecord({ status: 'skip', httpStatus: null, durationMs: null })] })],
  ['at once', roundRecord({ durationMs: 0, checks: [checkRecord({ durationMs: 0 })] })],
  ['slow', roundRecord({ durationMs: 15_000, checks: [checkRecord({ durationMs: 15_000 })] })],
  ['with many rules', roundRecord({ checks: [checkRecord({ status: 'fail', rules: 'abcdefgh'.split('') })] })],
  [
    'with checks of one’s own',
    roundRecord({ checks: ['api-status', 'știri', 'prix'].map((id) => checkRecord({ id })) }),
  ],
  ['before 1970', roundRecord({ startedAt: -5000 })],
];

export function describeRounds(open: OpenEmpty): void {
  describe('rounds', () => {
    const current = eachWith(open);

    it('keeps all of each', async () => {
      const runs = new Map(RUNS.map(([name, run], index) => [name, { ...run, site: `docs${index}` }]));
      const { store, reopen } = current();
      await store.append([...runs.values()].map((run) => commitOf({ run })));
      const kept = (opened: Store) =>
        Promise.all(
          [...runs].map(async ([name, { site }]) => [name, await opened.runs({ ...EVER, from: -DAY, site })] as const),
        );
      const expected = [...runs].map(([name, run]) => [name, [run]]);
      expect(await kept(store)).toEqual(expected);
      expect(await kept(await reopen())).toEqual(expected);
    });

    it('bounds what a round may take', async () => {
      const checks = Array.from({ length: 1000 }, (_, index) =>
        checkRecord({
          id: `own-${index}`,
          rules: Array.from({ length: 50 }, (_unused, number) => `own-${index}/rule-${number}`),
        }),
      );
      await current().store.append([commitOf({ run: roundRecord({ checks }) })]);
      const [round] = await current().store.runs({ ...EVER, site: 'docs' });
      expect([round?.checks.length, round?.checks[0]?.rules.length]).toEqual([256, 8]);
    });

    it('returns the runs of one scope', async () => {
      const { store } = current();
      const runs = (['core', 'full', 'browser'] as const).map((scope, index) =>
        roundRecord({ scope, startedAt: NOON + index * MINUTE }),
      );
      await store.append(runs.map((run) => commitOf({ run })));
      for (const run of runs) expect(await store.runs({ ...EVER, site: 'docs', scope: run.scope })).toEqual([run]);
    });

    it('tells a range, oldest first, its end left out', async () => {
      const { store } = current();
      const times = [3, 0, 2, 1].map((minutes) => NOON + minutes * MINUTE);
      await store.append(times.map((startedAt) => commitOf({ run: roundRecord({ startedAt }) })));
      await store.append([commitOf({ run: roundRecord({ site: 'other' }) })]);
      const told = async (rest: object): Promise<number[]> =>
        (await store.runs({ site: 'docs', from: NOON, to: NOON + 3 * MINUTE, ...rest })).map(
          ({ startedAt }) => (startedAt - NOON) / MINUTE,
        );
      expect(await told({})).toEqual([0, 1, 2]);
      expect(await told({ limit: 2 })).toEqual([0, 1]);
      expect(await told({ limit: 0 })).toEqual([]);
      expect(await told({ site: 'unknown' })).toEqual([]);
    });

    it('counts a round that comes twice once', async () => {
      const { store } = current();
      const five = commitOf();
      const full = commitOf({ run: roundRecord({ scope: 'full' }) });
      await store.append([five, full]);
      await store.append([five, full]);
      expect(await store.runs({ ...EVER, site: 'docs' })).toHaveLength(2);
      const [day] = await store.buckets({ ...EVER, site: 'docs', resolution: 'day' });
      expect(day?.runs).toBe(2);
    });

    it('keeps the last state of each site', async () => {
      const { store, reopen } = current();
      expect(await store.states()).toEqual(new Map());
      const [first, last] = [siteState(), siteState({ ...checkedAt(NOON + 1), verdict: 'degraded', blips: [NOON] })];
      await store.append([
        commitOf({ state: first }),
        commitOf({ run: roundRecord({ startedAt: NOON + 1 }), state: last }),
      ]);
      await store.append([commitOf({ run: roundRecord({ site: 'other' }), state: first })]);
      expect(await (await reopen()).states()).toEqual(
        new Map([
          ['docs', last],
          ['other', first],
        ]),
      );
    });

    it('takes no rounds at all', async () => {
      await expect(current().store.append([])).resolves.toBeUndefined();
    });

    it('writes all or nothing', async () => {
      const { store } = current();
      const broken = {
        ...commitOf({ run: roundRecord({ site: 'new' }) }),
        incidents: [incidentOf({ id: null as never })],
      };
      await expect(store.append([commitOf(), broken])).rejects.toBeInstanceOf(Error);
      expect(await store.runs({ ...EVER, site: 'docs' })).toEqual([]);
      expect(await store.buckets({ ...EVER, site: 'docs', resolution: 'day' })).toEqual([]);
      expect(await store.states()).toEqual(new Map());
      // And what was new in it can come again.
      await store.append([commitOf({ run: roundRecord({ site: 'new' }) })]);
      expect(await store.runs({ ...EVER, site: 'new' })).toHaveLength(1);
    });

    it('refuses to work when it is closed', async () => {
      const { store } = current();
      await store.close();
      await store.close();
      await expect(store.states()).rejects.toMatchObject({ problem: 'closed' });
      await expect(store.append([commitOf()])).rejects.toMatchObject({ problem: 'closed' });
    });
  });
}

export function describeBuckets(open: OpenEmpty): void {
  describe('buckets', () => {
    const current = eachWith(open);

    it.each([
      ['minute', NOON],
      ['hour', NOON],
      ['day', NOON - 12 * HOUR],
    ] as const)('rolls up by %s', async (resolution, at) => {
      const { store } = current();
      const verdicts = ['healthy', 'healthy', 'degraded', 'down', 'stale', 'unknown'] as const;
      const commits = verdicts.map((verdict, index) =>
        commitOf({
          run: roundRecord({
            startedAt: NOON + index,
            verdict,
            checks: [checkRecord({ durationMs: 10 }), checkRecord({ id: 'config', durationMs: 100 * (index + 1) })],
          }),
        }),
      );
      await store.append(commits.slice(0, 4));
      await store.append(commits.slice(4));
      await store.append([
        commitOf({ run: roundRecord({ startedAt: NOON + 10, verdict: 'down', maintenance: true, checks: [] }) }),
      ]);
      const [bucket, ...others] = await store.buckets({ ...EVER, site: 'docs', resolution });
      expect(others).toEqual([]);
      expect(bucket).toEqual({
        site: 'docs',
        at,
        runs: 7,
        healthy: 2,
        degraded: 1,
        down: 1,
        stale: 1,
        unknown: 1,
        maintenance: 1,
        meanMs: 350,
        minMs: 100,
        maxMs: 600,
        p95Ms: expect.any(Number),
      });
      expect(Math.abs((bucket?.p95Ms ?? 0) - 600)).toBeLessThanOrEqual(600 * 0.045);
    });

    it('counts a round for the time that it stands for, and its response times anyway', async () => {
      const { store } = current();
      const rounds = [
        roundRecord({ startedAt: NOON, ticks: 3, verdict: 'down', checks: [checkRecord({ durationMs: 100 })] }),
        roundRecord({ startedAt: NOON + 1, ticks: 0, verdict: 'down', checks: [checkRecord({ durationMs: 300 })] }),
        roundRecord({ startedAt: NOON + 2, checks: [checkRecord({ durationMs: 200 })] }),
      ];
      await store.append(rounds.map((run) => commitOf({ run })));
      const [bucket] = await store.buckets({ ...EVER, site: 'docs', resolution: 'hour' });
      expect(bucket).toMatchObject({ runs: 4, healthy: 1, down: 3, meanMs: 200, minMs: 100, maxMs: 300 });
    });

    it('leaves out what the whole site took', async () => {
      const { store } = current();
      await store.append([
        commitOf({ run: roundRecord({ scope: 'full', checks: [checkRecord({ durationMs: 9000 })] }) }),
      ]);
      const [bucket] = await store.buckets({ ...EVER, site: 'docs', resolution: 'hour' });
      expect(bucket).toMatchObject({ runs: 1, healthy: 1, meanMs: null, minMs: null, maxMs: null, p95Ms: null });
    });

    it('tells a range, oldest first', async () => {
      const { store } = current();
      const rounds = [0, 59, 60, 61, 120].map((seconds) => roundRecord({ startedAt: NOON + seconds * 1000 }));
      await store.append(rounds.map((run) => commitOf({ run })));
      const range = { site: 'docs', from: NOON + 1, to: NOON + 3 * MINUTE, resolution: 'minute' } as const;
      const told = await store.buckets(range);
      expect(told.map(({ at, runs: count }) => [(at - NOON) / MINUTE, count])).toEqual([
        [1, 2],
        [2, 1],
      ]);
      expect(await store.buckets({ ...range, from: NOON, limit: 1 })).toHaveLength(1);
      expect(await store.buckets({ ...range, to: NOON + 2 * MINUTE })).toHaveLength(1);
      expect(await store.buckets({ ...range, site: 'unknown' })).toEqual([]);
    });

    it('takes UTC for its days', async () => {
      const { store } = current();
      const midnight = NOON + 12 * HOUR;
      const rounds = [midnight - 1, midnight].map((startedAt) => roundRecord({ startedAt }));
      await store.append(rounds.map((run) => commitOf({ run })));
      const days = await store.buckets({ ...EVER, site: 'docs', resolution: 'day' });
      expect(days.map(({ at }) => at)).toEqual([midnight - DAY, midnight]);
    });
  });
}
