import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder and those above it. Resolves with the first that was made; `undefined`: all were there. Rejects as
 * `mkdir` does. In a file system that makes no folders (/proc), Node's own `recursive` tries for ever.
 */
export async function makeFolder(folder: string): Promise<string | undefined> {
  const location = path.resolve(folder);
  const refused = await refusalOf(location);
  if (refused === null) return location;
  if (refused.code !== 'ENOENT' || path.dirname(location) === location) {
    await demandFolder(location, refused);
    return undefined;
  }
  const made = await makeFolder(path.dirname(location));
  // The parent exists now: any further error is reported.
  const still = await refusalOf(location);
  if (still !== null) await demandFolder(location, still);
  return made ?? location;
}

function refusalOf(location: string): Promise<NodeJS.ErrnoException | null> {
  return mkdir(location).then(
    () => null,
    (error: unknown) => error as NodeJS.ErrnoException,
  );
}

/** It may have been there, or was created meanwhile; a file with this name is an error. */
async function demandFolder(location: string, refused: NodeJS.ErrnoException): Promise<void> {
  const found = await stat(location).catch(() => null);
  if (found?.isDirectory() !== true) throw refused;
}
