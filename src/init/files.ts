import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { makeFolder, writeFileWhole, writing } from '../output.ts';
import type { Plan, PlannedFile } from './plan.ts';

const MAX_BYTES = 1 << 20;
const MAX_NAMES = 2_000;

/** The first mebibyte of a regular file as text without a byte order mark; `null` if it cannot be read. */
export async function readText(file: string): Promise<string | null> {
  // Opening a pipe would wait for its writer.
  const found = await stat(file).catch(() => null);
  return found?.isFile() === true ? textOf(createReadStream(file, { end: MAX_BYTES - 1 })).catch(() => null) : null;
}

export async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.toSorted().slice(0, MAX_NAMES);
}

/** A path relative to a folder, with forward slashes; `.` for the folder itself. */
export function relativePath(folder: string, file: string): string {
  return path.relative(folder, file).replaceAll(path.sep, '/') || '.';
}

/** `unchanged` has the planned text; `exists` has another one and is kept. */
export type FileState = 'new' | 'unchanged' | 'exists' | 'replaced';

export interface ComparedFile extends PlannedFile {
  readonly state: FileState;
  /** The host reads this file instead of the planned one: nothing replaces it. */
  readonly isRival?: true;
}

/**
 * Compares a plan with the files on disk. Ignores line ends, which Git changes on checkout. Leaves out files that need
 * one that is kept.
 */
export async function compareFiles({ root, files }: Plan, force: boolean): Promise<readonly ComparedFile[]> {
  const compared = await Promise.all(files.map((file) => compare(root, file, force)));
  const kept = new Set(files.filter((_, index) => compared[index]?.state === 'exists').map(({ file }) => file));
  return compared.filter(({ needs }) => needs === undefined || !kept.has(needs));
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
  const target = path.join(root, file);
  // A broken symbolic link counts as an existing file.
  if ((await lstat(target).catch(() => null)) === null) return 'new';
  const isFile = (await stat(target).catch(() => null))?.isFile() === true;
  const current = isFile ? await readFile(target, 'utf8').catch(() => null) : null;
  if (current?.replaceAll('\r\n', '\n') === text) return 'unchanged';
  return force ? 'replaced' : 'exists';
}

/** Writes what is new or replaced, once all folders exist. Rejects with an `OutputError`. */
export async function writeFiles({ root }: Plan, files: readonly ComparedFile[]): Promise<void> {
  const targets = files.filter(isWritten).map(({ file, text }) => ({ file: path.join(root, file), text }));
  for (const { file } of targets) await writing(file, makeFolder(path.dirname(file)));
  for (const { file, text } of targets) await writeFileWhole(file, text);
}

export const isWritten = ({ state }: ComparedFile): boolean => state === 'new' || state === 'replaced';
