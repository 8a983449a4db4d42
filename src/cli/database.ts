/** The monitor's database, for the commands beside it. */
import type { Config } from '../config/config.ts';
import { openStore, type FileStore } from '../monitor/store/open.ts';
import { StoreError, storeErrorStatus, storeErrorText, type Store } from '../monitor/store/store.ts';
import { writeErr } from '../output.ts';
import { type Language, pickLanguage } from '../texts.ts';
import { nearest } from '../config/nearest.ts';
import { ConfigError, UsageError, echoed } from '../project/usage-error.ts';
import { loadSettings, type ProjectFlags } from '../project/settings.ts';
import { someOf } from '../project/run-options.ts';

const DEFAULT_DATABASE = 'docvitals.db';

/** The file or address of the database: as the option says, else the configuration, else `docvitals.db` in this folder. */
export function databaseFile(option: string | undefined, { monitor }: Pick<Config, 'monitor'>): string {
  return option ?? monitor.database ?? DEFAULT_DATABASE;
}

/**
 * Runs a command with the database open beside a monitor that may be running. Resolves with the exit status: that of
 * the command, or, where the database could not be used, 2 or 3, which is reported.
 */
export async function withSharedStore(
  file: string,
  language: Language,
  work: (store: FileStore) => Promise<number>,
): Promise<number> {
  return reportingStoreErrors(language, async () => {
    const store = await openStore(file, { mode: 'shared' });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  });
}

/** Resolves with the exit status of `work`, or with 2 or 3 where a database could not be used, which is reported. */
export async function reportingStoreErrors(language: Language, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    await writeErr(`docvitals: ${storeErrorText(error, language)}\n`);
    return storeErrorStatus(error);
  }
}

/** The options of a command that reads a database. */
export interface DatabaseFlags extends ProjectFlags {
  readonly database?: string;
}

/** What a command that only reads the database has to know of the configuration. */
interface DatabaseSettings {
  readonly file: string;
  readonly language: Language;
  /** Ids, in the order of the configuration. */
  readonly sites: readonly string[];
  /** Ids of the alert routes; `null`: no configuration could be read. */
  readonly routes: readonly string[] | null;
}

/**
 * Rejects with a `ConfigError`. Where the database is named and the configuration is not, one with mistakes (or with
 * variables that only the monitor's own environment sets) does not matter.
 */
export async function databaseSettings(flags: DatabaseFlags, env: NodeJS.ProcessEnv): Promise<DatabaseSettings> {
  try {
    const { config, language } = await loadSettings(flags, env, process.cwd(), {
      needed: flags.database === undefined ? ['monitor'] : [],
    });
    const { sites, alerts } = config.monitor;
    const [ids, routes] = [sites.map(({ id }) => id), alerts.map(({ id }) => id)];
    return { file: databaseFile(flags.database, config), language, sites: ids, routes };
  } catch (error) {
    const { database, config, lang } = flags;
    if (!(error instanceof ConfigError) || database === undefined || config !== undefined) throw error;
    return { file: database, language: pickLanguage({ flag: lang, config: undefined, env }), sites: [], routes: null };
  }
}

/** Rejects with a `UsageError` for a site that neither the configuration nor the database knows. */
export async function demandSite(id: string, asked: string, { sites }: DatabaseSettings, store: Store): Promise<void> {
  if (sites.includes(id)) return;
  const known = [...new Set([...sites, ...(await store.states()).keys()])];
  if (known.includes(id)) return;
  throw new UsageError((messages) =>
    messages.unknownSite(asked, echoed(id), someOf(known), nearest(id, known) ?? null),
  );
}
