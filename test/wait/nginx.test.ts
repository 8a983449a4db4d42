/** Waiting for what a real nginx serves, while it is deployed again. */
import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExpectedVersion, RunRequest } from '../../src/site/types.ts';
import type { Report } from '../../src/core/check.ts';
import type { WaitState } from '../../src/wait/wait.ts';
import { nginxWanted, type Nginx } from '../hosts/nginx.ts';
import { COMMITS, makeDeploys, serveDeploys, sourceOf, waitFor, type Deploys, type Version } from './deploys.ts';

const expected = (version: Version): ExpectedVersion => ({
  version: COMMITS[version],
  from: null,
  optional: false,
  since: null,
});

/** Clocks that have run, each not before the one before it. */
function clocksOf({ waited }: Report): readonly number[] {
  return [waited?.firstNewMs, waited?.allNewMs, waited?.allPassedMs].filter((ms) => typeof ms === 'number');
}

const failing = ({ checks }: Report): string[] =>
  checks.flatMap(({ id, findings }) =>
    findings.filter(({ severity }) => severity === 'error').map(({ rule }) => `${id}/${rule}`),
  );

describe.runIf(nginxWanted())('a site on nginx', () => {
  let deploys: Deploys;
  let nginx: Nginx | undefined;
  beforeEach(() => {
    deploys = makeDeploys();
  });
  afterEach(async () => {
    await nginx?.stop();
    deploys.remove();
  });
  const start = async (inTurn = false): Promise<string> => {
    nginx = await serveDeploys(deploys, { inTurn });
    return nginx.url;
  };
  /** Runs `act` before the third round: the old version has been seen by then. */
  const afterTwo =
    (act: () => void) =>
    ({ run, pauseMs }: WaitState): void => {
      if (run === 2 && pauseMs !== null) act();
    };

  const criteria: readonly {
    name: string;
    by: string;
    also: readonly string[];
    sinceNow?: true;
    wants: () => Promise<Partial<RunRequest>>;
  }[] = [
    {
      name: 'the source',
      by: 'source',
      also: ['source'],
      wants: async () => ({ source: await sourceOf(deploys, 'new') }),
    },
    {
      name: 'the version',
      by: 'version',
      also: ['deployed-version'],
      wants: () => Promise.resolve({ expected: expected('new') }),
    },
    { name: 'the bundle', by: 'since', also: ['deployed-version'], sinceNow: true, wants: () => Promise.resolve({}) },
    {
      name: 'all of them',
      by: 'source',
      also: ['source', 'deployed-version'],
      wants: async () => ({ source: await sourceOf(deploys, 'new'), expected: expected('new') }),
    },
  ];

  it.each(criteria)('that is switched is live once $name is new', async ({ by, also, sinceNow, wants }) => {
    const url = await start();
    const report = await waitFor(url, {
      also,
      wants: await wants(),
      ...(sinceNow ? { sinceNow } : {}),
      onRun: afterTwo(() => deploys.switchTo('new')),
    });
    expect({ verdict: report.verdict, failing: failing(report), fresh: report.fresh, by: report.waited?.by }).toEqual({
      verdict: 'healthy',
      failing: [],
      fresh: true,
      by,
    });
    expect(clocksOf(report)).toHaveLength(3);
    expect(clocksOf(report)).toEqual(clocksOf(report).toSorted((a, b) => a - b));
    expect(report.waited?.runs).toBeGreaterThan(3);
  });

  it.each(criteria)('that stays as it is is not fresh by $name', async ({ also, sinceNow, wants }) => {
    const url = await start();
    const report = await waitFor(url, { also, wants: await wants(), ...(sinceNow ? { sinceNow } : {}), forMs: 300 });
    expect([report.verdict, report.fresh, report.waited?.allPassedMs]).toEqual([
      // A folder has no history that would show that what differs is older.
      also.includes('deployed-version') ? 'stale' : 'degraded',
      false,
      null,
    ]);
  });

  it.each([
    { name: 'connection by connection, by the source', split: true, also: ['source'] },
    { name: 'run by run, by the source', split: false, also: ['source'] },
    { name: 'run by run, by the version', split: false, also: ['deployed-version'] },
  ])('that answers old and new in turn is not live before all is new: $name', async ({ split, also }) => {
    const url = await start(split);
    const states: WaitState[] = [];
    const report = await waitFor(url, {
      also,
      wants: also.includes('source') ? { source: await sourceOf(deploys, 'new') } : { expected: expected('new') },
      onRun: (state) => {
        if (state.pauseMs !== null) return;
        states.push(state);
        if (split && state.run === 10) deploys.mark('all-new');
        if (!split) deploys.switchTo(state.run >= 10 || state.run % 2 === 1 ? 'new' : 'old');
      },
    });
    expect([report.verdict, report.fresh, report.waited?.by]).toEqual([
      'healthy',
      true,
      also.includes('source') ? 'source' : 'version',
    ]);
    expect(states.length).toBeGreaterThanOrEqual(10);
    expect(Math.max(...states.slice(0, 10).map(({ good }) => good))).toBeLessThan(2);
  });

  it('that is live already is asked a few times, and of the old version little before', async () => {
    const url = await start();
    deploys.switchTo('new');
    const phases: string[] = [];
    const report = await waitFor(url, {
      also: ['deployed-version'],
      wants: { expected: expected('new') },
      onRun: ({ phase, pauseMs }) => void (pauseMs === null && phases.push(phase)),
    });
    expect([report.verdict, phases]).toEqual(['healthy', ['new', 'all', 'healthy']]);
  });

  it('whose new version is broken is degraded, not stale', async () => {
    const url = await start();
    const report = await waitFor(url, {
      also: ['deployed-version', 'links'],
      wants: { expected: expected('old') },
      forMs: 300,
    });
    expect(report.verdict).toBe('healthy');
    unlinkSync(join(deploys.folder('old'), 'guide.md'));
    const broken = await waitFor(url, {
      also: ['deployed-version', 'links'],
      wants: { expected: expected('old') },
      forMs: 300,
    });
    expect([broken.verdict, broken.fresh]).toEqual(['degraded', true]);
    expect(failing(broken)).toEqual(['links/missing']);
  });

  it('is left alone at once when somebody stops it', async () => {
    const url = await start();
    const stop = new AbortController();
    const report = await waitFor(url, {
      also: ['deployed-version'],
      wants: { expected: expected('new') },
      interrupt: stop.signal,
      onRun: afterTwo(() => stop.abort()),
    });
    expect([report.interrupted, report.verdict, report.waited?.runs]).toEqual([true, 'unknown', 2]);
  });
});
