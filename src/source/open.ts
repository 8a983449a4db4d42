import { constants, existsSync, type Dirent } from 'node:fs';
import { open, opendir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Ignore } from 'ignore';
import { lazy, mapConcurrently, yieldToEventLoop } from '../core/concurrency.ts';
import {
  isCompared,
  isDeployable,
  LARGEST_FILE,
  LARGEST_TEXT,
  MOST_ENTRIES,
  readable,
  SourceError,
  sourceHasher,
  tooMany,
} from './content.ts';
import { gitHistory, gitSource, trackedFiles, workTree } from './git.ts';
import type { Source, SourceFile } from './types.ts';

export { SourceError };

/**
 * Opens a folder, a hash manifest (`*.json`) or a Git ref (`main`, `HEAD:docs`). A folder or file of that name counts
 * before a ref. Rejects with a `SourceError` when neither exists; nothing of their files is read yet. What reads them ends
 * with the signal.
 */
export async function openSource(name: string, cwd: string, signal?: AbortSignal): Promise<Source> {
  if (name.includes('\0')) throw new SourceError('not found');
  const location = path.resolve(cwd, name);
  const found = await stat(location).catch(() => null);
  if (found?.isDirectory() === true) return folderSource(name, { root: location, cwd, signal });
  if (found?.isFile() === true && name.endsWith('.json')) return manifestSource(name, location, signal);
  if (name.endsWith('.json') && !name.includes(':')) throw new SourceError('no such file');
  return gitSource(name, { cwd, signal });
}

/** Small files that are read at a time; the others are read one after the other, because a text is held in memory. */
const CONCURRENCY = 16;
const SMALL = 1024 * 1024;
/** A user's own rules, which are not committed (gitignore(5)). */
const EXCLUDE = '.git/info/exclude';
const IGNORE = '.gitignore';
const LARGEST_RULES = 1024 * 1024;
/** Entries of a folder that are read at a time. */
const ENTRIES_AT_ONCE = 512;

interface Rules {
  readonly folder: string;
  readonly ignore: Ignore;
}

interface Folder {
  readonly root: string;
  /** Where docvitals runs. */
  readonly cwd: string;
  readonly signal: AbortSignal | undefined;
}

function folderSource(name: string, { root, cwd, signal }: Folder): Source {
  const read = lazy(() => readFolder(root, signal));
  const inRoot = { cwd: root, signal };
  return {
    name,
    kind: 'folder',
    files: async () => (await read()).files,
    skipped: async () => (await read()).skipped,
    unread: async () => (await read()).unread,
    repositoryFolder: async () => {
      const below = path.relative(cwd, root).replaceAll(path.sep, '/');
      const isElsewhere = /^\.\.(?:\/|$)/.test(below) || path.isAbsolute(below);
      return (await workTree(inRoot))?.folder ?? (isElsewhere ? null : below);
    },
    read: (file) =>
      readable(async () => readRegular(await realpath(path.join(root, file)), LARGEST_TEXT, signal), signal),
    history: lazy(async () => {
      const tree = await workTree(inRoot);
      return tree === null ? null : gitHistory(tree);
    }),
  };
}

/**
 * Opens a regular file: no link, no device, and no pipe, which may wait for ever for somebody to write. Rejects with a
 * `SourceError` for what is none.
 */
async function openRegular(file: string) {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stats = await handle.stat();
  if (stats.isFile()) return { handle, size: stats.size };
  await handle.close();
  throw new SourceError('not a regular file');
}

/** The bytes of a regular file; `null` for a larger one. */
async function readRegular(file: string, largest: number, signal: AbortSignal | undefined): Promise<Buffer | null> {
  const { handle, size } = await openRegular(file);
  try {
    return size > largest ? null : await handle.readFile({ signal });
  } finally {
    await handle.close();
  }
}

async function hashRegular(file: string, largest: number, signal: AbortSignal | undefined) {
  const { handle, size } = await openRegular(file);
  try {
    if (size > largest) return 'larger';
    const hasher = sourceHasher();
    for await (const chunk of handle.createReadStream({ autoClose: false, signal })) hasher.update(chunk as Buffer);
    return hasher.end();
  } finally {
    await handle.close();
  }
}

/**
 * Reads a folder, and hashes its files. What `.gitignore` files (in it, below it, and above it up to the repository's
 * root) leave out is left out, unless Git tracks it all the same. Links that lead elsewhere are not followed.
 */
