/** Looks, before anything is sent, whether the reports that are asked for can be written. */
import { constants } from 'node:fs';
import { access, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ReportTarget } from './arguments.ts';
import { echoed } from './echoed.ts';
import { UsageError } from './usage-error.ts';

/**
 * Rejects with a `UsageError` where two reports would be written to one file, or where one cannot be written: its
 * folder is missing, it is a folder itself, or this user may not write it. Devices and pipes take whatever comes.
 */
export async function demandReportFiles(targets: readonly ReportTarget[], folder: string): Promise<void> {
  const known = new Map<string, string>();
  for (const { file } of targets) {
    const destination = await destinationOf(file, path.resolve(folder, file));
    if (destination === null) continue;
    const other = known.get(destination);
    if (other !== undefined) throw new UsageError((messages) => messages.sameReport(echoed(other), echoed(file)));
    known.set(destination, file);
  }
}

/** The file that is written in the end, through symbolic links; `null` for a device or a pipe. */
async function destinationOf(file: string, resolved: string): Promise<string | null> {
  const existing = await stat(resolved).catch(() => null);
  if (existing?.isDirectory() === true) throw new UsageError((messages) => messages.reportIsFolder(echoed(file)));
  if (existing !== null && !existing.isFile()) return null;
  const target = existing === null ? await awaitedFile(resolved) : await realpath(resolved);
  const parent = path.dirname(target);
  const isFolder = await stat(parent).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) {
    const named = target === resolved ? path.dirname(file) : parent;
    throw new UsageError((messages) => messages.noReportFolder(echoed(file), echoed(named)));
  }
  await demandWritable(file, existing === null ? [parent] : [parent, target]);
  return path.join(await realpath(parent), path.basename(target));
}

/** Where a file that is not there yet will be: a link may lead to it. */
async function awaitedFile(file: string): Promise<string> {
  const linked = await readlink(file).catch(() => null);
  return linked === null ? file : path.resolve(path.dirname(file), linked);
}

async function demandWritable(file: string, locations: readonly string[]): Promise<void> {
  try {
    for (const location of locations) await access(location, constants.W_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError((messages) => messages.unwritableReport(echoed(file), code ?? message));
  }
}
