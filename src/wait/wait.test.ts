import { describe, expect, it } from 'vitest';
import { BROKEN, DOWN, NEW, OLD, PARTLY, play, UNKNOWN, WELL, type Found, type Scene } from './fixtures/scene.ts';
import { growingPauses, type Reported } from './wait.ts';

/** The kinds of the runs, without the times. */
const kinds = (runs: readonly string[]): string => runs.map((run) => run.split('@')[0]).join(' ');
const after =
  (ms: number, then: Found, before: Found = OLD) =>
  (now: number): Found =>
    now >= ms ? then : before;

describe('a site that is live already', () => {
  const rows: readonly (Scene & { name: string; asked: string })[] = [
    { name: 'by the source', site: () => NEW, asked: 'sample quick quick whole' },
    { name: 'by the version', site: () => NEW, by: 'version', quickIsWhole: true, asked: 'sample quick quick' },
    { name: 'by its health', site: () => WELL, by: 'health', first: 'quick', quickIsWhole: true, asked: 'quick quick' },
    { name: 'by its health, whole', site: () => WELL, by: 'health', first: 'quick', asked: 'quick quick whole' },
    { name: 'stable 1', site: () => NEW, stable: 1, asked: 'sample quick whole' },
    { name: 'stable 3', site: () => NEW, stable: 3, asked: 'sample quick quick quick whole' },
    { name: 'a version that need not be told', site: () => WELL, by: 'version', asked: 'sample quick quick whole' },
  ];

  it.each(rows)('$name: $asked', async ({ asked, ...scene }) => {
    const { report, runs, endedAtMs } = await play(scene);
    expect({ asked: kinds(runs), verdict: report.verdict, interrupted: report.interrupted }).toEqual({
      asked,
      verdict: 'healthy',
      interrupted: false,
    });
    expect(report.waited).toMatchObject({ runs: runs.length, elapsedMs: endedAtMs, allPassedMs: endedAtMs });
    // Only the pauses between good runs were waited.
    expect(endedAtMs).toBeLessThan(5_000);
  });

  it('of which nothing is reported was waited for by its health', async () => {
    const { report } = await play({ site: () => WELL, by: 'version' });
    expect(report.waited?.by).toBe('health');
  });
});

