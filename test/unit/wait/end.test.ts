/** The end of a waiting whose time is up. */
import { describe, expect, it } from 'vitest';
import { BROKEN, DOWN, NEW, OLD, play, WELL, type Scene } from '../../../src/wait/fixtures/scene.ts';

const kinds = (runs: readonly string[]): string => runs.map((run) => run.split('@')[0]).join(' ');
const count = (runs: readonly string[], kind: string): number => runs.filter((one) => one.startsWith(kind)).length;

describe('runs that are still missing when the time is up', () => {
  it('follow one over everything, with pauses', async () => {
    const { report, runs, pauses } = await play({ site: () => NEW, forMs: 1_000, stable: 20 });
    expect([report.verdict, count(runs, 'whole')]).toEqual(['healthy', 1]);
    expect(report.waited?.runs).toBeLessThanOrEqual(22);
    expect(pauses.filter((ms) => ms < 900)).toEqual([]);
  });

  it('are none where the site is not well', async () => {
    const { runs } = await play({ site: () => BROKEN, forMs: 3_000 });
    expect(kinds(runs)).toMatch(/quick whole$/);
  });

  it('are none where one is enough', async () => {
    const { report, runs } = await play({ site: (ms) => (ms < 3_000 ? OLD : NEW), forMs: 3_000, stable: 1 });
    expect([report.verdict, kinds(runs).endsWith('sample whole')]).toEqual(['healthy', true]);
  });

  it('follow a quick one that checks everything', async () => {
    const scene = { by: 'health', first: 'quick', quickIsWhole: true } as const;
    const { report, runs } = await play({ ...scene, site: () => WELL, forMs: 60 });
    expect([kinds(runs), report.verdict]).toEqual(['quick quick', 'healthy']);
  });
});

describe('a site that flaps for ever', () => {
  const flapping = (period: number): Scene['site'] => {
    let versions = 0;
    return () => (versions++ % period === period - 1 ? { ...OLD, isBack: versions > period } : NEW);
  };

  it.each([2, 3])('old every %i runs is not live at the end', async (period) => {
    const { report, runs } = await play({
      site: flapping(period),
      by: 'version',
      quickIsWhole: true,
      stable: 3,
      forMs: 15_000,
    });
    expect([report.verdict, report.fresh, report.waited?.allPassedMs]).toEqual(['stale', false, null]);
    expect(count(runs, 'whole')).toBeLessThanOrEqual(1);
  });

  it('is not live, though all is new in the run after the end', async () => {
    const site: Scene['site'] = (ms, kind, run) => {
      if (kind === 'whole') return NEW;
      return run % 2 === 0 ? { ...OLD, isBack: ms > 0 } : NEW;
    };
    const { report, runs } = await play({ site, forMs: 5_000 });
    expect([kinds(runs).endsWith(' whole'), report.verdict, report.fresh, report.waited?.allPassedMs]).toEqual([
      true,
      'stale',
      false,
      null,
    ]);
  });

  it('between healthy and broken is reported with what is broken', async () => {
    let good = 0;
    const site: Scene['site'] = (_, kind) => (kind === 'quick' && good++ % 2 === 1 ? { ...DOWN, fresh: null } : WELL);
    const { report } = await play({ site, by: 'health', first: 'quick', forMs: 5_000 });
    expect([report.verdict, report.waited?.allPassedMs]).toEqual(['down', null]);
  });

  it('keeps its first new byte', async () => {
    const { report } = await play({ site: flapping(2), by: 'version', quickIsWhole: true, forMs: 10_000 });
    expect(report.waited?.firstNewMs).toBe(10);
  });

  it.each([
    { name: 'with the next quick round', stable: 2, verdict: 'stale' },
    { name: 'after more rounds', stable: 5, verdict: 'stale' },
  ])('$name after the end is not live', async ({ stable, verdict }) => {
    let late = 0;
    const site: Scene['site'] = (ms, kind) => {
      if (ms < 5_000) return OLD;
      if (kind === 'quick') late += 1;
      return kind === 'quick' && late === stable - 1 ? OLD : NEW;
    };
    const { report } = await play({ site, forMs: 5_000, stable });
    expect([report.verdict, report.waited?.allPassedMs]).toEqual([verdict, null]);
  });
});

describe('a host that wants to be left alone at the end', () => {
  it('is asked nothing more', async () => {
    const site = (): ReturnType<Scene['site']> => ({ ...DOWN, refused: true, retryAfterMs: 60_000 });
    const { report, runs, endedAtMs } = await play({ site, forMs: 6_000 });
    expect({ runs, verdict: report.verdict, endedAtMs }).toEqual({
      runs: ['sample@0'],
      verdict: 'down',
      endedAtMs: 6_000,
    });
  });

  it('and seems well is not live for that', async () => {
    const { report } = await play({ site: () => ({ ...NEW, retryAfterMs: 60_000 }), forMs: 6_000 });
    expect([report.verdict, report.waited?.allPassedMs]).toEqual(['unknown', null]);
  });

  it('is reported as not known where only single files were old', async () => {
    const site = (): ReturnType<Scene['site']> => ({ ...OLD, refused: true, retryAfterMs: 60_000 });
    const { report } = await play({ site, forMs: 6_000 });
    expect([report.verdict, report.fresh, report.interrupted]).toEqual(['unknown', false, false]);
    expect(report.checks.map(({ status }) => status)).toEqual(['fail', 'unknown']);
  });

  it('and seems well in a few files, is not live', async () => {
    const { report, runs } = await play({ site: () => ({ ...NEW, refused: true }), forMs: 500, stable: 9 });
    expect(kinds(runs)).toBe('sample quick');
    expect([report.verdict, report.waited?.allPassedMs]).toEqual(['unknown', null]);
  });

  it('that does not say how long is asked for little', async () => {
    const { runs } = await play({ site: () => ({ ...DOWN, refused: true }), forMs: 6_000 });
    expect(kinds(runs)).toMatch(/sample quick$/);
  });

  it('is asked once more where it does not want that any longer', async () => {
    const site: Scene['site'] = (ms) => (ms < 5_000 ? { ...DOWN, refused: true, retryAfterMs: 5_500 } : NEW);
    const { report, runs } = await play({ site, forMs: 5_600 });
    expect([kinds(runs), report.verdict]).toEqual(['sample sample quick whole', 'healthy']);
  });
});

describe('somebody who stops the last run', () => {
  it('is reported what the run before found', async () => {
    const site: Scene['site'] = (_, kind) => (kind === 'whole' ? { verdict: 'unknown' } : OLD);
    const { report } = await play({ site, forMs: 1_000, interruptAtMs: 1_400 });
    expect([report.verdict, report.checks[0]?.id, report.interrupted]).toEqual(['unknown', 'sample', true]);
  });

  it('does not report the site as healthy after it', async () => {
    const { report } = await play({ site: () => NEW, forMs: 500, stable: 4, interruptAtMs: 2_300 });
    expect([report.verdict, report.checks[0]?.id, report.interrupted]).toEqual(['unknown', 'whole', true]);
  });
});
