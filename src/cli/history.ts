import { HISTORY_MS, historyDocument, type History, historyCsv } from '../monitor/history/documents.ts';
import { prettyHistory } from '../monitor/history/table.ts';
import { isPostgres, shownDatabase } from '../monitor/store/address.ts';
import type { Store } from '../monitor/store/store.ts';
import { writeOut, writeShown } from '../output.ts';
import { printable } from '../printable.ts';
import { momentOf } from '../project/arguments.ts';
import { UsageError } from '../project/usage-error.ts';
import { makeStyle } from '../report/style.ts';
import { databaseSettings, demandSite, type DatabaseFlags, withSharedStore } from './database.ts';
import { wantsColour } from './terminal.ts';
import { messagesIn } from '../locales/messages.ts';
import { historyWords } from '../generated/locales/history.ts';

export interface HistoryFlags extends DatabaseFlags {
  readonly since?: string;
  readonly until?: string;
  readonly resolution: History['resolution'];
  readonly format: 'pretty' | 'json' | 'csv';
  readonly color: boolean;
}

const HOUR_MS = 3_600_000;

const SIZE_MS = { minute: HOUR_MS / 60, hour: HOUR_MS, day: 24 * HOUR_MS };

/** Runs `docvitals history <site>` or `docvitals history import <file>`; resolves with the exit status. */
export async function history(
  site: string,
  file: string | undefined,
  flags: HistoryFlags,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  return file === undefined ? show(site, flags, env) : importHistory(site, file, flags, env);
}

async function show(site: string, flags: HistoryFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const settings = await databaseSettings(flags, env);
  const { file, language } = settings;
  const range = rangeOf(flags, Date.now());
  const found = await withSharedStore(file, async (store) => {
    await demandSite(site, 'history', settings, store);
    return readHistory(site, range, store);
  });
  if (flags.format === 'json') await writeOut(`${JSON.stringify(historyDocument(found), null, 2)}\n`);
  else if (flags.format === 'csv') await writeOut(historyCsv(found));
  else {
    const style = makeStyle(wantsColour(process.stdout, env, flags.color));
    const words = historyWords(language);
    await writeShown(prettyHistory(found, { words, messages: messagesIn(language), language, style }));
  }
  return 0;
}

async function importHistory(
  action: string,
  file: string,
  flags: HistoryFlags,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { file: address, language } = await databaseSettings(flags, env);
  if (action !== 'import') throw new UsageError((messages) => messages.excessArguments());
  if (!isPostgres(address)) throw new UsageError((messages) => messages.importsIntoPostgres());
  const { importFile } = await import('../monitor/store/postgres/import.ts');
  const { sites, runs, incidents } = await importFile(file, address);
  const shown = printable(shownDatabase(address));
  await writeShown(`${historyWords(language).imported(shown, sites, runs, incidents)}\n`);
  return 0;
}

type Range = Pick<History, 'from' | 'to' | 'resolution'>;

function rangeOf({ since, until, resolution }: HistoryFlags, now: number): Range {
  const to = until === undefined ? now : momentOf(until, '--until', now);
  const from = since === undefined ? to - HISTORY_MS[resolution] : momentOf(since, '--since', now);
  if (from >= to) throw new UsageError((messages) => messages.emptyTime('--since', '--until'));
  return { from, to, resolution };
}

async function readHistory(site: string, { from, to, resolution }: Range, store: Store): Promise<History> {
  if (resolution === 'round') return { site, from, to, resolution, entries: await store.runs({ site, from, to }) };
  // The day of `--since 12:00` is a part of what is requested.
  const begin = Math.floor(from / SIZE_MS[resolution]) * SIZE_MS[resolution];
  return { site, from, to, resolution, entries: await store.buckets({ site, from: begin, to, resolution }) };
}
