import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Ignore } from 'ignore';
import { lazy, mapConcurrently } from '../concurrency.ts';
import { LARGEST_TEXT, sourceHashOf, isCompared, isDeployable, readable, SourceError } from './content.ts';
import { gitHistory, trackedFiles, workTree } from './git.ts';
import type { Source } from './types.ts';

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
export function folderSource(name: string, root: string, cwd: string): Source {
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
export async function readFolder(root: string) {
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
