import { hostConfiguration } from '../hosting/configuration.ts';
import { HOST_KINDS } from '../hosting/kinds.ts';
import { echoed } from '../project/echoed.ts';
import { writeErr, writeOut } from '../output.ts';
import { UsageError } from '../project/usage-error.ts';
import { printedFiles, writeNewFiles } from './printed-files.ts';

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
    await writeNewFiles([...files, ...(notes === null ? [] : [notes])], out, force === true);
    return 0;
  }
  await writeOut(printedFiles(files));
  // The file itself may be going somewhere; notes on it must not go with it.
  if (notes !== null) await writeErr(notes.text);
  return 0;
}
