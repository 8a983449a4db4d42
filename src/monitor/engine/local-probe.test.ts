import { describe, expect, it } from 'vitest';
import { reply } from '../../../test/answers.ts';
import { FakeAround } from '../../../test/monitor/fake-around.ts';
import { settingsOf, siteAt } from '../../../test/monitor/settings.ts';
import { finding, reportOf } from '../../../test/reports.ts';
import type { Report } from '../../core/check.ts';
import { startClock } from '../clock/clock.ts';
import { openLocalProbe } from './local-probe.ts';
import { watch } from './watched-site.ts';

const SITE = siteAt('https://docs.example/');
const OTHER = siteAt('https://api.example/', { id: 'api' });

describe('the scripts of a bundle', () => {
  /** Whether each run of the core checks requests them; the runs begin at these times, in seconds. */
  async function requested(
    runs: readonly (readonly [at: number, bundle: string, verdict?: Report['verdict'], site?: typeof SITE])[],
  ) {
    const timers = new FakeAround();
    const began = timers.monotonic();
    const wanted: (boolean | undefined)[] = [];
    let next: (typeof runs)[number] = [0, ''];
    const settings = settingsOf([SITE]);
    const probe = await openLocalProbe(
      {
        store: null,
        log: () => {},
        env: {},
        timers: Object.assign(timers, { monotonic: () => began + next[0] * 1_000 }),
        clock: startClock(timers, () => {}),
        resolver: async () => [],
        check: async ({ requested: request, onAnswer }) => {
          wanted.push(request?.scripts);
          const [, body, verdict = 'healthy'] = next;
          const url = `${SITE.url}index.html`;
          onAnswer?.(reply(body, { url, contentType: 'text/html' }));
          const findings = verdict === 'down' ? [finding({ rule: 'script-missing' })] : [];
          return reportOf([{ id: 'bundle', role: 'bundle', url, findings }], { verdict });
        },
      },
      settings,
    );
    const watched = new Map([SITE, OTHER].map((site) => [site, watch(site, null, {})]));
    for (next of runs) {
      const [, , , site = SITE] = next;
      const one = watched.get(site) ?? watch(site, null, {});
      await probe.measure(one, 'core', { bypassCache: false, cut: new AbortController().signal });
    }
    return wanted;
  }

  it('are requested every five minutes while the site is healthy', async () => {
    expect(
      await requested([
        [0, 'a'],
        [10, 'a'],
        [290, 'a'],
        [300, 'a'],
        [310, 'a'],
        [600, 'a'],
      ]),
    ).toEqual([true, false, false, true, false, true]);
  });

  it('are requested in the next run after the bundle has changed', async () => {
    expect(
      await requested([
        [0, 'a'],
        [10, 'b'],
        [20, 'b'],
        [30, 'b'],
      ]),
    ).toEqual([true, false, true, false]);
  });

  it('are requested in each run until the site is healthy', async () => {
    expect(
      await requested([
        [0, 'a', 'down'],
        [10, 'a', 'unknown'],
        [20, 'a'],
        [30, 'a', 'degraded'],
        [40, 'a'],
      ]),
    ).toEqual([true, true, true, false, true]);
  });

  it('are requested of all sites in the next run once they are missing for one', async () => {
    expect(
      await requested([
        [0, 'a'],
        [1, 'a', 'healthy', OTHER],
        [11, 'a', 'healthy', OTHER],
        [300, 'a', 'down'],
        [301, 'a', 'healthy', OTHER],
        [310, 'a', 'down'],
        [311, 'a', 'healthy', OTHER],
      ]),
    ).toEqual([true, true, false, true, true, true, false]);
  });
});
