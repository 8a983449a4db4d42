/** Runs a command to its end, and reads from the operating system what all of its processes took. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Sample } from './measure.ts';
import { FOLDER } from './session.ts';

const STOPWATCH = path.join(import.meta.dirname, 'stopwatch.py');
const LIMIT_S = 300;

export interface Command {
  readonly argv: readonly string[];
  /** Added to an environment with nothing but the PATH and folders. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface Finished {
  /** Exit status; negative: the number of the signal that ended it. */
  readonly status: number;
  /** Standard output and error. */
  readonly output: string;
  readonly cost: Sample;
}

/** Without the folders that npm adds: a shell searches all of them for each program. */
const PATH = (process.env['PATH'] ?? '')
  .split(path.delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(path.delimiter);

let interpreter: string | undefined;

/** The interpreter itself: `python3` may be a script of a version manager. */
function python(): string {
  interpreter ??= spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], {
    encoding: 'utf8',
  }).stdout?.trim();
  if (!interpreter) throw new Error('python3 is needed to measure commands');
  return interpreter;
}

/** Its home, temporary files and working directory are in the folder of the benchmark. */
export async function run({ argv, env = {}, cwd = FOLDER }: Command): Promise<Finished> {
  const file = path.join(FOLDER, 'output.txt');
  const output = openSync(file, 'w');
  const child = spawn(python(), ['-I', '-S', STOPWATCH, String(LIMIT_S), ...argv], {
    cwd,
    env: { PATH, LC_ALL: 'C', HOME: FOLDER, TMPDIR: FOLDER, ...env },
    stdio: ['ignore', output, output, 'pipe'],
  });
  closeSync(output);
  const [measured] = await Promise.all([text(child.stdio[3] as Readable), once(child, 'close')]);
  const printed = readFileSync(file, 'utf8');
  if (measured === '') throw new Error(`${argv[0]} could not be run: ${printed.trim()}`);
  const { status, ...cost } = JSON.parse(measured) as Sample & { readonly status: number };
  return { status, output: printed, cost };
}

/** What it took. Throws where it did not succeed. */
export async function costOf(command: Command): Promise<Sample> {
  const { status, output, cost } = await run(command);
  if (status !== 0) throw new Error(`${command.argv.join(' ')} ended with ${status}: ${output.slice(-1000)}`);
  return cost;
}
