/** The Git repository of a folder, and its remote. */
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { git as runGit, gitEnvironment } from '../source/git.ts';

const GIT_TIMEOUT_MS = 5_000;
const USUAL_BRANCHES = ['main', 'master'];

export type Repository = NonNullable<Awaited<ReturnType<typeof findRepository>>>;

/** `null`: none. Its `remote` is `null` where there is none, or one on this machine. */
export async function findRepository(folder: string) {
  const root = await topOf(await realpath(folder));
  if (root === null) return null;
  const names = (await git(root, ['remote']))?.split('\n') ?? [];
  const name = ['origin', 'upstream'].find((known) => names.includes(known)) ?? names[0];
  const [url, branch] = await Promise.all([
    name === undefined ? null : git(root, ['remote', 'get-url', '--', name]),
    branchOf(root, name ?? null),
  ]);
  return { root, remote: url === null ? null : parseRemote(url), branch };
}

/** The default branch of the remote, else a branch with a usual name, else the current one. */
async function branchOf(root: string, remote: string | null): Promise<string | null> {
  const head = remote === null ? null : await git(root, ['symbolic-ref', '--quiet', `refs/remotes/${remote}/HEAD`]);
  const own = `refs/remotes/${remote}/`;
  if (head?.startsWith(own)) return head.slice(own.length);
  const namespaces = ['refs/heads', ...(remote === null ? [] : [`refs/remotes/${remote}`])];
  const refs = namespaces.flatMap((prefix) => USUAL_BRANCHES.map((name) => `${prefix}/${name}`));
  const existing = (await git(root, ['for-each-ref', '--format=%(refname)', '--', ...refs]))?.split('\n') ?? [];
  const usual = USUAL_BRANCHES.find((name) => existing.some((ref) => ref.endsWith(`/${name}`)));
  return usual ?? git(root, ['symbolic-ref', '--short', 'HEAD']);
}

/** The nearest folder upwards with `.git`, which is a file in worktrees and submodules. */
async function topOf(folder: string): Promise<string | null> {
  const found = await lstat(path.join(folder, '.git')).catch(() => null);
  if (found !== null) return folder;
  const above = path.dirname(folder);
  return above === folder ? null : topOf(above);
}

/** The output of Git without white space around it; `null` if it fails or is missing. */
async function git(cwd: string, args: readonly string[]): Promise<string | null> {
  const options = { env: gitEnvironment(process.env), timeoutMs: GIT_TIMEOUT_MS };
  const run = await runGit(args, cwd, options).catch(() => null);
  return (run?.status === 0 && run.text()) || null;
}

export type Remote = NonNullable<ReturnType<typeof parseRemote>>;

const NAME = /^[\w.~-]+$/;

/**
 * Reads a remote's URL: `https://host/owner/name.git`, `ssh://git@host:22/owner/name`, `git@host:owner/name.git`.
 * `null` for a folder on this machine and for anything else. Drops userinfo. `host`: in lower case; may be an alias of the
 * ssh configuration. `owner`: a user, an organisation, or groups (`a/b`).
 */
export function parseRemote(url: string) {
  const address = addressOf(url.trim());
  if (address === null) return null;
  const segments = address.path
    .replace(/\.git\/?$/, '')
    .split('/')
    .filter((segment) => segment !== '');
  const name = segments.pop();
  if (name === undefined || segments.length === 0 || ![...segments, name].every((part) => NAME.test(part))) return null;
  const host = address.host.toLowerCase();
  return { forge: forgeOf(host), host, owner: segments.join('/'), name };
}

function addressOf(url: string): { host: string; path: string } | null {
  if (/^(?:https?|ssh|git|git\+ssh):\/\//i.test(url)) {
    const parsed = URL.parse(url);
    return parsed && { host: parsed.hostname, path: parsed.pathname };
  }
  // `host:path` of scp; one letter is a drive.
  const [, host, pathname] = /^(?:[^@/\\:]+@)?([^@/\\:]{2,}):(?!\/\/)([^]+)$/.exec(url) ?? [];
  return host === undefined || pathname === undefined ? null : { host, path: pathname };
}

function forgeOf(host: string): 'github' | 'gitlab' | 'other' {
  if (host.includes('github')) return 'github';
  return host.includes('gitlab') ? 'gitlab' : 'other';
}

/** The address of a repository's pages without a domain of their own; `null` if unknown. */
export function pagesUrl({ forge, host, owner, name }: Remote): string | null {
  // An alias of the ssh configuration has no dot.
  const isPublic = /^(?:www\.|ssh\.|altssh\.)?git(?:hub|lab)\.com$/.test(host) || !host.includes('.');
  const [user = '', ...groups] = owner.toLowerCase().split('/');
  if (!isPublic || forge === 'other' || !/^[a-z\d-]+$/.test(user)) return null;
  const domain = `${user}.${forge}.io`;
  const segments = [...groups, name];
  return segments.length === 1 && name.toLowerCase() === domain
    ? `https://${domain}/`
    : `https://${domain}/${segments.join('/')}/`;
}
