/** Writes the status page as files, for hosts that serve nothing but files. */
import { lstat, readdir, readFile, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder, OutputError, writeFileWhole, writing } from '../../text/output.ts';
import { mapConcurrently } from '../../core/concurrency.ts';
import { LANGUAGES, type Language } from '../../locales/language.ts';
import { gatherIncident, incidentIds, type StatusSource } from './data.ts';
import { addressOf, fileAt, STYLE } from './page.ts';
import { documentAt, isPage, locate } from './routes.ts';

const CONCURRENCY = 8;

/** Lists the files that were written, so that those which are no longer needed can be removed. */
const LIST_FILE = '.docvitals-status.json';
const NOT_FOREIGN = new Set(['.git', '.nojekyll', 'CNAME', LIST_FILE]);

/** Reads a folder, which need not exist. Rejects with an `OutputError` where it cannot be read. */
async function readFolder(folder: string) {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw new OutputError(folder, error);
  });
  const written = names.includes(LIST_FILE) ? await readList(folder) : null;
  const foreign = written === null ? names.find((name) => !NOT_FOREIGN.has(name)) : undefined;
  return { written: written ?? [], foreign: foreign ?? null };
}

/** The names in a list that exports write; all others are ignored. `null`: the list is unreadable. */
async function readList(folder: string): Promise<readonly string[] | null> {
  try {
    const list = JSON.parse(await readFile(path.join(folder, LIST_FILE), 'utf8')) as { readonly files?: unknown };
    if (!Array.isArray(list.files)) return null;
    return list.files.filter((name): name is string => typeof name === 'string' && isExported(name));
  } catch {
    return null;
  }
}

/**
 * Writes all files, each whole or not at all, the first page last; then removes those that it wrote before and that are
 * no longer part of the page. Rejects with an `OutputError`, or with what the store rejects with.
 */
export async function exportPages(source: StatusSource, folder: string, isForced: boolean) {
  const { written, foreign: found } = await readFolder(folder);
  const sites = source.sites.map(({ site }) => site.id);
  const incidents = await incidentIds(source);
  const main = source.settings.page.language;
  const files = [...(await pictureFiles(source, incidents)), ...filesOf(sites, incidents, main)];
  const names = [STYLE.file, ...files.map(({ file }) => file)];
  const foreign = isForced ? null : (found ?? (await firstIn(folder, without(names, written))));
  if (foreign !== null) return { ok: false as const, foreign };
  // Before the files, so that an interrupted export leaves no unknown ones.
  await writeList(folder, [...names, ...written]);
  await writeInto(folder, STYLE.file, STYLE.text);
  const write = async ({ file, page, language }: ExportedFile): Promise<void> => {
    const { body, bytes } = await documentAt(page, language, source, { as: 'files' });
    await writeInto(folder, file, bytes ?? body);
  };
  const { first = [], others = [] } = Object.groupBy(files, ({ page }) => (page === '' ? 'first' : 'others'));
  await mapConcurrently(others, CONCURRENCY, write);
  await mapConcurrently(first, 1, write);
  let removed = 0;
  for (const file of without(written, names)) {
    if (!(await succeeds(unlink(path.join(folder, file))))) continue;
    removed += 1;
    await removeEmpty(folder, path.dirname(file));
  }
  await writeList(folder, names);
  return { ok: true as const, written: names.length, removed };
}

function without(files: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return files.filter((file) => !known.has(file));
}

/** The first of the files that is in the folder, whatever it is; `null`: none is. */
async function firstIn(folder: string, files: readonly string[]): Promise<string | null> {
  const found = await mapConcurrently(files, CONCURRENCY, (file) => succeeds(lstat(path.join(folder, file))));
  return files[found.indexOf(true)] ?? null;
}

const succeeds = (done: Promise<unknown>): Promise<boolean> =>
  done.then(
    () => true,
    () => false,
  );

async function writeInto(folder: string, file: string, text: string | Uint8Array): Promise<void> {
  const whole = path.join(folder, file);
  await writing(path.dirname(whole), makeFolder(path.dirname(whole)));
  await writeFileWhole(whole, text, { links: 'replace' });
}

function writeList(folder: string, files: readonly string[]): Promise<void> {
  const list = { form: 1, files: [...new Set(files)].toSorted() };
  return writeInto(folder, LIST_FILE, `${JSON.stringify(list, null, 2)}\n`);
}

async function removeEmpty(folder: string, inside: string): Promise<void> {
  if (inside === '.') return;
  if (await succeeds(rmdir(path.join(folder, inside)))) await removeEmpty(folder, path.dirname(inside));
}

type ExportedFile = ReturnType<typeof fileOf>;

function fileOf(page: string, language: Language, main: Language) {
  return { file: fileAt(addressOf(page, language, main)), page, language };
}

async function pictureFiles(source: StatusSource, incidents: readonly string[]) {
  const { language } = source.settings.page;
  const files: ExportedFile[] = [];
  for (const id of incidents) {
    const data = await gatherIncident(source, id);
    const pages = (data?.pictures ?? []).map(
      ({ incident }) => `incidents/${id}/${incident === null ? 'good' : 'bad'}.jpg`,
    );
    files.push(...pages.filter(isPage).map((page) => fileOf(page, language, language)));
  }
  return files;
}

/** The files, those that others link to first: a visitor never follows a link to a file that is not written yet. */
export function filesOf(sites: readonly string[], incidents: readonly string[], main: Language) {
  const pages = [
    ...incidents.map((id) => `incidents/${id}/`),
    ...[...sites.map((id) => `badge/${id}`), 'badge'].flatMap((badge) => [`${badge}.svg`, `${badge}.json`]),
    ...sites.map((id) => `sites/${id}/`),
    'history/',
    'feed.atom',
    '',
  ];
  return pages.filter(isPage).flatMap((page) => LANGUAGES.map((language) => fileOf(page, language, main)));
}

/** Whether an export writes files of a name: no others are ever removed, whatever the list in a folder says. */
export function isExported(name: string): boolean {
  const address = name.replace(/(^|\/)index\.html$/, '$1');
  if (fileAt(address) !== name) return false;
  return LANGUAGES.some((main) => {
    const target = locate(`/${address}`, main);
    return target?.kind === 'style' || target?.kind === 'page';
  });
}
