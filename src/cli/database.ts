/** The monitor's database, for the commands beside it. */
import { env } from 'node:process';
import type { Config } from '../config/config.ts';
import { openStore } from '../monitor/store/open.ts';
import type { Store } from '../monitor/store/store.ts';
import { pickLanguage } from '../locales/language.ts';
import { ConfigError } from '../config/problem.ts';
import { loadSettings, type ProjectFlags } from '../options/settings.ts';
import { knownWord } from '../options/arguments.ts';

export const DEFAULT_DATABASE = 'docvitals.db';

export function databaseFile(option: string | undefined, { monitor }: Pick<Config, 'monitor'>): string {
  return option ?? monitor.database ?? DEFAULT_DATABASE;
}

/** Runs a command with the database open beside a monitor that may be running. Rejects with a `StoreError`. */
export async function withSharedStore<T>(file: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(file, { mode: 'shared' });
  return closing(store, work(store));
}

export async function closing<T>(store: Store, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    await store.close();
  }
}

type DatabaseFlags = ProjectFlags & { readonly database?: string };

export type DatabaseSettings = Awaited<ReturnType<typeof databaseSettings>>;

/**
 * Rejects with a `ConfigError`. Where the database is named and the configuration is not, one with mistakes (or with
 * variables that only the monitor's own environment sets) does not matter.
 */
export async function databaseSettings(flags: DatabaseFlags) {
  const ids = (all: readonly { readonly id: string }[]): readonly string[] => all.map(({ id }) => id);
  const { database } = flags;
  try {
    const { config, language } = await loadSettings(flags, env, { needed: database === undefined ? ['monitor'] : [] });
    const { sites, alerts, locations } = config.monitor;
    const file = databaseFile(database, config);
    return { file, language, sites: ids(sites), locations: ids(locations), routes: ids(alerts) };
  } catch (error) {
    const { config, lang } = flags;
    if (!(error instanceof ConfigError) || database === undefined || config !== undefined) throw error;
    const language = pickLanguage({ flag: lang, config: undefined, env });
    // What routes there are is not known.
    return { file: database, language, sites: ids([]), locations: ids([]), routes: null };
  }
}

/** Rejects with a `UsageError` for a site that neither the configuration nor the database knows. */
export async function demandSite(id: string, asked: string, { sites }: DatabaseSettings, store: Store): Promise<void> {
  if (sites.includes(id)) return;
  const known = [...new Set([...sites, ...(await store.states()).keys()])];
  knownWord(id, known, (messages, ...facts) => messages.unknownSite(asked, ...facts));
}
