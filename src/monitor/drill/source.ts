/** What a drill's `--source` names. */
import { lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { withoutUserinfo } from '../../base-url.ts';
import { git, IN_WORK_TREE } from '../../source/run-git.ts';
import { SourceError } from '../../source/source-error.ts';

/** Where the files of a drill come from. */
export type DrillSource =
  | {
      readonly kind: 'repository';
      /** As it may be printed. */
      readonly name: string;
      /** What Git is given: an address, or the absolute path of a repository. May carry userinfo. */
      readonly address: string;
      /** The path below the repository's root that was named, with forward slashes; empty: the root. */
      readonly prefix: string;
      /** Files of the work tree that are not as in its last commit; 0 where there is no work tree here. */
      readonly uncommitted: number;
    }
  | { readonly kind: 'folder'; readonly name: string; readonly folder: string };

/** `https://…`, `ssh://…`, `git://…`, `file://…`, or `host:path` as ssh has it. Nothing that would run a helper (`ext::`). */
const ADDRESS = /^(?:(?:https?|ssh|git|file):\/\/[^\s]+|[^\s/:-][^\s/:]*:(?!:)[^\s]+)$/i;

/**
 * Finds out what `--source` names: a folder of a work tree, a bare repository, a plain folder, or the address of a
 * repository elsewhere. `null`: none of them. Rejects with a `SourceError` where Git refuses to read a work tree.
 */
export async function findSource(given: string, cwd: string): Promise<DrillSource | null> {
  const place = path.resolve(cwd, given);
  const found = given.includes('\0') ? null : await stat(place).catch(() => null);
  if (found?.isDirectory() === true) return localSource(given, await realpath(place));
  if (!ADDRESS.test(given)) return null;
  return { kind: 'repository', name: withoutUserinfo(given), address: given, prefix: '', uncommitted: 0 };
}

async function localSource(name: string, folder: string): Promise<DrillSource> {
  if (await isBare(folder)) return { kind: 'repository', name, address: folder, prefix: '', uncommitted: 0 };
  const tree = await workTreeOf(folder);
  if (tree === null) return { kind: 'folder', name, folder };
  return { kind: 'repository', name, ...tree, uncommitted: await uncommittedIn(folder) };
}

async function isBare(folder: string): Promise<boolean> {
  const names = await Promise.all(
    ['HEAD', 'objects', 'refs'].map((name) => lstat(path.join(folder, name)).catch(() => null)),
  );
  return names[0]?.isFile() === true && names.slice(1).every((entry) => entry?.isDirectory() === true);
}

/** What a site is called whose folder, from the root of the source, is `folder`: the root goes by its own name. */
export function siteName(folder: string, source: DrillSource): string {
  if (folder !== '.') return folder;
  const place = source.kind === 'folder' ? source.folder : source.address;
  // Of an address only what may be printed.
  const root = path.isAbsolute(place) ? place : source.name;
  return /([^/\\:]+?)(?:\.git)?[/\\]*$/.exec(root)?.[1] ?? folder;
}

/** The root of the work tree that a folder belongs to; `null`: it belongs to none. */
async function workTreeOf(folder: string): Promise<{ readonly address: string; readonly prefix: string } | null> {
  const root = await topOf(folder);
  if (root === null) return null;
  const { status, stdout, stderr } = await git([...IN_WORK_TREE, 'rev-parse', '--show-toplevel'], folder);
  if (status !== 0) throw new SourceError(stderr.trim().split('\n')[0] ?? '');
  const address = path.normalize(stdout.toString('utf8').replace(/\n$/, ''));
  return { address, prefix: path.relative(address, folder).replaceAll(path.sep, '/') };
}

/** The nearest folder upwards that holds `.git`, which is a file in worktrees and submodules. */
async function topOf(folder: string): Promise<string | null> {
  if ((await lstat(path.join(folder, '.git')).catch(() => null)) !== null) return folder;
  const above = path.dirname(folder);
  return above === folder ? null : topOf(above);
}

async function uncommittedIn(folder: string): Promise<number> {
  const { status, stdout } = await git(
    [...IN_WORK_TREE, 'status', '--porcelain', '-z', '--no-renames', '--', '.'],
    folder,
  );
  return status === 0
    ? stdout
        .toString('utf8')
        .split('\0')
        .filter((entry) => entry !== '').length
    : 0;
}
