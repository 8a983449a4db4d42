/** Rounds that end in another world than the one that they began in, or by a mistake of ours; and ends that take long. */
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Report } from '../../core/check.ts';
import type { CheckSiteOptions } from '../../core/check-site.ts';
import type { MonitorSettings, Schedule } from '../settings.ts';
import { finding, reportOf } from '../../../test/reports.ts';
import { settingsOf, siteAt, webhookTo } from '../../../test/monitor/settings.ts';
import { startWorld, type World, type WorldOptions } from '../../../test/monitor/world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const NEVER = new Promise<never>(() => {});

const OLD = 'https://old.example/';
const NEW = 'https://new.example/';

const well = (): Report => reportOf([{ id: 'bundle', status: 'pass' }], { verdict: 'healthy' });
const failing = (): Report =>
  reportOf([{ id: 'bundle', httpStatus: null, findings: [finding({ rule: 'refused' })] }], { verdict: 'down' });
const urlOf = ({ site }: CheckSiteOptions): string => site.base.href;

let world: World | undefined;
afterEach(async () => {
  await world?.end();
  world = undefined;
});
async function start(settings: MonitorSettings, options: WorldOptions): Promise<World> {
  world = await startWorld(settings, options);
  return world;
}

describe('a run whose outcome cannot be taken up', () => {
  it('is reported, changes nothing, and is not the last one', async () => {
    let isOdd = false;
    let looks = 0;
    const odd = (): Report => ({ ...failing(), checks: [{ ...failing().checks[0], findings: null } as never] });
    const { live, told, monitor } = await start(settingsOf([siteAt(OLD)]), {
      check: async () => {
        looks += 1;
        return isOdd ? odd() : well();
      },
    });
    await live(MINUTE);
    const before = monitor().sites()[0]?.state;
    isOdd = true;
    await live(MINUTE);
    expect(told('run-failed').length).toBeGreaterThanOrEqual(5);
    expect(monitor().sites()[0]?.state).toEqual(before);
    isOdd = false;
    looks = 0;
    await live(MINUTE);
    expect(looks).toBeGreaterThanOrEqual(5);
    expect(monitor().sites()[0]?.state?.scopes.core.at).toBeGreaterThan(before?.scopes.core.at ?? 0);
  });
});

describe('a run that goes on while the configuration changes', () => {
  const daily: Schedule = { kind: 'every', everyMs: 86_400 * SECOND, jitterMs: 0 };

  /** A monitor one of whose rounds is under way and ends, failing, when it is told to. */
  async function underWay(): Promise<World & { readonly asked: string[]; readonly end: () => Promise<void> }> {
    const asked: string[] = [];
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    let isHeld = false;
    const started = await start(settingsOf([siteAt(OLD, { schedule: daily })]), {
      check: async (options) => {
        asked.push(urlOf(options));
        if (isHeld || asked.length > 1) return well();
        isHeld = true;
        await ended;
        return failing();
      },
    });
    started.around.advance(30);
    for (let count = 0; asked.length === 0 && count < 100; count += 1) await turn();
    const end = async (): Promise<void> => {
      resolve();
      await started.live(SECOND);
    };
    return { ...started, asked, end };
  }

  it('counts for nothing where another address is asked for now, which is asked at once', async () => {
    const { monitor, end, asked, told } = await underWay();
    await monitor().reload(settingsOf([siteAt(NEW, { schedule: daily })]));
    await end();
    expect(asked).toEqual([OLD, NEW]);
    expect(told('failure-suspected')).toEqual([]);
    expect(monitor().sites()[0]?.state).toMatchObject({ verdict: 'healthy', scopes: { core: { suspicion: null } } });
  });

  it('counts where nothing is new', async () => {
    const { monitor, end, asked, told } = await underWay();
    await monitor().reload(settingsOf([siteAt(OLD, { schedule: daily })]));
    await end();
    expect(asked).toEqual([OLD]);
    expect(told('failure-suspected')).toHaveLength(1);
  });

  it('and what was suspected of the address before is not confirmed by the other one', async () => {
    const site = (url: string): MonitorSettings =>
      settingsOf([siteAt(url, { confirm: { afterMs: 20_000, times: 2 } })]);
    let looks = 0;
    const { live, monitor, told } = await start(site(OLD), {
      check: async (options) => {
        looks += 1;
        return urlOf(options) === NEW && looks > 2 ? well() : failing();
      },
    });
    await live(30);
    expect(looks).toBe(1);
    await monitor().reload(site(NEW));
    await live(MINUTE);
    expect(told('incident-opened')).toEqual([]);
  });
});

describe('a monitor that is stopped while nothing ends', () => {
  it('waits for all of it together for a few seconds', async () => {
    let isStuck = false;
    const opened = await startWorld(
      settingsOf([siteAt(OLD), siteAt(NEW, { id: 'new' })], {
        alerts: [webhookTo('https://hooks.example/')],
        heartbeat: { url: 'https://heartbeat.example/', everyMs: SECOND },
      }),
      {
        send: () => NEVER,
        ping: () => NEVER,
        check: (options) => (isStuck ? NEVER : Promise.resolve(urlOf(options) === OLD ? failing() : well())),
        wrap: (store) => ({ ...store, append: (entries) => (isStuck ? NEVER : store.append(entries)) }),
      },
    );
    const { around, monitor } = opened;
    const pass = async (until: () => boolean): Promise<void> => {
      while (!until()) {
        for (let count = 0; count < 10; count += 1) await turn();
        around.advance(until() ? 0 : 100);
      }
    };
    await pass(() => around.monotonic() >= 15 * SECOND);
    isStuck = true;
    await pass(() => around.monotonic() >= 30 * SECOND);
    const before = around.monotonic();
    let isOver = false;
    const stopping = monitor()
      .stop()
      .finally(() => {
        isOver = true;
      });
    await pass(() => isOver || around.monotonic() - before > MINUTE);
    await stopping;
    expect(around.monotonic() - before).toBeLessThanOrEqual(5 * SECOND);
    await opened.store().close();
  });
});
