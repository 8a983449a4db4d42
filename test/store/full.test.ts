import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/monitor/store/open.ts';
import { sqliteStore } from '../../src/monitor/store/sqlite/store.ts';
import { Connection } from '../../src/monitor/store/sqlite/connection.ts';
import type { FullOutcome } from './full.ts';
import { eachFolder } from './folder.ts';
import { commitOf, EVER, NOON, roundRecord, siteState } from './samples.ts';

const FULL = fileURLToPath(new URL('full.ts', import.meta.url));

/** A small disk of one's own, in a namespace that goes with its process. */
const inSmallDisk = (folder: string, ...command: readonly string[]) => {
  const script = 'mount -t tmpfs -o size=1m docvitals "$0" && "$@"';
  return spawnSync('unshare', ['-rm', 'sh', '-c', script, folder, ...command], { encoding: 'utf8' });
};

const mayMount = process.platform === 'linux' && inSmallDisk('/mnt', 'true').status === 0;

describe('a full disk', () => {
  const folder = eachFolder();

  it.runIf(mayMount)('is reported; nothing that was kept is lost, and it goes on when there is room', () => {
    const disk = folder.file('disk');
    mkdirSync(disk);
    const { stdout, stderr } = inSmallDisk(disk, process.execPath, FULL, disk);
    expect(stderr).toBe('');
    const outcome = JSON.parse(stdout) as FullOutcome;
    expect(outcome.kept).toBeGreaterThan(0);
    expect(outcome).toEqual({
      kept: outcome.kept,
      runs: outcome.kept + 1,
      problems: ['full'],
      incidents: 1,
      alerts: 1,
      readable: true,
    });
  });

  it('is met in the middle of a transaction, and leaves none of it', async () => {
    const file = folder.file();
    await (await openStore(file, { mode: 'own' })).close();
    const connection = new Connection(file, { access: 'write', busyMs: 0 });
    const beside = sqliteStore({ file, current: () => connection, damaged: () => {}, close: () => {} });
    const rounds = Array.from({ length: 3000 }, (_, index) => roundRecord({ startedAt: NOON + index * 1000 }));
    const pages = Number(connection.value('PRAGMA page_count'));
    connection.exec(`PRAGMA max_page_count = ${pages + 8}`);
    await beside.append([commitOf({ run: roundRecord({ site: 'first' }) })]);
    const full = expect.objectContaining({ problem: 'full' });
    await expect(beside.append(rounds.map((run) => commitOf({ run })))).rejects.toThrow(full);
    await expect(beside.append(rounds.map((run) => commitOf({ run })))).rejects.toThrow(full);
    await beside.append([commitOf({ run: roundRecord({ startedAt: NOON + 1 }) })]);
    connection.exec(`PRAGMA max_page_count = ${pages * 1000}`);
    await beside.append(rounds.map((run) => commitOf({ run })));
    connection.close();
    const store = await openStore(file, { mode: 'own' });
    expect(await store.runs({ site: 'docs', ...EVER })).toHaveLength(3001);
    expect(await store.runs({ site: 'first', ...EVER })).toHaveLength(1);
    await store.close();
    const database = new DatabaseSync(file);
    expect(Object.values(database.prepare('PRAGMA integrity_check').get() ?? {})).toEqual(['ok']);
    database.close();
  });

  it('leaves nothing of what the runs come to, either', async () => {
    const file = folder.file();
    await (await openStore(file, { mode: 'own' })).close();
    const connection = new Connection(file, { access: 'write', busyMs: 0 });
    const beside = sqliteStore({ file, current: () => connection, damaged: () => {}, close: () => {} });
    const later = (seconds: number) => commitOf({ run: roundRecord({ startedAt: NOON + seconds * 1000 }) });
    await beside.append([later(0)]);
    // A state is written after its round.
    const pages = Number(connection.value('PRAGMA page_count'));
    connection.exec(`PRAGMA max_page_count = ${pages + 1}`);
    const state = siteState({ blips: Array.from({ length: 20_000 }, () => 100_000) });
    const outsized = { ...later(1), states: new Map([['docs', state]]) };
    await expect(beside.append([outsized])).rejects.toThrow(expect.objectContaining({ problem: 'full' }));
    connection.exec(`PRAGMA max_page_count = ${pages * 1000}`);
    await beside.append([later(2)]);
    connection.close();
    const store = await openStore(file, { mode: 'own' });
    const [day] = await store.buckets({ site: 'docs', resolution: 'day', ...EVER });
    expect(day).toMatchObject({ runs: 2, healthy: 2 });
    await store.close();
  });
});
