import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Ignore } from 'ignore';
import { lazy, mapConcurrently } from '../concurrency.ts';
import { isCompared, isDeployable, LARGEST_TEXT, readable, SourceError, sourceHashOf } from './content.ts';
import { gitHistory, gitSource, trackedFiles, workTree } from './git.ts';
import type { Source, SourceFile } from './types.ts';

export { SourceError };

/**
 * Opens a folder, a hash manifest (`*.json`) or a Git ref (`main`, `HEAD:docs`). A folder or file of that name counts
 * before a ref. Rejects with a `SourceError` when neither exists; nothing of their files is read yet.
 */
export async function openSource(name: string, cwd: string): Promise<Source> {
  if (name.includes('\0')) throw new SourceError('not found');
  const location = path.resolve(cwd, name);
  const found = await stat(location).catch(() => null);
  if (found?.isDirectory() === true) return folderSource(name, location, cwd);
  if (found?.isFile() === true && name.endsWith('.json')) return manifestSource(name, location);
  if (name.endsWith('.json') && !name.includes(':')) throw new SourceError('no such file');
  return gitSource(name, cwd);
}

/** Far more than a documentation site has: who names `/` by mistake gets an error. */
const MOST_FILES = 200_000;
const CONCURRENCY = 16;
/** A user's own rules, which are not committed (gitignore(5)). */
const EXCLUDE = '.git/info/exclude';

interface Rules {
  readonly folder: string;
  readonly ignore: Ignore;
}

/** `cwd`: where docvitals runs. */
function folderSource(name: string, root: string, cwd: string): Source {
  const read = lazy(() => readFolder(root));
  return {
    name,
    kind: 'folder',
    files: async () => (await read()).files,
    skipped: async () => (await read()).skipped,
    repositoryFolder: async () => {
      const below = path.relative(cwd, root).replaceAll(path.sep, '/');
      const isElsewhere = /^\.\.(?:\/|$)/.test(below) || path.isAbsolute(below);
      return (await workTree(root))?.folder ?? (isElsewhere ? null : below);
    },
    read: (file) => {
      const location = path.join(root, file);
      return readable(async () => ((await stat(location)).size > LARGEST_TEXT ? null : readFile(location)));
    },
    history: lazy(async () => {
      const tree = await workTree(root);
      return tree === null ? null : gitHistory(tree);
    }),
  };
}

/**
 * Reads a folder, and hashes its files. What `.gitignore` files (in it, below it, and above it up to the repository's
 * root) leave out is left out, unless Git tracks it all the same. Links that lead elsewhere are not followed.
 */
async function readFolder(root: string) {
  const real = await realpath(root);
  const rulesOfRoot = await rulesAbove(real);
  /** Files that Git tracks, and the folders that hold them. */
  const tracked = new Set<string>();
  for (const file of await trackedFiles(real)) {
    for (let end = file.length; end > 0; end = file.lastIndexOf('/', end - 1)) tracked.add(file.slice(0, end));
  }
  const found: string[] = [];
  const skipped: string[] = [];
  const walk = async (folder: string, above: readonly Rules[]): Promise<void> => {
    const entries = await readdir(path.join(real, folder), { withFileTypes: true });
    const hasRules = entries.some(({ name }) => name === '.gitignore');
    const rules = hasRules ? [...above, await rulesOf(path.join(real, folder))] : above;
    for (const entry of entries) {
      const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (!isDeployable(entry.name)) continue;
      const isFolder = entry.isDirectory();
      if (!isFolder && !entry.isFile() && !(entry.isSymbolicLink() && (await isLinkedFile(real, file)))) {
        skipped.push(file);
        continue;
      }
      if (!tracked.has(file) && isIgnored(path.join(real, file), isFolder, rules)) continue;
      if (isFolder) await walk(file, rules);
      else if (isCompared(file)) found.push(file);
      if (found.length > MOST_FILES) throw new SourceError(`more than ${MOST_FILES} files`);
    }
  };
  return readable(async () => {
    await walk('', rulesOfRoot);
    const files = await mapConcurrently(found.toSorted(), CONCURRENCY, async (file) => {
      return [file, await sourceHashOf(createReadStream(path.join(real, file)))] as const;
    });
    return { files: new Map(files), skipped };
  });
}

/** Whether a symbolic link is followed: only to files inside the root, so that no way leads out or around in circles. */
async function isLinkedFile(root: string, file: string): Promise<boolean> {
  const target = await realpath(path.join(root, file)).catch(() => '');
  return target.startsWith(root + path.sep) && (await stat(target)).isFile();
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

async function rulesOf(folder: string, file = '.gitignore'): Promise<Rules> {
  // Loaded where a folder has such a file.
  const { default: makeIgnore } = await import('ignore');
  return { folder, ignore: makeIgnore().add(await readFile(path.join(folder, file), 'utf8')) };
}

/**
 * The rules of the folders above, up to the root of the repository. None where they leave out the folder itself: then
 * it is what a build made, and all of it is deployed.
 */
async function rulesAbove(root: string): Promise<readonly Rules[]> {
  const rules: Rules[] = [];
  const folders = [root];
  let top = root;
  while (!existsSync(path.join(top, '.git'))) {
    const above = path.dirname(top);
    if (above === top) return [];
    top = above;
    folders.push(top);
    if (existsSync(path.join(top, '.gitignore'))) rules.unshift(await rulesOf(top));
  }
  if (existsSync(path.join(top, EXCLUDE))) rules.unshift(await rulesOf(top, EXCLUDE));
  const isLeftOut = folders.slice(0, -1).some((folder) => {
    const above = rules.filter((one) => folder.startsWith(one.folder + path.sep));
    return isIgnored(folder, true, above);
  });
  return isLeftOut ? [] : rules;
}

const LARGEST_MANIFEST = 64 * 1024 * 1024;
const HASH = /^[0-9a-f]{64}$/;

/**
 * The manifest of a folder as text, its files by path, sorted, `except` one; the same files give the same bytes. Rejects with a
 * `SourceError` for a folder that cannot be read or holds nothing to deploy.
 */
export async function writeManifest(folder: string, except: string | null = null): Promise<string> {
  const files = [...(await readFolder(folder)).files].filter(([name]) => name !== except);
  if (files.length === 0) throw new SourceError('no files to deploy');
  const manifest = { schemaVersion: 1, algorithm: 'sha256', files: Object.fromEntries(files) };
  return `${JSON.stringify(manifest, null, 1)}\n`;
}

async function manifestSource(name: string, file: string): Promise<Source> {
  const files = await readManifest(file);
  const nothing = (): Promise<null> => Promise.resolve(null);
  return {
    name,
    kind: 'manifest',
    files: () => Promise.resolve(files),
    skipped: () => Promise.resolve([]),
    repositoryFolder: nothing,
    read: nothing,
    history: nothing,
  };
}

async function readManifest(file: string): Promise<ReadonlyMap<string, SourceFile>> {
  const value = await readable(async (): Promise<unknown> => {
    const text = await readFile(file, 'utf8');
    if (text.length > LARGEST_MANIFEST) throw new SourceError(`larger than ${LARGEST_MANIFEST} bytes`);
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  });
  const { schemaVersion, algorithm, files } = isRecord(value) ? value : {};
  if (schemaVersion !== 1 || algorithm !== 'sha256' || !isRecord(files)) {
    throw new SourceError('no manifest of docvitals: schemaVersion 1, algorithm sha256, files');
  }
  return new Map(Object.entries(files).map(([name, entry]) => [name, fileOf(name, entry)]));
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
