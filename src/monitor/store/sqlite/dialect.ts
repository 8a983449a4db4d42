import { Kysely, SqliteDialect, type SqliteDatabase } from 'kysely';
import type { SQLInputValue } from 'node:sqlite';
import type { Connection } from './connection.ts';
import type { Schema } from './schema.ts';

export type Queries = Kysely<Schema>;

/** Queries over a connection. Its statements are parsed once, and its errors are `StoreError`s. */
export function queriesOf(connection: Connection): Queries {
  const database: SqliteDatabase = {
    prepare(sql) {
      const statement = connection.prepare(sql);
      // Kysely knows of no types here; what is given in comes from the queries of this folder.
      return {
        reader: statement.reader,
        all: (parameters) => statement.all(parameters as readonly SQLInputValue[]),
        run: (parameters) => statement.run(parameters as readonly SQLInputValue[]),
        iterate: (parameters) => statement.iterate(parameters as readonly SQLInputValue[]),
      };
    },
    close: () => connection.close(),
  };
  return new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
}