const readFolder = (root: string, signal?: AbortSignal) =>
  readable(async () => {
    const { found, skipped, unread } = await walkFolder(await realpath(root), signal);
    const hashed = async ({ location }: FoundFile, largest: number) => {
      signal?.throwIfAborted();
      return hashRegular(location, largest, signal).catch(() => 'unread' as const);
    };
    const first = await mapConcurrently(found, CONCURRENCY, async (file) => hashed(file, SMALL));
    const files = new Map<string, SourceFile>();
    for (const [index, file] of found.entries()) {
      const content = first[index] === 'larger' ? await hashed(file, LARGEST_FILE) : first[index];
      if (typeof content === 'object') files.set(file.file, content);
      else unread.push(file.file);
    }
    return { files, skipped, unread: unread.toSorted() };
  }, signal);

interface FoundFile {
  readonly file: string;
  /** A link to a file is followed. */
  readonly location: string;
}

async function walkFolder(root: string, signal: AbortSignal | undefined) {
  const found: FoundFile[] = [];
  const skipped: string[] = [];
  const unread: string[] = [];
  const readRules = async (file: string): Promise<readonly Rules[]> => {
    const rules = await rulesOf(file, signal).catch(() => null);
    if (rules === null) unread.push(path.relative(root, file).replaceAll(path.sep, '/'));
    return rules === null ? [] : [rules];
  };
  const tracked = await trackedIn(root, signal);
  let left = MOST_ENTRIES;
  const entriesOf = async (folder: string): Promise<readonly Dirent[]> => {
    const entries: Dirent[] = [];
    for await (const entry of await opendir(path.join(root, folder), { bufferSize: ENTRIES_AT_ONCE })) {
      entries.push(entry);
      if (entries.length > left) throw tooMany();
    }
    left -= entries.length;
    return entries;
  };
  const walk = async (folder: string, entries: readonly Dirent[], above: readonly Rules[]): Promise<void> => {
    const hasRules = entries.some(({ name }) => name === IGNORE);
    const rules = hasRules ? [...above, ...(await readRules(path.join(root, folder, IGNORE)))] : above;
    for (const entry of entries) {
      await yieldToEventLoop();
      signal?.throwIfAborted();
      const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (!isDeployable(entry.name)) continue;
      const location = entry.isSymbolicLink() ? await linkedFile(root, file) : path.join(root, file);
      if (location === null) {
        skipped.push(file);
        continue;
      }
      const isFolder = entry.isDirectory();
      if (!tracked.has(file) && isIgnored(path.join(root, file), isFolder, rules)) continue;
      if (isFolder) {
        const inside = await entriesOf(file).catch(unlessTooMany);
        if (inside === null) unread.push(file);
        else await walk(file, inside, rules);
      } else if (isCompared(file)) found.push({ file, location });
    }
  };
  const rules = await rulesAbove(root, readRules);
  await walk('', await entriesOf(''), rules);
  return { found: found.toSorted((one, other) => (one.file < other.file ? -1 : 1)), skipped, unread };
}

function unlessTooMany(error: unknown): null {
  if (error instanceof SourceError) throw error;
  return null;
}

/** Files that Git tracks, and the folders that hold them. */
async function trackedIn(root: string, signal: AbortSignal | undefined): Promise<ReadonlySet<string>> {
  const tracked = new Set<string>();
  for (const file of await trackedFiles({ cwd: root, signal })) {
    for (let end = file.length; end > 0 && !tracked.has(file.slice(0, end)); end = file.lastIndexOf('/', end - 1)) {
      tracked.add(file.slice(0, end));
      if (tracked.size > 2 * MOST_ENTRIES) throw tooMany();
    }
  }
  return tracked;
}

/** Where a symbolic link leads; `null` if not to a file inside the root: no way leads out, or around in circles. */
async function linkedFile(root: string, file: string): Promise<string | null> {
  const target = await realpath(path.join(root, file)).catch(() => '');
  return target.startsWith(root + path.sep) && (await stat(target)).isFile() ? target : null;
}

/** The nearest `.gitignore` with a pattern for a path decides (gitignore(5)). */
function isIgnored(file: string, isFolder: boolean, rules: readonly Rules[]): boolean {
  for (const { folder, ignore } of rules.toReversed()) {
    const below = path.relative(folder, file).replaceAll(path.sep, '/');
    const { ignored, unignored } = ignore.test(isFolder ? `${below}/` : below);
    if (ignored || unignored) return ignored;
  }
  return false;
}

