/** Sites whose runs take long, hosts that ask for less in the end, and hosts that are not there. */
import { describe, expect, it } from 'vitest';
import { CORE, plan, SOURCE } from '../../../src/wait/fixtures/plan.ts';
import {
  BROKEN,
  DOWN,
  NEW,
  OLD,
  play,
  UNKNOWN,
  WELL,
  type Found,
  type Scene,
} from '../../../src/wait/fixtures/scene.ts';

const kinds = (runs: readonly string[]): string => runs.map((run) => run.split('@')[0]).join(' ');
const HEALTH = { by: 'health', first: 'quick', quickIsWhole: true } as const;
const THROTTLED: Found = { ...UNKNOWN, refused: true, throttled: true, silent: true, retryAfterMs: 60_000 };

describe('a slow site that is healthy', () => {
  const same = (ms: number): NonNullable<Scene['tookMs']> => ({ before: ms, sample: ms, quick: ms, whole: ms });
  const rows: readonly (Omit<Scene, 'site'> & { name: string; site?: Scene['site']; asked: string })[] = [
    { name: '4 s of 6 s', ...HEALTH, tookMs: same(4_000), forMs: 6_000, asked: 'quick quick' },
    { name: '1.6 s of 4 s', ...HEALTH, tookMs: same(1_600), forMs: 4_000, asked: 'quick quick' },
    { name: '1.5 s of 5 s', ...HEALTH, tookMs: same(1_500), forMs: 5_000, stable: 3, asked: 'quick quick quick' },
    {
      name: '30 s of 20 s, without a first answer',
      ...HEALTH,
      tookMs: same(30_000),
      forMs: 20_000,
      asked: 'quick quick',
    },
    {
      name: 'the whole site',
      ...HEALTH,
      quickIsWhole: false,
      tookMs: same(4_000),
      forMs: 6_000,
      asked: 'quick quick whole',
    },
    { name: 'with a source', tookMs: same(4_000), forMs: 6_000, site: () => NEW, asked: 'sample quick whole' },
    {
      name: 'slower in the second round than in the first',
      ...HEALTH,
      tookMs: { quick: (ms) => (ms === 0 ? 1_400 : 3_000) },
      forMs: 4_000,
      asked: 'quick quick',
    },
    {
      name: 'slower after the end',
      ...HEALTH,
      tookMs: { quick: (ms) => (ms === 0 ? 5_000 : 14_000) },
      forMs: 6_000,
      asked: 'quick quick',
    },
  ];

  it.each(rows)('$name: $asked', async ({ asked, site = () => WELL, ...scene }) => {
    const { report, runs } = await play({ ...scene, site });
    expect([kinds(runs), report.verdict, report.waited?.allPassedMs]).toEqual([asked, 'healthy', expect.any(Number)]);
  });
});

describe('a slow site that is not well', () => {
  it.each([
    { name: 'down', found: DOWN, verdict: 'down' },
    { name: 'broken', found: BROKEN, verdict: 'degraded' },
  ])('$name is not checked again after a run over everything', async ({ found, verdict }) => {
    const { runs, report } = await play({ ...HEALTH, site: () => found, tookMs: { quick: 4_000 }, forMs: 6_000 });
    expect([runs, report.verdict]).toEqual([['quick@0', 'quick@5000'], verdict]);
  });

  it('is old until the end, and new in the run after it', async () => {
    const site: Scene['site'] = (ms, kind) => {
      if (kind === 'before') return { ...WELL, taken: true };
      return ms < 6_000 ? OLD : NEW;
    };
    const { report } = await play({ site, first: 'before', by: 'since', tookMs: { before: 4_000 }, forMs: 6_000 });
    expect(report.verdict).toBe('healthy');
  });
});

describe('a host that asks for less in the last run', () => {
  it('is reported with what it served before', async () => {
    const { report, runs } = await play({ site: (ms) => (ms < 5_000 ? OLD : THROTTLED), forMs: 5_000 });
    expect([kinds(runs).endsWith(' whole'), report.verdict, report.fresh]).toEqual([true, 'unknown', false]);
    expect(report.checks[0]?.id).toBe('sample');
  });

  it('and in time', async () => {
    const { report } = await play({ site: (ms) => (ms < 3_000 ? OLD : THROTTLED), forMs: 9_000 });
    expect([report.verdict, report.fresh, report.checks[0]?.id]).toEqual(['unknown', false, 'sample']);
  });

  it.each([
    { name: 'where nothing came before', before: { ...DOWN, silent: true } },
    { name: 'where all was well before', before: WELL },
  ])('is reported with that $name', async ({ before }) => {
    const site: Scene['site'] = (ms) => (ms < 5_000 ? before : { ...THROTTLED, verdict: 'down' });
    const { report } = await play({ by: 'health', first: 'quick', site, stable: 9, forMs: 5_000 });
    expect([report.verdict, report.checks[0]?.id]).toEqual(['down', 'whole']);
  });

  it('is not waited for longer than a little', async () => {
    const { rounds, ran } = plan([...CORE, 'source'], { source: SOURCE });
    for (const leftMs of [20_000, 0]) await rounds.ask('whole', leftMs);
    expect(ran.map(({ patienceMs }) => patienceMs)).toEqual([20_000, 3_000]);
  });
});

describe('what has just failed', () => {
  it.each([
    { name: 'nobody there', found: { ...DOWN, silent: true }, once: ['whole'] },
    { name: 'a broken site', found: BROKEN, once: [] },
    { name: 'an old one', found: OLD, once: [] },
  ])('is tried once in the last run: $name', async ({ found, once }) => {
    const { triedOnce } = await play({ site: () => found, forMs: 4_000 });
    expect(triedOnce).toEqual(once);
  });

  it('has no retries', async () => {
    const { rounds, ran } = plan(CORE, {}, { limits: { retries: 4, timeoutMs: 7 } });
    await rounds.ask('whole', 0, true);
    expect([ran[0]?.limits, ran[0]?.patienceMs]).toEqual([{ retries: 0, timeoutMs: 7 }, 0]);
  });
});
