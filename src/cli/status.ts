import { stat } from 'node:fs/promises';
import { exportPages, lookAtFolder } from '../monitor/page/export.ts';
import { gatherOverview, newDaysMemory, storedSource } from '../monitor/page/data.ts';
import { pageContextOf } from '../monitor/page/context.ts';
import { statusDocument, statusOf, statusTable } from '../monitor/page/terminal.ts';
import type { Store } from '../monitor/store/store.ts';
import { OutputError, unwritten, writeErr, writeOut, writeShown } from '../output.ts';
import { printable } from '../printable.ts';
import { knownWord } from '../project/arguments.ts';
import { echoed, inLanguage, UsageError } from '../project/usage-error.ts';
import { loadSettings, type ProjectFlags, type ProjectSettings } from '../project/settings.ts';
import { makeStyle } from '../report/style.ts';
import { databaseFile, withSharedStore } from './database.ts';
import { wantsColour } from './terminal.ts';
import { messagesIn } from '../locales/messages.ts';
import { pageWords } from '../generated/locales/page.ts';

export interface StatusFlags extends ProjectFlags {
  readonly database?: string;
  readonly format: 'pretty' | 'json';
  readonly force?: true;
  readonly color: boolean;
}

export async function status(
  action: string | undefined,
  dir: string | undefined,
  flags: StatusFlags,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const settings = await loadSettings(flags, env, process.cwd(), { needed: ['sites', 'monitor'] });
  const { language, config } = settings;
  return inLanguage(language, async () => {
    const folder = await folderOf(action, dir, flags);
    return withSharedStore(databaseFile(flags.database, config), language, (store) =>
      folder === null ? print(settings, flags, store, env) : exportTo(folder, settings, flags, store),
    );
  });
}

/** The folder to export to; `null`: nothing is exported. Throws a `UsageError` before anything is opened. */
async function folderOf(
  action: string | undefined,
  dir: string | undefined,
  { force }: StatusFlags,
): Promise<string | null> {
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

async function print(
  { config: { monitor }, language }: ProjectSettings,
  { format, color }: StatusFlags,
  store: Store,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const source = await storedSource(monitor, store, Date.now());
  const data = await gatherOverview(source, newDaysMemory());
  if (format === 'json') await writeOut(`${JSON.stringify(statusDocument(data), null, 2)}\n`);
  else {
    const context = await pageContextOf(source, { kind: 'overview' }, language, { as: 'served' });
    await writeShown(statusTable(data, makeStyle(wantsColour(process.stdout, env, color)), context));
  }
  return statusOf(data.rows);
}

async function exportTo(
  folder: string,
  { config: { monitor }, language }: ProjectSettings,
  { force }: StatusFlags,
  store: Store,
): Promise<number> {
  const words = pageWords(language);
  const messages = messagesIn(language);
  try {
    const source = await storedSource(monitor, store, Date.now());
    const done = await exportPages(source, await lookAtFolder(folder), force === true);
    const shown = printable(folder);
    if (!done.ok) throw new UsageError((say) => say.foreignFile(shown, printable(done.foreign)));
    const removed = done.removed === 0 ? '' : ` ${words.removed(done.removed)}`;
    await writeShown(`${words.exported(done.written, shown)}${removed}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    await writeErr(`docvitals: ${unwritten(error, messages)}\n`);
    return 3;
  }
}
