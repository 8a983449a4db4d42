/** When a single run looks at the whole site: by when that was done last, whatever came of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runAllOnce } from '../../../src/monitor/engine/start.ts';
import { openStore } from '../../../src/monitor/store/open.ts';
import { verdictOf } from '../../../src/core/verdict.ts';
import { reportOf } from '../../reports.ts';
import { FakeAround } from '../../monitor/fake-around.ts';
import { settingsOf, siteAt } from '../../monitor/settings.ts';

const MINUTE = 60_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'docvitals-once-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('docvitals monitor --once, by the hour', () => {
  it.each([
    ['well', 'pass'],
    ['of which nothing is known', 'unknown'],
  ] as const)('looks again after an hour at a whole site that was %s', async (_, status) => {
    const timers = new FakeAround();
    const site = siteAt('http://docs.test/', { full: { kind: 'every', everyMs: 60 * MINUTE, jitterMs: 0 } });
    const looks: string[] = [];
    for (let run = 0; run < 14; run += 1) {
      const store = await openStore(path.join(folder, 'docvitals.db'), { mode: 'own', now: timers.wall });
      await runAllOnce({
        settings: settingsOf([site]),
        store,
        env: {},
        timers,
        log: () => {},
        check: async ({ checks }) => {
          const isWhole = checks.some(({ full }) => full);
          looks.push(`${run * 10} ${isWhole ? 'whole' : 'core'}`);
          const results = checks.map(({ id, full }) => ({ id, status: full ? status : ('pass' as const) }));
          const report = reportOf(results);
          return { ...report, verdict: verdictOf(report.checks, checks, false) };
        },
      });
      await store.close();
      timers.advance(10 * MINUTE);
    }
    expect(looks.filter((look) => look.endsWith('core'))).toHaveLength(14);
    const whole = looks.filter((look) => look.endsWith('whole')).map((look) => Number.parseInt(look));
    expect(whole[0]).toBe(0);
    expect(whole.length).toBeGreaterThanOrEqual(3);
    expect(whole.length).toBeLessThanOrEqual(4);
  });
});
