import type { Flags } from './commands.ts';
import { stat } from 'node:fs/promises';
import { env } from 'node:process';
import { exportPages } from '../monitor/page/export.ts';
import { gatherOverview, storedSource, type StatusSource } from '../monitor/page/data.ts';
import { pageContextOf } from '../monitor/page/page.ts';
import { fleetDocument } from '../monitor/fleet-document.ts';
import { fleetTable, statusDocument, statusOf, statusTable } from '../monitor/page/terminal.ts';
import { isPostgres } from '../monitor/store/store.ts';
import type { FleetView } from '../monitor/view.ts';
import { jsonDocument, writeOut, writeShown } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { echoed, knownWord, UsageError } from '../options/arguments.ts';
import { loadSettings } from '../options/settings.ts';
import { makeStyle } from '../report/terminal.ts';
import { databaseFile, withSharedStore } from './database.ts';
import { wantsColour } from '../options/process.ts';
import { pageWords, type PageWords } from '../generated/locales/page.ts';

type StatusFlags = Flags<'status'>;

export async function status(action: string | undefined, dir: string | undefined, flags: StatusFlags): Promise<number> {
  const { language, config } = await loadSettings(flags, env, { needed: ['sites', 'monitor'] });
  const folder = await folderOf(action, dir, flags);
  return withSharedStore(databaseFile(flags.database, config), async (store) => {
    const source = await storedSource(config.monitor, store, Date.now());
    if (folder !== null) return exportTo(folder, source, flags, pageWords(language));
    const data = await gatherOverview(source);
    const { locations } = config.monitor;
    const view = locations.length === 0 ? null : await fleetAt(databaseFile(flags.database, config));
    const fleet = view && (await fleetDocument(view, locations, source.now));
    if (flags.format === 'json') await writeOut(jsonDocument(statusDocument(data, fleet)));
    else {
      const context = await pageContextOf(source, '', language, { as: 'served' });
      const style = makeStyle(wantsColour(process.stdout, env, flags.color));
      await writeShown(statusTable(data, style, context) + (fleet === null ? '' : fleetTable(fleet, style, context)));
    }
    return statusOf(data.rows);
  });
}

/** Runners and coordinators at an address; `null`: a file has none, or they may not be read. */
async function fleetAt(address: string): Promise<FleetView | null> {
  if (!isPostgres(address)) return null;
  const { connections } = await import('../monitor/store/postgres/connection.ts');
  const { readBacklog, readMembers } = await import('../monitor/fleet/members.ts');
  const database = connections(address);
  try {
    const members = await readMembers(database.read);
    const backlog = await readBacklog(database.read).catch(() => null);
    return { members: () => members, backlog: async () => backlog ?? Promise.reject(new Error('unreadable')) };
  } catch {
    return null;
  } finally {
    await database.close();
  }
}

/** The folder to export to; `null`: nothing is exported. Throws a `UsageError` before anything is opened. */
async function folderOf(action: string | undefined, dir: string | undefined, { force }: StatusFlags) {
  if (action === undefined) {
    if (force) throw new UsageError((messages) => messages.needsOption('--force', 'export'));
    return null;
  }
  knownWord(action, ['export'], (messages, ...facts) => messages.unknownAction('status', ...facts));
  if (dir === undefined || dir === '') throw new UsageError((messages) => messages.missingArgument('dir'));
  const there = await stat(dir).catch(() => null);
  if (there !== null && !there.isDirectory()) throw new UsageError((messages) => messages.notAFolder(echoed(dir)));
  return dir;
}

/** Rejects with an `OutputError`. */
async function exportTo(folder: string, source: StatusSource, { force }: StatusFlags, words: PageWords) {
  const done = await exportPages(source, folder, force === true);
  const shown = printable(folder);
  if (!done.ok) throw new UsageError((messages) => messages.foreignFile(shown, printable(done.foreign)));
  const removed = done.removed === 0 ? '' : ` ${words.removed(done.removed)}`;
  await writeShown(`${words.exported(done.written, shown)}${removed}\n`);
  return 0;
}
