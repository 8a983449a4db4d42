import type { SQLInputValue } from 'node:sqlite';
import { type Compilable, Kysely, SqliteDialect, type SqliteDatabase } from 'kysely';
import { Connection, type ConnectionOptions, type Statement } from './connection.ts';
import type { Schema } from './schema.ts';
import type { Numbered } from './pack.ts';

/** A database that is open, its tables of this version. */
export interface Database {
  readonly connection: Connection;
  readonly queries: Queries;
  readonly sites: Names;
  readonly words: Names;
  /** A query that is compiled once and run often. Its parameters are those that the query names, in its order. */
  statement(query: Compilable): Statement;
  /** Runs `work` in one transaction. */
  write<T>(work: () => T, durable: boolean): T;
  /** Calls `forget` after a transaction that was rolled back: what is remembered of its writing is not there. */
  onRollback(forget: () => void): void;
}

export function openDatabase(file: string, options: ConnectionOptions): Connection {
  const connection = new Connection(file, options);
  try {
    // The file is not read before; what is no database shows here.
    connection.value('PRAGMA user_version');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** The queries over a connection whose tables are there. */
export function databaseOn(connection: Connection): Database {
  const queries = queriesOf(connection);
  const [sites, words] = [new Names(connection, 'site'), new Names(connection, 'word')];
  const forgetting = [() => sites.forget(), () => words.forget()];
  return {
    connection,
    queries,
    sites,
    words,
    statement: (query) => connection.prepare(query.compile().sql),
    write(work, durable) {
      try {
        return connection.transaction(work, durable);
      } catch (error) {
        for (const forget of forgetting) forget();
        throw error;
      }
    },
    onRollback: (forget) => void forgetting.push(forget),
  };
}

/** JSON of this program's own making; `null` for what a damaged file makes of it. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

type Queries = Kysely<Schema>;

/** Queries over a connection. Its statements are parsed once, and its errors are `StoreError`s. */
function queriesOf(connection: Connection): Queries {
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

/** The names of a table (`site`, `word`), which have small numbers elsewhere. Those that were seen are remembered. */
class Names implements Numbered {
  readonly #byId: Statement;
  readonly #byName: Statement;
  readonly #insert: Statement;
  readonly #ids = new Map<string, number>();
  readonly #names = new Map<number, string>();

  constructor(connection: Connection, table: 'site' | 'word') {
    this.#byId = connection.prepare(`SELECT name FROM ${table} WHERE id = ?`);
    this.#byName = connection.prepare(`SELECT id FROM ${table} WHERE name = ?`);
    this.#insert = connection.prepare(`INSERT INTO ${table} (name) VALUES (?)`);
  }

  /** The number of a name; it gets one, inside the transaction that goes on, where it has none. */
  idOf(name: string): number {
    return this.known(name) ?? this.#learn(Number(this.#insert.run([name]).lastInsertRowid), name);
  }

  /** The number of a name that has one. */
  known(name: string): number | undefined {
    const id = this.#ids.get(name);
    if (id !== undefined) return id;
    const [row] = this.#byName.all([name]) as { readonly id: number }[];
    return row === undefined ? undefined : this.#learn(row.id, name);
  }

  nameOf(id: number): string | undefined {
    const name = this.#names.get(id);
    if (name !== undefined) return name;
    const [row] = this.#byId.all([id]) as { readonly name: string }[];
    if (row !== undefined) this.#learn(id, row.name);
    return row?.name;
  }

  /** After a transaction that was rolled back: its names have no numbers any more. */
  forget(): void {
    this.#ids.clear();
    this.#names.clear();
  }

  #learn(id: number, name: string): number {
    this.#ids.set(name, id);
    this.#names.set(id, name);
    return id;
  }
}
