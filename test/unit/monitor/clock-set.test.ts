/** What a monitor does when its clock was wrong and is set right. */
import { afterEach, describe, expect, it } from 'vitest';
import type { AlertRoute } from '../../../src/monitor/settings.ts';
import { finding, reportOf } from '../../reports.ts';
import { commitOf, roundRecord } from '../../store/samples.ts';
import { settingsOf, siteAt, webhookTo } from '../../monitor/settings.ts';
import { startWorld, type World } from '../../monitor/world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let world: World | undefined;
afterEach(async () => {
  await world?.end();
  world = undefined;
});

const down = reportOf([{ id: 'bundle', httpStatus: null, findings: [finding({ rule: 'refused' })] }], {
  verdict: 'down',
});

/** A site that is down from the beginning; `arrives`: whether alerts do. */
async function startDown(alerts: readonly AlertRoute[], arrives: () => boolean): Promise<string[]> {
  const tries: string[] = [];
  world = await startWorld(settingsOf([siteAt('https://docs.example.com/')], { alerts }), {
    check: async () => down,
    send: async (route, { event }) => {
      tries.push(`${route.id} ${event}`);
      return arrives()
        ? { ok: true, status: 200 }
        : { ok: false, error: 'ENETUNREACH', permanent: false, retryAfterMs: null };
    },
  });
  return tries;
}

describe('a clock that is set back by two days', () => {
  it('delays no alert that is tried again, and none that escalates', async () => {
    let isReachable = false;
    const routes = [webhookTo('http://ops/'), webhookTo('http://boss/', { id: 'boss', afterMs: 10 * MINUTE })];
    const tries = await startDown(routes, () => isReachable);
    await world?.live(MINUTE);
    expect(new Set(tries)).toEqual(new Set(['ops opened']));
    world?.around.setWall(-2 * DAY);
    isReachable = true;
    tries.length = 0;
    // The pause that goes on is a minute at most.
    await world?.live(2 * MINUTE);
    expect(tries).toEqual(['ops opened']);
    await world?.live(10 * MINUTE);
    expect(tries).toEqual(['ops opened', 'boss opened']);
  });

  it('delays no reminder', async () => {
    const tries = await startDown([webhookTo('http://ops/', { reminderMs: HOUR })], () => true);
    await world?.live(MINUTE);
    world?.around.setWall(-2 * DAY);
    await world?.live(90 * MINUTE);
    expect(tries).toContain('ops reminder');
  });
});

describe('a clock that is twelve years ahead for a while', () => {
  it('makes nothing be forgotten', async () => {
    await startDown([], () => true);
    const now = world?.around.wall() ?? 0;
    const days = Array.from({ length: 30 }, (_, ago) => roundRecord({ startedAt: now - ago * DAY }));
    await world?.store().append(days.map((run) => commitOf({ run })));
    await world?.live(2 * MINUTE);
    const kept = (): Promise<number> | undefined =>
      world
        ?.store()
        .buckets({ site: 'docs', resolution: 'minute', from: 0, to: now })
        .then(({ length }) => length);
    const before = await kept();
    world?.around.setWall(12 * 365 * DAY);
    await world?.live(61 * MINUTE);
    world?.around.setWall(-12 * 365 * DAY);
    await world?.live(2 * MINUTE);
    expect(before).toBeGreaterThan(20);
    // Minutes are kept for two weeks; a clock that leaps costs a day of them at most.
    expect(await kept()).toBeGreaterThanOrEqual(12);
  });
});
