/** Runs a command in a process group of its own, so that everything it starts can be ended with it. */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { OWN_GROUP, processGroup } from '../process-group.ts';

export interface Command {
  /** A program with its arguments, or a line for the shell. */
  readonly run: { readonly file: string; readonly args: readonly string[] } | { readonly shell: string };
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the command and everything it started. */
  readonly signal: AbortSignal;
  /** Receives standard output and standard error as they come. */
  readonly onOutput?: (text: string) => void;
}

export interface CommandResult {
  /** `null`: a signal ended it, or it could not be started. */
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The system's code, such as `ENOENT`, if it could not be started. */
  readonly error: string | null;
  /** The last lines of its output. */
  readonly output: readonly string[];
}

/** Variables that Git sets for hooks; they would lead a clone to another repository. */
const REPOSITORY_VARIABLES: ReadonlySet<string> = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_DIR',
  'GIT_INDEX_FILE',
  'GIT_NAMESPACE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_WORK_TREE',
]);

/** An environment without the variables that name a repository. */
export function gitEnvironment(env: Command['env']): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !REPOSITORY_VARIABLES.has(name)));
}

/** Time to wait for output after the end: a process in the background may keep the pipe open. */
const LAST_OUTPUT_MS = 200;

/** Runs a command to its end. Never rejects. Its processes in the background continue, unless `signal` aborts. */
export async function runCommand({ run, cwd, env, signal, onOutput }: Command): Promise<CommandResult> {
  const tail = new Tail();
  // In a group of its own it cannot ask on the terminal, where nobody would reply in time.
  const options: SpawnOptions = { cwd, env, ...OWN_GROUP, stdio: ['ignore', 'pipe', 'pipe'] };
  const child: ChildProcess =
    'shell' in run ? spawn(run.shell, { ...options, shell: true }) : spawn(run.file, [...run.args], options);
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      tail.add(text);
      onOutput?.(text);
    });
  }
  const group = processGroup(child);
  signal.addEventListener('abort', group.end, { once: true });
  process.once('exit', group.kill);
  if (signal.aborted) group.end();
  const end = await endOf(child);
  group.release();
  signal.removeEventListener('abort', group.end);
  process.off('exit', group.kill);
  return { ...end, output: tail.lines() };
}

function endOf(child: ChildProcess): Promise<Omit<CommandResult, 'output'>> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      resolve({ status: null, signal: null, error: error.code ?? error.message });
    });
    child.once('exit', (status, signal) => {
      const done = (): void => resolve({ status, signal, error: null });
      child.once('close', done);
      setTimeout(done, LAST_OUTPUT_MS);
    });
  });
}

const MAX_LINES = 40;
/** UTF-16 code units of a line. */
const MAX_LINE_LENGTH = 2_000;

/** The last lines of an output. */
class Tail {
  #lines: string[] = [];
  #open = '';

  add(text: string): void {
    const lines = (this.#open + text).split(/\r\n|[\r\n]/);
    this.#open = (lines.pop() ?? '').slice(-MAX_LINE_LENGTH);
    this.#lines = [...this.#lines, ...lines.map((line) => line.slice(0, MAX_LINE_LENGTH))].slice(-MAX_LINES);
  }

  lines(): readonly string[] {
    return [...this.#lines, this.#open].filter((line) => line.trim() !== '').slice(-MAX_LINES);
  }
}
