import { constants } from 'node:fs';
import { access, chmod, lstat, mkdir, open, readlink, realpath, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { printable, shown } from './printable.ts';
import type { Messages } from './locales/messages.ts';

/** An output that could not be written: reported on standard error, exit 3. */
export class OutputError extends Error {
  readonly file: string | null;

  constructor(file: string | null, cause: unknown) {
    const { code, message } = cause as NodeJS.ErrnoException;
    super(code ?? message);
    this.file = file;
  }
}

/** The result of work on a file; rejects with an `OutputError` that names it. */
export function writing<T>(file: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw new OutputError(file, error);
  });
}

/** What could not be written and why, for a person. */
export function unwritten({ file, message }: OutputError, messages: Messages): string {
  return messages.cannotWrite(file === null ? messages.standardOutput : printable(file), message);
}

/** Writes a whole text to standard output. Rejects with an `OutputError`; a closed reader is not an error. */
export function writeOut(text: string, stream: NodeJS.WritableStream = process.stdout): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'EPIPE') resolve();
      else reject(new OutputError(null, error));
    };
    stream.once('error', onError);
    stream.write(text, (error) => {
      if (error) return onError(error);
      stream.off('error', onError);
      resolve();
    });
  });
}

/** Writes a whole text to standard error. One that cannot be written must not change the exit status. */
export function writeErr(text: string): Promise<void> {
  return writeOut(shown(text), process.stderr).catch(() => {});
}

/** Writes a whole text for people to standard output, as `writeOut`: in the log of a CI service none of it is a command. */
export function writeShown(text: string): Promise<void> {
  return writeOut(shown(text));
}

export interface WriteOptions {
  /**
   * What happens where the file is a symbolic link: what it leads to is written, or the link gives way to the file. The
   * latter where another user may have created the link. Default: `follow`.
   */
  readonly links?: 'follow' | 'replace';
}

/**
 * Writes a file whole or not at all: into a temporary file beside it, flushed, then renamed. What is not a regular file
 * (a device, a pipe) is written to directly. Rejects with an `OutputError`.
 */
export async function writeFileWhole(
  file: string,
  text: string | Uint8Array,
  { links = 'follow' }: WriteOptions = {},
): Promise<void> {
  try {
    const whole = path.resolve(file);
    await replaceFile(links === 'follow' ? await linkedFile(whole) : whole, text, links);
  } catch (error) {
    throw new OutputError(file, error);
  }
}

/** Where a path leads through symbolic links, also where there is nothing yet. */
export async function linkedFile(file: string): Promise<string> {
  const target = await readlink(file).catch(() => null);
  return target === null ? file : realpath(file).catch(() => path.resolve(path.dirname(file), target));
}

async function replaceFile(target: string, text: string | Uint8Array, links: 'follow' | 'replace'): Promise<void> {
  const there = await (links === 'follow' ? stat : lstat)(target).catch(() => null);
  const existing = there?.isSymbolicLink() ? null : there;
  if (existing !== null && !existing.isFile()) return writeInto(target, text, 'w');
  // Renaming would replace a file that may not be written to.
  if (existing !== null) await access(target, constants.W_OK);
  // Loading it takes longer than all that a run without files does with it.
  const { randomUUID } = process.getBuiltinModule('node:crypto');
  const temporary = path.join(path.dirname(target), `.${path.basename(target)}.${randomUUID()}`);
  try {
    await writeInto(temporary, text, 'wx');
    if (existing !== null) await chmod(temporary, existing.mode);
    await rename(temporary, target);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
}

async function writeInto(file: string, text: string | Uint8Array, flags: 'w' | 'wx'): Promise<void> {
  const handle = await open(file, flags);
  try {
    await handle.writeFile(text);
    // Devices and pipes cannot be flushed, and need not be.
    if (flags === 'wx') await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Makes a folder and those above it. Resolves with the first that was made; `undefined`: all were there. Rejects as
 * `mkdir` does. In a file system that makes no folders (/proc), Node's own `recursive` tries for ever.
 */
export async function makeFolder(folder: string): Promise<string | undefined> {
  const location = path.resolve(folder);
  const refused = await refusalOf(location);
  if (refused === null) return location;
  if (refused.code !== 'ENOENT' || path.dirname(location) === location) {
    await demandFolder(location, refused);
    return undefined;
  }
  const made = await makeFolder(path.dirname(location));
  // The parent exists now: any further error is reported.
  const still = await refusalOf(location);
  if (still !== null) await demandFolder(location, still);
  return made ?? location;
}

function refusalOf(location: string): Promise<NodeJS.ErrnoException | null> {
  return mkdir(location).then(
    () => null,
    (error: unknown) => error as NodeJS.ErrnoException,
  );
}

/** It may have been there, or was created meanwhile; a file with this name is an error. */
async function demandFolder(location: string, refused: NodeJS.ErrnoException): Promise<void> {
  const found = await stat(location).catch(() => null);
  if (found?.isDirectory() !== true) throw refused;
}
