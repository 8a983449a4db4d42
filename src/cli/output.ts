import { randomUUID } from 'node:crypto';
import { open, realpath, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';

/** Writes a whole text to standard output. Rejects with the system's error; a reader that has gone away is not one. */
export function writeOut(text: string, stream: NodeJS.WritableStream = process.stdout): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'EPIPE') resolve();
      else reject(error);
    };
    stream.on('error', onError);
    stream.write(text, (error) => {
      if (error) onError(error);
      else resolve();
    });
  });
}

/**
 * Writes a file whole or not at all: into a temporary file beside it, flushed, then renamed. What is no regular file
 * (a device, a pipe) is written to directly. Rejects with the system's error.
 */
export async function writeFileWhole(file: string, text: string): Promise<void> {
  const target = await realpath(file).catch(() => path.resolve(file));
  const existing = await stat(target).catch(() => null);
  if (existing !== null && !existing.isFile()) return writeInto(target, text, 'w');
  const temporary = path.join(path.dirname(target), `.${path.basename(target)}.${randomUUID()}`);
  try {
    await writeInto(temporary, text, 'wx', existing?.mode);
    await rename(temporary, target);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
}

async function writeInto(file: string, text: string, flags: string, mode?: number): Promise<void> {
  const handle = await open(file, flags, mode);
  try {
    await handle.writeFile(text);
    // Devices and pipes cannot be flushed, and need not be.
    if (flags === 'wx') await handle.sync();
  } finally {
    await handle.close();
  }
}
