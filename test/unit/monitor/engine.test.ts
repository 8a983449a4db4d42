import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Report } from '../../../src/core/check.ts';
import type { MonitorSettings } from '../../../src/monitor/settings.ts';
import { startReceiver, type Receiver } from '../../alerts/receiver.ts';
import { finding, reportOf } from '../../reports.ts';
import { startWatchedHost, type WatchedHost } from '../../monitor/watched-host.ts';
import { settingsOf, siteAt, webhookTo } from '../../monitor/settings.ts';
import { startWorld, type World, type WorldOptions } from '../../monitor/world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

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

/** One site, one webhook. */
const one = (rest: Parameters<typeof siteAt>[1] = {}): MonitorSettings =>
  settingsOf([siteAt(host.url, rest)], { alerts: [webhookTo(receiver.url)] });

interface Told {
  readonly event: string;
  readonly incident: {
    readonly id: string;
    readonly durationMs: number | null;
    readonly recoveryTimeObjectiveMet: boolean | null;
  };
}

const events = (): string[] => receiver.received.map(({ body }) => (JSON.parse(body) as Told).event);
/** A report of one check, which failed with a code, or passed. */
const oneCheck = (rule: string | null): Report =>
  reportOf([{ id: 'bundle', httpStatus: null, ...(rule === null ? WELL : { findings: [finding({ rule })] }) }], {
    verdict: rule === null ? 'healthy' : 'down',
  });
const WELL = { status: 'pass', httpStatus: 200 } as const;

const lastIncident = (): Told['incident'] => (JSON.parse(receiver.received.at(-1)?.body ?? '{}') as Told).incident;

describe('a monitor', () => {
  it('checks a site at once and then every ten seconds, and keeps what it saw', async () => {
    const { live, store, monitor } = await start(one());
    await live(MINUTE);
    const rounds = await store().runs({ site: 'docs', from: 0, to: Number.MAX_SAFE_INTEGER });
    expect(rounds.map(({ verdict }) => verdict)).toEqual(Array(rounds.length).fill('healthy'));
    expect(rounds.length).toBeGreaterThanOrEqual(6);
    expect(rounds.length).toBeLessThanOrEqual(8);
    expect(monitor().ready()).toBe(true);
    expect(monitor().sites()[0]?.report?.verdict).toBe('healthy');
  });

  it('confirms a failure, opens one incident, reports it, and of its end', async () => {
    const { live, store, told } = await start(one());
    await live(MINUTE);
    host.condition = 'broken';
    await live(40 * SECOND);
    host.condition = 'well';
    await live(MINUTE);
    const [incident, ...others] = await store().incidents({});
    expect(others).toEqual([]);
    expect(incident).toMatchObject({ verdict: 'down', checks: ['config'], rules: ['config/trailing-comma'] });
    const { startedAt = 0, detectedAt = 0, notifiedAt, recoveredAt } = incident ?? {};
    expect(detectedAt - startedAt).toBeLessThanOrEqual(14 * SECOND);
    expect(detectedAt - startedAt).toBeGreaterThanOrEqual(4 * SECOND);
    expect(notifiedAt).toBeGreaterThanOrEqual(detectedAt);
    expect(recoveredAt).toBeGreaterThan(detectedAt);
    expect(events()).toEqual(['opened', 'recovered']);
    expect(lastIncident()).toMatchObject({
      durationMs: (recoveredAt ?? 0) - startedAt,
      recoveryTimeObjectiveMet: true,
    });
    expect(told('incident-opened')).toHaveLength(1);
    expect(told('incident-recovered')).toMatchObject([{ recoveryTimeObjectiveMet: true }]);
  });

  it('dismisses a failure that the next look does not confirm', async () => {
    const { live, store, told } = await start(one());
    await live(MINUTE);
    host.condition = 'failing';
    for (let waited = 0; told('failure-suspected').length === 0 && waited < 12; waited += 1) await live(SECOND);
    host.condition = 'well';
    await live(MINUTE);
    expect(told('failure-dismissed')).toHaveLength(1);
    expect(await store().incidents({})).toEqual([]);
    expect(receiver.received).toEqual([]);
  });

  it('goes on with an open incident after a restart: no second alert, no false recovery', async () => {
    const { live, restart, store, monitor, told } = await start(one());
    await live(MINUTE);
    host.condition = 'failing';
    await live(30 * SECOND);
    await restart(20 * SECOND);
    expect(monitor().sites()[0]?.state?.outage.incident?.notifiedAt).toBe((await store().incidents({}))[0]?.notifiedAt);
    await live(MINUTE);
    expect(events()).toEqual(['opened']);
    host.condition = 'well';
    await restart(5 * SECOND);
    await live(MINUTE);
    expect(events()).toEqual(['opened', 'recovered']);
    expect(await store().incidents({})).toHaveLength(1);
    expect(told('incident-opened')).toHaveLength(1);
  });

  it('sends later what it was stopped with', async () => {
    receiver.answer = (response) => response.writeHead(503).end();
    const { live, restart } = await start(one());
    host.condition = 'failing';
    await live(30 * SECOND);
    receiver.received.length = 0;
    receiver.answer = (response) => response.writeHead(200).end();
    await restart(MINUTE);
    await live(6 * MINUTE);
    expect(events()).toEqual(['opened']);
  });

  it('is silent about a site that is being worked on', async () => {
    const { live, around, store, monitor } = await start(one());
    await live(MINUTE);
    const from = around.wall();
    await store().startMaintenance({ id: 'm1', site: 'docs', from, to: from + 3 * MINUTE, reason: 'new host' });
    await live(5 * SECOND);
    expect(monitor().sites()[0]?.maintenance).toMatchObject({ reason: 'new host' });
    host.condition = 'failing';
    await live(2 * MINUTE);
    expect(await store().incidents({})).toEqual([]);
    await live(2 * MINUTE);
    expect(events()).toEqual(['opened']);
  });

  it('checks the whole site by a schedule of its own, and while that takes long at the five as well', async () => {
    const { live, store } = await start(one({ full: { kind: 'every', everyMs: 2 * MINUTE, jitterMs: 0 } }));
    await live(5 * MINUTE);
    const rounds = await store().runs({ site: 'docs', from: 0, to: Number.MAX_SAFE_INTEGER });
    const full = rounds.filter(({ scope }) => scope === 'full');
    expect(full).toHaveLength(3);
    expect(full.every(({ verdict }) => verdict === 'healthy')).toBe(true);
    expect(rounds.filter(({ scope }) => scope === 'core').length).toBeGreaterThanOrEqual(29);
  });
});

