import { pathToFileURL } from 'node:url';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { nodeSqlite } from './node-sqlite.ts';
import { storeErrorOf } from './problem.ts';

/** How a file is opened. `immutable`: nobody writes to it, and this folder may not be written to either. */
export type Access = 'write' | 'read' | 'immutable';

export interface ConnectionOptions {
  readonly access: Access;
  /** How long somebody else's writing is waited for. Nothing else happens in this process meanwhile. */
  readonly busyMs: number;
}

/** A statement of SQL that is parsed once. Throws `StoreError`s. */
export interface Statement {
  /** Whether it gives rows. */
  readonly reader: boolean;
  /** Their columns. */
  readonly columns: readonly string[];
  all(parameters: readonly SQLInputValue[]): unknown[];
  run(parameters: readonly SQLInputValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  iterate(parameters: readonly SQLInputValue[]): IterableIterator<unknown>;
}

/** More are not kept; there are fewer in this program. */
const MOST_STATEMENTS = 200;

/** A connection to an SQLite file, with its statements. Everything in it is synchronous, and throws `StoreError`s. */
export class Connection {
  readonly file: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, Statement>();

  constructor(file: string, { access, busyMs }: ConnectionOptions) {
    this.file = file;
    const { DatabaseSync } = nodeSqlite();
    const name = access === 'immutable' ? immutable(file) : file;
    this.#database = this.#reported(() => new DatabaseSync(name, { readOnly: access !== 'write' }));
    this.exec(`PRAGMA busy_timeout = ${busyMs}; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF`);
  }

  /** Runs statements that give no rows. */
  exec(sql: string): void {
    this.#reported(() => this.#database.exec(sql));
  }

  prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#statementOf(this.#reported(() => this.#database.prepare(sql)));
    if (this.#statements.size < MOST_STATEMENTS) this.#statements.set(sql, statement);
    return statement;
  }

  /** The first column of the only row. */
  value(sql: string): unknown {
    const [row] = this.prepare(sql).all([]);
    return Object.values(Object(row) as object)[0];
  }

  /**
   * Runs `work` in a transaction that has the right to write from its beginning on. `durable`: what was written is on
   * the disk when it returns; otherwise it survives the end of this process, but perhaps not that of the machine.
   */
  transaction<T>(work: () => T, durable: boolean): T {
    // Cannot be changed inside a transaction.
    this.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  close(): void {
    if (this.#database.isOpen) this.#reported(() => this.#database.close());
  }

  #rollBack(): void {
    try {
      this.#database.exec('ROLLBACK');
    } catch {
      // A full disk and the like have ended the transaction already.
    }
  }

  #statementOf(statement: StatementSync): Statement {
    const file = this.file;
    const columns = statement.columns().map(({ name }) => name);
    return {
      reader: columns.length > 0,
      columns,
      all: (parameters) => this.#reported(() => statement.all(...parameters)),
      run: (parameters) => this.#reported(() => statement.run(...parameters)),
      *iterate(parameters) {
        try {
          yield* statement.iterate(...parameters);
        } catch (error) {
          throw storeErrorOf(error, file);
        }
      },
    };
  }

  #reported<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storeErrorOf(error, this.file);
    }
  }
}

function immutable(file: string): URL {
  const url = pathToFileURL(file);
  url.search = '?immutable=1';
  return url;
}
