import { pathToFileURL } from 'node:url';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { StoreError, type StoreProblem } from '../store.ts';

interface ConnectionOptions {
  readonly access: 'write' | 'read' | 'immutable';
  /** How long another process's write is waited for. Nothing else happens in this process meanwhile. */
  readonly busyMs: number;
}

/** A connection to an SQLite file, with its statements. Everything in it is synchronous, and throws `StoreError`s. */
export class Connection {
  readonly file: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(file: string, { access, busyMs }: ConnectionOptions) {
    this.file = file;
    const { DatabaseSync } = nodeSqlite();
    const name = access === 'immutable' ? new URL('?immutable=1', pathToFileURL(file)) : file;
    this.#database = this.#reported(() => new DatabaseSync(name, { readOnly: access !== 'write' }));
    try {
      this.exec(`PRAGMA busy_timeout = ${busyMs}; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF`);
      // The file is read here first: whether it is a database shows now.
      this.value('PRAGMA user_version');
    } catch (error) {
      this.close();
      throw error;
    }
  }

  exec(sql: string): void {
    this.#reported(() => this.#database.exec(sql));
  }

  /** A statement, which is parsed once. It throws errors of SQLite. */
  prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  all<Row>(sql: string, ...parameters: readonly SQLInputValue[]): Row[] {
    return this.#reported(() => this.prepare(sql).all(...parameters)).map((row) => row as Row);
  }

  run(sql: string, ...parameters: readonly SQLInputValue[]): number {
    return Number(this.#reported(() => this.prepare(sql).run(...parameters)).changes);
  }

  value(sql: string, ...parameters: readonly SQLInputValue[]): unknown {
    return Object.values(this.all<object>(sql, ...parameters)[0] ?? {})[0];
  }

  /** The number of a name in its table, inside the current transaction; a new name gets one. */
  idOf(table: 'site' | 'word', name: string): number {
    const known = this.value(`SELECT id FROM ${table} WHERE name = ?`, name);
    return (known ?? this.value(`INSERT INTO ${table} (name) VALUES (?) RETURNING id`, name)) as number;
  }

  /**
   * Begins a transaction that has the right to write. `durable`: what was written is on the disk when it is committed;
   * otherwise it survives the end of this process, but perhaps not that of the machine.
   */
  begin(durable: boolean): void {
    // Cannot be changed inside a transaction.
    this.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
    this.exec('BEGIN IMMEDIATE');
  }

  rollBack(): void {
    try {
      this.#database.exec('ROLLBACK');
    } catch {
      // A full disk and the like have ended the transaction already.
    }
  }

  transaction<T>(work: () => T): T {
    this.begin(true);
    try {
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  close(): void {
    if (this.#database.isOpen) this.#reported(() => this.#database.close());
  }

  #reported<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storeErrorOf(error, this.file);
    }
  }
}

/**
 * Node's SQLite. Not imported: the bundle would load it at the start of every command. Some versions of Node warn that
 * it is experimental, which is kept quiet.
 */
function nodeSqlite(): { readonly DatabaseSync: typeof DatabaseSync } {
  const warner = process as { emitWarning: (this: void, ...given: readonly unknown[]) => void };
  const { emitWarning } = warner;
  warner.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    warner.emitWarning = emitWarning;
  }
}

/** Primary result codes, https://www.sqlite.org/rescode.html */
const PRIMARY: Readonly<Record<number, StoreProblem>> = {
  3: 'unreadable', // PERM
  5: 'busy', // BUSY
  6: 'busy', // LOCKED
  8: 'read-only', // READONLY
  10: 'unreadable', // IOERR
  11: 'corrupt', // CORRUPT
  13: 'full', // FULL
  14: 'unreadable', // CANTOPEN
  15: 'busy', // PROTOCOL: others were quicker to take the lock, again and again
  26: 'corrupt', // NOTADB
};

/** The index of the WAL could not grow: that, too, is a full disk. */
const IOERR_SHMSIZE = 4874;

/** What an error of Node's SQLite means to a store; any other error is a bug, and stays as it is. */
function storeErrorOf(error: unknown, file: string): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error;
  const { code, errcode = 0, message } = error as Error & { readonly code?: string; readonly errcode?: number };
  if (code === 'ERR_INVALID_STATE') return new StoreError('closed', file, message);
  if (code !== 'ERR_SQLITE_ERROR') return error;
  const problem = errcode === IOERR_SHMSIZE ? 'full' : PRIMARY[errcode % 256];
  return problem === undefined ? error : new StoreError(problem, file, message);
}
