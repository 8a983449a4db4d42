/**
 * Runs the built command in the process of the test: for rows of what ends before any request, such as mistakes in its
 * arguments, and of what one site has reported. A process for each takes 0.3 s.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';
import type { run } from '../../src/cli/main.ts';
import type { RunResult } from './run.ts';

const built = createRequire(import.meta.url)('../../dist/cli.cjs') as {
  readonly run: typeof run;
};

export type ResultHere = Pick<RunResult, 'status' | 'stdout' | 'stderr'>;

export interface OptionsHere {
  /** Default: an empty folder. */
  readonly cwd?: string;
  /** Added to an environment without a language and without colours. */
  readonly env?: Readonly<Record<string, string>>;
}

let last: Promise<unknown> = Promise.resolve();

/** Runs one command at a time: the folder, the environment and the output are those of the process. */
export async function runHere(args: readonly string[], { cwd, env = {} }: OptionsHere = {}): Promise<ResultHere> {
  const empty = cwd === undefined ? mkdtempSync(path.join(tmpdir(), 'docvitals-here-')) : '';
  const plain = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', NO_COLOR: '1' };
  const surroundings = { cwd: cwd ?? empty, env: { ...plain, ...env } };
  try {
    const { result, stdout, stderr } = await inSurroundings(surroundings, () => built.run(args));
    return { status: result, stdout, stderr };
  } finally {
    if (empty !== '') rmSync(empty, { recursive: true });
  }
}

export interface Dependencies {
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Captured<T> {
  readonly result: T;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, in the order in which they were written. */
  readonly output: string;
}

/** Calls what is the main function of another process, with a folder and an environment of its own; one call at a time. */
export function inSurroundings<T>(surroundings: Dependencies, main: () => Promise<T>): Promise<Captured<T>> {
  const captured = last.then(() => callNow(surroundings, main));
  last = captured.catch(() => {});
  return captured;
}

async function callNow<T>({ cwd, env }: Dependencies, main: () => Promise<T>): Promise<Captured<T>> {
  const before = { cwd: process.cwd(), env: { ...process.env }, listeners: listeners() };
  const written = { stdout: '', stderr: '', output: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text, ...rest: readonly unknown[]) => {
      written[name] += String(text);
      written.output += String(text);
      const done = rest.at(-1) as (() => void) | string | undefined;
      if (typeof done === 'function') done();
      return true;
    }),
  );
  try {
    process.chdir(cwd);
    setEnvironment(env);
    return { result: await main(), ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
    for (const [index, { name, all }] of listeners().entries())
      for (const added of all.slice(before.listeners[index]?.all.length)) process.off(name, added);
    setEnvironment(before.env);
    process.chdir(before.cwd);
  }
}

const EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'] as const;

type Listener = (...given: unknown[]) => void;

/** A command leaves its listeners behind, because its process ends. */
const listeners = () => EVENTS.map((name) => ({ name, all: process.listeners(name as 'SIGINT') as Listener[] }));

/** The object stays: modules hold it. */
function setEnvironment(wanted: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in wanted)) delete process.env[name];
  Object.assign(process.env, wanted);
}
