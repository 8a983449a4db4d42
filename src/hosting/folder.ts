import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Entry, Files } from './exchange.ts';

/**
 * The files of a folder as a host sees them when they are deployed below `base`. Names count letter by letter, also on
 * systems that do not care about case. Symbolic links are followed, as web servers do.
 */
export function folderFiles(folder: string, base: string): Files {
  const mount = base.slice(1, -1);
  return {
    async entry(asked) {
      if (mount !== '' && `${mount}/`.startsWith(`${asked}/`) && asked !== mount) return { kind: 'folder' };
      if (asked === '' && mount !== '') return { kind: 'folder' };
      const inside = mount === '' || asked === mount ? asked.slice(mount.length) : below(asked, mount);
      if (inside === null) return null;
      const segments = inside === '' ? [] : inside.split('/');
      return segments.every(isPlain) ? entryAt(folder, segments) : null;
    },
  };
}

const below = (asked: string, mount: string): string | null =>
  asked.startsWith(`${mount}/`) ? asked.slice(mount.length + 1) : null;

/** Whether a segment names something in its own folder, on every system. */
function isPlain(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..' && !/[\\\0]/.test(segment);
}

async function entryAt(folder: string, segments: readonly string[]): Promise<Entry | null> {
  const file = path.join(folder, ...segments);
  try {
    const found = await stat(file);
    if (!(await isExact(folder, segments))) return null;
    if (found.isDirectory()) return { kind: 'folder' };
    return found.isFile() ? { kind: 'file', bytes: await readFile(file), modified: found.mtime } : null;
  } catch {
    return null;
  }
}

/** Whether each name is spelled as the folder has it. */
async function isExact(folder: string, segments: readonly string[]): Promise<boolean> {
  if (process.platform === 'linux') return true;
  const listed = await Promise.all(
    segments.map(async (segment, index) => {
      const names = await readdir(path.join(folder, ...segments.slice(0, index)));
      return names.includes(segment);
    }),
  );
  return listed.every(Boolean);
}
