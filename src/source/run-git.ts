import { spawn } from 'node:child_process';
import os from 'node:os';
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

/**
 * What a repository's own configuration may name and the commands here could start: hooks, and a check of signatures.
 * Options override it.
 */
const INERT = ['core.fsmonitor=false', `core.hooksPath=${os.devNull}`, 'log.showSignature=false'].flatMap((option) => [
  '-c',
  option,
]);

/**
 * No pager, no prompt, no optional locks: a check changes nothing. An object that a partial clone lacks is not fetched:
 * the repository's configuration names the remote, and the program that serves it. Git before 2.39.4 does not know
 * `GIT_NO_LAZY_FETCH`; no protocol is called `none`, so it finds none that is allowed.
 */
const ENVIRONMENT = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  LC_ALL: 'C',
};

/** Runs Git without a shell. Rejects with a `SourceError` when it cannot be started. */
export async function git(args: readonly string[], cwd: string, streamed?: GitInput): Promise<GitResult> {
  const env = { ...process.env, ...ENVIRONMENT };
  const child = spawn('git', ['--no-pager', ...INERT, ...args], {
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
