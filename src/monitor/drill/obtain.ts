/** Gets the files of a drill into its empty folder. */
import { constants } from 'node:fs';
import { cp, lstat } from 'node:fs/promises';
import path from 'node:path';
import { git } from '../../source/run-git.ts';
import type { Failure } from './result.ts';
import { runCommand, unled, type Ran } from './process.ts';
import type { DrillSource } from './source.ts';

/** What was got, or why it was not. */
export type Obtained =
  | { readonly ok: true; readonly commit: string | null; readonly hasSubmodules: boolean }
  | ({ readonly ok: false } & Pick<Failure, 'reason' | 'detail' | 'output'>);

/** How the files are got. */
export interface Obtaining {
  /** Where to: an absolute path that does not exist yet. */
  readonly target: string;
  /** The branch or tag to clone; `null`: the repository's own default. */
  readonly branch: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends it: the time is up, or somebody stopped the drill. */
  readonly signal: AbortSignal;
}

/** Clones a repository, or copies a folder. Never rejects. */
export function obtain(source: DrillSource, how: Obtaining): Promise<Obtained> {
  return source.kind === 'folder' ? copy(source.folder, how) : clone(source.address, how);
}

/** The same as for every command of Git's here, and nothing of the user's templates: their hooks are not ours to run. */
const SAFE = ['--no-pager', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];

async function clone(address: string, how: Obtaining): Promise<Obtained> {
  const { target } = how;
  const shallow = await runClone(address, how, ['--depth', '1']);
  // A host of plain files has no more to offer than the whole of a repository.
  const whole = shallow.output.some((line) => line.includes('does not support shallow'));
  const ran = whole ? await runClone(address, how, []) : shallow;
  if (ran.status !== 0) return failed(ran);
  const named = ['--git-dir', path.join(target, '.git'), 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}'];
  const { stdout, status } = await git(named, target);
  const hasSubmodules = (await lstat(path.join(target, '.gitmodules')).catch(() => null)) !== null;
  return { ok: true, commit: status === 0 ? stdout.toString('utf8').trim() : null, hasSubmodules };
}

function runClone(address: string, { target, branch, env, signal }: Obtaining, depth: readonly string[]): Promise<Ran> {
  const only = ['--single-branch', '--no-tags', '--no-local', '--no-recurse-submodules', '--template=', '--quiet'];
  const chosen = branch === null ? [] : ['--branch', branch];
  return runCommand({
    run: { file: 'git', args: [...SAFE, 'clone', ...depth, ...only, ...chosen, '--', address, target] },
    cwd: path.dirname(target),
    // Nobody is asked for anything; who needs a password has a helper for it.
    env: { ...unled(env), GIT_TERMINAL_PROMPT: '0', SSH_ASKPASS_REQUIRE: 'never', LC_ALL: 'C' },
    signal,
  });
}

function failed({ error, output }: Ran): Obtained {
  if (error !== null) return { ok: false, reason: 'no-git', detail: error, output: [] };
  const lines = output.map(withoutSecrets);
  // The last line is what it ended with; hints follow it in lines of their own.
  const last = lines.findLast((line) => /^(?:fatal|error):/.test(line)) ?? lines.at(-1) ?? null;
  const reason = output.some((line) => /No space left on device|Disk quota exceeded/i.test(line))
    ? 'no-room'
    : 'clone-failed';
  return { ok: false, reason, detail: last, output: lines };
}

/** Git repeats the address that it was given. */
const withoutSecrets = (line: string): string => line.replaceAll(/\/\/[^/\s]*@/g, '//');

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

async function copy(folder: string, { target, signal }: Obtaining): Promise<Obtained> {
  try {
    await cp(folder, target, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: async (from) => {
        signal.throwIfAborted();
        const entry = await lstat(from);
        // A pipe or a socket is no file of a site.
        return entry.isFile() || entry.isDirectory() || entry.isSymbolicLink();
      },
    });
    return { ok: true, commit: null, hasSubmodules: false };
  } catch (error) {
    const { code = null, message } = error as NodeJS.ErrnoException;
    const reason = FULL.has(code ?? '') ? 'no-room' : 'copy-failed';
    return { ok: false, reason, detail: code ?? message, output: [] };
  }
}
