import { spawn } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { SourceError } from './source-error.ts';

/** What came of a command of Git's. */
export interface GitResult {
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** What a command reads, and who takes what it writes. */
export interface GitInput {
  readonly input: string;
  readonly onData: (chunk: Buffer) => void;
}

/**
 * Options for a folder of a work tree. It may hold what somebody has only proposed: Git would take a folder with the files
 * of a bare repository for one, and run what its configuration names.
 */
export const IN_WORK_TREE = ['-c', 'safe.bareRepository=explicit'];

/** Reading alone starts nothing but this, which a repository's configuration may name. */
const INERT = ['-c', 'core.fsmonitor=false'];

/** Runs Git without a shell. Rejects with a `SourceError` when it cannot be started. */
export async function git(args: readonly string[], cwd: string, streamed?: GitInput): Promise<GitResult> {
  const trusted = await checkedOut(cwd, process.env);
  const safe = trusted === null ? [] : ['-c', `safe.directory=${trusted}`];
  // No pager, no prompt, no optional locks: a check changes nothing.
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
  const child = spawn('git', ['--no-pager', ...INERT, ...safe, ...args], {
    cwd,
    env,
    stdio: [streamed ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  let stderr = '';
  child.stdout?.on('data', streamed?.onData ?? ((chunk: Buffer) => chunks.push(chunk)));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // It may end before it has read everything; its status says so.
  child.stdin?.on('error', () => {}).end(streamed?.input);
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new SourceError(`git: ${error.message}`)));
    child.once('close', (status) => resolve({ status, stdout: Buffer.concat(chunks), stderr }));
  });
}

/**
 * The root of the repository that a folder belongs to, where a job of GitHub's has checked it out for itself: in the
 * job's container it belongs to another user, so that Git refuses to read it. `null` anywhere else: there it may have
 * been put by somebody else, and what its configuration names would be run; Git's own `safe.directory` decides.
 */
async function checkedOut(folder: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const { GITHUB_ACTIONS: isJob, GITHUB_WORKSPACE: workspace } = env;
  if (isJob !== 'true' || workspace === undefined || workspace === '') return null;
  try {
    const end = await realpath(workspace);
    for (let root = await realpath(folder); isBelow(root, end); root = path.dirname(root)) {
      if ((await stat(path.join(root, '.git')).catch(() => null)) !== null) return root.replaceAll(path.sep, '/');
      if (root === end) return null;
    }
  } catch {
    // There is no such folder: what needs it says so.
  }
  return null;
}

function isBelow(folder: string, top: string): boolean {
  return folder === top || folder.startsWith(top.endsWith(path.sep) ? top : top + path.sep);
}
