/** The monitor as a process: signals, sleep, a second one, a reader that goes away. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Incident } from '../../src/monitor/incident/incident.ts';
import { openStore } from '../../src/monitor/store/open.ts';
import { listen } from '../site/host.ts';
import { makeProject, startProcess, type MonitorProcess, type Project } from './process.ts';
import { startWatchedHost, type WatchedHost } from './watched-host.ts';

let host: WatchedHost;
let project: Project;
let running: MonitorProcess | undefined;

beforeEach(async () => {
  host = await startWatchedHost();
  project = makeProject({
    sites: [{ id: 'docs', url: host.url, every: '1s', full: false, confirm: { after: '300ms', times: 3 } }],
    monitor: { connectivity: [] },
  });
});
afterEach(async () => {
  running?.child.kill('SIGKILL');
  await running?.ended;
  running = undefined;
  await host.close();
  project.remove();
});

async function start(args: readonly string[] = []): Promise<MonitorProcess> {
  running = await startProcess(project, args);
  return running;
}

/** Resolves once the site was requested so many more files. */
async function asked(count: number): Promise<void> {
  const wanted = host.asked.length + count;
  while (host.asked.length < wanted) await sleep(20);
}

/** What SQLite itself says of the file. */
function integrity(): unknown {
  const database = new DatabaseSync(project.database, { readOnly: true });
  try {
    return Object.values(database.prepare('PRAGMA integrity_check').get() ?? {});
  } finally {
    database.close();
  }
}

/** The monitor's incidents, read beside it. */
async function incidents(): Promise<readonly Incident[]> {
  const store = await openStore(project.database, { mode: 'shared' });
  try {
    return await store.incidents({});
  } finally {
    await store.close();
  }
}

describe('a monitor that is stopped', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('by %s keeps what it saw and ends well', async (signal) => {
    const { child, told, ended } = await start();
    await asked(10);
    child.kill(signal);
    const { status, stderr } = await ended;
    expect([status, stderr]).toEqual([0, '']);
    expect(await told('monitor-stopped')).toMatchObject({ level: 'info' });
    expect(integrity()).toEqual(['ok']);
  });

  it('cuts off a run that would take too long', async () => {
    const { child, ended, lines } = await start();
    await asked(5);
    host.condition = 'silent';
    await asked(5);
    child.kill('SIGTERM');
    expect((await ended).status).toBe(0);
    expect(lines.filter(({ event }) => event.startsWith('incident-'))).toEqual([]);
  });

  it('ends at once by a second signal', async () => {
    const { child, ended } = await start();
    host.condition = 'silent';
    await asked(5);
    child.kill('SIGTERM');
    await sleep(200);
    child.kill('SIGTERM');
    expect((await ended).status).toBe(143);
  });
});

describe('a monitor that is suspended', () => {
  it('opens no incident for what broke meanwhile, and makes up for nothing', async () => {
    const { child, told, lines } = await start();
    await asked(10);
    child.kill('SIGSTOP');
    await sleep(8_000);
    host.asked.length = 0;
    child.kill('SIGCONT');
    expect(await told('resumed')).toMatchObject({ afterMs: expect.any(Number) as number });
    await asked(5);
    await sleep(1_000);
    expect(host.asked.length).toBeLessThan(30);
    expect(lines.filter(({ event }) => event === 'incident-opened')).toEqual([]);
  });
});

describe('a monitor that is not alone', () => {
  it('is refused the database that another one has', async () => {
    const { child } = await start();
    const { status, stderr } = await project.run(['monitor']);
    expect(status).toBe(3);
    expect(stderr).toContain(String(child.pid));
    const once = await project.run(['monitor', '--once']);
    expect(once.status).toBe(3);
  });

  it('goes on when nobody reads its log any more', async () => {
    const { child } = await start();
    child.stdout?.destroy();
    host.condition = 'failing';
    await asked(30);
    expect(child.exitCode).toBeNull();
  });

  it('takes up a new configuration on SIGHUP, and goes on with the old one where the new one is bad', async () => {
    const { child, told, lines } = await start();
    const other = await startWatchedHost();
    project.configure({ sites: [{ id: 'docs', url: 'nowhere' }] });
    child.kill('SIGHUP');
    await told('config-refused');
    await asked(5);
    project.configure({
      sites: [{ id: 'blog', url: other.url, every: '1s', full: false }],
      monitor: { connectivity: [] },
    });
    child.kill('SIGHUP');
    while (other.asked.length < 5) await sleep(20);
    expect(lines.filter(({ level }) => level === 'error').map(({ event }) => event)).not.toContain('unexpected-error');
    await other.close();
  });

  it('is not ended by SIGHUP before it has read its configuration, which it then reads again', async () => {
    const at = (name: string): string => path.join(project.folder, name);
    writeFileSync(
      at('docvitals.config.mjs'),
      `import { existsSync, renameSync, writeFileSync } from 'node:fs';
      import { setTimeout as sleep } from 'node:timers/promises';
      writeFileSync('pid.part', String(process.pid));
      renameSync('pid.part', 'pid');
      while (!existsSync('go')) await sleep(20);
      export default { sites: [{ id: 'docs', url: '${host.url}', full: false }], monitor: { connectivity: [] } };`,
    );
    const starting = start(['--config', 'docvitals.config.mjs']);
    while (!existsSync(at('pid'))) await sleep(20);
    process.kill(Number(readFileSync(at('pid'), 'utf8')), 'SIGHUP');
    await sleep(200);
    writeFileSync(at('go'), '');
    const { child, told } = await starting;
    await told('config-reloaded');
    expect(child.exitCode).toBeNull();
  });

  it('hears of maintenance that another process starts and ends', async () => {
    await start();
    await asked(5);
    const begun = await project.run(['maintenance', 'start', 'docs', '30m', '--reason', 'new host']);
    expect(begun.status).toBe(0);
    const listed = await project.run(['maintenance', 'list', '--format', 'json']);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ site: 'docs', reason: 'new host' }]);
    await sleep(3_500);
    host.condition = 'failing';
    await asked(20);
    expect(await incidents()).toEqual([]);
    const over = await project.run(['maintenance', 'end', 'docs']);
    expect(over.status).toBe(0);
    await running?.told('incident-opened');
  });
});

describe('a monitor that cannot start', () => {
  it.each<[string, object, readonly string[], number]>([
    ['has nothing to watch', {}, [], 2],
    ['is told to listen at no address', { url: 'http://127.0.0.1:9/' }, ['--listen', '9464'], 2],
    ['listens and looks once', { url: 'http://127.0.0.1:9/' }, ['--once', '--listen', '127.0.0.1:0'], 2],
    ['has a database in no folder', { url: 'http://127.0.0.1:9/' }, ['--database', 'none/such/docvitals.db'], 3],
    ['is given its configuration as database', { url: 'http://127.0.0.1:9/' }, ['--database', 'docvitals.json'], 2],
  ])('because it %s', async (_, config, args, expected) => {
    project.configure(config);
    const { status, stdout, stderr } = await project.run(['monitor', ...args]);
    expect([status, stdout]).toEqual([expected, '']);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('because its port is taken: says so once, and leaves the database free', async () => {
    const taken = await listen((_, response) => response.end());
    const { status, stderr } = await project.run(['monitor', '--listen', `127.0.0.1:${taken.port}`]);
    // Not 2: a restart may fix it.
    expect(status).toBe(3);
    expect(stderr).toContain(`127.0.0.1:${taken.port}`);
    await taken.close();
    expect((await project.run(['monitor', '--once'])).status).toBe(0);
  });
});
