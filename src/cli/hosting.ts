import { lstat, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { hostConfiguration, type HostFile } from '../hosting/configuration.ts';
import { HOST_KINDS } from '../hosting/kinds.ts';
import { printable } from '../printable.ts';
import { echoed } from '../project/echoed.ts';
import { OutputError, writeErr, writeFileWhole, writeOut } from '../output.ts';
import { UsageError } from '../project/usage-error.ts';

/** The options of `docvitals hosting`, read. */
export interface HostingFlags {
  /** Begins and ends with a slash. */
  readonly base: string;
  readonly out?: string;
  readonly improved?: true;
  readonly force?: true;
}

/** Runs `docvitals hosting`: prints a host's configuration or writes it; resolves with the exit status. */
export async function hosting(given: string, { base, out, improved, force }: HostingFlags): Promise<number> {
  const kind = HOST_KINDS.find((known) => known === given);
  if (kind === undefined) {
    throw new UsageError((messages) => messages.unknownHostKind(echoed(given), HOST_KINDS.join(', ')));
  }
  const { files, notes } = hostConfiguration({ kind, base, improved: improved === true });
  if (out !== undefined) {
    await writeFiles([...files, ...(notes === null ? [] : [notes])], out, force === true);
    return 0;
  }
  await writeOut(printed(files));
  // The file itself may be going somewhere; notes on it must not go with it.
  if (notes !== null) await writeErr(notes.text);
  return 0;
}

/** One file as it is; several each below a line that names it. */
function printed(files: readonly HostFile[]): string {
  if (files.length === 1) return files.map(({ text }) => text).join('');
  return files.map(({ name, text }) => `==> ${name} <==\n${text}`).join('\n');
}

/** Writes all files, or none where one of them is there already. */
async function writeFiles(files: readonly HostFile[], out: string, force: boolean): Promise<void> {
  const targets = files.map(({ name, text }) => ({ file: path.join(out, name), text }));
  for (const { file } of targets) {
    if (!force && (await exists(file))) throw new UsageError((messages) => messages.fileExists(printable(file)));
  }
  for (const { file, text } of targets) {
    await mkdir(path.dirname(file), { recursive: true }).catch((error: unknown) => {
      throw new OutputError(path.dirname(file), error);
    });
    await writeFileWhole(file, text);
    await writeOut(`${printable(file)}\n`);
  }
}

const exists = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  );
