/** Writes the status page as files. */
import { lstat, readdir, readFile, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { mapConcurrently } from '../../../map-concurrently.ts';
import { type StatusSource, incidentIds, newDaysMemory } from '../data.ts';
import { documentAt } from '../documents.ts';
import { STYLE_FILE, isPageId, addressOf, type PageAddress } from '../page-context.ts';
import { STYLES } from '../styles.ts';
import { makeFolder } from '../../../make-folder.ts';
import { OutputError, writeFileWhole } from '../../../output.ts';
import { LANGUAGES, type Language } from '../../../texts.ts';

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

/* A folder that a status page is written to: what was written there before, and what is somebody else's. */

/** Names the files that were written, so that those which nobody needs any more can be removed. */
const LIST_FILE = '.docvitals-status.json';
/** What version control and hosts keep in a folder is in nobody's way. */
const NOT_FOREIGN = new Set(['.git', '.nojekyll', 'CNAME', LIST_FILE]);

/** A folder as it is before anything is written. */
interface TargetFolder {
  readonly folder: string;
  /** The files that an export wrote there, by their names; `null`: none ever did. */
  readonly written: readonly string[] | null;
  /** Something of somebody else's that stands in the way; `null`: nothing does. */
  readonly foreign: string | null;
}

/** Looks at a folder, which need not be there. Rejects with an `OutputError` where it cannot be read. */
export async function lookAtFolder(folder: string): Promise<TargetFolder> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw new OutputError(folder, error);
  });
  const written = names.includes(LIST_FILE) ? await readList(folder) : null;
  const foreign = written === null ? names.find((name) => !NOT_FOREIGN.has(name)) : undefined;
  return { folder, written, foreign: foreign ?? null };
}

/** What a list names of what exports write; anything else in it is left out. An unreadable list is none. */
async function readList(folder: string): Promise<readonly string[] | null> {
  try {
    const list = JSON.parse(await readFile(path.join(folder, LIST_FILE), 'utf8')) as { readonly files?: unknown };
    if (!Array.isArray(list.files)) return null;
    return list.files.filter((name): name is string => typeof name === 'string' && isExported(name));
  } catch {
    return null;
  }
}

/** The first of the files that is there and was not written by an export; `null`: none. */
async function foreignFile(target: TargetFolder, files: readonly string[]): Promise<string | null> {
  const written = new Set(target.written);
  for (const file of files) {
    if (!written.has(file) && (await isThere(path.join(target.folder, file)))) return file;
  }
  return null;
}

const isThere = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  );

/** Writes one file whole or not at all. Rejects with an `OutputError`. */
async function writeInto(folder: string, file: string, text: string): Promise<void> {
  const whole = path.join(folder, file);
  await makeFolder(path.dirname(whole)).catch((error: unknown) => {
    throw new OutputError(path.dirname(whole), error);
  });
  await writeFileWhole(whole, text, { links: 'replace' });
}

/** Writes which files are ours. Before they are written, so that an export that is cut short leaves nothing unknown. */
function writeList(folder: string, files: Iterable<string>): Promise<void> {
  const list = { form: 1, files: [...new Set(files)].toSorted() };
  return writeInto(folder, LIST_FILE, `${JSON.stringify(list, null, 2)}\n`);
}

/** Removes files, and the folders that are empty then. Resolves with how many files there were. */
async function removeFiles(folder: string, files: readonly string[]): Promise<number> {
  let removed = 0;
  for (const file of files) {
    const whole = path.join(folder, file);
    const isGone = await unlink(whole).then(
      () => true,
      () => false,
    );
    if (!isGone) continue;
    removed += 1;
    await removeEmpty(folder, path.dirname(file));
  }
  return removed;
}

async function removeEmpty(folder: string, inside: string): Promise<void> {
  if (inside === '.') return;
  const isGone = await rmdir(path.join(folder, inside)).then(
    () => true,
    () => false,
  );
  if (isGone) await removeEmpty(folder, path.dirname(inside));
}

/* Which files a status page is made of, for hosts that have nothing but files. */

/** A file to write. */
interface ExportedFile {
  /** Relative to the folder, with slashes. */
  readonly file: string;
  readonly location: PageAddress;
  readonly language: Language;
}

/**
 * The files, those that others lead to first: whoever looks while they are written finds what links lead to.
 *
 * @param sites ids of the sites
 * @param incidents ids of the incidents that have a page
 * @param main the language of the first page
 */
export function filesOf(
  sites: readonly string[],
  incidents: readonly string[],
  main: Language,
): readonly ExportedFile[] {
  const locations: readonly PageAddress[] = [
    ...incidents.filter(isPageId).map((id) => ({ kind: 'incident' as const, id })),
    ...[...sites.filter(isPageId), null].flatMap((id) =>
      (['svg', 'json'] as const).map((format) => ({ kind: 'badge' as const, id, format })),
    ),
    ...sites.filter(isPageId).map((id) => ({ kind: 'site' as const, id })),
    { kind: 'history' },
    { kind: 'feed', format: 'atom' },
    { kind: 'feed', format: 'rss' },
    { kind: 'overview' },
  ];
  return locations.flatMap((location) =>
    LANGUAGES.map((language) => ({ file: fileAt(addressOf(location, language, main)), location, language })),
  );
}

/** The file that stands for an address. */
const fileAt = (address: string): string =>
  address === '' || address.endsWith('/') ? `${address}index.html` : address;

const LANGUAGE_FOLDER = new RegExp(`^(?:${LANGUAGES.join('|')})/`);
const TOP = /^(?:index\.html|history\/index\.html|feed\.(?:atom|rss)|badge\.(?:svg|json))$/;
const OF_ONE = /^(?:(?:sites|incidents)\/([^/]+)\/index\.html|badge\/([^/]+)\.(?:svg|json))$/;

/** Whether a name is one that an export writes: nothing else is ever removed, whatever a list in a folder says. */
export function isExported(name: string): boolean {
  if (name === STYLE_FILE) return true;
  const local = name.replace(LANGUAGE_FOLDER, '');
  const id = OF_ONE.exec(local);
  return TOP.test(local) || (id !== null && isPageId(id[1] ?? id[2] ?? ''));
}
