import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type SetAside } from '../../../src/monitor/store/open.ts';
import { eachFolder } from '../../store/folder.ts';
import { alertOf, commitOf, EVER, incidentOf, NOON, opening, roundRecord } from '../../store/samples.ts';

const folder = eachFolder();
const HEADER = 100;

const filled = mkdtempSync(path.join(tmpdir(), 'docvitals-filled-'));

/** A database with an open incident, an alert that waits, and enough rounds that damage has a place to be. */
beforeAll(async () => {
  const store = await openStore(path.join(filled, 'docvitals.db'), { mode: 'own' });
  const incident = incidentOf();
  await store.append([opening(incident, alertOf({ incident }))]);
  await store.startMaintenance({ id: 'm', site: 'docs', from: 0, to: NOON, reason: null });
  const rounds = Array.from({ length: 5000 }, (_, index) => roundRecord({ startedAt: NOON + index * 1000 }));
  await store.append(rounds.map((run) => commitOf({ run })));
  await store.close();
});
afterAll(() => rmSync(filled, { recursive: true }));

/** With its lock, by which it is known as a database of docvitals whatever becomes of it. */
function fill(file: string): void {
  for (const end of ['', '-lock']) copyFileSync(path.join(filled, `docvitals.db${end}`), file + end);
}

function overwrite(file: string, from: number, bytes: Buffer): void {
  const content = readFileSync(file);
  bytes.copy(content, from);
  writeFileSync(file, content);
}

const spoilMiddle = (file: string): void =>
  overwrite(file, Math.floor(statSync(file).size / 8192) * 4096, Buffer.alloc(9000, 0xa5));

/** The page of a table's first entries. */
function rootOf(file: string, table: string): { readonly at: number; readonly size: number } {
  const database = new DatabaseSync(file, { readOnly: true });
  const size = Object.values(database.prepare('PRAGMA page_size').get() ?? {})[0] as number;
  const { page } = database.prepare('SELECT rootpage AS page FROM sqlite_schema WHERE name = ?').get(table) as {
    page: number;
  };
  database.close();
  return { at: (page - 1) * size, size };
}

const DAMAGES: readonly (readonly [name: string, (file: string) => void])[] = [
  ['bytes in its middle', spoilMiddle],
  ['its second half', (file) => truncateSync(file, statSync(file).size / 2)],
  ['the end of a page', (file) => truncateSync(file, statSync(file).size - 1000)],
  ['all but its header', (file) => truncateSync(file, HEADER)],
  ['a header of text', (file) => overwrite(file, 0, Buffer.from('sites:\n  - id: docs\n'))],
  ['a header of zeros', (file) => overwrite(file, 0, Buffer.alloc(HEADER))],
  ['everything, for text', (file) => writeFileSync(file, 'sites: []\n'.repeat(1000))],
  ['everything, for zeros', (file) => writeFileSync(file, Buffer.alloc(40_000))],
  ['its schema', (file) => overwrite(file, HEADER, Buffer.alloc(2000, 0xa5))],
];

