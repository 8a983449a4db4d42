/** The monitor's database, for the commands beside it. */
import type { Config } from '../config/config.ts';
import { openStore, type FileStore } from '../monitor/store/open.ts';
import { StoreError } from '../monitor/store/store-error.ts';
import { storeErrorStatus, storeErrorText } from '../monitor/store/error-text.ts';
import { writeErr } from '../output.ts';
import type { Language } from '../texts.ts';

const DEFAULT_DATABASE = 'docvitals.db';

/** Which file the database is: as the option says, else the configuration, else `docvitals.db` in this folder. */
export function databaseFile(option: string | undefined, { monitor }: Pick<Config, 'monitor'>): string {
  return option ?? monitor.database ?? DEFAULT_DATABASE;
}

/**
 * Runs a command with the database open beside a monitor that may be running. Resolves with the exit status: that of
 * the command, or, where the database could not be used, 2 or 3, which is told.
 */
export async function withSharedStore(
  file: string,
  language: Language,
  work: (store: FileStore) => Promise<number>,
): Promise<number> {
  try {
    const store = await openStore(file, { mode: 'shared' });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    await writeErr(`docvitals: ${await storeErrorText(error, language)}\n`);
    return storeErrorStatus(error);
  }
}
