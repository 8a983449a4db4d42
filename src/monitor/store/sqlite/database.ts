import type { Compilable } from 'kysely';
import { Connection, type ConnectionOptions, type Statement } from './connection.ts';
import { queriesOf, type Queries } from './dialect.ts';
import { Names } from './names.ts';

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
