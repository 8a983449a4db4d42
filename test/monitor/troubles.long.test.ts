/** What a monitor does when its own disk is full, its alerts cannot be written, its sites are slow or many. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkSite } from '../../src/core/check-site.ts';
import { REAL_TIMERS } from '../../src/monitor/clock/clock.ts';
import type { MonitorSettings } from '../../src/monitor/settings.ts';
import { StoreError, type Store } from '../../src/monitor/store/store.ts';
import { startReceiver, type Receiver } from '../alerts/receiver.ts';
import { startWatchedHost, type WatchedHost } from './watched-host.ts';
import { settingsOf, siteAt, webhookTo } from './settings.ts';
import { startWorld, type World, type WorldOptions } from './world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const EVER = { from: 0, to: Number.MAX_SAFE_INTEGER };

let host: WatchedHost;
let receiver: Receiver;
let world: World | undefined;

beforeEach(async () => {
  host = await startWatchedHost();
  receiver = await startReceiver();
});
afterEach(async () => {
  await world?.end();
  world = undefined;
  await Promise.all([host.close(), receiver.stop()]);
});

async function start(settings: MonitorSettings, options: WorldOptions = {}): Promise<World> {
  world = await startWorld(settings, options);
  return world;
}

const one = (): MonitorSettings => settingsOf([siteAt(host.url)], { alerts: [webhookTo(receiver.url)] });

const keys = (): (string | undefined)[] => receiver.received.map(({ headers }) => String(headers['idempotency-key']));

/** A disk that can be full: a store whose every write fails meanwhile. */
function disk() {
  const state = { full: false };
  const demandRoom = (): void => {
    if (state.full) throw new StoreError('full', 'docvitals.db', 'database or disk is full');
  };
  const wrap = (store: Store): Store => {
    return {
      ...store,
      append: async (entries) => (demandRoom(), store.append(entries)),
    };
  };
  return { state, wrap };
}

describe('a monitor whose disk is full', () => {
  it('reports what is lost when it is stopped', async () => {
    const { state, wrap } = disk();
    const { live, monitor, told } = await start(one(), { wrap });
    await live(MINUTE);
    state.full = true;
    host.condition = 'failing';
    await live(MINUTE);
    expect(await monitor().stop()).toBe(false);
    expect(told('runs-not-kept')).toMatchObject([{ level: 'error', incidents: 1 }]);
    expect(told('runs-not-kept')[0]?.['runs']).toBeGreaterThan(1);
  });

  it('shows nothing when it is stopped with all written', async () => {
    const { live, monitor, told } = await start(one());
    await live(MINUTE);
    expect(await monitor().stop()).toBe(true);
    expect(told('runs-not-kept')).toEqual([]);
  });

  it('says so, sends each alert once, and goes on with a gap in its history when there is room', async () => {
    const { state, wrap } = disk();
    const { live, monitor, store, told } = await start(one(), { wrap });
    await live(MINUTE);
    state.full = true;
    await live(20 * SECOND);
    expect(monitor().troubles()).toEqual(['disk-full']);
    expect(monitor().ready()).toBe(false);
    host.condition = 'failing';
    await live(MINUTE);
    expect(keys()).toHaveLength(1);
    expect(monitor().sites()[0]?.state?.outage.incident?.notifiedAt).not.toBeNull();
    state.full = false;
    await live(MINUTE);
    expect(monitor().troubles()).toEqual([]);
    const [incident] = await store().incidents({});
    expect(incident?.notifiedAt).toBe(monitor().sites()[0]?.state?.outage.incident?.notifiedAt);
    host.condition = 'well';
    await live(MINUTE);
    expect(keys()).toHaveLength(2);
    expect(new Set(keys()).size).toBe(2);
    expect(told('database-not-writable')).toMatchObject([{ problem: 'full' }]);
    expect(told('database-writable')).toHaveLength(1);
    const rounds = await store().runs({ site: 'docs', ...EVER });
    const gaps = rounds.slice(1).map(({ startedAt }, at) => startedAt - (rounds[at]?.startedAt ?? 0));
    expect(gaps.filter((ms) => ms > 10 * SECOND).length).toBeGreaterThan(0);
  });

  it('sends no heartbeat, so that somebody else notices', async () => {
    const { state, wrap } = disk();
    const pings: number[] = [];
    const heartbeat = { url: 'https://heartbeat.example/secret', everyMs: 10 * SECOND };
    const settings = { ...one(), heartbeat };
    const { live, around } = await start(settings, { wrap, ping: async () => (pings.push(around.wall()), null) });
    await live(MINUTE);
    const before = pings.length;
    expect(before).toBeGreaterThanOrEqual(5);
    state.full = true;
    await live(MINUTE);
    expect(pings.length - before).toBeLessThanOrEqual(1);
    state.full = false;
    await live(2 * MINUTE);
    expect(pings.length - before).toBeGreaterThanOrEqual(8);
  });
});

