import { openDatabase } from './database.ts';
import type { Connection } from './connection.ts';
import { StoreError } from '../store-error.ts';

/** Lets go of what was locked. */
export type Unlock = () => void;

/** The file beside a database that its monitor holds. It is never removed: whoever waited for it would hold a file that is gone. */
export const lockFileOf = (file: string): string => `${file}-lock`;

/**
 * Locks a database for one monitor. What holds the lock is a transaction on a second, empty file, and with it the
 * operating system: it goes with the process, however that ends. Throws a `StoreError`: `locked` where there is one.
 */
export function lock(file: string): Unlock {
  let connection: Connection | undefined;
  try {
    connection = openDatabase(lockFileOf(file), { access: 'write', busyMs: 0 });
    // Nothing is ever written, so there is nothing to roll back: no file for that.
    connection.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    connection?.close();
    if (error instanceof StoreError && error.problem === 'busy') {
      throw new StoreError('locked', file, 'another monitor has it');
    }
    throw error;
  }
  return () => connection.close();
}
