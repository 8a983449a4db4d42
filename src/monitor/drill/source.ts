/** The files of a drill: what `--source` names, a clone or a copy of it, and the folder of the site in it. */
import { constants } from 'node:fs';
import { cp, lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { withoutUserinfo } from '../../base-url.ts';
import type { DrillWords } from '../../generated/locales/drill.ts';
import { git, gitEnvironment, IN_WORK_TREE, INERT } from '../../source/git.ts';
import { SourceError } from '../../source/content.ts';
import { runCommand, type CommandResult } from '../run-command.ts';
import type { StepId } from './drill.ts';

export interface Failure {
  readonly step: StepId;
  readonly reason: keyof DrillWords['failures'];
  /** The message of the system, Git or the shell; untrusted. */
  readonly detail: string | null;
  readonly output: readonly string[];
}

/** Ends the drill in its current step. */
export class DrillError extends Error {
  readonly failure: Omit<Failure, 'step'>;

  constructor(reason: Failure['reason'], detail: string | null = null, output: readonly string[] = []) {
    super(reason);
    this.failure = { reason, detail, output };
  }
}

export interface DrillSource {
  readonly kind: 'repository' | 'folder';
  readonly name: string;
  /** A URL, or an absolute path. May contain userinfo. */
  readonly address: string;
  /** The path below the repository's root that was named, with forward slashes. */
  readonly prefix: string;
  readonly uncommitted: number;
}

/** What was named is the root, and nothing in it differs from a last commit. */
const WHOLE = { prefix: '', uncommitted: 0 };

/** `https://…`, `ssh://…`, `git://…`, `file://…`, or `host:path` of ssh; not `ext::…`, which runs a program. */
const ADDRESS = /^(?:(?:https?|ssh|git|file):\/\/[^\s]+|[^\s/:-][^\s/:]*:(?!:)[^\s]+)$/i;

/**
 * Finds what `--source` names: a folder of a work tree, a bare repository, a plain folder, or the address of a
 * repository. `null`: none of these. Rejects with a `SourceError` if Git refuses to read a work tree.
 */
export async function findSource(given: string, cwd: string): Promise<DrillSource | null> {
  const local = path.resolve(cwd, given);
  if (!given.includes('\0') && (await isFolder(local))) return localSource(given, await realpath(local));
  if (!ADDRESS.test(given)) return null;
  return { kind: 'repository', name: withoutUserinfo(given), address: given, ...WHOLE };
}

const isFolder = async (name: string): Promise<boolean> => (await stat(name).catch(() => null))?.isDirectory() === true;

async function localSource(name: string, folder: string): Promise<DrillSource> {
  if (await isBare(folder)) return { kind: 'repository', name, address: folder, ...WHOLE };
  const root = await workTreeOf(folder);
  if (root === null) return { kind: 'folder', name, address: folder, ...WHOLE };
  const prefix = path.relative(root, folder).replaceAll(path.sep, '/');
  return { kind: 'repository', name, address: root, prefix, uncommitted: await uncommittedIn(folder) };
}

async function isBare(folder: string): Promise<boolean> {
  const [head, ...folders] = await Promise.all(
    ['HEAD', 'objects', 'refs'].map((name) => lstat(path.join(folder, name)).catch(() => null)),
  );
  return head?.isFile() === true && folders.every((entry) => entry?.isDirectory() === true);
}

async function workTreeOf(folder: string): Promise<string | null> {
  const ancestors = folder
    .split(path.sep)
    .map((_, index, names) => names.slice(0, index + 1).join(path.sep) || path.sep);
  // `.git` is a file in worktrees and submodules.
  const marks = await Promise.all(ancestors.map((name) => lstat(path.join(name, '.git')).catch(() => null)));
  if (marks.every((mark) => mark === null)) return null;
  const { status, stdout, stderr } = await git([...IN_WORK_TREE, 'rev-parse', '--show-toplevel'], folder);
  if (status !== 0) throw new SourceError(stderr.trim().split('\n')[0] ?? '');
  return path.normalize(stdout.toString('utf8').replace(/\n$/, ''));
}

async function uncommittedIn(folder: string): Promise<number> {
  const changes = ['status', '--porcelain', '-z', '--no-renames', '--', '.'];
  const { status, text } = await git([...IN_WORK_TREE, ...changes], folder);
  return status === 0 ? text().split('\0').filter(Boolean).length : 0;
}

export function siteName(folder: string, { address, name }: DrillSource): string {
  if (folder !== '.') return folder;
  // A URL may contain userinfo.
  const printed = path.isAbsolute(address) ? address : name;
  return /([^/\\:]+?)(?:\.git)?[/\\]*$/.exec(printed)?.[1] ?? folder;
}

export interface ObtainOptions {
  readonly target: string;
  readonly branch: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** Clones a repository, or copies a folder. Rejects with a `DrillError`. */
export async function obtain({ kind, address }: DrillSource, options: ObtainOptions) {
  return kind === 'folder' ? copy(address, options) : clone(address, options);
}

async function clone(address: string, options: ObtainOptions) {
  const { target } = options;
  const shallow = await runClone(address, options, ['--depth', '1']);
  // A server of plain files only sends whole repositories.
  const needsWhole = shallow.output.some((line) => line.includes('does not support shallow'));
  const result = needsWhole ? await runClone(address, options, []) : shallow;
  if (result.status !== 0) throw cloneError(result);
  const head = ['--git-dir', path.join(target, '.git'), 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}'];
  const { text: commit, status } = await git(head, target);
  const hasSubmodules = (await lstat(path.join(target, '.gitmodules')).catch(() => null)) !== null;
  return { commit: status === 0 ? commit() : null, hasSubmodules };
}

/** Starts no hook: neither the repository's nor those of the user's template. */
function runClone(address: string, { target, branch, env, signal }: ObtainOptions, depth: readonly string[]) {
  const only = ['--single-branch', '--no-tags', '--no-local', '--no-recurse-submodules', '--template=', '--quiet'];
  const chosen = branch === null ? [] : ['--branch', branch];
  return runCommand({
    run: { file: 'git', args: ['--no-pager', ...INERT, 'clone', ...depth, ...only, ...chosen, '--', address, target] },
    cwd: path.dirname(target),
    // Fail instead of asking for a password; credential helpers still work.
    env: { ...gitEnvironment(env), GIT_TERMINAL_PROMPT: '0', SSH_ASKPASS_REQUIRE: 'never', LC_ALL: 'C' },
    signal,
  });
}

function cloneError({ error, output }: CommandResult): DrillError {
  if (error !== null) return new DrillError('no-git', error);
  // Git prints the URL that it was given.
  const lines = output.map((line) => line.replaceAll(/\/\/[^/\s]*@/g, '//'));
  // Hints follow the error on lines of their own.
  const detail = lines.findLast((line) => /^(?:fatal|error):/.test(line)) ?? lines.at(-1) ?? null;
  const isFull = output.some((line) => /No space left on device|Disk quota exceeded/i.test(line));
  return new DrillError(isFull ? 'no-room' : 'clone-failed', detail, lines);
}

async function copy(folder: string, { target, signal }: ObtainOptions) {
  try {
    await cp(folder, target, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: async (from) => {
        signal.throwIfAborted();
        const entry = await lstat(from);
        // Pipes and sockets are not files of a site.
        return entry.isFile() || entry.isDirectory() || entry.isSymbolicLink();
      },
    });
    return { commit: null, hasSubmodules: false };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOSPC' || code === 'EDQUOT' ? 'no-room' : 'copy-failed';
    throw new DrillError(reason, code ?? message);
  }
}

/**
 * The absolute path of the site in the clone `root`; `null`: none was found. `prefix`: the path that `--source` named,
 * `folder`: the one below it that `--folder` named. Rejects with a `DrillError` for a folder that does not exist.
 */
export async function siteFolderIn(
  root: string,
  prefix: string,
  folder: string | null,
  search: (top: string) => Promise<string | null>,
): Promise<string | null> {
  const top = path.join(root, prefix);
  const site = folder ?? ((await isFolder(top)) ? await search(top) : null);
  if (site === null) return null;
  const found = path.resolve(top, site);
  if (folder !== null && !(await isBelow(root, found))) throw new DrillError('no-folder');
  return found;
}

async function isBelow(root: string, folder: string): Promise<boolean> {
  if (!(await isFolder(folder))) return false;
  const relative = path.relative(await realpath(root), await realpath(folder));
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
