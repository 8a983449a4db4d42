import { closeSync, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { StoreError } from '../store-error.ts';
import { lockFileOf } from './lock.ts';
import { APPLICATION_ID } from './schema.ts';

/** https://www.sqlite.org/fileformat2.html#the_database_header */
const MAGIC = 'SQLite format 3\0';
const HEADER = 100;
const AT = { schemaCookie: 40, version: 60, application: 68 } as const;

/**
 * What is in a place: nothing; a file of SQLite's, perhaps docvitals'; a database of docvitals' that is damaged so that
 * SQLite would not know it any more; something else, which is left alone.
 */
export type FileState = 'missing' | 'empty' | 'sqlite' | 'damaged' | 'foreign';

/** Looks at a file without changing anything. Throws a `StoreError` for what is no file, or cannot be read. */
export function inspectFile(file: string): FileState {
  const header = headerOf(file);
  if (header === null) return 'missing';
  // SQLite would throw away the log beside a file that was cut to nothing.
  if (header.length === 0) return (sizeOf(`${file}-wal`) ?? 0) > 0 ? 'damaged' : 'empty';
  const isWhole = header.length === HEADER;
  const isMarked = isWhole && header.readUInt32BE(AT.application) === APPLICATION_ID;
  if (header.toString('latin1', 0, MAGIC.length) === MAGIC)
    return isMarked || !isWhole || isNew(header) ? 'sqlite' : 'foreign';
  // Our mark is where it belongs, or a monitor had a database of this name.
  return isMarked || exists(lockFileOf(file)) ? 'damaged' : 'foreign';
}

/** Nothing was ever made in it; what was may still be in the log alone, and is looked at once it is open. */
function isNew(header: Buffer): boolean {
  return Object.values(AT).every((at) => header.readUInt32BE(at) === 0);
}

function headerOf(file: string): Buffer | null {
  try {
    if (!statSync(file).isFile()) throw new StoreError('foreign', file, 'not a regular file');
    const descriptor = openSync(file, 'r');
    try {
      const header = Buffer.alloc(HEADER);
      return header.subarray(0, readSync(descriptor, header, 0, HEADER, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw new StoreError('unreadable', file, message);
    // The folder that it would be in has to be there: a new one in a mistyped place would be found by nobody.
    if (!exists(path.dirname(file))) throw new StoreError('unreadable', file, 'there is no such folder');
    return null;
  }
}

/** `null`: there is nothing. */
function sizeOf(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.size ?? null;
}

const exists = (file: string): boolean => sizeOf(file) !== null;
