/** `docvitals history` and `docvitals incidents`: what a monitor has measured. */
import { env } from 'node:process';
import type { Flags } from './commands.ts';
import { HISTORY_MS, historyCsv, historyDocument, incidentsCsv, type History } from '../monitor/history/documents.ts';
import { prettyHistory, prettyIncidents } from '../monitor/history/pretty.ts';
import { incidentDocument } from '../monitor/incident/document.ts';
import { beginOf, isPostgres, seriesOf, shownDatabase, type Store } from '../monitor/store/store.ts';
import { jsonDocument, writeErr, writeOut, writeShown } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { knownWord, momentOf, UsageError } from '../options/arguments.ts';
import { loadTexts } from '../report/texts.ts';
import { makeStyle } from '../report/terminal.ts';
import { databaseSettings, demandSite, type DatabaseSettings, withSharedStore } from './database.ts';
import { wantsColour } from '../options/process.ts';
import { historyWords } from '../generated/locales/history.ts';

type HistoryFlags = Flags<'history'>;

export async function history(site: string, file: string | undefined, flags: HistoryFlags): Promise<void> {
  return file === undefined ? show(site, flags) : importHistory(site, file, flags);
}

async function show(site: string, flags: HistoryFlags): Promise<void> {
  const settings = await databaseSettings(flags);
  const { file, language } = settings;
  const range = rangeOf(flags, Date.now());
  const found = await withSharedStore(file, async (store) => {
    await demandSite(site, 'history', settings, store);
    const location = flags.location ?? null;
    if (location !== null) await demandLocation(site, location, settings, store);
    return readHistory(site, location, range, store);
  });
  if (flags.format === 'json') await writeOut(jsonDocument(historyDocument(found)));
  else if (flags.format === 'csv') await writeOut(historyCsv(found));
  else await writeShown(prettyHistory(found, language, styleOf(flags)));
}

function styleOf({ color }: Pick<HistoryFlags, 'color'>) {
  return makeStyle(wantsColour(process.stdout, env, color));
}

async function importHistory(action: string, file: string, flags: HistoryFlags): Promise<void> {
  const { file: address, language } = await databaseSettings(flags);
  if (action !== 'import') throw new UsageError((messages) => messages.excessArguments());
  if (!isPostgres(address)) throw new UsageError((messages) => messages.importsIntoPostgres());
  const { importFile } = await import('../monitor/store/postgres/import.ts');
  const imported = await importFile(file, address);
  const shown = printable(shownDatabase(address));
  await writeShown(`${historyWords(language).imported(shown, imported.sites, imported.runs, imported.incidents)}\n`);
}

type Range = Pick<History, 'from' | 'to' | 'resolution'>;

function rangeOf({ since, until, resolution }: HistoryFlags, now: number): Range {
  const to = until === undefined ? now : momentOf(until, '--until', now);
  const from = since === undefined ? to - HISTORY_MS[resolution] : momentOf(since, '--since', now);
  if (from >= to) throw new UsageError((messages) => messages.emptyTime('--since', '--until'));
  return { from, to, resolution };
}

/** Rejects with a `UsageError` for a location that neither the configuration nor the history of the site knows. */
async function demandLocation(site: string, location: string, { locations: known }: DatabaseSettings, store: Store) {
  if (known.includes(location)) return;
  const days = { site: seriesOf(site, location), resolution: 'day', from: 0, to: Date.now() + 1, limit: 1 } as const;
  if ((await store.buckets(days)).length > 0) return;
  if (known.length === 0) throw new UsageError((messages) => messages.noLocations());
  knownWord(location, known, (messages, ...facts) => messages.unknownLocation(...facts));
}

async function readHistory(site: string, location: string | null, { from, to, resolution }: Range, store: Store) {
  const series = location === null ? site : seriesOf(site, location);
  const range = { site, location, from, to };
  if (resolution === 'run') return { ...range, resolution, entries: await store.runs({ ...range, site: series }) };
  // The day of `--since 12:00` is a part of what is requested.
  const buckets = store.buckets({ site: series, from: beginOf(from, resolution), to, resolution });
  return { ...range, resolution, entries: await buckets };
}

export async function incidents(flags: Flags<'incidents'>): Promise<void> {
  const settings = await databaseSettings(flags);
  const { file, language, sites } = settings;
  const { site, open, limit } = flags;
  const words = historyWords(language);
  const now = Date.now();
  const since = flags.since === undefined ? undefined : momentOf(flags.since, '--since', now);
  const found = await withSharedStore(file, async (store) => {
    if (site !== undefined) await demandSite(site, '--site', settings, store);
    return store.incidents({
      // One more shows whether there are more.
      limit: limit + 1,
      ...(site === undefined ? {} : { site }),
      ...(open === undefined ? {} : { open }),
      // Of a site that is requested by its name all is reported, whether it is still watched or not.
      ...(site !== undefined || sites.length === 0 ? {} : { openOf: sites }),
      ...(since === undefined ? {} : { since }),
    });
  });
  const reported = found.slice(0, limit);
  if (flags.format === 'json') await writeOut(jsonDocument(reported.map(incidentDocument)));
  else if (flags.format === 'csv') await writeOut(incidentsCsv(reported));
  else if (reported.length === 0) await writeShown(`${open === true ? words.noOpenIncidents : words.noIncidents}\n`);
  else await writeShown(prettyIncidents(reported, now, await loadTexts(language), styleOf(flags)));
  if (found.length > limit) await writeErr(`${words.limited(limit)}\n`);
}