describe('a new version', () => {
  it('is asked for with single files until the first is new, then with all', async () => {
    const { report, runs } = await play({ site: after(20_000, NEW) });
    expect(kinds(runs)).toMatch(/^sample( sample)+ quick quick whole$/);
    expect(report.verdict).toBe('healthy');
    const { firstNewMs, allNewMs, allPassedMs } = report.waited ?? {};
    expect(firstNewMs).toBeGreaterThanOrEqual(20_000);
    expect(allNewMs).toBeGreaterThan(firstNewMs ?? Infinity);
    expect(allPassedMs).toBeGreaterThan(allNewMs ?? Infinity);
  });

  it('that arrives file by file has three clocks of its own', async () => {
    const site: Scene['site'] = (ms, kind) => {
      if (ms < 10_000) return OLD;
      return ms < 20_000 && kind !== 'sample' ? PARTLY : NEW;
    };
    const { report, states } = await play({ site });
    const { firstNewMs, allNewMs, allPassedMs } = report.waited ?? {};
    expect([
      (firstNewMs ?? 0) < 15_000,
      (allNewMs ?? 0) >= 20_000,
      (allPassedMs ?? 0) > (allNewMs ?? Infinity),
    ]).toEqual([true, true, true]);
    expect([...new Set(states.map(({ phase }) => phase))]).toEqual(['new', 'all', 'healthy']);
  });

  it('and the old one in turn is not live', async () => {
    const site: Scene['site'] = (ms, _, count) => (ms < 30_000 && count % 2 === 0 ? OLD : NEW);
    const { report, runs } = await play({ site });
    expect(report.waited?.allPassedMs).toBeGreaterThanOrEqual(30_000);
    expect(kinds(runs)).toMatch(/quick quick whole$/);
    // Good runs that do not stay good are no reason to ask faster and faster.
    expect(runs.length).toBeLessThan(30);
  });

  it.each([2, 3, 4])('that stays for less than %i runs is not live', async (stable) => {
    let good = 0;
    const site: Scene['site'] = (_, kind) => {
      if (kind === 'sample') return NEW;
      good = good === stable - 1 ? 0 : good + 1;
      return good === 0 ? OLD : NEW;
    };
    const { report, states } = await play({ site, stable, forMs: 20_000 });
    expect([report.verdict, report.waited?.allPassedMs]).toEqual(['stale', null]);
    expect(Math.max(...states.map((state) => state.good))).toBe(stable - 1);
  });

  it('that only the full run finds old is asked for with single files again, and its clocks begin again', async () => {
    const site: Scene['site'] = (ms, kind) => {
      // The first samples are the same in both versions; after the whole run those that differ are known.
      if (kind === 'whole') return ms < 10_000 ? OLD : NEW;
      if (ms >= 10_000) return NEW;
      return ms < 3_000 ? { ...NEW, isNew: false } : OLD;
    };
    const { runs, report } = await play({ site });
    expect(kinds(runs)).toMatch(/^sample quick quick whole sample( sample)+ quick quick whole$/);
    expect(report.waited?.firstNewMs).toBeGreaterThanOrEqual(10_000);
    expect(report.waited?.allNewMs).toBeGreaterThanOrEqual(10_000);
  });

  it('that is broken is asked for until it is fixed', async () => {
    const { report, runs } = await play({ site: after(15_000, NEW, BROKEN) });
    expect(report.verdict).toBe('healthy');
    expect(report.waited?.firstNewMs).toBeLessThan(1_000);
    expect(kinds(runs)).toMatch(/^sample quick quick.* whole$/);
  });

  it('that only the full run finds broken is asked for again, from the quick runs on', async () => {
    const site: Scene['site'] = (ms, kind) => (kind === 'whole' && ms < 5_000 ? BROKEN : NEW);
    const { runs, report, states } = await play({ site });
    expect(kinds(runs)).toBe('sample quick quick whole quick quick whole');
    expect(report.verdict).toBe('healthy');
    // Until everything is checked again, the quick runs do not report a healthy site.
    expect(states.filter(({ failing }) => failing.length > 0).map(({ failing }) => failing[0])).toContain('whole');
  });

  it('of a large site is not checked more than half of the time', async () => {
    const site: Scene['site'] = (_, kind) => (kind === 'whole' ? BROKEN : NEW);
    const { pauses, runs } = await play({ site, tookMs: { whole: 20_000 }, forMs: 300_000 });
    expect(pauses.filter((ms) => ms >= 20_000).length).toBeGreaterThanOrEqual(
      runs.filter((one) => one.startsWith('whole')).length - 1,
    );
  });

  it('is waited for while nobody is there', async () => {
    const { report } = await play({ site: after(8_000, NEW, DOWN) });
    expect([report.verdict, report.waited?.firstNewMs ?? 0]).toEqual(['healthy', expect.any(Number)]);
    expect(report.waited?.firstNewMs).toBeGreaterThanOrEqual(8_000);
  });

  it('is waited for while it could not be determined', async () => {
    const { report, runs } = await play({ site: after(8_000, NEW, UNKNOWN) });
    expect(report.verdict).toBe('healthy');
    expect(kinds(runs)).toMatch(/^sample sample/);
  });
});

describe('what the bundle has before the deploy', () => {
  it('is taken first', async () => {
    const site: Scene['site'] = (ms, kind) => (kind === 'before' ? { ...WELL, taken: true } : after(9_000, NEW)(ms));
    const { report, runs } = await play({ site, first: 'before', by: 'since', quickIsWhole: true });
    expect(kinds(runs)).toMatch(/^before sample( sample)* quick quick$/);
    expect(report.waited?.firstNewMs).toBeGreaterThanOrEqual(9_000);
  });

  it('is asked for again until it is known', async () => {
    const site: Scene['site'] = (ms, kind) => (kind === 'before' ? { ...DOWN, taken: ms > 3_000 } : NEW);
    const { runs } = await play({ site, first: 'before', by: 'since', quickIsWhole: true });
    expect(kinds(runs)).toMatch(/^before before( before)* sample quick quick$/);
  });
});

