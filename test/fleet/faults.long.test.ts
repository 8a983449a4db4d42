/** Faults of a fleet during outages. After each, nothing may be lost or doubled, and sites are checked as before. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { postgresWanted } from '../hosts/postgres.ts';
import {
  allHealthy,
  beginOutage,
  endOutage,
  faultsAfter,
  keysOf,
  LOCATIONS,
  rowsOf,
  startAll,
  startFleet,
  until,
  type Fleet,
  type FleetOptions,
  type LocatedSite,
} from './fleet.ts';
import { startProxy } from './proxy.ts';

let fleet: Fleet;
const endings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
}, 60_000);

async function start(options: FleetOptions = {}): Promise<Fleet> {
  fleet = await startFleet(options);
  endings.push(() => fleet.stop());
  return fleet;
}

const siteOf = (index: number): LocatedSite => fleet.sites[index] as LocatedSite;
const count = async (query: string): Promise<number> => Number((await fleet.sql(query))[0]);
/** Runs of a series that began after now. */
const newRuns = async (series: string, verdict: string): Promise<() => Promise<number>> => {
  const [now] = await fleet.sql('SELECT clock_timestamp()::text');
  return () =>
    count(
      `SELECT count(*) FROM docvitals.run WHERE site = '${series}' AND verdict = '${verdict}' AND started_at > '${now}'`,
    );
};

