import { StoreError, type StoreProblem } from '../store-error.ts';

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

interface SqliteError extends Error {
  readonly code?: string;
  readonly errcode?: number;
}

/** What an error of Node's SQLite means to a store; an error that is none of SQLite's is a mistake, and stays as it is. */
export function storeErrorOf(error: unknown, file: string): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error;
  const { code, errcode = 0, message } = error as SqliteError;
  if (code === 'ERR_INVALID_STATE') return new StoreError('closed', file, message);
  if (code !== 'ERR_SQLITE_ERROR') return error;
  const problem = errcode === IOERR_SHMSIZE ? 'full' : PRIMARY[errcode % 256];
  return problem === undefined ? error : new StoreError(problem, file, message);
}
