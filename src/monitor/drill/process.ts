/** Runs a command in a process group of its own, so that all that it started can be ended with it. */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { OWN_GROUP, processGroup } from '../process-group.ts';

/** What to run. */
export interface Command {
  /** A program with its arguments, or a line for the shell as its user typed it. */
  readonly run: { readonly file: string; readonly args: readonly string[] } | { readonly shell: string };
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the command and all that it started. */
  readonly signal: AbortSignal;
  /** Called with each piece of its standard output and standard error, as it comes. */
  readonly onOutput?: (text: string) => void;
}

/** What came of a command. */
export interface Ran {
  /** `null`: a signal ended it, or it could not be started. */
  readonly status: number | null;
  /** The signal that ended it. */
  readonly signal: NodeJS.Signals | null;
  /** The system's code, such as `ENOENT`, where it could not be started. */
  readonly error: string | null;
  /** The last lines of its output, the newest last. */
  readonly output: readonly string[];
}

/** Variables that lead Git to another repository, as hooks have them: they must not lead a clone elsewhere. */
const LEADING: ReadonlySet<string> = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_DIR',
  'GIT_INDEX_FILE',
  'GIT_NAMESPACE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_WORK_TREE',
]);

/** An environment without what would lead Git elsewhere. */
export function unled(env: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !LEADING.has(name)));
}

/** How long output is waited for after the end: what was started in the background may keep it open. */
const LAST_OUTPUT_MS = 200;

/** Runs a command to its end. Never rejects. What it left running in the background goes on, unless it was ended. */
export async function runCommand({ run, cwd, env, signal, onOutput }: Command): Promise<Ran> {
  const tail = new Tail();
  const child = start(run, {
    cwd,
    env,
    // It cannot ask on the terminal then, where nobody would answer within the time.
    ...OWN_GROUP,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      tail.add(text);
      onOutput?.(text);
    });
  }
  const ended = endOf(child);
  const release = endWith(child, signal);
  const { status, by, error } = await ended;
  release();
  return { status, signal: by, error, output: tail.lines() };
}

function start(run: Command['run'], options: SpawnOptions): ChildProcess {
  return 'shell' in run ? spawn(run.shell, { ...options, shell: true }) : spawn(run.file, [...run.args], options);
}

interface End {
  readonly status: number | null;
  readonly by: NodeJS.Signals | null;
  readonly error: string | null;
}

function endOf(child: ChildProcess): Promise<End> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      resolve({ status: null, by: null, error: error.code ?? error.message });
    });
    child.once('exit', (status, by) => {
      const tell = (): void => resolve({ status, by, error: null });
      child.once('close', tell);
      setTimeout(tell, LAST_OUTPUT_MS);
    });
  });
}

/** Ends the command with a signal, and with this process at the latest; returns what lets go of it. */
function endWith(child: ChildProcess, signal: AbortSignal): () => void {
  const group = processGroup(child);
  signal.addEventListener('abort', group.end, { once: true });
  process.once('exit', group.kill);
  if (signal.aborted) group.end();
  return () => {
    group.release();
    signal.removeEventListener('abort', group.end);
    process.off('exit', group.kill);
  };
}

const MOST_LINES = 40;
/** Of a line, in UTF-16 code units. */
const LONGEST_LINE = 2_000;

/** The last lines of an output. */
class Tail {
  #lines: string[] = [];
  #open = '';

  add(text: string): void {
    const lines = (this.#open + text).split(/\r\n|[\r\n]/);
    this.#open = (lines.pop() ?? '').slice(-LONGEST_LINE);
    this.#lines = [...this.#lines, ...lines.map((line) => line.slice(0, LONGEST_LINE))].slice(-MOST_LINES);
  }

  lines(): readonly string[] {
    return [...this.#lines, this.#open].filter((line) => line.trim() !== '').slice(-MOST_LINES);
  }
}
