import { stat } from 'node:fs/promises';
import path from 'node:path';
import { lazy } from '../lazy.ts';
import { readFolder, readFolderFile } from './folder.ts';
import { findTree, gitHistory, readObject, readTree, workTree, type GitTree } from './git.ts';
import { readManifest } from './manifest.ts';
import { SourceError } from './content.ts';
import type { Source, SourceFile } from './types.ts';

/**
 * Opens a folder, a hash manifest (`*.json`) or a Git ref (`main`, `HEAD:docs`). What is a folder or file of that name
 * counts before a ref. Rejects with a `SourceError` when neither exists; nothing of their files is read yet.
 */
export async function openSource(name: string, cwd: string): Promise<Source> {
  if (name.includes('\0')) throw new SourceError('not found');
  const location = path.resolve(cwd, name);
  const found = await stat(location).catch(() => null);
  if (found?.isDirectory() === true) return folderSource(name, location, cwd);
  if (found?.isFile() === true && name.endsWith('.json')) return manifestSource(name, await readManifest(location));
  if (name.endsWith('.json') && !name.includes(':')) throw new SourceError('no such file');
  const tree = await findTree(name, cwd);
  if (tree === null) throw new SourceError('not found');
  return gitSource(name, tree);
}

function folderSource(name: string, location: string, cwd: string): Source {
  const read = lazy(() => readFolder(location));
  return {
    name,
    kind: 'folder',
    files: async () => (await read()).files,
    skipped: async () => (await read()).skipped,
    repositoryFolder: async () => (await workTree(location))?.folder ?? folderBelow(cwd, location),
    read: (file) => readFolderFile(location, file),
    history: lazy(async () => {
      const tree = await workTree(location);
      return tree === null ? null : gitHistory(tree);
    }),
  };
}

function folderBelow(cwd: string, location: string): string | null {
  const relative = path.relative(cwd, location).replaceAll(path.sep, '/');
  const isAbove = relative === '..' || relative.startsWith('../');
  return isAbove || path.isAbsolute(relative) ? null : relative;
}

function gitSource(name: string, tree: GitTree): Source {
  const read = lazy(() => readTree(tree));
  return {
    name,
    kind: 'git',
    files: async () => (await read()).files,
    skipped: async () => (await read()).skipped,
    repositoryFolder: () => Promise.resolve(tree.commit === null ? null : tree.folder),
    async read(file) {
      const object = (await read()).files.get(file)?.object;
      return object === undefined ? null : readObject(object, tree.cwd);
    },
    history: lazy(() => gitHistory(tree)),
  };
}

function manifestSource(name: string, files: ReadonlyMap<string, SourceFile>): Source {
  return {
    name,
    kind: 'manifest',
    files: () => Promise.resolve(files),
    skipped: () => Promise.resolve([]),
    repositoryFolder: () => Promise.resolve(null),
    read: () => Promise.resolve(null),
    history: () => Promise.resolve(null),
  };
}
