import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder and those above it. Resolves with the first that was made; `undefined`: all were there. Rejects as
 * `mkdir` does. In a file system that makes no folders (/proc), Node's own `recursive` tries for ever.
 */
export async function makeFolder(folder: string): Promise<string | undefined> {
  const place = path.resolve(folder);
  const refused = await refusalOf(place);
  if (refused === null) return place;
  if (refused.code !== 'ENOENT' || path.dirname(place) === place) {
    await demandFolder(place, refused);
    return undefined;
  }
  const made = await makeFolder(path.dirname(place));
  // What is above is there now: whatever still stands in the way is told.
  const still = await refusalOf(place);
  if (still !== null) await demandFolder(place, still);
  return made ?? place;
}

/** Makes a folder; `null`: it is made. */
function refusalOf(place: string): Promise<NodeJS.ErrnoException | null> {
  return mkdir(place).then(
    () => null,
    (error: unknown) => error as NodeJS.ErrnoException,
  );
}

/** It may have been there, or somebody else has made it meanwhile; what is no folder stands in the way. */
async function demandFolder(place: string, refused: NodeJS.ErrnoException): Promise<void> {
  const found = await stat(place).catch(() => null);
  if (found?.isDirectory() !== true) throw refused;
}
