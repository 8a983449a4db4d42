import { stat } from 'node:fs/promises';
import path from 'node:path';
import { lazy } from '../concurrency.ts';
import { readFolder, readFolderFile } from './folder.ts';
import { findTree, gitHistory, readObject, readTree, workTree } from './git.ts';
import { readManifest } from './manifest.ts';
import { SourceError } from './content.ts';
import type { Source } from './types.ts';

/**
 * Opens a folder, a hash manifest (`*.json`) or a Git ref (`main`, `HEAD:docs`). A folder or file of that name counts
 * before a ref. Rejects with a `SourceError` when neither exists; nothing of their files is read yet.
 */
export async function openSource(name: string, cwd: string): Promise<Source> {
  if (name.includes('\0')) throw new SourceError('not found');
  const location = path.resolve(cwd, name);
  const found = await stat(location).catch(() => null);
  if (found?.isDirectory() === true) return folderSource(name, location, cwd);
  if (found?.isFile() === true && name.endsWith('.json')) return manifestSource(name, location);
  if (name.endsWith('.json') && !name.includes(':')) throw new SourceError('no such file');
  return gitSource(name, cwd);
}

function folderSource(name: string, location: string, cwd: string): Source {
  const read = lazy(() => readFolder(location));
  return {
    name,
    kind: 'folder',
    files: async () => (await read()).files,
    skipped: async () => (await read()).skipped,
    repositoryFolder: async () => {
      const below = path.relative(cwd, location).replaceAll(path.sep, '/');
      const isElsewhere = /^\.\.(?:\/|$)/.test(below) || path.isAbsolute(below);
      return (await workTree(location))?.folder ?? (isElsewhere ? null : below);
    },
    read: (file) => readFolderFile(location, file),
    history: lazy(async () => {
      const tree = await workTree(location);
      return tree === null ? null : gitHistory(tree);
    }),
  };
}

async function gitSource(name: string, cwd: string): Promise<Source> {
  const tree = await findTree(name, cwd);
  if (tree === null) throw new SourceError('not found');
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

async function manifestSource(name: string, location: string): Promise<Source> {
  const files = await readManifest(location);
  const nothing = (): Promise<null> => Promise.resolve(null);
  return {
    name,
    kind: 'manifest',
    files: () => Promise.resolve(files),
    skipped: () => Promise.resolve([]),
    repositoryFolder: nothing,
    read: nothing,
    history: nothing,
  };
}