describe.runIf(postgresWanted())('a fleet', { timeout: 300_000 }, () => {
  it('continues when a runner is killed: another one of its location takes over', async () => {
    await start();
    await startAll(fleet);
    const second = await fleet.runner('paris');
    await beginOutage(fleet);
    siteOf(0).delayMs = 1_000;
    const busy = "SELECT pid FROM docvitals.member WHERE location = 'paris' AND running > 0";
    await until('a runner in Paris is busy', async () => (await fleet.sql(busy)).length > 0);
    await second.kill();
    siteOf(0).delayMs = 0;
    const inParis = await newRuns('docs1@paris', 'down');
    await until('Paris is checked', async () => (await inParis()) > 5);
    expect(fleet.received.map(({ event }) => event)).toEqual(['opened']);
    await endOutage(fleet);
    expect(await faultsAfter(fleet, 1)).toEqual([]);
  });

  it('loses and doubles nothing, whenever the acting coordinator is killed', async () => {
    const waits = [0, 300, 900, 1_500, 2_500];
    // One site for each, because one that goes down again and again is flapping.
    await start({ sites: waits.length });
    let [acting, standby] = await startAll(fleet);
    const kill = async (): Promise<number> => {
      const began = performance.now();
      await Promise.all([acting.kill(), standby.logged('coordinator-acting')]);
      const tookMs = performance.now() - began;
      [acting, standby] = [standby, await fleet.coordinator()];
      return tookMs;
    };
    const took: number[] = [];
    for (const [round, waitMs] of waits.entries()) {
      // In the middle of what confirms the outage, and of what confirms its end.
      const outage = beginOutage(fleet, round);
      await sleep(waitMs);
      took.push(await kill());
      await outage;
      const recovery = endOutage(fleet, round);
      await sleep(waitMs);
      took.push(await kill());
      await recovery;
      expect(keysOf(fleet.received, 'recovered')).toHaveLength(round + 1);
    }
    expect(await faultsAfter(fleet, 5)).toEqual([]);
    console.log(`leadership moved within ${took.map(Math.round).join(', ')} ms`);
    expect(Math.max(...took)).toBeLessThan(10_000);
  });

  it('has in its history what runners measured while no coordinator acted', async () => {
    await start();
    const [acting, standby] = await startAll(fleet);
    const site = siteOf(0);
    site.delayMs = 1_500;
    const active = "SELECT id FROM docvitals_queue.job WHERE name LIKE 'run-%' AND state = 'active'";
    await until('all locations are busy', async () => (await fleet.sql(active)).length === LOCATIONS.length);
    await Promise.all([acting.kill(), standby.kill()]);
    site.delayMs = 0;
    const waiting = `SELECT format('SELECT verdict FROM docvitals.run WHERE site = %L AND started_at = to_timestamp(%s)',
      (data->>'site') || '@' || (data->>'location'), (data->>'at')::numeric / 1000)
      FROM docvitals_queue.job WHERE name = 'result' AND data ? 'measured' AND state = 'created'`;
    await until('their results wait', async () => (await fleet.sql(waiting)).length === LOCATIONS.length);
    const queries = await fleet.sql(waiting);
    await fleet.coordinator();
    for (const query of queries)
      await until('it is in the history', async () => (await fleet.sql(query)).join() === 'healthy', 20_000);
    expect(await faultsAfter(fleet, 0)).toEqual([]);
  });

  it.runIf(canCutSilently())('has another coordinator when the network of the acting one goes silent', async () => {
    await start({ server: { settings: [`listen_addresses=127.0.0.1,${SILENT_ADDRESS}`] } });
    const database = fleet.server.url('docvitals', 'docvitals_coordinator').replace('127.0.0.1', SILENT_ADDRESS);
    const acting = await fleet.coordinator({ database });
    const standby = await fleet.coordinator();
    await Promise.all(LOCATIONS.map((location) => fleet.runner(location)));
    await until('the site is healthy', () => allHealthy(fleet));
    await beginOutage(fleet);
    const began = performance.now();
    cutSilently('add');
    endings.push(() => void cutSilently('del'));
    await Promise.all([standby.logged('coordinator-acting'), acting.logged('coordinator-stepped-down')]);
    const tookMs = performance.now() - began;
    console.log(`leadership moved within ${Math.round(tookMs)} ms`);
    // The server gives a silent connection up after 8 s; the rest is this machine's load.
    expect(tookMs).toBeLessThan(20_000);
    await endOutage(fleet);
    endings.pop();
    cutSilently('del');
    expect(await faultsAfter(fleet, 1)).toEqual([]);
    expect(acting.child.exitCode).toBe(null);
  });

  it.each(['SIGINT', 'SIGKILL'] as const)(
    'survives PostgreSQL ended by %s, while a site goes down and up',
    async (signal) => {
      await start();
      await startAll(fleet);
      await fleet.server.end(signal);
      siteOf(0).failing.add('paris').add('virginia');
      await sleep(5_000);
      await fleet.server.start();
      await until('the outage is notified', () => keysOf(fleet.received, 'opened').length === 1);
      await fleet.server.end(signal);
      siteOf(0).failing.clear();
      await sleep(5_000);
      await fleet.server.start();
      await until('the recovery is notified', () => keysOf(fleet.received, 'recovered').length === 1);
      expect(await faultsAfter(fleet, 1)).toEqual([]);
    },
  );

  it('waits while PostgreSQL has no connection left', async () => {
    await start({ server: { settings: ['max_connections=60', 'superuser_reserved_connections=5'] } });
    await startAll(fleet);
    fleet.server.psql(`CREATE ROLE filler LOGIN PASSWORD '${fleet.server.password}'`);
    const clients: Client[] = [];
    const fill = async (): Promise<void> => {
      for (;;) {
        const client = new Client({ connectionString: fleet.server.url('docvitals', 'filler') });
        client.on('error', () => {});
        try {
          await client.connect();
        } catch {
          return;
        }
        clients.push(client);
      }
    };
    await fill();
    const taking = setInterval(() => void fill(), 20);
    await fleet.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE 'docvitals\\_%'");
    await fill();
    siteOf(0).failing.add('paris').add('virginia');
    await sleep(10_000);
    clearInterval(taking);
    await sleep(500);
    expect(fleet.received).toEqual([]);
    await Promise.all(clients.map((client) => client.end()));
    await until('the outage is notified', () => keysOf(fleet.received, 'opened').length === 1);
    await endOutage(fleet);
    expect(await faultsAfter(fleet, 1)).toEqual([]);
  });

  it('waits while PostgreSQL is read-only, without another coordinator taking over', async () => {
    await start();
    const [acting] = await startAll(fleet);
    await beginOutage(fleet);
    const alter = async (query: string): Promise<void> => {
      await rowsOf(`${fleet.server.url()}?options=-c%20default_transaction_read_only%3Doff`, query);
      await fleet.sql('SELECT pg_reload_conf()');
    };
    await alter('ALTER SYSTEM SET default_transaction_read_only = on');
    siteOf(0).failing.clear();
    await sleep(8_000);
    expect(keysOf(fleet.received, 'recovered')).toEqual([]);
    await alter('ALTER SYSTEM RESET default_transaction_read_only');
    await until('the recovery is notified', () => keysOf(fleet.received, 'recovered').length === 1);
    expect(await faultsAfter(fleet, 1)).toEqual([]);
    expect(acting.lines.map(({ event }) => event)).not.toContain('coordinator-stepped-down');
  });

  it.runIf(canMount())('waits while the disk of PostgreSQL is full', async () => {
    const disk = mkdtempSync(path.join(tmpdir(), 'docvitals-disk-'));
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m,mode=755', 'tmpfs', disk]);
    endings.push(() => {
      spawnSync('umount', [disk]);
      rmSync(disk, { recursive: true });
    });
    chmodSync(disk, 0o755);
    await start({ server: { within: disk, settings: ['max_wal_size=48MB', 'min_wal_size=32MB'] } });
    await startAll(fleet);
    const ballast = path.join(disk, 'ballast');
    spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k']);
    siteOf(0).failing.add('paris').add('virginia');
    // What is left in the files of the tables is used up.
    const filled = fleet.sql(
      'CREATE TABLE public.filler AS SELECT repeat(i::text, 100) FROM generate_series(1, 1000000) AS i',
    );
    await expect(filled).rejects.toThrow('No space left on device');
    await sleep(15_000);
    rmSync(ballast);
    await fleet.server.end('SIGKILL');
    await fleet.server.start();
    await until('the outage is notified', () => keysOf(fleet.received, 'opened').length === 1);
    await endOutage(fleet);
    expect(await faultsAfter(fleet, 1)).toEqual([]);
  });

  it('follows its database to a standby that is promoted', async () => {
    const proxy = await startProxy();
    endings.push(() => proxy.close());
    await start({ through: () => proxy.port });
    proxy.switchTo(fleet.server.port);
    await startAll(fleet);
    const follower = await fleet.server.standby();
    endings.push(() => follower.stop());
    await fleet.sql("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    await fleet.sql('SELECT pg_reload_conf()');
    const isSynchronous = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
    await until('the standby follows', async () => (await count(isSynchronous)) === 1);
    await beginOutage(fleet);
    const began = performance.now();
    await fleet.server.end('SIGKILL');
    proxy.switchTo(null);
    await rowsOf(follower.url(), 'SELECT pg_promote()');
    await rowsOf(follower.url(), "ALTER SYSTEM SET synchronous_standby_names = ''");
    await rowsOf(follower.url(), 'SELECT pg_reload_conf()');
    proxy.switchTo(follower.port);
    const moved: Fleet = { ...fleet, sql: (query) => rowsOf(follower.url(), query) };
    const [now] = await moved.sql('SELECT clock_timestamp()::text');
    const written = `SELECT 1 FROM docvitals.run WHERE started_at > '${now}' LIMIT 1`;
    // By the same coordinator, or by the other one.
    await until('the site is checked again', async () => (await moved.sql(written)).length > 0);
    console.log(`the site is checked ${Math.round(performance.now() - began)} ms after the server was killed`);
    await endOutage(moved);
    expect(await faultsAfter(moved, 1)).toEqual([]);
  });

  it('does not believe a location whose connectivity check fails', async () => {
    const control = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => {
      control.listen(0, '127.0.0.1', resolve);
    });
    const { port } = control.address() as AddressInfo;
    await start({ monitor: { connectivity: [`127.0.0.1:${port}`], listen: '127.0.0.1:0' } });
    await startAll(fleet);
    // A target that was silent at the first run that a site answered would not count any more.
    const ofParis = "SELECT count(*) FROM docvitals.run WHERE site = 'docs1@paris' AND verdict = 'healthy'";
    await until('Paris has checked the site', async () => (await count(ofParis)) > 0);
    siteOf(0).unreachable.add('paris');
    await new Promise((resolve) => control.close(resolve));
    const problems = "SELECT problems FROM docvitals.member WHERE location = 'paris'";
    await until('Paris reports it', async () => (await fleet.sql(problems)).join().includes('no-network'));
    const inAll = await newRuns('docs1', 'healthy');
    await until('the site is healthy', async () => (await inAll()) > 3 && (await allHealthy(fleet)));
    // The others decide alone.
    siteOf(0).failing.add('virginia').add('bucharest');
    await until('the outage is notified', () => keysOf(fleet.received, 'opened').length === 1);
    expect(fleet.received[0]?.locations.toSorted()).toEqual(['bucharest', 'virginia']);
    siteOf(0).failing.clear();
    await until('the recovery is notified', () => keysOf(fleet.received, 'recovered').length === 1);
    siteOf(0).unreachable.clear();
    expect(await faultsAfter(fleet, 1)).toEqual([]);
  });

  it('does not believe a location from which every site fails, while others see them well', async () => {
    await start({ sites: 4 });
    const [acting] = await startAll(fleet);
    const problems = async () => fleet.sql(`SELECT problems FROM docvitals.member WHERE pid = ${acting.child.pid}`);
    for (const site of fleet.sites) site.unreachable.add('paris');
    await until('it is cut off', async () => (await problems()).join().includes('location-cut-off'));
    await until('all sites are healthy', () => allHealthy(fleet));
    siteOf(0).failing.add('virginia').add('bucharest');
    await until('the outage is notified', () => keysOf(fleet.received, 'opened').length === 1);
    expect(fleet.received[0]?.locations.toSorted()).toEqual(['bucharest', 'virginia']);
    siteOf(0).failing.clear();
    await until('the recovery is notified', () => keysOf(fleet.received, 'recovered').length === 1);
    for (const site of fleet.sites) site.unreachable.clear();
    await until('it is back', async () => !(await problems()).join().includes('location-cut-off'));
    expect(await faultsAfter(fleet, 1)).toEqual([]);
  });

  it.each([2_000, -2_000])('puts up with clocks that differ by %i ms', async (byMs) => {
    await start();
    const shifted = { preload: skewed(byMs) };
    const acting = await fleet.coordinator(shifted);
    const standby = await fleet.coordinator();
    await Promise.all([
      fleet.runner('paris', { preload: skewed(-byMs) }),
      fleet.runner('bucharest', shifted),
      fleet.runner('virginia'),
    ]);
    await until('the site is healthy', () => allHealthy(fleet));
    await beginOutage(fleet);
    await Promise.all([acting.kill(), standby.logged('coordinator-acting')]);
    await endOutage(fleet);
    await beginOutage(fleet);
    await endOutage(fleet);
    expect(await faultsAfter(fleet, 2)).toEqual([]);
  });

  it('works with processes of another version, on tables that a later one has extended', async () => {
    await start();
    const bin = otherVersion();
    const acting = await fleet.coordinator();
    await Promise.all([fleet.runner('paris', { bin }), fleet.runner('bucharest'), fleet.runner('virginia')]);
    await until('the site is healthy', () => allHealthy(fleet));
    const versions = "SELECT DISTINCT version FROM docvitals.member WHERE role = 'runner' ORDER BY 1";
    expect(await fleet.sql(versions)).toEqual([expect.any(String), '9.9.9']);
    // As a later version's coordinator does it: tables are only added to.
    for (const table of ['member', 'run', 'incident'])
      await fleet.sql(`ALTER TABLE docvitals.${table} ADD COLUMN later text`);
    await fleet.sql('INSERT INTO docvitals.migration VALUES (99)');
    await beginOutage(fleet);
    const late = await fleet.runner('paris');
    await endOutage(fleet);
    expect(await faultsAfter(fleet, 1)).toEqual([]);
    expect(late.child.exitCode).toBe(null);
    // One that starts leaves tables alone that it does not know.
    expect((await acting.kill('SIGTERM')).status).toBe(0);
    const { status, stderr } = await fleet.run(['coordinator']);
    expect(status).toBe(3);
    expect(stderr).toContain('99');
  });

  it('checks other sites although one ends its runners, and that one not for ten minutes', async () => {
    await start({ sites: 3 });
    const [acting, standby] = await startAll(fleet);
    const poison = { preload: poisoned(siteOf(0).port) };
    await Promise.all(LOCATIONS.map((location) => stopRunners(location)));
    let crashes = 0;
    const over = new AbortController();
    const keepRunning = async (location: string): Promise<void> => {
      while (!over.signal.aborted) {
        const { ended } = await fleet.runner(location, poison);
        const { signal } = await ended;
        if (signal === 'SIGABRT') crashes += 1;
      }
    };
    const supervisors = LOCATIONS.map((location) => keepRunning(location).catch(() => {}));
    endings.push(() => {
      over.abort();
    });
    const crashed = await acting.logged('runners-crashed', LOCATIONS.length);
    expect(crashed).toMatchObject({ site: 'docs1', scope: 'core' });
    expect(Date.parse(crashed['retryAt'] as string) - Date.parse(crashed.time as string)).toBeGreaterThan(570_000);
    const problems = `SELECT problems FROM docvitals.member WHERE pid = ${acting.child.pid}`;
    await until('it is a problem', async () => (await fleet.sql(problems)).join().includes('site-crashes-runners'));
    const before = crashes;
    const others = await Promise.all(['docs2', 'docs3'].map((site) => newRuns(site, 'healthy')));
    await sleep(20_000);
    for (const runs of others) expect(await runs()).toBeGreaterThan(8);
    expect(crashes).toBe(before);
    // Three times at each location: as often as pg-boss repeats a run.
    expect(crashes).toBeLessThanOrEqual(3 * LOCATIONS.length + 1);
    // The next coordinator knows it from the dead-letter queue.
    await Promise.all([acting.kill(), standby.logged('runners-crashed', LOCATIONS.length)]);
    await sleep(5_000);
    expect(crashes).toBe(before);
    const all = fleet.services().flatMap(({ lines }) => lines);
    expect(all.filter(({ event, site }) => event === 'runners-crashed' && site !== 'docs1')).toEqual([]);
    expect(fleet.received).toEqual([]);
    console.log(`${crashes} crashes`);
    void supervisors;
  });

  it('holds back a site that blocks the runner of one location, which checks the others', async () => {
    await start({ sites: 2 });
    const [acting] = await startAll(fleet);
    await stopRunners('paris');
    const blocked = { preload: blocking(siteOf(0).port) };
    let paris = await fleet.runner('paris', blocked);
    // Where both were checked at that time, the second end shows which one it was.
    for (let ends = 0; ends < 2; ends++) {
      if (paris.lines.some(({ event }) => event === 'site-held-back')) break;
      const { signal, stderr } = await paris.ended;
      expect([signal, stderr]).toEqual(['SIGKILL', expect.stringContaining('docs1 core')]);
      paris = await fleet.runner('paris', blocked);
    }
    expect(await paris.logged('site-held-back')).toMatchObject({ site: 'docs1', scope: 'core' });
    const problems = `SELECT problems FROM docvitals.member WHERE pid = ${acting.child.pid}`;
    await until('it is a problem', async () => (await fleet.sql(problems)).join().includes('site-held-back'));
    const runs = await Promise.all(['docs1', 'docs2', 'docs2@paris'].map((series) => newRuns(series, 'healthy')));
    await sleep(10_000);
    for (const some of runs) expect(await some()).toBeGreaterThan(3);
    expect((await fleet.sql(problems)).join()).not.toContain('location-cut-off');
    expect(paris.child.exitCode).toBe(null);
    expect(fleet.received).toEqual([]);
  });
});