describe('a damaged database', () => {
  const file = (): string => folder.file();
  let told: SetAside[];
  const open = () => openStore(file(), { mode: 'own', now: () => NOON, onSetAside: (aside) => told.push(aside) });

  beforeEach(() => {
    told = [];
  });

  it.each(DAMAGES)('that has lost %s is set aside as it is, and a new one begun', async (_name, damage) => {
    fill(file());
    damage(file());
    const bytes = readFileSync(file());
    const store = await open();
    const aside = `${file()}.corrupt-20261120T120000Z`;
    expect(told).toEqual([{ reason: 'damaged', file: file(), aside, saved: expect.any(Number) }]);
    expect(readFileSync(aside).equals(bytes)).toBe(true);
    await store.append([commitOf()]);
    expect(await store.runs({ site: 'docs', ...EVER })).toHaveLength(1);
    await store.close();
    await (await open()).close();
    expect(told).toHaveLength(1);
  });

  it('gives what people were notified of to the new one', async () => {
    fill(file());
    const { at, size } = rootOf(file(), 'rollup');
    overwrite(file(), at, Buffer.alloc(size, 0xa5));
    const store = await open();
    // Its state, the incident, the notification, the maintenance.
    expect(told).toMatchObject([{ saved: 4 }]);
    expect((await store.states()).size).toBe(1);
    expect(await store.incidents({ open: true })).toEqual([incidentOf()]);
    expect((await store.waiting(9)).notifications.map(({ key }) => key)).toEqual(['docs-1:opened:ops']);
    expect(await store.maintenance(0)).toHaveLength(1);
    await store.close();
  });

  it('is set aside when the damage shows later, too', async () => {
    fill(file());
    const { at, size } = rootOf(file(), 'run');
    overwrite(file(), at, Buffer.alloc(size, 0xa5));
    const store = await openStore(file(), { mode: 'own', examinedBytes: 0, onSetAside: (aside) => told.push(aside) });
    expect(await store.incidents({})).toHaveLength(1);
    const commit = commitOf({ run: roundRecord({ startedAt: NOON + 1 }) });
    const range = { site: 'docs', ...EVER };
    const tries = await Promise.allSettled([store.append([commit]), store.runs(range), store.runs(range)]);
    expect(tries.map(({ status }) => status)).toContain('rejected');
    expect(told).toHaveLength(1);
    await store.append([commit]);
    expect(await store.runs({ site: 'docs', ...EVER })).toHaveLength(1);
    expect(await store.incidents({})).toHaveLength(1);
    await store.close();
  });

  it('never takes the place of another one that was set aside', async () => {
    for (let time = 0; time < 3; time++) {
      writeFileSync(file(), 'no database');
      writeFileSync(`${file()}-lock`, '');
      await (await open()).close();
    }
    const names = readdirSync(path.dirname(file())).filter((name) => name.includes('corrupt'));
    expect(names.toSorted()).toEqual(['', '-2', '-3'].map((end) => `docvitals.db.corrupt-20261120T120000Z${end}`));
  });

  it.each([[['-wal']], [['-wal', '-shm']]])('keeps what was written before %s was deleted beside it', async (ends) => {
    const store = await openStore(file(), { mode: 'own' });
    await store.append([opening(incidentOf(), alertOf())]);
    for (const end of ends) rmSync(`${file()}${end}`);
    await store.append([commitOf({ run: roundRecord({ site: 'blog' }) })]);
    // As a process leaves it that is killed now.
    const left = folder.file('left.db');
    for (const end of ['', '-wal']) copyFileSync(`${file()}${end}`, left + end);
    await store.close();
    const next = await openStore(left, { mode: 'own' });
    expect(await next.open()).toEqual({ incidents: [incidentOf()], notifications: [alertOf()] });
    expect(await next.runs({ site: 'blog', ...EVER })).toHaveLength(1);
    await next.close();
  });

  it('is noticed while it is in use, before anything is read of it', async () => {
    const store = await open();
    await store.append([commitOf()]);
    writeFileSync(file(), Buffer.alloc(100_000));
    await store.append([commitOf({ run: roundRecord({ site: 'blog' }) })]);
    expect(told).toMatchObject([{ reason: 'damaged', file: file() }]);
    expect(await store.runs({ site: 'blog', ...EVER })).toHaveLength(1);
    await store.close();
  });

  it('takes its log with it', async () => {
    fill(file());
    writeFileSync(file(), '');
    writeFileSync(`${file()}-wal`, 'what was not yet in the file');
    await (await open()).close();
    expect(readFileSync(`${told[0]?.aside}-wal`, 'utf8')).toBe('what was not yet in the file');
  });

  it('keeps its log as it was, whatever could be read through it', async () => {
    // A monitor that was killed: part of what it has written is in the log alone.
    const running = folder.file('running.db');
    fill(running);
    const store = await openStore(running, { mode: 'own' });
    await store.append([commitOf()]);
    for (const end of ['', '-wal', '-shm']) copyFileSync(running + end, file() + end);
    await store.close();
    spoilMiddle(file());
    const [damaged, log] = [readFileSync(file()), readFileSync(`${file()}-wal`)];
    await (await open()).close();
    expect(told).toHaveLength(1);
    expect(readFileSync(`${told[0]?.aside}`).equals(damaged)).toBe(true);
    expect(readFileSync(`${told[0]?.aside}-wal`).equals(log)).toBe(true);
  });

  it('is left alone by the commands beside the monitor', async () => {
    fill(file());
    overwrite(file(), 0, Buffer.from('sites:\n  - id: docs\n'));
    const bytes = readFileSync(file());
    await expect(openStore(file(), { mode: 'shared' })).rejects.toMatchObject({ problem: 'corrupt' });
    expect(readFileSync(file()).equals(bytes)).toBe(true);
  });
});

describe('a file that is no database of docvitals', () => {
  const other = (sql: string) => (name: string) => {
    const database = new DatabaseSync(name);
    database.exec(sql);
    database.close();
  };

  it.each([
    ['a configuration', 'docvitals.yaml', (name: string) => writeFileSync(name, 'sites:\n  - id: docs\n'.repeat(50))],
    ['a short text', 'notes.txt', (name: string) => writeFileSync(name, 'x')],
    ['a picture', 'logo.png', (name: string) => writeFileSync(name, Buffer.from('89504e470d0a1a0a', 'hex'))],
    ['another program’s database', 'other.db', other('CREATE TABLE t (x); PRAGMA application_id = 7')],
    ['a database of nobody knows whom', 'any.db', other('PRAGMA journal_mode = WAL; CREATE TABLE t (x)')],
  ])('is left as it is: %s', async (_name, name, make) => {
    const file = folder.file(name);
    make(file);
    const before = readFileSync(file);
    for (const mode of ['own', 'shared', 'own'] as const) {
      await expect(openStore(file, { mode })).rejects.toMatchObject({ problem: 'foreign' });
    }
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(path.dirname(file))).toEqual([name]);
  });

  it.each([
    ['in memory', ':memory:', 'foreign'],
    ['nothing at all', '', 'foreign'],
    ['a folder', '.', 'foreign'],
    ['in a folder that is not there', 'nowhere/docvitals.db', 'unreadable'],
    ['below a file', 'package.json/docvitals.db', 'unreadable'],
  ])('is refused: %s', async (_name, name, problem) => {
    await expect(openStore(name, { mode: 'own' })).rejects.toMatchObject({ problem });
  });

  it('may be an empty file', async () => {
    const file = folder.file();
    writeFileSync(file, '');
    await expect(openStore(file, { mode: 'shared' })).rejects.toMatchObject({ problem: 'missing' });
    fill(file);
    expect(existsSync(file)).toBe(true);
  });
});

describe('a database of another version', () => {
  it.each(['own', 'shared'] as const)('that is newer is refused and left as it is (%s)', async (mode) => {
    const file = folder.file();
    fill(file);
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 99');
    database.close();
    const before = readFileSync(file);
    await expect(openStore(file, { mode })).rejects.toMatchObject({ problem: 'newer' });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('that is missing is no place for commands to begin one', async () => {
    const file = folder.file();
    await expect(openStore(file, { mode: 'shared' })).rejects.toMatchObject({ problem: 'missing' });
    expect(readdirSync(path.dirname(file))).toEqual([]);
  });
});
