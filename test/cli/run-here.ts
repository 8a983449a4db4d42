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
export function runHere(args: readonly string[], options: OptionsHere = {}): Promise<ResultHere> {
  const result = last.then(() => runNow(args, options));
  last = result.catch(() => {});
  return result;
}

async function runNow(args: readonly string[], { cwd, env = {} }: OptionsHere): Promise<ResultHere> {
  const before = { cwd: process.cwd(), env: { ...process.env }, listeners: listeners() };
  const empty = cwd === undefined ? mkdtempSync(path.join(tmpdir(), 'docvitals-here-')) : null;
  const [out, err] = [capture(process.stdout), capture(process.stderr)];
  try {
    process.chdir(cwd ?? empty ?? before.cwd);
    setEnvironment({ PATH: before.env['PATH'] ?? '', LC_ALL: 'C', NO_COLOR: '1', ...env });
    const status = await built.run(args);
    return { status, stdout: out.text(), stderr: err.text() };
  } finally {
    for (const { end } of [out, err]) end();
    for (const [index, { name, all }] of listeners().entries())
      for (const added of all.slice(before.listeners[index]?.all.length)) process.off(name, added);
    setEnvironment(before.env);
    process.chdir(before.cwd);
    if (empty !== null) rmSync(empty, { recursive: true });
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A command leaves its listeners of signals behind, because its process ends. */
const listeners = () => SIGNALS.map((name) => ({ name, all: process.listeners(name) }));

/** Keeps what is written instead of writing it. */
function capture(stream: NodeJS.WriteStream) {
  let written = '';
  const spy = vi.spyOn(stream, 'write').mockImplementation((text, ...rest: readonly unknown[]) => {
    written += String(text);
    const done = rest.at(-1) as (() => void) | string | undefined;
    if (typeof done === 'function') done();
    return true;
  });
  return { text: () => written, end: () => spy.mockRestore() };
}

/** The object stays: modules hold it. */
function setEnvironment(wanted: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in wanted)) delete process.env[name];
  Object.assign(process.env, wanted);
}
