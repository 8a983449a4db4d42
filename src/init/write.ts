import { access, constants, lstat, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { OutputError, writeFileWhole } from '../output.ts';
import { namesIn } from './files.ts';
import type { Plan, PlannedFile } from './plan.ts';

/** What becomes of a file: written anew, left as it is because it is the same or because it is somebody's, or replaced. */
export type FileState = 'new' | 'unchanged' | 'exists' | 'replaced';

export interface ComparedFile extends PlannedFile {
  readonly state: FileState;
  /** It stands for the one that was planned, under another name: nothing replaces it. */
  readonly isRival?: true;
}

/**
 * Compares a plan with what is there. Line ends do not count: Git changes them on checkout. What needs a file that is
 * left alone is left out.
 */
export async function compareFiles({ root, files }: Plan, force: boolean): Promise<readonly ComparedFile[]> {
  const compared = await Promise.all(files.map((file) => compare(root, file, force)));
  const leftAlone = new Set(files.filter((_, index) => compared[index]?.state === 'exists').map(({ file }) => file));
  return compared.filter(({ needs }) => needs === undefined || !leftAlone.has(needs));
}

async function compare(root: string, planned: PlannedFile, force: boolean): Promise<ComparedFile> {
  const { file, rivals } = planned;
  const folder = path.posix.dirname(file);
  const names = rivals === undefined ? [] : await namesIn(path.join(root, folder));
  const rival = names.find((name) => rivals?.test(name) === true && name !== path.posix.basename(file));
  if (rival === undefined) return { ...planned, state: await stateOf(root, planned, force) };
  return { ...planned, file: path.posix.join(folder, rival), state: 'exists', isRival: true };
}

async function stateOf(root: string, { file, text }: PlannedFile, force: boolean): Promise<FileState> {
  const place = path.join(root, file);
  // A symbolic link that leads nowhere is somebody's as well.
  if ((await lstat(place).catch(() => null)) === null) return 'new';
  const isFile = (await stat(place).catch(() => null))?.isFile() === true;
  const there = isFile ? await readFile(place, 'utf8').catch(() => null) : null;
  if (there?.replaceAll('\r\n', '\n') === text) return 'unchanged';
  return force ? 'replaced' : 'exists';
}

/** Writes what is new or to be replaced: all of it, or nothing. Rejects with an `OutputError` that names the file. */
export async function writeFiles({ root }: Plan, files: readonly ComparedFile[]): Promise<void> {
  const targets = files
    .filter(({ state }) => state === 'new' || state === 'replaced')
    .map(({ file, text }) => ({ place: path.join(root, file), text }));
  for (const { place } of targets) await mayWrite(place);
  const undo: (() => Promise<void>)[] = [];
  try {
    for (const { place, text } of targets) {
      const made = await makeFolder(path.dirname(place));
      if (made !== undefined) undo.unshift(() => rm(made, { recursive: true, force: true }));
      const before = await readFile(place).catch(() => null);
      undo.unshift(() => (before === null ? rm(place, { force: true }) : writeFile(place, before)));
      await writeFileWhole(place, text);
    }
  } catch (error) {
    for (const step of undo) await step().catch(() => {});
    throw error instanceof OutputError ? error : new OutputError((error as NodeJS.ErrnoException).path ?? root, error);
  }
}

/** Rejects with an `OutputError` where a file could not be written, before any is. */
async function mayWrite(place: string): Promise<void> {
  const found = await stat(place).catch(() => null);
  try {
    if (found?.isDirectory() === true) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
    if (found !== null) await access(place, constants.W_OK);
    await mayCreateIn(path.dirname(place));
  } catch (error) {
    throw new OutputError(place, error);
  }
}

/** Whether a folder, or the nearest above it that exists, takes new files. */
async function mayCreateIn(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) {
    // A symbolic link that leads nowhere cannot become a folder.
    if (found.code !== 'ENOENT' || (await lstat(folder).catch(() => null)) !== null) throw found;
    return mayCreateIn(path.dirname(folder));
  }
  if (!found.isDirectory()) throw Object.assign(new Error('no folder'), { code: 'ENOTDIR' });
  return access(folder, constants.W_OK | constants.X_OK);
}
