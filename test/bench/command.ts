/** Runs a command to its end and shows what all of its processes took, by the operating system's own account. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Sample } from './measure.ts';

const STOPWATCH = path.join(import.meta.dirname, 'stopwatch.py');
const LIMIT_S = 300;

export interface Command {
  readonly argv: readonly string[];
  /** Added to an environment that holds nothing but where programs are. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface Place {
  /** Home, folder for temporary files and working directory of what runs, and where its output goes. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

export interface Finished {
  /** Exit status; negative: the number of the signal that ended it. */
  readonly status: number;
  /** Standard output and error, as they came. */
  readonly output: string;
  readonly cost: Required<Pick<Sample, 'wallMs' | 'cpuMs' | 'peakMiB'>>;
}

/** Where programs are, but for those that npm adds to run this: every miss costs a shell time. */
const PATH = (process.env['PATH'] ?? '')
  .split(path.delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(path.delimiter);

let interpreter: string | undefined;

/** The program itself: what the name stands for may be a script of a version manager. */
function python(): string {
  if (interpreter !== undefined) return interpreter;
  const { stdout, status } = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
  if (status !== 0) throw new Error('python3 is needed, to ask the system what a command took');
  interpreter = stdout.trim();
  return interpreter;
}

/** Runs it once. Rejects when it is aborted, or could not be run. */
export async function run({ argv, env = {}, cwd }: Command, { folder, signal }: Place): Promise<Finished> {
  signal.throwIfAborted();
  const file = path.join(folder, 'output.txt');
  const output = openSync(file, 'w');
  const child = spawn(python(), ['-I', '-S', STOPWATCH, String(LIMIT_S), ...argv], {
    cwd: cwd ?? folder,
    env: { PATH, LC_ALL: 'C', HOME: folder, TMPDIR: folder, ...env },
    stdio: ['ignore', output, output, 'pipe'],
    // Ctrl-C is not for the stopwatch: it is told to end what it runs.
    detached: true,
  });
  closeSync(output);
  const stop = (): void => void child.kill();
  signal.addEventListener('abort', stop);
  try {
    const [told] = await Promise.all([text(child.stdio[3] as Readable), once(child, 'close')]);
    signal.throwIfAborted();
    const said = readFileSync(file, 'utf8');
    if (told === '') throw new Error(`${argv[0]} could not be run: ${said.trim()}`);
    const { status, ...cost } = JSON.parse(told) as Finished['cost'] & { readonly status: number };
    return { status, output: said, cost };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
