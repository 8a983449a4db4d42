import { stat } from 'node:fs/promises';
import path from 'node:path';
import { folderSource } from './folder.ts';
import { gitSource } from './git.ts';
import { manifestSource } from './manifest.ts';
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
