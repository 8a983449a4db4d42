import { constants } from 'node:fs';
import { access, chmod, lstat, mkdir, open, readlink, realpath, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { printable, shown } from './printable.ts';
import type { Messages } from '../locales/messages.ts';

/** An output that could not be written: reported on standard error, exit 3. */
export class OutputError extends Error {
  readonly file: string | null;

  constructor(file: string | null, cause: unknown) {
    const { code, message } = cause as NodeJS.ErrnoException;
    super(code ?? message);
    this.file = file;
  }
}

/** Rejects with an `OutputError` that names the file. */
export function writing<T>(file: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw new OutputError(file, error);
  });
}

export function unwritten({ file, message }: OutputError, messages: Messages): string {
  return messages.cannotWrite(file === null ? messages.standardOutput : printable(file), message);
}

/** Rejects with an `OutputError`; a closed reader is not an error. */
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

/** A document for programs: nothing in it is escaped for a terminal or a CI service. Ends with a newline. */
export function jsonDocument(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** An error of standard error must not change the exit status. */
export function writeErr(text: string): Promise<void> {
  return writeOut(shown(text), process.stderr).catch(() => {});
}

/** Writes a text for people: in the log of a CI service no line of it is a command. */
export function writeShown(text: string): Promise<void> {
  return writeOut(shown(text));
}

/**
 * Writes a file whole or not at all. A device or a pipe is written to directly. `replace`: a symbolic link is replaced,
 * since another user may have created it; by default its target is written. Rejects with an `OutputError`.
 */
export function writeFileWhole(
  file: string,
  text: string | Uint8Array,
  { links = 'follow' }: { readonly links?: 'follow' | 'replace' } = {},
): Promise<void> {
  return writing(file, replaceFile(file, text, links));
}

/** Where a path leads through symbolic links, also if the target does not exist yet. */
export async function linkedFile(file: string): Promise<string> {
  const target = await readlink(file).catch(() => null);
  return target === null ? file : realpath(file).catch(() => path.resolve(path.dirname(file), target));
}

async function replaceFile(file: string, text: string | Uint8Array, links: 'follow' | 'replace'): Promise<void> {
  const whole = path.resolve(file);
  const target = links === 'follow' ? await linkedFile(whole) : whole;
  const there = await (links === 'follow' ? stat : lstat)(target).catch(() => null);
  const existing = there?.isSymbolicLink() ? null : there;
  if (existing !== null && !existing.isFile()) return writeInto(target, text, 'w');
  // Renaming would replace a file that may not be written to.
  if (existing !== null) await access(target, constants.W_OK);
  // Loaded late: it takes longer than a run without files.
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
    // Devices and pipes cannot be flushed.
    if (flags === 'wx') await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Resolves with the first folder that was made. Node's own `recursive` never ends where none can be made (/proc). */
export async function makeFolder(folder: string): Promise<string | undefined> {
  const location = path.resolve(folder);
  const parent = path.dirname(location);
  const isMissing = (await stat(parent).catch((error: NodeJS.ErrnoException) => error.code)) === 'ENOENT';
  const made = isMissing && parent !== location ? await makeFolder(parent) : undefined;
  try {
    await mkdir(location);
    return made ?? location;
  } catch (error) {
    // It may exist already; a file with this name is an error.
    const found = await stat(location).catch(() => null);
    if (found?.isDirectory() !== true) throw error;
    return made;
  }
}
