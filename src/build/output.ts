import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The folder of the project, from which all the build's paths are resolved. */
export const ROOT = path.resolve(import.meta.dirname, '../..');

export async function readSource(file: string): Promise<string> {
  return readFile(path.join(ROOT, file), 'utf8');
}

/** The files of a folder by their names, in order. */
export async function textsIn(folder: string): Promise<readonly (readonly [name: string, text: string])[]> {
  const names = (await readdir(path.join(ROOT, folder))).toSorted();
  return Promise.all(names.map(async (name) => [name, await readSource(`${folder}/${name}`)] as const));
}

/** Writes a project file whole or not at all: another build, or a test that runs, may read it meanwhile. */
export async function writeOutput(file: string, text: string): Promise<void> {
  const target = path.join(ROOT, file);
  await mkdir(path.dirname(target), { recursive: true });
  const part = `${target}.${process.pid}.part`;
  await writeFile(part, text);
  await rename(part, target);
}

/** Empties `dist`, except for what `npm run docs` writes, which may be served meanwhile. */
export async function emptyDist(): Promise<void> {
  const dist = path.join(ROOT, 'dist');
  const names = await readdir(dist).catch((): string[] => []);
  const old = names.filter((name) => name !== 'site');
  await Promise.all(old.map((name) => rm(path.join(dist, name), { recursive: true, force: true })));
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
