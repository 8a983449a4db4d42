/** What a single run, and one run after another, make of failures that take long to confirm. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Report } from '../../src/check.ts';
import type { OnceOutcome } from '../../src/monitor/engine/monitor.ts';
import { runOnce } from '../../src/monitor/engine/once.ts';
import type { MonitoredSite } from '../../src/monitor/settings.ts';
import { openStore } from '../../src/monitor/store/open.ts';
import { finding, reportOf } from '../reports.ts';
import { FakeAround } from './fake-around.ts';
import { settingsOf, siteAt } from './settings.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

const FAILING = reportOf([{ id: 'bundle', httpStatus: null, findings: [finding({ code: 'refused' })] }], {
  verdict: 'down',
});

let folder: string;
let around: FakeAround;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'docvitals-once-'));
  around = new FakeAround();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** One run, whose time goes on until it has ended. */
async function run(
  site: Partial<MonitoredSite>,
  look: () => Promise<Report>,
  interrupt?: AbortSignal,
): Promise<OnceOutcome> {
  const store = await openStore(path.join(folder, 'docvitals.db'), { mode: 'own', now: around.wall });
  const state = { isOver: false };
  const running = runOnce(
    {
      settings: settingsOf([siteAt('http://docs.test/', site)]),
      store,
      env: {},
      around,
      log: () => {},
      check: look,
    },
    interrupt,
  ).finally(() => {
    state.isOver = true;
  });
  while (!state.isOver) {
    for (let count = 0; count < 10; count += 1) await turn();
    const next = around.untilNext();
    if (next !== null && !state.isOver) around.advance(next);
  }
  await store.close();
  return running;
}

/** A look that takes so long. */
const taking =
  (ms: number): (() => Promise<Report>) =>
  async () => {
    await new Promise<void>((resolve) => void around.after(ms, resolve));
    return FAILING;
  };

const isOpen = ({ sites }: OnceOutcome): boolean => (sites[0]?.state?.incident ?? null) !== null;

describe('docvitals monitor --once, where a failure', () => {
  it.each([
    ['is to last for a minute and more', { afterMs: 40 * SECOND, times: 2 }, 0],
    ['is to be seen ten times', { afterMs: 10 * SECOND, times: 10 }, 0],
    ['takes its whole deadline each time', { afterMs: 25 * SECOND, times: 2 }, 15 * SECOND],
  ])('%s: confirms it within the run', async (_, confirm, takesMs) => {
    const outcome = await run({ confirm }, taking(takesMs));
    expect([isOpen(outcome), outcome.status]).toEqual([true, 1]);
  });

  it('could not be confirmed because the run was cut: the next ones do it', async () => {
    const site = { confirm: { afterMs: 30 * SECOND, times: 2 } };
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
      around.advance(HOUR);
    }
    expect(open).toEqual([false, false, true]);
  });
});

describe('docvitals monitor --once, where nothing could be looked at', () => {
  it('does not say that all is well because it was the last time', async () => {
    const well = reportOf([{ id: 'bundle', status: 'pass' }], { verdict: 'healthy' });
    expect((await run({}, async () => well)).status).toBe(0);
    expect((await run({}, () => Promise.reject(new TypeError('odd')))).status).toBe(3);
  });
});
