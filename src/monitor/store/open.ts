import { existsSync, realpathSync, statSync, closeSync, openSync, readSync, renameSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import type { SQLInputValue } from 'node:sqlite';
import generated from '../../generated/sql.json' with { type: 'json' };
import { Connection } from './sqlite/connection.ts';
import { sqliteStore } from './sqlite/store.ts';
import { isPostgres, StoreError, type Owner, type Store } from './store.ts';

export interface OpenOptions {
  /**
   * `own`: for a monitor. Makes the file, brings it up to date, sets a damaged one aside; one process at a time.
   * `shared`: for the commands beside it. The file has to be there and is left as it is.
   */
  readonly mode: 'own' | 'shared';
  /** Of a server: its lease is not taken again after it was lost, because another process may have acted meanwhile. */
  readonly isLockedOnce?: boolean;
  /** ms since 1970: names files that are set aside. */
  readonly now?: () => number;
  /** Called when a new file was begun because the former one was damaged, deleted or replaced, at the start or later. */
  readonly onSetAside?: (aside: SetAside) => void;
  /**
   * Larger files are not read through at each start: what is wrong with them shows when it is come upon. Default: 64 MiB,
   * which take less than a second.
   */
  readonly examinedBytes?: number;
}

/** Why a new database file was begun, and what became of the former one. */
export interface SetAside {
  /** `replaced`: the file was deleted, or another one put in its place, while the monitor was running. */
  readonly reason: 'damaged' | 'replaced';
  readonly file: string;
  /** The new name of the file that was found there; `null`: there was none. */
  readonly aside: string | null;
  /** Rows of states, incidents, alerts and maintenance that could still be read, and are in the new file. */
  readonly saved: number;
}

export async function openStore(name: string, options: OpenOptions): Promise<Store> {
  if (isPostgres(name)) return (await import('./postgres/store.ts')).openPostgres(name, options);
  const file = locationOf(name);
  return options.mode === 'own' ? openOwn(file, options) : openShared(file);
}

/** How long others are waited for, in ms: a monitor has more to do, and tries again. */
const BUSY_MS = { own: 1000, shared: 5000 } as const;

const FOREIGN = 'its first bytes are those of something else';

const EXAMINED_BYTES = 64 * 1024 * 1024;

/** A database has one name, whatever links lead to it: its lock is beside it. */
function locationOf(name: string): string {
  if (name === '' || name === ':memory:') throw new StoreError('foreign', name, 'a database has to be a file');
  const file = path.resolve(name);
  try {
    return realpathSync(file);
  } catch {
    // What is to become of it shows when it is checked.
    return existsSync(path.dirname(file)) ? path.join(realpathSync(path.dirname(file)), path.basename(file)) : file;
  }
}

function openOwn(file: string, options: OpenOptions): Store {
  const { now = Date.now, onSetAside } = options;
  // Before anything is written beside it: it may be another program's.
  if (inspectFile(file) === 'foreign') throw new StoreError('foreign', file, FOREIGN);
  const unlock = lock(file);
  let database: Connection | undefined;
  let identity: string | null = null;
  let logIdentity: string | null = null;
  const open = (fill?: (empty: Connection) => void): Connection => {
    const connection = prepared(file, options, fill);
    identity = identityOf(file);
    logIdentity = identityOf(logOf(file));
    return connection;
  };
  /** The log beside the file was deleted, and only this connection has what is in it. */
  const openAgain = (former: Connection): Connection => {
    former.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    former.close();
    return open();
  };
  /** Begins a new file with what can be read of the former one. `lost`: its name is gone, but it is still open. */
  const replace = (lost?: Connection): Connection => {
    const aside = setAside(file, now());
    let saved = 0;
    const connection = open((empty) => {
      saved = lost === undefined ? salvage(aside, empty) : salvageFrom(lost, empty);
    });
    lost?.close();
    const reason = lost === undefined ? 'damaged' : 'replaced';
    onSetAside?.({ reason, file, aside: existsSync(aside) ? aside : null, saved });
    return connection;
  };
  const replaceDamaged = (damaged: Connection): void => {
    if (database !== damaged) return;
    damaged.close();
    database = undefined;
    database = replace();
  };
  try {
    refuseHardLink(file);
    try {
      database = inspectFile(file) === 'damaged' ? replace() : open();
    } catch (error) {
      if (!(error instanceof StoreError) || error.problem !== 'corrupt') throw error;
      database = replace();
    }
  } catch (error) {
    unlock();
    throw error;
  }
  return sqliteStore({
    file,
    current() {
      if (database === undefined) return (database = open());
      if (identityOf(file) !== identity) database = replace(database);
      else if (inspectFile(file) === 'damaged') replaceDamaged(database);
      else if (identityOf(logOf(file)) !== logIdentity) database = openAgain(database);
      return database;
    },
    damaged: replaceDamaged,
    close() {
      if (database !== undefined) {
        try {
          database.exec("DELETE FROM note WHERE name = 'owner'");
        } catch {
          // The owner is only informative: the lock shows that the database is free.
        }
        database.close();
      }
      unlock();
    },
  });
}

const logOf = (file: string): string => `${file}-wal`;

function identityOf(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
}

/** The lock is beside the name of a database. A hard link is another name: there the owner in the database counts. */
function refuseHardLink(file: string): void {
  if ((statSync(file, { throwIfNoEntry: false })?.nlink ?? 1) < 2) return;
  const owner = ownerOf(file);
  if (owner === null || owner.host !== hostname() || !isRunning(owner.pid)) return;
  throw new StoreError('locked', file, 'another monitor has it under another name', owner);
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function ownerOf(file: string): Owner | null {
  try {
    const connection = new Connection(file, { access: 'read', busyMs: 0 });
    try {
      const json = connection.value("SELECT value FROM note WHERE name = 'owner'");
      return typeof json === 'string' ? (JSON.parse(json) as Owner) : null;
    } finally {
      connection.close();
    }
  } catch {
    return null;
  }
}

/** `fill`: called with a new file, before its tables are made. */
function prepared(file: string, options: OpenOptions, fill?: (empty: Connection) => void): Connection {
  if (inspectFile(file) === 'sqlite') examine(file, options);
  const connection = new Connection(file, { access: 'write', busyMs: BUSY_MS.own });
  try {
    // The log may grow when much is written at once, and is cut again afterwards.
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = 16777216; PRAGMA cache_size = -16000');
    fill?.(connection);
    migrate(connection);
    const owner: Owner = { pid: process.pid, host: hostname(), since: (options.now ?? Date.now)() };
    connection.run("REPLACE INTO note (name, value) VALUES ('owner', ?)", JSON.stringify(owner));
    // Under another name of the file (a hard link) the log is not seen: the owner has to be in the file itself.
    connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Inspects a database without writing: if it were damaged, its log would be written over something. */
function examine(file: string, { examinedBytes = EXAMINED_BYTES }: OpenOptions): void {
  const connection = new Connection(file, { access: 'read', busyMs: BUSY_MS.own });
  try {
    versionOf(connection);
    if (statSync(file).size > examinedBytes) return;
    const found = connection.value('PRAGMA quick_check(1)');
    if (found !== 'ok') throw new StoreError('corrupt', file, String(found));
  } finally {
    connection.close();
  }
}

function openShared(file: string): Store {
  const observed = inspectFile(file);
  if (observed === 'empty') throw new StoreError('missing', file, 'there is no database');
  if (observed === 'foreign') throw new StoreError('foreign', file, FOREIGN);
  if (observed === 'damaged') throw new StoreError('corrupt', file, 'no header of a database');
  const connection = connected(file);
  try {
    // Only the monitor brings the log into the file: before SQLite 3.51.3, two that do so at once may damage it.
    connection.exec('PRAGMA wal_autocheckpoint = 0');
    const version = versionOf(connection);
    if (version === 0) throw new StoreError('missing', file, 'there is nothing in it yet');
    if (version < MIGRATIONS.length) throw new StoreError('older', file, `its form is ${version}`);
  } catch (error) {
    connection.close();
    throw error;
  }
  return sqliteStore({ file, current: () => connection, damaged: () => {}, close: () => connection.close() });
}

/**
 * Opens a database that another user may own. Reading needs the index of the log, which a user who may not write to the
 * folder cannot make; but without a log there is no writer, and none is needed.
 */
function connected(file: string): Connection {
  const busyMs = BUSY_MS.shared;
  try {
    return new Connection(file, { access: 'write', busyMs });
  } catch (error) {
    const isLogged = ['-wal', '-shm'].some((end) => existsSync(file + end));
    const isRefused = error instanceof StoreError && ['read-only', 'unreadable'].includes(error.problem);
    if (isLogged || !isRefused) throw error;
    return new Connection(file, { access: 'immutable', busyMs });
  }
}

/** Marks a database as docvitals': "docv". */
const APPLICATION_ID = 0x64_6f_63_76;

/** Each migrates the tables from the version that is its index to the next one. */
const MIGRATIONS: readonly string[] = generated.sqlite;

export function versionOf(connection: Connection, versions = MIGRATIONS.length): number {
  const id = connection.value('PRAGMA application_id');
  const version = Number(connection.value('PRAGMA user_version'));
  const tables = Number(connection.value('SELECT count(*) FROM sqlite_schema'));
  if (id !== APPLICATION_ID && (id !== 0 || version !== 0 || tables > 0)) {
    throw new StoreError('foreign', connection.file, 'a database of another program');
  }
  if (version === 0 && tables > 0) {
    throw new StoreError('foreign', connection.file, 'there are tables in it, but it does not say of which form');
  }
  if (version > versions) {
    throw new StoreError('newer', connection.file, `its form is ${version}, the newest that is known is ${versions}`);
  }
  return version;
}

export function migrate(connection: Connection, migrations: readonly string[] = MIGRATIONS): void {
  if (versionOf(connection, migrations.length) === migrations.length) return;
  connection.transaction(() => {
    // Checked again, now that no other process can change it.
    for (const migration of migrations.slice(versionOf(connection, migrations.length))) connection.exec(migration);
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}`);
  });
}

const MAGIC = 'SQLite format 3\0';
const HEADER = 100;
const AT = { schemaCookie: 40, version: 60, application: 68 } as const;

/**
 * What is in a place: nothing; a file of SQLite's, perhaps docvitals'; a database of docvitals' that is damaged so that
 * SQLite would not know it any more; something else, which is left alone.
 */
type FileState = 'empty' | 'sqlite' | 'damaged' | 'foreign';

/** Inspects a file without changing it. Throws a `StoreError` if it is not a file or cannot be read. */
function inspectFile(file: string): FileState {
  const header = headerOf(file);
  if (header === null) return 'empty';
  // SQLite would throw away the log beside a file that was cut to nothing.
  if (header.length === 0) return sizeOf(logOf(file)) > 0 ? 'damaged' : 'empty';
  const isWhole = header.length === HEADER;
  const isMarked = isWhole && header.readUInt32BE(AT.application) === APPLICATION_ID;
  // Nothing was ever made in it; what was may still be in the log alone, and is checked once it is open.
  const isNew = isWhole && Object.values(AT).every((at) => header.readUInt32BE(at) === 0);
  if (header.toString('latin1', 0, MAGIC.length) === MAGIC) return isMarked || !isWhole || isNew ? 'sqlite' : 'foreign';
  // Our mark is where it belongs, or a monitor had a database of this name.
  return isMarked || existsSync(lockFileOf(file)) ? 'damaged' : 'foreign';
}

/** The beginning of a file; `null`: there is none. */
function headerOf(file: string): Buffer | null {
  try {
    if (!statSync(file).isFile()) throw new StoreError('foreign', file, 'not a regular file');
    const descriptor = openSync(file, 'r');
    try {
      const header = Buffer.alloc(HEADER);
      return header.subarray(0, readSync(descriptor, header, 0, HEADER, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw new StoreError('unreadable', file, message);
    // The folder that it would be in must exist: a new one in a mistyped path would never be found.
    if (!existsSync(path.dirname(file))) throw new StoreError('unreadable', file, 'there is no such folder');
    return null;
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** What SQLite keeps beside a database; it belongs to it also under its new name. */
const BESIDE = ['-wal', '-shm', '-journal'];

/** Renames a database, with the files that belong to it, if they exist, to a name that is free. Returns that name. */
function setAside(file: string, now: number): string {
  const time = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  let name = `${file}.corrupt-${time}`;
  for (let count = 2; existsSync(name); count += 1) name = `${file}.corrupt-${time}-${count}`;
  try {
    // First those beside it: were it the other way run, a process that is killed between would leave a log to the next file.
    for (const suffix of BESIDE) if (existsSync(file + suffix)) renameSync(file + suffix, name + suffix);
    if (existsSync(file)) renameSync(file, name);
  } catch (error) {
    throw new StoreError('unreadable', file, (error as Error).message);
  }
  return name;
}

/** What would be missed: without it an open incident would be notified again, and a notification never be sent. */
const SAVED = ['site_state', 'incident', 'notification', 'maintenance', 'note'] as const;

/** Takes over what can still be read of the tables that would be missed. Returns how many rows. Never throws for the damaged file. */
function salvage(damaged: string, into: Connection): number {
  // There is nothing in it, and SQLite would throw its log away.
  if (statSync(damaged).size === 0) return 0;
  let from: Connection;
  try {
    from = new Connection(damaged, { access: 'read', busyMs: 0 });
  } catch {
    return 0;
  }
  try {
    return salvageFrom(from, into);
  } finally {
    from.close();
  }
}

/** Into tables of the same version, which are brought up to date afterwards. */
function salvageFrom(from: Connection, into: Connection): number {
  migrate(into, MIGRATIONS.slice(0, Number(from.value('PRAGMA user_version'))));
  return into.transaction(() => SAVED.reduce((saved, table) => saved + salvageTable(table, from, into), 0));
}

function salvageTable(table: string, from: Connection, into: Connection): number {
  let saved = 0;
  try {
    const names = into
      .prepare(`SELECT * FROM ${table}`)
      .columns()
      .map(({ name }) => name);
    const columns = names.join(', ');
    const insert = `INSERT OR IGNORE INTO ${table} (${columns}) VALUES (${names.map(() => '?').join(', ')})`;
    for (const row of from.prepare(`SELECT ${columns} FROM ${table}`).iterate()) {
      try {
        saved += into.run(insert, ...Object.values(row as Record<string, SQLInputValue>));
      } catch {
        // A row that does not fit is left out.
      }
    }
  } catch {
    // There is no such table, or what comes after the damaged page cannot be read.
  }
  return saved;
}

/** The file beside a database that its monitor holds. It is never removed: a process that waited for it would hold a file that is gone. */
const lockFileOf = (file: string): string => `${file}-lock`;

/**
 * Locks a database for one monitor. What holds the lock is a transaction on a second, empty file, and with it the
 * operating system: it goes with the process, however that ends. Throws a `StoreError`: `locked` where there is one.
 */
function lock(file: string): () => void {
  let connection: Connection | undefined;
  try {
    connection = new Connection(lockFileOf(file), { access: 'write', busyMs: 0 });
    // Nothing is ever written, so there is nothing to roll back: no file for that.
    connection.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    connection?.close();
    if (error instanceof StoreError && error.problem === 'busy') {
      throw new StoreError('locked', file, 'another monitor has it', ownerOf(file));
    }
    throw error;
  }
  return () => connection.close();
}
