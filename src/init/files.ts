/** Reads what is there, within bounds and without failing: whoever looks around must not trip. */
import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';

const LONGEST = 1 << 20;
const MOST_NAMES = 2_000;

/** The first mebibyte of a regular file as text; `null` where there is none that can be read. */
export async function readText(file: string): Promise<string | null> {
  // A pipe would be waited for when it is opened.
  const found = await stat(file).catch(() => null);
  if (found?.isFile() !== true) return null;
  try {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(LONGEST, found.size)));
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return null;
  }
}

/** The names in a folder, sorted; none where it cannot be listed. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.toSorted().slice(0, MOST_NAMES);
}

/** A path below a folder as it is written in files: relative, with forward slashes; `.` for the folder itself. */
export function below(folder: string, file: string): string {
  return path.relative(folder, file).replaceAll(path.sep, '/') || '.';
}
