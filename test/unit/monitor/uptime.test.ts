/** What the roll-ups tell of an outage is its share of the time, however often the site was checked meanwhile. */
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Report } from '../../../src/core/check.ts';
import { periodsOf, uptimeOf } from '../../../src/monitor/page/uptime.ts';
import type { MonitoredSite, Schedule } from '../../../src/monitor/settings.ts';
import { finding, reportOf } from '../../reports.ts';
import { settingsOf, siteAt } from '../../monitor/settings.ts';
import { startWorld, type World } from '../../monitor/world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const well = (): Report => reportOf([{ id: 'bundle', status: 'pass' }], { verdict: 'healthy' });
const failing = (): Report =>
  reportOf([{ id: 'bundle', httpStatus: 503, findings: [finding({ rule: 'status' })] }], { verdict: 'down' });

const every = (everyMs: number, jitterMs = 0): Schedule => ({ kind: 'every', everyMs, jitterMs });

let world: World | undefined;
afterEach(async () => {
  await world?.end();
  world = undefined;
});

interface Story {
  readonly schedule: Schedule;
  readonly wellMs: number;
  readonly downMs: number;
  /** How long each look takes while the site is down. */
  readonly hangsMs?: number;
}

/** The share of rounds by which the site was up in twice `wellMs` with an outage between them; and how many counted. */
async function lived({ schedule, wellMs, downMs, hangsMs = 0 }: Story): Promise<{ up: number; rounds: number }> {
  let isDown = false;
  let looking = 0;
  const site: Partial<MonitoredSite> = { schedule, recover: { times: 2 } };
  const current = await startWorld(settingsOf([siteAt('https://docs.example/', site)]), {
    epoch: Date.parse('2026-03-02T06:00:00Z'),
    check: async () => {
      if (!isDown) return well();
      looking += 1;
      await new Promise<void>((resolve) => current.around.after(hangsMs, resolve));
      looking -= 1;
      return failing();
    },
  });
  world = current;
  // A look that hangs keeps the monitor busy: time goes on nevertheless.
  const live = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += SECOND) {
      current.around.advance(SECOND);
      for (let turns = 0; turns < 30; turns += 1) await turn();
      if (looking === 0) await current.settled();
    }
  };
  await live(wellMs);
  isDown = true;
  await live(downMs);
  isDown = false;
  await live(wellMs + hangsMs);
  const [day] = await current.store().days({ sites: ['docs'], from: 0, to: Number.MAX_SAFE_INTEGER });
  if (day === undefined) throw new Error('nothing was written');
  const { healthy, down } = day;
  return { up: uptimeOf(periodsOf([day], day.at)) ?? Number.NaN, rounds: healthy + down };
}

describe('uptime', () => {
  it.each<[string, Story]>([
    ['a minute in five, looked at every 30 s', { schedule: every(30 * SECOND), wellMs: 2 * MINUTE, downMs: MINUTE }],
    ['a minute in five, looked at every 10 s', { schedule: every(10 * SECOND), wellMs: 2 * MINUTE, downMs: MINUTE }],
    ['ten minutes, looked at every 5 min', { schedule: every(5 * MINUTE), wellMs: 30 * MINUTE, downMs: 10 * MINUTE }],
    ['with jitter', { schedule: every(30 * SECOND, 20 * SECOND), wellMs: 4 * MINUTE, downMs: 2 * MINUTE }],
    [
      'looks that take longer than the interval',
      { schedule: every(10 * SECOND), wellMs: 4 * MINUTE, downMs: 4 * MINUTE, hangsMs: 15 * SECOND },
    ],
  ])('is reported by time: %s', async (_name, story) => {
    const { up, rounds } = await lived(story);
    const totalMs = 2 * story.wellMs + story.downMs;
    const tick = (story.schedule.kind === 'every' ? story.schedule.everyMs : 0) + (story.hangsMs ?? 0);
    expect(Math.abs(up - (2 * story.wellMs) / totalMs) * totalMs).toBeLessThanOrEqual(tick);
    expect(Math.abs(rounds * (tick - (story.hangsMs ?? 0)) - totalMs)).toBeLessThanOrEqual(2 * tick);
  });
});
