/** A database that is deleted, replaced or damaged: run as the built command, with a webhook receiver. */
import { createServer, type Server } from 'node:http';
import {
  copyFileSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeProject, startProcess, type MonitorProcess, type Project } from './process.ts';
import { startWatchedHost, type WatchedHost } from './watched-host.ts';

interface Received {
  readonly incident: { readonly id: string; readonly rules: readonly string[] };
  readonly findings: readonly { readonly problem: string; readonly fix: string }[];
}

let host: WatchedHost;
let receiver: Server;
let received: Received[];
let project: Project;
let running: MonitorProcess | undefined;

beforeEach(async () => {
  received = [];
  receiver = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      received.push(JSON.parse(text) as Received);
      response.end();
    });
  });
  await new Promise<void>((resolve) => {
    receiver.listen(0, '127.0.0.1', resolve);
  });
  const { port } = receiver.address() as AddressInfo;
  host = await startWatchedHost();
  project = makeProject({
    sites: [{ id: 'docs', url: host.url, every: '1s', full: false, confirm: { after: '200ms', times: 2 } }],
    alerts: [{ id: 'ops', webhook: { url: `http://127.0.0.1:${port}/` } }],
    monitor: { connectivity: [], listen: '127.0.0.1:0' },
  });
});
afterEach(async () => {
  running?.child.kill('SIGKILL');
  await running?.ended;
  running = undefined;
  receiver.closeAllConnections();
  receiver.close();
  await host.close();
  project.remove();
});

const start = async (): Promise<string> => {
  running = await startProcess(project);
  return String((await running.told('monitor-started'))['url']);
};

const stop = async (): Promise<void> => {
  running?.child.kill('SIGTERM');
  await running?.ended;
};

async function until<T>(ask: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (;;) {
    const got = await ask();
    if (got !== undefined) return got;
    await sleep(50);
  }
}

const openIncidents = async (url: string): Promise<readonly string[]> =>
  ((await (await fetch(`${url}api/v1/incidents?open=true`)).json()) as { id: string }[]).map(({ id }) => id);

/** Starts a monitor over a site that is down; resolves when its incident is open and notified. */
async function startDown(): Promise<{ readonly url: string; readonly incident: string }> {
  host.condition = 'failing';
  const url = await start();
  await until(() => received[0]);
  return { url, incident: (await openIncidents(url))[0] ?? '' };
}

const noticed = (rule: string): Promise<Received> =>
  until(() => received.find(({ incident }) => incident.rules.includes(rule)));

const files = (): readonly string[] => readdirSync(project.folder).toSorted();

/** Where the first pages of tables are in the file. */
function rootPages(...tables: readonly string[]): readonly { readonly at: number; readonly size: number }[] {
  const database = new DatabaseSync(project.database, { readOnly: true });
  const [size] = Object.values(database.prepare('PRAGMA page_size').get() ?? {}) as number[];
  const root = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?');
  const pages = tables.map((table) => Number(root.get(table)?.['rootpage']));
  database.close();
  return pages.map((page) => ({ at: (page - 1) * (size ?? 0), size: size ?? 0 }));
}

const LOSSES: Readonly<Record<string, () => void>> = {
  'is deleted': () => rmSync(project.database),
  'is deleted with its log': () => {
    for (const end of ['', '-wal', '-shm']) rmSync(project.database + end, { force: true });
  },
  'is moved away': () => renameSync(project.database, `${project.database}.old`),
  'is replaced by an older copy': () => {
    copyFileSync(project.database, `${project.database}.copy`);
    renameSync(`${project.database}.copy`, project.database);
  },
};

describe('a database that', () => {
  it.each(Object.entries(LOSSES))('%s under a running monitor', async (_, lose) => {
    const { url, incident } = await startDown();
    lose();
    const notice = await noticed('monitor/database-replaced');
    expect(notice.findings).toMatchObject([{ problem: expect.stringContaining('deleted or replaced') as string }]);
    const ready = await fetch(`${url}readyz`);
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'problem', problems: ['database-replaced'] }]);
    // No incident is lost, opened twice or notified twice, also by the next process.
    expect(await openIncidents(url)).toEqual([incident]);
    await stop();
    expect(files()).toContain('docvitals.db');
    expect(await openIncidents(await start())).toEqual([incident]);
    expect(received.map(({ incident: { id } }) => id).filter((id) => id === incident)).toHaveLength(1);
  });

  it.each([
    ['its first page', (): void => void writeSync(openSync(project.database, 'r+'), Buffer.alloc(4096), 0, 4096, 0)],
    ['all of its pages', (): void => writeFileSync(project.database, Buffer.alloc(100_000))],
  ])('lost %s is set aside at the next start, and that is reported', async (_, spoil) => {
    await startDown();
    await stop();
    spoil();
    const url = await start();
    const notice = await noticed('monitor/database-damaged');
    expect(notice.findings[0]?.fix).toContain('.corrupt-');
    expect((await fetch(`${url}readyz`)).status).toBe(503);
    expect(files().some((name) => name.startsWith('docvitals.db.corrupt-'))).toBe(true);
  });

  it('has a damaged page keeps the open incident, or opens it again, and reports the damage', async () => {
    const { incident } = await startDown();
    await stop();
    const whole = readFileSync(project.database);
    for (const { at, size } of rootPages('site', 'incident', 'notification', 'rollup')) {
      for (const name of files().filter((each) => each.startsWith('docvitals.db')))
        rmSync(path.join(project.folder, name));
      writeFileSync(project.database, Buffer.from(whole).fill(0xa5, at, at + size));
      received.length = 0;
      const url = await start();
      await noticed('monitor/database-damaged');
      const open = await until(async () => (await openIncidents(url))[0]);
      // Notified again only where it could not be read.
      const notices = (): number => received.filter(({ incident: { id } }) => id === open).length;
      if (open !== incident) await until(() => notices() || undefined);
      expect(notices()).toBe(open === incident ? 0 : 1);
      await stop();
    }
  });

  it('has another name is refused to a second monitor', async () => {
    await start();
    const other = path.join(project.folder, 'other.db');
    linkSync(project.database, other);
    const { status, stderr } = await project.run(['monitor', '--database', other]);
    expect([status, stderr]).toEqual([3, expect.stringContaining(String(running?.child.pid)) as string]);
  });
});
