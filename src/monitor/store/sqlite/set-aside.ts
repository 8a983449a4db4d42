import { existsSync, renameSync, statSync } from 'node:fs';
import { StoreError } from '../store-error.ts';
import type { SQLInputValue } from 'node:sqlite';
import { openDatabase } from './database.ts';
import type { Connection } from './connection.ts';

/** What SQLite keeps beside a database; it belongs to it also under its new name. */
const BESIDE = ['-wal', '-shm', '-journal'];

/** Renames a database, as far as it is there, with what belongs to it, to a name that is free. Returns that name. */
export function setAside(file: string, now: number): string {
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

/** What would be missed: without it an open incident would be told again, and an alert never. Parents before children. */
const PRECIOUS = ['site', 'state', 'incident', 'outbox', 'maintenance'] as const;

/** Takes over what can still be read of the tables that would be missed. Returns how many rows. Never throws for the damaged file. */
export function salvage(damaged: string, into: Connection): number {
  // There is nothing in it, and SQLite would throw its log away.
  if (statSync(damaged).size === 0) return 0;
  let from: Connection;
  try {
    from = openDatabase(damaged, { access: 'read', busyMs: 0 });
  } catch {
    return 0;
  }
  try {
    return salvageFrom(from, into);
  } finally {
    from.close();
  }
}

/** Copies what can be read of the tables that would be missed. Returns how many rows. */
export function salvageFrom(from: Connection, into: Connection): number {
  return into.transaction(() => PRECIOUS.reduce((saved, table) => saved + salvageTable(table, from, into), 0), true);
}

function salvageTable(table: string, from: Connection, into: Connection): number {
  let saved = 0;
  try {
    const names = into.prepare(`SELECT * FROM ${table} LIMIT 0`).columns;
    const insert = into.prepare(
      `INSERT OR IGNORE INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    );
    for (const row of from.prepare(`SELECT ${names.join(', ')} FROM ${table}`).iterate([])) {
      saved += keep(() => Number(insert.run(Object.values(row as Record<string, SQLInputValue>)).changes));
    }
  } catch {
    // So far, and no further.
  }
  return saved;
}

/** A row that does not fit (its site is lost) is left out. */
function keep(insert: () => number): number {
  try {
    return insert();
  } catch {
    return 0;
  }
}
