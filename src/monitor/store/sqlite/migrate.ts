import { StoreError } from '../store-error.ts';
import type { Connection } from './connection.ts';
import { APPLICATION_ID, MIGRATIONS } from './schema.ts';

/** Whose tables are in a file: nobody's yet, ours, of this version (from 1) or another. Throws a `StoreError`: `foreign`, `newer`. */
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

/** Brings the tables up to date, in one transaction: wholly or not at all. */
export function migrate(connection: Connection, migrations: readonly string[] = MIGRATIONS): void {
  if (versionOf(connection, migrations.length) === migrations.length) return;
  connection.transaction(() => {
    // Looked at again: this time nobody else can change it.
    for (const migration of migrations.slice(versionOf(connection, migrations.length))) connection.exec(migration);
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}`);
  }, true);
}
