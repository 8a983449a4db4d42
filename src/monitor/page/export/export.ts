/** Writes the status page as files. */
import { mapConcurrently } from '../../../map-concurrently.ts';
import type { StatusSource } from '../data.ts';
import { documentAt } from '../documents.ts';
import { incidentIds, newDaysMemory } from '../gather.ts';
import { STYLE_FILE } from '../page-paths.ts';
import { STYLES } from '../styles.ts';
import { filesOf, type ExportedFile } from './files.ts';
import { foreignFile, removeFiles, writeInto, writeList, type TargetFolder } from './folder.ts';

/** Files that are made and written at a time. */
const CONCURRENCY = 8;

/** What an export came to. */
export type Exported =
  | { readonly ok: true; readonly written: number; readonly removed: number }
  /** A file of somebody else's would be overwritten; nothing was written. */
  | { readonly ok: false; readonly foreign: string };

/**
 * Writes all files, each whole or not at all, the first page last; then removes those that it wrote before and that are
 * no longer part of the page. Rejects with an `OutputError`, or with what the store rejects with.
 *
 * @param isForced overwrites what is somebody else's
 */
export async function exportPages(source: StatusSource, target: TargetFolder, isForced: boolean): Promise<Exported> {
  const { folder } = target;
  const written = target.written ?? [];
  const located = filesOf(
    source.sites.map(({ site }) => site.id),
    await incidentIds(source),
    source.settings.page.language,
  );
  const names = [STYLE_FILE, ...located.map(({ file }) => file)];
  const foreign = isForced ? null : (target.foreign ?? (await foreignFile(target, names)));
  if (foreign !== null) return { ok: false, foreign };
  await writeList(folder, [...names, ...written]);
  await writeInto(folder, STYLE_FILE, STYLES);
  const days = newDaysMemory();
  const write = async ({ file, location, language }: ExportedFile): Promise<void> => {
    const { text } = await documentAt(location, language, source, { as: 'files' }, days);
    await writeInto(folder, file, text);
  };
  const first = located.filter(({ location }) => location.kind === 'overview');
  await mapConcurrently(located.slice(0, -first.length), CONCURRENCY, write);
  await mapConcurrently(first, 1, write);
  const kept = new Set(names);
  const removed = await removeFiles(
    folder,
    written.filter((name) => !kept.has(name)),
  );
  await writeList(folder, names);
  return { ok: true, written: names.length, removed };
}
