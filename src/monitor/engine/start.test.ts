/** What a single run, and one run after another, make of failures that take long to confirm. */
import { currentIncident } from '../incident/state.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import type { Report } from '../../core/check.ts';
import type { CheckSiteOptions } from '../../core/check-site.ts';

import { runAllOnce, type SingleRunOutcome } from './start.ts';
import type { MonitoredSite } from '../settings.ts';
import { openStore } from '../store/open.ts';
import { finding, reportOf } from '../../../test/reports.ts';
import { FakeAround } from '../../../test/monitor/fake-around.ts';
import { settingsOf, siteAt } from '../../../test/monitor/settings.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

const FAILING = reportOf([{ id: 'bundle', httpStatus: null, findings: [finding({ rule: 'refused' })] }], {
  verdict: 'down',
});

let folder: string;
let timers: FakeAround;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'docvitals-once-'));
  timers = new FakeAround();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** One run, whose time goes on until it has ended. */
async function run(
  site: Partial<MonitoredSite>,
  look: (options: CheckSiteOptions) => Promise<Report>,
  interrupt?: AbortSignal,
): Promise<SingleRunOutcome> {
  const store = await openStore(path.join(folder, 'docvitals.db'), { mode: 'own', now: timers.wall });
  const state = { isOver: false };
  const running = runAllOnce(
    {
      settings: settingsOf([siteAt('http://docs.test/', site)]),
      store,
      env: {},
      timers,
      log: () => {},
      check: look,
      lookups: { resolver: async () => [] },
    },
    interrupt,
  ).finally(() => {
    state.isOver = true;
  });
  while (!state.isOver) {
    for (let count = 0; count < 10; count += 1) await turn();
    const next = timers.untilNext();
    if (next !== null && !state.isOver) timers.advance(next);
  }
  await store.close();
  return running;
}

/** A look that takes so long. */
const taking =
  (ms: number): (() => Promise<Report>) =>
  async () => {
    await new Promise<void>((resolve) => void timers.after(ms, resolve));
    return FAILING;
  };

const isOpen = ({ sites }: SingleRunOutcome): boolean => currentIncident(sites[0]?.state ?? null) !== null;

describe('docvitals monitor --once, where a failure', () => {
  it.each([
    ['is to last for a minute and more', { afterMs: 40 * SECOND, times: 3 }, 0],
    ['is to be seen ten times', { afterMs: 10 * SECOND, times: 10 }, 0],
    ['takes its whole deadline each time', { afterMs: 25 * SECOND, times: 3 }, 15 * SECOND],
  ])('%s: confirms it within the run', async (_, confirm, takesMs) => {
    const outcome = await run({ confirm }, taking(takesMs));
    expect([isOpen(outcome), outcome.status]).toEqual([true, 1]);
  });

  it('could not be confirmed because the run was cut: the next ones do it', async () => {
    const site = { confirm: { afterMs: 30 * SECOND, times: 3 } };
    const open: boolean[] = [];
    for (let hour = 0; hour < 3; hour += 1) {
      const interrupt = new AbortController();
      let looks = 0;
      const outcome = await run(
        site,
        async () => {
          looks += 1;
          if (looks > 1) interrupt.abort();
          return FAILING;
        },
        interrupt.signal,
      );
      open.push(isOpen(outcome));
      timers.advance(HOUR);
    }
    expect(open).toEqual([false, false, true]);
  });
});

describe('docvitals monitor --once, of a site that uses up every deadline', () => {
  const hourly = { kind: 'every', everyMs: HOUR, jitterMs: 0 } as const;
  const isFull = ({ requested }: CheckSiteOptions): boolean => requested?.full === true;

  /** The runs of a site, and how many seconds they took together. `reportOn`: what each finds. */
  async function runs(site: Partial<MonitoredSite>, reportOn: (options: CheckSiteOptions) => Report) {
    const all: CheckSiteOptions[] = [];
    const began = timers.monotonic();
    await run({ full: hourly, ...site }, async (options) => {
      all.push(options);
      await new Promise<void>((resolve) => void timers.after(options.limits?.deadlineMs ?? Infinity, resolve));
      return reportOn(options);
    });
    return { all, seconds: (timers.monotonic() - began) / SECOND };
  }

  it('ends within 90 seconds where it is down, and leaves its full check out', async () => {
    const { all, seconds } = await runs({}, () => FAILING);
    expect(seconds).toBeLessThanOrEqual(90);
    expect(all.map(isFull)).toEqual([false, false, false]);
    const confirming = all.slice(1).map(({ checks, limits }) => [checks.map(({ id }) => id), limits?.retries]);
    expect(confirming, 'requests only what failed, and retries nothing').toEqual([
      [['bundle'], 0],
      [['bundle'], 0],
    ]);
  });

  it('ends within 90 seconds where its full check finds something, which is confirmed', async () => {
    const well = [{ id: 'bundle', status: 'pass' as const }];
    const dead = { id: 'links', findings: [finding({ rule: 'missing' })] };
    const { all, seconds } = await runs({}, (options) =>
      isFull(options) ? reportOf([...well, dead]) : reportOf(well, { verdict: 'healthy' }),
    );
    expect(seconds).toBeLessThanOrEqual(90);
    expect(all.map(isFull)).toEqual([false, true, true]);
    const beyond = all.at(-1)?.checks.filter(({ full }) => full === true);
    expect(beyond?.map(({ id }) => id)).toEqual(['links']);
  });

  it('takes the deadline that is configured', async () => {
    const checking = { ...DEFAULT_CONFIG, limits: { deadlineMs: 100 * SECOND } };
    const { all } = await runs({ checking }, () =>
      reportOf([{ id: 'bundle', status: 'pass' }], { verdict: 'healthy' }),
    );
    expect(all.map(({ limits }) => limits?.deadlineMs)).toEqual([100 * SECOND, 100 * SECOND]);
  });
});

describe('docvitals monitor --once, where nothing could be checked', () => {
  it('does not say that all is healthy because it was the last time', async () => {
    const well = reportOf([{ id: 'bundle', status: 'pass' }], { verdict: 'healthy' });
    expect((await run({}, async () => well)).status).toBe(0);
    expect((await run({}, () => Promise.reject(new TypeError('odd')))).status).toBe(3);
  });
});