describe('the pauses', () => {
  it('grow while nothing changes, up to a limit', async () => {
    const { pauses } = await play({ site: () => OLD, forMs: 600_000 });
    expect(pauses.slice(0, 4)).toEqual([1000, 1500, 2250, 3375]);
    expect(Math.max(...pauses)).toBe(30_000);
  });

  it.each([
    { name: 'at the least', chance: 0, first: 800 },
    { name: 'at the most', chance: 1, first: 1200 },
  ])('are jittered: $name', async ({ chance, first }) => {
    const { pauses } = await play({ site: () => OLD, random: () => chance });
    expect(pauses[0]).toBe(first);
  });

  it('are longer where the host asks for less', async () => {
    const { pauses } = await play({ site: () => ({ ...DOWN, refused: true }), forMs: 600_000 });
    expect(pauses.slice(0, 4)).toEqual([5000, 10_000, 20_000, 40_000]);
    expect(Math.max(...pauses)).toBe(60_000);
  });

  it('are as long as the host says', async () => {
    const { pauses } = await play({ site: () => ({ ...DOWN, refused: true, retryAfterMs: 45_000 }), forMs: 600_000 });
    expect(pauses[0]).toBe(45_000);
  });

  it('are short again once the host answers', async () => {
    const site: Scene['site'] = (_, __, count) => (count <= 2 ? { ...DOWN, refused: true } : OLD);
    const { pauses } = await play({ site, forMs: 600_000 });
    expect(pauses.slice(0, 3)).toEqual([5000, 10_000, 2250]);
  });

  it('never go beyond the end', async () => {
    const { runs, pauses } = await play({ site: () => OLD, forMs: 20_000 });
    const last = Number(runs.at(-1)?.split('@')[1]);
    expect([last, pauses.reduce((sum, ms) => sum + ms, 0) <= 20_000]).toEqual([20_000, true]);
  });

  it('are longer where files are not there yet', async () => {
    const { pauses } = await play({ site: () => ({ ...OLD, missing: true }), forMs: 600_000 });
    expect([pauses.slice(0, 5), Math.max(...pauses)]).toEqual([[5000, 5000, 5000, 5000, 5063], 30_000]);
  });

  it('are as long as the host says before a healthy run, too', async () => {
    const { pauses } = await play({ site: (_, kind) => (kind === 'quick' ? { ...NEW, retryAfterMs: 9_000 } : NEW) });
    expect(pauses).toEqual([9_000, 9_000]);
  });

  it('grow between runs over everything that find it broken', async () => {
    const site: Scene['site'] = (_, kind) => (kind === 'whole' ? BROKEN : NEW);
    const { runs } = await play({ site, forMs: 300_000 });
    const wholes = runs.filter((one) => one.startsWith('whole')).map((one) => Number(one.split('@')[1]));
    const between = wholes.slice(1, -1).map((ms, index) => ms - (wholes[index] ?? 0));
    expect([between.every((ms) => ms > 5_000), Math.max(...between) > 60_000, wholes.length < 9]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('grow while servers switch to and fro', async () => {
    const site: Scene['site'] = (_, kind) => (kind === 'quick' ? OLD : NEW);
    const { runs } = await play({ site, forMs: 300_000 });
    expect(runs.length).toBeLessThan(45);
  });
});

describe('when the time is up', () => {
  it.each([
    { name: 'an old version', site: () => OLD, verdict: 'stale', fresh: false },
    { name: 'nobody there', site: () => DOWN, verdict: 'down', fresh: null },
    { name: 'a broken version', site: () => BROKEN, verdict: 'degraded', fresh: true },
    { name: 'nothing known', site: () => UNKNOWN, verdict: 'unknown', fresh: null },
  ])('the last verdict is about everything: $name', async ({ site, verdict, fresh }) => {
    const { report, runs } = await play({ site, forMs: 5_000 });
    expect({ verdict: report.verdict, fresh: report.fresh, last: runs.at(-1)?.split('@')[0] }).toEqual({
      verdict,
      fresh,
      last: 'whole',
    });
    expect(report.waited).toMatchObject({ allPassedMs: null, forMs: 5_000 });
  });

  it('a full run that has just ended is not repeated', async () => {
    const { runs } = await play({
      site: () => BROKEN,
      quickIsWhole: true,
      first: 'quick',
      forMs: 5_000,
    });
    expect(kinds(runs)).toMatch(/^quick( quick)+$/);
  });

  it('one healthy run is not enough', async () => {
    const { report, runs } = await play({ site: after(5_000, NEW), forMs: 5_000 });
    expect(kinds(runs)).toMatch(/ sample whole quick$/);
    expect([report.verdict, report.waited?.allPassedMs]).toEqual(['healthy', expect.any(Number)]);
  });

  it('old and new in turn is not healthy', async () => {
    const site: Scene['site'] = (_, kind) => (kind === 'whole' ? NEW : OLD);
    const { report, runs } = await play({ site, forMs: 5_000 });
    expect(kinds(runs)).toMatch(/sample whole quick$/);
    expect([report.verdict, report.waited?.allPassedMs]).toEqual(['stale', null]);
  });

  it('which is reported before the last run', async () => {
    const { states } = await play({ site: () => OLD, forMs: 5_000 });
    expect(states.at(-1)).toMatchObject({ whole: true, pauseMs: null, elapsedMs: 5_000 });
  });
});

describe('an interrupt', () => {
  const rows: readonly (Scene & { name: string; verdict: string; kind: string })[] = [
    { name: 'in the first round', site: () => OLD, interruptAtMs: 5, verdict: 'unknown', kind: 'sample' },
    { name: 'in a pause', site: () => OLD, interruptAtMs: 500, verdict: 'unknown', kind: 'sample' },
    { name: 'in a quick round', site: () => NEW, interruptAtMs: 30, verdict: 'unknown', kind: 'sample' },
    {
      name: 'in the pause between good rounds',
      site: () => NEW,
      interruptAtMs: 500,
      verdict: 'unknown',
      kind: 'quick',
    },
    { name: 'in the whole round', site: () => NEW, interruptAtMs: 1500, verdict: 'unknown', kind: 'whole' },
    {
      name: 'in the whole round after the end',
      site: () => OLD,
      forMs: 1_000,
      interruptAtMs: 1_400,
      verdict: 'stale',
      kind: 'whole',
    },
  ];

  it.each(rows)('$name ends it with what is known', async ({ verdict, kind, ...scene }) => {
    const { report, endedAtMs } = await play(scene);
    expect({ verdict: report.verdict, kind: report.checks[0]?.id, interrupted: report.interrupted, endedAtMs }).toEqual(
      {
        verdict,
        kind,
        interrupted: true,
        endedAtMs: scene.interruptAtMs,
      },
    );
    expect(report.waited?.allPassedMs).toBeNull();
  });

  it('before it begins asks once, in vain', async () => {
    const { report, runs } = await play({ site: () => NEW, interruptAtMs: 0 });
    expect([report.interrupted, runs.length]).toEqual([true, 1]);
  });
});

describe('who follows it', () => {
  it('is reported before each run and each pause', async () => {
    const { states, runs, pauses } = await play({ site: after(10_000, NEW) });
    expect(states).toHaveLength(runs.length + pauses.length);
    expect(states[0]).toMatchObject({ run: 1, report: null, pauseMs: null, phase: 'new', elapsedMs: 0, good: 0 });
    expect(states[1]).toMatchObject({ run: 1, pauseMs: 1000, report: { fresh: false } });
    expect(states.at(-1)).toMatchObject({ whole: true, phase: 'healthy', good: 2, stable: 2 });
  });
});

const STILL_OLD: Reported = { refused: false, missing: false, retryAfterMs: 0 };
/** The lengths without chance. */
const middle = (): number => 0.5;

describe('pauses', () => {
  it('grow while nothing changes', () => {
    const pauses = growingPauses(middle);
    expect([1, 2, 3].map(() => pauses.afterBad(STILL_OLD))).toEqual([1_000, 1_500, 2_250]);
  });

  it.each<[name: string, told: Partial<Reported>, ms: number]>([
    ['after an old version', {}, 1_000],
    ['after files that are missing', { missing: true }, 1_000],
    ['after what the host asks for, which counts', { retryAfterMs: 7_000 }, 7_000],
    ['after a host that lets nobody in, which is asked less', { refused: true }, 5_000],
  ])('are as long as they may be: %s', (_, reported, ms) => {
    const pauses = growingPauses(middle, 1_000);
    pauses.afterBad(STILL_OLD);
    expect(pauses.afterBad({ ...STILL_OLD, ...reported })).toBe(ms);
  });

  it('before a run over everything are no shorter than the last one took', () => {
    expect([100, 3_000].map((tookMs) => growingPauses(middle, 1_000).beforeWhole(tookMs))).toEqual([1_000, 3_000]);
  });
});