describe('a monitor whose machine is not well', () => {
  it('opens nothing when it was suspended, makes up for nothing, and goes on', async () => {
    let silent = false;
    const { live, around, store, monitor, told } = await start(one(), {
      check: async (options) => {
        const { checkSite } = await import('../../../src/core/check-site.ts');
        // It sleeps while a round is under way, whose connections are dead when it wakes up.
        if (silent) around.sleep(3_600_000);
        return checkSite(options);
      },
    });
    await live(MINUTE);
    const before = monitor().counters().runs;
    silent = true;
    host.condition = 'reset';
    await live(10 * SECOND);
    silent = false;
    host.condition = 'well';
    await live(MINUTE);
    expect(told('resumed').length).toBeGreaterThanOrEqual(1);
    expect(monitor().counters().probeFailures).toBeGreaterThanOrEqual(1);
    expect(monitor().counters().runs - before).toBeLessThanOrEqual(10);
    expect(await store().incidents({})).toEqual([]);
  });

  it('gives its network a while to come back after a sleep', async () => {
    const { live, around, store } = await start(one());
    await live(MINUTE);
    around.sleep(3_600_000);
    host.condition = 'reset';
    await live(12 * SECOND);
    host.condition = 'well';
    await live(MINUTE);
    expect(await store().incidents({})).toEqual([]);
    host.condition = 'reset';
    await live(MINUTE);
    expect(events()).toEqual(['opened']);
  });

  it('opens nothing while its own network is gone, and says so', async () => {
    let reachable = true;
    const settings = { ...one(), connectivity: ['192.0.2.1:443'] };
    const { live, store, monitor, told } = await start(settings, { connect: async () => reachable });
    await live(MINUTE);
    reachable = false;
    host.condition = 'reset';
    await live(5 * MINUTE);
    expect(monitor().troubles()).toEqual(['no-network']);
    expect(await store().incidents({})).toEqual([]);
    reachable = true;
    host.condition = 'well';
    await live(MINUTE);
    expect(monitor().troubles()).toEqual([]);
    expect(told('probe-failing')).toMatchObject([{ reason: 'no-network' }]);
    expect(receiver.received).toEqual([]);
  });

  it('opens nothing either when it was started again meanwhile', async () => {
    let reachable = true;
    const settings = { ...one(), connectivity: ['192.0.2.1:443'] };
    const { live, restart, store, monitor } = await start(settings, { connect: async () => reachable });
    await live(MINUTE);
    reachable = false;
    host.condition = 'reset';
    await restart(MINUTE);
    await live(5 * MINUTE);
    expect(monitor().troubles()).toEqual(['no-network']);
    expect(await store().incidents({})).toEqual([]);
  });

  it('opens an incident in a network that never had a way out', async () => {
    const settings = { ...one(), connectivity: ['192.0.2.1:443'] };
    const { live, restart } = await start(settings, { connect: async () => false });
    await live(MINUTE);
    await restart();
    host.condition = 'reset';
    await live(MINUTE);
    expect(events()).toEqual(['opened']);
  });

  it('opens an incident when the site alone is silent', async () => {
    const settings = { ...one(), connectivity: ['192.0.2.1:443'] };
    const { live } = await start(settings, { connect: async () => true });
    await live(MINUTE);
    host.condition = 'reset';
    await live(MINUTE);
    expect(events()).toEqual(['opened']);
  });

  it.each([
    ['nothing while no name resolves at all', [], ['no-network'], 0],
    ['an incident where another name resolves', ['ns.example'], [], 2],
  ])('opens %s', async (_, resolved, troubles, incidents) => {
    let names: readonly string[] = ['ns.example', 'other.example'];
    const code = (): string | null => (names.length < 2 ? 'dns-temporary' : null);
    const sites = ['one', 'two'].map((id) => siteAt(`https://${id}.example/`, { id }));
    const settings = settingsOf(sites, { connectivity: ['ns.example:443', 'other.example:443'] });
    const { live, store, monitor } = await start(settings, {
      connect: async () => true,
      resolveName: async (name) => names.includes(name),
      check: async () => oneCheck(code()),
    });
    await live(MINUTE);
    names = resolved;
    await live(MINUTE);
    expect(monitor().troubles()).toEqual(troubles);
    expect(await store().incidents({ open: true })).toHaveLength(incidents);
  });
});
