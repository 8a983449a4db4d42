/** A folder that a status page is written to: what was written there before, and what is somebody else's. */
import { lstat, readdir, readFile, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../../make-folder.ts';
import { OutputError, writeFileWhole } from '../../../output.ts';
import { isExported } from './files.ts';

/** Names the files that were written, so that those which nobody needs any more can be removed. */
const LIST_FILE = '.docvitals-status.json';
/** What version control and hosts keep in a folder is in nobody's way. */
const NOT_FOREIGN = new Set(['.git', '.nojekyll', 'CNAME', LIST_FILE]);

/** A folder as it is before anything is written. */
export interface TargetFolder {
  readonly folder: string;
  /** The files that an export wrote there, by their names; `null`: none ever did. */
  readonly written: readonly string[] | null;
  /** Something of somebody else's that stands in the way; `null`: nothing does. */
  readonly foreign: string | null;
}

/** Looks at a folder, which need not be there. Rejects with an `OutputError` where it cannot be read. */
export async function lookAtFolder(folder: string): Promise<TargetFolder> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw new OutputError(folder, error);
  });
  const written = names.includes(LIST_FILE) ? await readList(folder) : null;
  const foreign = written === null ? names.find((name) => !NOT_FOREIGN.has(name)) : undefined;
  return { folder, written, foreign: foreign ?? null };
}

/** What a list names of what exports write; anything else in it is left out. An unreadable list is none. */
async function readList(folder: string): Promise<readonly string[] | null> {
  try {
    const list = JSON.parse(await readFile(path.join(folder, LIST_FILE), 'utf8')) as { readonly files?: unknown };
    if (!Array.isArray(list.files)) return null;
    return list.files.filter((name): name is string => typeof name === 'string' && isExported(name));
  } catch {
    return null;
  }
}

/** The first of the files that is there and was not written by an export; `null`: none. */
export async function foreignFile(target: TargetFolder, files: readonly string[]): Promise<string | null> {
  const written = new Set(target.written);
  for (const file of files) {
    if (!written.has(file) && (await isThere(path.join(target.folder, file)))) return file;
  }
  return null;
}

const isThere = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  );

/** Writes one file whole or not at all. Rejects with an `OutputError`. */
export async function writeInto(folder: string, file: string, text: string): Promise<void> {
  const whole = path.join(folder, file);
  await makeFolder(path.dirname(whole)).catch((error: unknown) => {
    throw new OutputError(path.dirname(whole), error);
  });
  await writeFileWhole(whole, text, { links: 'replace' });
}

/** Writes which files are ours. Before they are written, so that an export that is cut short leaves nothing unknown. */
export function writeList(folder: string, files: Iterable<string>): Promise<void> {
  const list = { form: 1, files: [...new Set(files)].toSorted() };
  return writeInto(folder, LIST_FILE, `${JSON.stringify(list, null, 2)}\n`);
}

/** Removes files, and the folders that are empty then. Resolves with how many files there were. */
export async function removeFiles(folder: string, files: readonly string[]): Promise<number> {
  let removed = 0;
  for (const file of files) {
    const whole = path.join(folder, file);
    const isGone = await unlink(whole).then(
      () => true,
      () => false,
    );
    if (!isGone) continue;
    removed += 1;
    await removeEmpty(folder, path.dirname(file));
  }
  return removed;
}

async function removeEmpty(folder: string, inside: string): Promise<void> {
  if (inside === '.') return;
  const isGone = await rmdir(path.join(folder, inside)).then(
    () => true,
    () => false,
  );
  if (isGone) await removeEmpty(folder, path.dirname(inside));
}