describe('a monitor of many sites', () => {
  it('does not let silent sites keep the others waiting', async () => {
    const silent = await startWatchedHost();
    silent.condition = 'silent';
    const often = { schedule: { kind: 'every', everyMs: 500, jitterMs: 0 } } as const;
    const checking = { ...siteAt(silent.url).checking, limits: { deadlineMs: 1_500 } };
    const sites = Array.from({ length: 16 }, (_, at) => siteAt(silent.url, { id: `silent-${at}`, checking, ...often }));
    const settings = settingsOf([...sites, siteAt(host.url, often)]);
    let looked = 0;
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    // Silence takes real time. Were its places all taken, the healthy site would wait for an hour.
    const { monitor } = await start(settings, {
      timers: REAL_TIMERS,
      atOnce: 8,
      check: async (options) => {
        const report = await checkSite(options);
        if (options.site.base.href === host.url && (looked += 1) === 8) resolve();
        return report;
      },
    });
    await enough;
    expect(monitor().sites().at(-1)?.state?.verdict).toBe('healthy');
    await silent.close();
  });

  it('goes on where one site brings an error that nobody expected', async () => {
    const sites = [siteAt(host.url, { id: 'odd' }), siteAt(host.url)];
    let calls = 0;
    const { live, told, monitor } = await start(settingsOf(sites), {
      check: (options) => {
        calls += 1;
        if (calls % 2 === 0) throw new TypeError('odd');
        return calls % 3 === 0 ? Promise.reject(new Error('odder')) : checkSite(options);
      },
    });
    await live(2 * MINUTE);
    expect(told('run-failed').length).toBeGreaterThan(2);
    expect(monitor().counters().runs).toBeGreaterThan(5);
    expect(await monitor().store.incidents({})).toEqual([]);
  });
});

describe('a monitor that is given another configuration', () => {
  it('keeps what it knows of the sites that stay, watches new ones, and forgets those that are gone', async () => {
    const other = await startWatchedHost();
    const settings = one();
    const { live, monitor, store } = await start(settings);
    await live(MINUTE);
    host.condition = 'failing';
    await live(30 * SECOND);
    await monitor().reload({
      ...settings,
      sites: [siteAt(host.url, { title: 'Handbook' }), siteAt(other.url, { id: 'blog' })],
    });
    await live(30 * SECOND);
    expect(
      monitor()
        .sites()
        .map(({ site, state }) => [site.title, state?.verdict]),
    ).toEqual([
      ['Handbook', 'down'],
      ['blog', 'healthy'],
    ]);
    host.condition = 'well';
    await live(MINUTE);
    expect(await store().incidents({})).toMatchObject([{ site: 'docs', recoveredAt: expect.any(Number) as number }]);
    await monitor().reload({ ...settings, sites: [siteAt(other.url, { id: 'blog' })] });
    other.asked.length = host.asked.length = 0;
    await live(MINUTE);
    expect([host.asked.length, other.asked.length > 0]).toEqual([0, true]);
    await other.close();
  });

  it('never checks a site twice at once for it', async () => {
    let going = 0;
    let most = 0;
    const settings = one();
    const { monitor, live, settled } = await start(settings, {
      check: async (options) => {
        going += 1;
        most = Math.max(most, going);
        return checkSite(options).finally(() => {
          going -= 1;
        });
      },
    });
    for (let reload = 0; reload < 10; reload += 1) {
      await Promise.all([monitor().reload(settings), live(10 * SECOND)]);
    }
    await settled();
    expect(most).toBe(1);
  });
});
