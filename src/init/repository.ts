import { execFile } from 'node:child_process';
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { parseRemote, type Remote } from './remote.ts';

const GIT_TIMEOUT_MS = 5_000;
/** What default branches are called, the likeliest first. */
const USUAL_BRANCHES = ['main', 'master'];
/** Variables that lead Git elsewhere, as in a hook. */
const LEADING = new Set(['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX', 'GIT_COMMON_DIR']);

/** The Git repository that a folder lies in. */
export interface Repository {
  /** Its top folder, an absolute path without symbolic links. */
  readonly root: string;
  /** What it is pushed to; `null`: no remote, or one on this machine. */
  readonly remote: Remote | null;
  /** The default branch as far as it is known or likely, else the current one; `null`: none of them. */
  readonly branch: string | null;
}

/** Finds the repository of a folder; `null` outside of all. Without Git, what only Git knows is `null`. */
export async function findRepository(folder: string): Promise<Repository | null> {
  const root = await topOf(await realpath(folder));
  if (root === null) return null;
  const names = (await git(root, ['remote']))?.split('\n').filter((name) => name !== '') ?? [];
  const name = ['origin', 'upstream'].find((known) => names.includes(known)) ?? names[0];
  const [url, branch] = await Promise.all([
    name === undefined ? null : git(root, ['remote', 'get-url', '--', name]),
    branchOf(root, name ?? null),
  ]);
  return { root, remote: url === null ? null : parseRemote(url), branch };
}

/** What the remote calls its default, else a branch that is usually it, else the one that is checked out. */
async function branchOf(root: string, remote: string | null): Promise<string | null> {
  const head = remote === null ? null : await git(root, ['symbolic-ref', '--quiet', `refs/remotes/${remote}/HEAD`]);
  const prefix = `refs/remotes/${remote}/`;
  if (head?.startsWith(prefix)) return head.slice(prefix.length);
  const places = ['refs/heads', ...(remote === null ? [] : [`refs/remotes/${remote}`])];
  const refs = places.flatMap((place) => USUAL_BRANCHES.map((name) => `${place}/${name}`));
  const there = (await git(root, ['for-each-ref', '--format=%(refname)', '--', ...refs]))?.split('\n') ?? [];
  const usual = USUAL_BRANCHES.find((name) => there.some((ref) => ref.endsWith(`/${name}`)));
  return usual ?? git(root, ['symbolic-ref', '--short', 'HEAD']);
}

/** The nearest folder upwards that holds `.git`, which is a file in worktrees and submodules. */
async function topOf(folder: string): Promise<string | null> {
  const found = await lstat(path.join(folder, '.git')).catch(() => null);
  if (found !== null) return folder;
  const above = path.dirname(folder);
  return above === folder ? null : topOf(above);
}

/** What Git prints, without the final line feed; `null` when it fails or is not there. */
function git(cwd: string, args: readonly string[]): Promise<string | null> {
  const kept = Object.entries(process.env).filter(([name]) => !LEADING.has(name));
  const env = { ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
  return new Promise((resolve) => {
    execFile('git', ['--no-pager', ...args], { cwd, env, timeout: GIT_TIMEOUT_MS }, (error, stdout) => {
      const text = stdout.replace(/\n$/, '');
      resolve(error === null && text !== '' ? text : null);
    });
  });
}
