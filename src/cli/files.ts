import { lstat, stat } from 'node:fs/promises';
import path from 'node:path';
import type { HostFile } from '../hosting/configuration.ts';
import { makeFolder, writeFileWhole, writeOut, writing } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { echoed, UsageError } from '../options/arguments.ts';

/** Throws a `UsageError` unless there is a folder of this name. */
export async function demandFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() !== true) throw new UsageError((messages) => messages.notAFolder(echoed(folder)));
}

/** One file as it is; several each below a line that names it. */
export function printedFiles(files: readonly HostFile[]): string {
  if (files.length === 1) return files.map(({ text }) => text).join('');
  return files.map(({ name, text }) => `==> ${name} <==\n${text}`).join('\n');
}

/**
 * Writes all files into a folder, which is created if it is missing, and prints their names. Throws a `UsageError`, and
 * writes none, where one of them exists and `force` is not set; rejects with an `OutputError`.
 */
export async function writeNewFiles(files: readonly HostFile[], out: string, force: boolean): Promise<void> {
  const targets = files.map(({ name, text }) => ({ file: path.join(out, name), text }));
  for (const { file } of targets) {
    const existing = force ? null : await lstat(file).catch(() => null);
    if (existing !== null) throw new UsageError((messages) => messages.fileExists(printable(file)));
  }
  for (const { file, text } of targets) {
    await writing(path.dirname(file), makeFolder(path.dirname(file)));
    await writeFileWhole(file, text);
    await writeOut(`${printable(file)}\n`);
  }
}
