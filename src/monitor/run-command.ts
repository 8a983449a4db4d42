/** Runs a program in a process group of its own, so that everything it started can be ended with it. */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';

export interface Command {
  readonly run: { readonly file: string; readonly args: readonly string[] } | { readonly shell: string };
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Its standard input; then its output is discarded. It need not read it. */
  readonly input?: string;
  readonly onOutput?: (text: string) => void;
}

export interface CommandResult {
  /** `null`: a signal ended it, or it could not be started. */
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly error: string | null;
  readonly output: readonly string[];
}

/** There are no process groups on Windows. */
const HAS_GROUPS = process.platform !== 'win32';
const GRACE_MS = 2_000;
/** Time to wait for output after the end: a process in the background may keep the pipe open. */
const LAST_OUTPUT_MS = 200;

/** Runs a program to its end. Never rejects. Its processes in the background continue, unless `signal` aborts. */
export async function runCommand({ run, cwd, env, signal, input, onOutput }: Command): Promise<CommandResult> {
  let printed = '';
  const stdio = input === undefined ? ['ignore', 'pipe', 'pipe'] : ['pipe', 'ignore', 'ignore'];
  // In a group of its own it cannot ask on the terminal, where no one would reply in time.
  const options = { cwd, env, detached: HAS_GROUPS, windowsHide: true, stdio } as SpawnOptions;
  let child: ChildProcess;
  try {
    child = 'shell' in run ? spawn(run.shell, { ...options, shell: true }) : spawn(run.file, [...run.args], options);
  } catch (error) {
    return { status: null, signal: null, error: (error as NodeJS.ErrnoException).code ?? 'failed', output: [] };
  }
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-MAX_PRINTED);
      onOutput?.(text);
    });
  }
  child.stdin?.on('error', () => {}).end(input);
  const kill = (): void => signalGroup(child, 'SIGKILL');
  let killer: NodeJS.Timeout | undefined;
  const end = (): void => {
    signalGroup(child, 'SIGTERM');
    killer ??= setTimeout(kill, GRACE_MS);
  };
  signal.addEventListener('abort', end, { once: true });
  process.once('exit', kill);
  if (signal.aborted) end();
  const ended = await endOf(child);
  // What the program started may have ignored the first signal.
  if (killer !== undefined) kill();
  clearTimeout(killer);
  signal.removeEventListener('abort', end);
  process.off('exit', kill);
  return { ...ended, output: lastLines(printed) };
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (!HAS_GROUPS || child.pid === undefined) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended meanwhile.
  }
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
const MAX_LINE_LENGTH = 2_000;
const MAX_PRINTED = MAX_LINES * MAX_LINE_LENGTH;

/** The last lines that have text. */
function lastLines(printed: string): readonly string[] {
  const lines = printed.split(/\r\n|[\r\n]/).filter((line) => line.trim() !== '');
  return lines.slice(-MAX_LINES).map((line) => line.slice(0, MAX_LINE_LENGTH));
}