async function rulesOf(file: string, signal: AbortSignal | undefined): Promise<Rules> {
  const text = await readRegular(await realpath(file), LARGEST_RULES, signal);
  if (text === null) throw new SourceError(`larger than ${LARGEST_RULES} bytes`);
  // Loaded where a folder has such a file.
  const { default: makeIgnore } = await import('ignore');
  const folder = file.slice(0, -(file.endsWith(EXCLUDE) ? EXCLUDE : IGNORE).length - 1);
  return { folder, ignore: makeIgnore().add(text.toString('utf8')) };
}

/**
 * The rules of the folders above, up to the root of the repository. None where they leave out the folder itself: then
 * it is what a build made, and all of it is deployed.
 */
async function rulesAbove(
  root: string,
  readRules: (file: string) => Promise<readonly Rules[]>,
): Promise<readonly Rules[]> {
  const rules: Rules[] = [];
  const folders = [root];
  let top = root;
  while (!existsSync(path.join(top, '.git'))) {
    const above = path.dirname(top);
    if (above === top) return [];
    top = above;
    folders.push(top);
    if (existsSync(path.join(top, IGNORE))) rules.unshift(...(await readRules(path.join(top, IGNORE))));
  }
  if (existsSync(path.join(top, EXCLUDE))) rules.unshift(...(await readRules(path.join(top, EXCLUDE))));
  const isLeftOut = folders.slice(0, -1).some((folder) => {
    const above = rules.filter((one) => folder.startsWith(one.folder + path.sep));
    return isIgnored(folder, true, above);
  });
  return isLeftOut ? [] : rules;
}

const LARGEST_MANIFEST = 64 * 1024 * 1024;
const HASH = /^[0-9a-f]{64}$/;

const MOST_NAMED = 5;

/**
 * The manifest of a folder as text, its files by path, sorted, `except` one; the same files give the same bytes. Rejects with a
 * `SourceError` for a folder that cannot be read or holds nothing to deploy.
 */
export async function writeManifest(folder: string, except: string | null = null): Promise<string> {
  const { files: all, unread } = await readFolder(folder);
  if (unread.length > 0) throw new SourceError(`not readable: ${unread.slice(0, MOST_NAMED).join(', ')}`);
  const files = [...all].filter(([name]) => name !== except);
  if (files.length === 0) throw new SourceError('no files to deploy');
  const manifest = { schemaVersion: 1, algorithm: 'sha256', files: Object.fromEntries(files) };
  return `${JSON.stringify(manifest, null, 1)}\n`;
}

async function manifestSource(name: string, file: string, signal: AbortSignal | undefined): Promise<Source> {
  const files = await readManifest(file, signal);
  const none = (): Promise<[]> => Promise.resolve([]);
  const nothing = (): Promise<null> => Promise.resolve(null);
  return {
    name,
    kind: 'manifest',
    files: () => Promise.resolve(files),
    skipped: none,
    unread: none,
    repositoryFolder: nothing,
    read: nothing,
    history: nothing,
  };
}

async function readManifest(file: string, signal: AbortSignal | undefined): Promise<ReadonlyMap<string, SourceFile>> {
  const value = await readable(async (): Promise<unknown> => {
    const text = await readRegular(await realpath(file), LARGEST_MANIFEST, signal);
    if (text === null) throw new SourceError(`larger than ${LARGEST_MANIFEST} bytes`);
    return JSON.parse(text.toString('utf8').replace(/^\uFEFF/, ''));
  }, signal);
  const { schemaVersion, algorithm, files } = isRecord(value) ? value : {};
  if (schemaVersion !== 1 || algorithm !== 'sha256' || !isRecord(files)) {
    throw new SourceError('no manifest of docvitals: schemaVersion 1, algorithm sha256, files');
  }
  const entries = Object.entries(files);
  if (entries.length > MOST_ENTRIES) throw tooMany();
  return new Map(entries.map(([name, entry]) => [name, fileOf(name, entry)]));
}

function fileOf(file: string, entry: unknown): SourceFile {
  const isInside = file.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
  if (!isRecord(entry) || !isInside) throw new SourceError(`files: ${file}`);
  const { bytes, sha256, textSha256 } = entry;
  const isHash = (hash: unknown): hash is string => typeof hash === 'string' && HASH.test(hash);
  if (typeof bytes !== 'number' || !Number.isSafeInteger(bytes) || bytes < 0)
    throw new SourceError(`files: ${file}: bytes`);
  if (!isHash(sha256)) throw new SourceError(`files: ${file}: sha256`);
  if (textSha256 !== null && !isHash(textSha256)) throw new SourceError(`files: ${file}: textSha256`);
  return { bytes, sha256, textSha256 };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
