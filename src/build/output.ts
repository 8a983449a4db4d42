import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The folder of the project, from which all the build's paths are resolved. */
export const ROOT = path.resolve(import.meta.dirname, '../..');

export async function readSource(file: string): Promise<string> {
  return readFile(path.join(ROOT, file), 'utf8');
}

/**
 * Writes a project file whole or not at all, so that what reads it meanwhile (another build, a test that runs)
 * never sees a half of it. Returns the path that was given.
 */
export async function writeOutput(file: string, text: string): Promise<string> {
  const target = path.join(ROOT, file);
  await mkdir(path.dirname(target), { recursive: true });
  const part = `${target}.${process.pid}.part`;
  await writeFile(part, text);
  await rename(part, target);
  return file;
}

/**
 * Removes from a folder of the project every file that is not among `kept` (paths from the root, of files or of whole
 * folders), and folders left empty.
 */
export async function removeStale(folder: string, kept: readonly string[]): Promise<void> {
  const keep = new Set(kept.map((file) => path.join(ROOT, file)));
  await prune(path.join(ROOT, folder), keep);
}

async function prune(folder: string, keep: ReadonlySet<string>): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true });
  const left = await Promise.all(
    entries.map(async (entry) => {
      const full = path.join(folder, entry.name);
      if (keep.has(full) || (entry.isDirectory() && (await prune(full, keep)))) return true;
      await rm(full, { recursive: true, force: true });
      return false;
    }),
  );
  return left.includes(true);
}

/** A mistake in what is being built, not in the build: its message says all, so no stack is printed. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
}

/** The results of steps that run side by side. @throws AggregateError with all failures, when every step has ended */
export async function together<T>(steps: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(steps);
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  if (failures.length > 0) throw new AggregateError(failures, 'some steps failed');
  return Promise.all(steps);
}
