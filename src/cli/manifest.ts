import type { Flags } from './commands.ts';
import path from 'node:path';
import { SourceError, writeManifest } from '../source/open.ts';
import { printable } from '../text/printable.ts';
import { UsageError } from '../options/arguments.ts';
import { demandFolder } from './files.ts';
import { writeFileWhole, writeOut } from '../text/output.ts';

export async function manifest(folder: string, { out }: Flags<'manifest'>): Promise<void> {
  await demandFolder(folder);
  try {
    // A manifest in the folder itself is not in its own list.
    const own = out === undefined ? null : path.relative(folder, out).replaceAll(path.sep, '/');
    const text = await writeManifest(folder, own);
    await (out === undefined ? writeOut(text) : writeFileWhole(out, text));
  } catch (error) {
    if (error instanceof SourceError)
      throw new UsageError((messages) => messages.unreadable(printable(folder), printable(error.message)));
    throw error;
  }
}