async function stopRunners(location: string): Promise<void> {
  const pids = await fleet.sql(`SELECT pid FROM docvitals.member WHERE location = '${location}'`);
  for (const pid of pids) process.kill(Number(pid), 'SIGTERM');
  const left = `SELECT 1 FROM docvitals.member WHERE location = '${location}'`;
  await until('the runner has stopped', async () => (await fleet.sql(left)).length === 0);
}

/** A module that shifts the clock of its process. */
const skewed = (byMs: number): string => `
const real = Date.now;
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...args) { args.length === 0 ? super(real() + ${byMs}) : super(...args); }
  static now() { return real() + ${byMs}; }
};
`;

/** A module that ends its process, as a crash of the runtime does, when it connects to a port. */
const poisoned = (port: number): string => `
import net from 'node:net';
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...args) {
  const [first] = Array.isArray(args[0]) ? args[0] : args;
  if (first?.port === ${port}) process.abort();
  return connect.apply(this, args);
};
`;

/** A module that blocks its process when it connects to a port. */
const blocking = (port: number): string => poisoned(port).replace('process.abort();', 'for (;;);');

/** The command as it is installed, under another version. */
function otherVersion(): string {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-version-'));
  endings.push(() => rmSync(folder, { recursive: true }));
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(path.join(root, part), path.join(folder, part), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const dist = path.join(folder, 'dist');
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string };
  // The build puts the version into the bundle, as a text of its own.
  const built = new RegExp(`([\`'"])${version.replaceAll('.', '\\.')}\\1`, 'g');
  for (const name of readdirSync(dist).filter((one) => one.endsWith('.cjs'))) {
    const text = readFileSync(path.join(dist, name), 'utf8');
    writeFileSync(path.join(dist, name), text.replaceAll(built, '"9.9.9"'));
  }
  return path.join(folder, 'bin', 'docvitals.js');
}

/** An address of the loopback interface to which packets can be dropped, so that a connection gets no end. */
const SILENT_ADDRESS = '127.88.77.66';

const cutSilently = (action: 'add' | 'del'): boolean =>
  spawnSync('ip', ['route', action, 'blackhole', `${SILENT_ADDRESS}/32`, 'table', 'local']).status === 0;

function canCutSilently(): boolean {
  const isPossible = cutSilently('add');
  if (isPossible) cutSilently('del');
  else console.warn('Packets cannot be dropped here: a network that goes silent is left out.');
  return isPossible;
}

function canMount(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
  if (status === 0) spawnSync('umount', [folder]);
  else console.warn('No file system can be mounted here: the full disk of PostgreSQL is left out.');
  rmSync(folder, { recursive: true });
  return status === 0;
}
