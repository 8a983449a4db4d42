import { existsSync, realpathSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import type { Connection } from './sqlite/connection.ts';
import { databaseOn, openDatabase, parsed, type Database } from './sqlite/database.ts';
import { lock } from './sqlite/lock.ts';
import { inspectFile } from './sqlite/inspect-file.ts';
import { migrate, versionOf } from './sqlite/migrate.ts';
import { MIGRATIONS } from './sqlite/schema.ts';
import { salvage, salvageFrom, setAside } from './sqlite/set-aside.ts';
import { sqliteStore } from './sqlite/store.ts';
import { StoreError, type Owner } from './store-error.ts';
import type { Store } from './store.ts';

/** How a database is opened. */
export interface OpenOptions {
  /**
   * `own`: for a monitor. Makes the file, brings it up to date, sets a damaged one aside; one process at a time.
   * `shared`: for the commands beside it. The file has to be there and is left as it is.
   */
  readonly mode: 'own' | 'shared';
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

/** A store in a file. */
export interface FileStore extends Store {
  /** The database, as an absolute path without symbolic links. */
  readonly file: string;
}

/** Opens the database in a file. Rejects with a `StoreError`. */
export async function openStore(name: string, options: OpenOptions): Promise<FileStore> {
  const file = locationOf(name);
  return options.mode === 'own' ? openOwn(file, options) : openShared(file);
}

/** How long others are waited for, in ms: a monitor has more to do, and tries again. */
const BUSY_MS = { own: 1000, shared: 5000 } as const;

const FOREIGN = 'its first bytes are those of something else';

const EXAMINED_BYTES = 64 * 1024 * 1024;

/** A database has one name, whatever links lead to it: its lock stands beside it. */
function locationOf(name: string): string {
  if (name === '' || name === ':memory:') throw new StoreError('foreign', name, 'a database has to be a file');
  const file = path.resolve(name);
  try {
    return realpathSync(file);
  } catch {
    // What is to become of it shows when it is looked at.
    return existsSync(path.dirname(file)) ? path.join(realpathSync(path.dirname(file)), path.basename(file)) : file;
  }
}

function openOwn(file: string, options: OpenOptions): FileStore {
  const { now = Date.now, onSetAside } = options;
  // Before anything is written beside it: it may be somebody else's.
  if (inspectFile(file) === 'foreign') throw new StoreError('foreign', file, FOREIGN);
  const unlock = locked(file);
  try {
    refuseHardLink(file);
  } catch (error) {
    unlock();
    throw error;
  }
  let database: Database | undefined;
  /** The file that is open: a name may lead to another one by now. */
  let identity: string | null = null;
  const replaceDamaged = (): Database => {
    const aside = setAside(file, now());
    const connection = prepared(file, options);
    identity = identityOf(file);
    onSetAside?.({ reason: 'damaged', file, aside, saved: salvage(aside, connection) });
    return databaseOn(connection);
  };
  const replaceLost = (lost: Database): Database => {
    const aside = setAside(file, now());
    const connection = prepared(file, options);
    identity = identityOf(file);
    // Its name is gone, but what is in it can be read for as long as it is open.
    const saved = salvageFrom(lost.connection, connection);
    lost.connection.close();
    onSetAside?.({ reason: 'replaced', file, aside: existsSync(aside) ? aside : null, saved });
    return databaseOn(connection);
  };
  try {
    database = inspectFile(file) === 'damaged' ? replaceDamaged() : (opened(file, options) ?? replaceDamaged());
    identity = identityOf(file);
  } catch (error) {
    unlock();
    throw error;
  }
  return sqliteStore({
    file,
    current() {
      if (database !== undefined && identityOf(file) !== identity) database = replaceLost(database);
      return (database ??= databaseOn(prepared(file, options)));
    },
    damaged(damaged) {
      // Several queries may have come upon it.
      if (database !== damaged) return;
      damaged.connection.close();
      database = undefined;
      database = replaceDamaged();
    },
    close() {
      if (database !== undefined) farewell(database.connection);
      unlock();
    },
  });
}

/** Which file a name leads to; `null`: none. A link to another file is another identity. */
function identityOf(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
}

/** Locks a database; where another monitor has it, the error says which. */
function locked(file: string): () => void {
  try {
    return lock(file);
  } catch (error) {
    if (!(error instanceof StoreError) || error.problem !== 'locked') throw error;
    throw new StoreError('locked', file, error.message, ownerOf(file));
  }
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
    // It runs as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function ownerOf(file: string): Owner | null {
  try {
    const connection = openDatabase(file, { access: 'read', busyMs: 0 });
    try {
      const json = connection.value("SELECT value FROM meta WHERE key = 'owner'");
      return typeof json === 'string' ? (parsed(json) as Owner | null) : null;
    } finally {
      connection.close();
    }
  } catch {
    // It has only just begun.
    return null;
  }
}

/** The database as a monitor wants it; `null` where it is damaged. */
function opened(file: string, options: OpenOptions): Database | null {
  try {
    return databaseOn(prepared(file, options));
  } catch (error) {
    if (error instanceof StoreError && error.problem === 'corrupt') return null;
    throw error;
  }
}

function prepared(file: string, options: OpenOptions): Connection {
  if (inspectFile(file) === 'sqlite') examine(file, options);
  const connection = openDatabase(file, { access: 'write', busyMs: BUSY_MS.own });
  try {
    // The log may grow when much is written at once, and is cut again afterwards.
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = 16777216; PRAGMA cache_size = -16000');
    migrate(connection);
    const owner: Owner = { pid: process.pid, host: hostname(), since: (options.now ?? Date.now)() };
    connection.prepare("REPLACE INTO meta (key, value) VALUES ('owner', ?)").run([JSON.stringify(owner)]);
    // Under another name of the file (a hard link) the log is not seen: the owner has to be in the file itself.
    connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Looks at a database without writing: were it damaged, what its log holds would be written over something. */
function examine(file: string, { examinedBytes = EXAMINED_BYTES }: OpenOptions): void {
  const connection = openDatabase(file, { access: 'read', busyMs: BUSY_MS.own });
  try {
    versionOf(connection);
    if (statSync(file).size > examinedBytes) return;
    const found = connection.value('PRAGMA quick_check(1)');
    if (found !== 'ok') throw new StoreError('corrupt', file, String(found));
  } finally {
    connection.close();
  }
}

function farewell(connection: Connection): void {
  try {
    connection.exec("DELETE FROM meta WHERE key = 'owner'");
  } catch {
    // It says who had it; the lock says that nobody has.
  }
  connection.close();
}

function openShared(file: string): FileStore {
  const observed = inspectFile(file);
  if (observed === 'missing' || observed === 'empty') throw new StoreError('missing', file, 'there is no database');
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
  const database = databaseOn(connection);
  return sqliteStore({ file, current: () => database, damaged: () => {}, close: () => connection.close() });
}

/**
 * Opens a database that somebody else may own. Reading needs the index of the log, which whoever may not write to the
 * folder cannot make; but where there is no log, nobody is writing, and none is needed.
 */
function connected(file: string): Connection {
  const busyMs = BUSY_MS.shared;
  try {
    return openDatabase(file, { access: 'write', busyMs });
  } catch (error) {
    const isLogged = ['-wal', '-shm'].some((end) => existsSync(file + end));
    const isRefused = error instanceof StoreError && ['read-only', 'unreadable'].includes(error.problem);
    if (isLogged || !isRefused) throw error;
    return openDatabase(file, { access: 'immutable', busyMs });
  }
}
