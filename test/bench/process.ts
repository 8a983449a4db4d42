/** A program that runs until it is stopped, and what the operating system knows of it: Linux only. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { pause } from './session.ts';

/** Clock ticks a second in /proc (USER_HZ, which is 100 on every architecture of Linux that Node supports). */
const TICKS_A_SECOND = 100;
const KEPT_OUTPUT = 100_000;

export interface ProcessOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

export class Process {
  /** The end of its standard output. */
  output = '';
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #name: string;

  constructor(argv: readonly string[], { cwd, env = {} }: ProcessOptions) {
    const [file = '', ...args] = argv;
    this.#name = argv.slice(0, 3).join(' ');
    this.#child = spawn(file, args, {
      cwd,
      env: { PATH: process.env['PATH'], HOME: cwd, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#ended = once(this.#child, 'exit');
    this.#child.stdout?.on('data', (data: Buffer) => (this.output = (this.output + data).slice(-KEPT_OUTPUT)));
  }

  get pid(): number {
    return this.#child.pid ?? NaN;
  }

  /** Resolves when the condition is met; rejects when the program has ended. */
  async until(condition: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await condition())) {
      const { exitCode } = this.#child;
      if (exitCode !== null) throw new Error(`${this.#name} ended with ${exitCode}: ${this.output.slice(-1000)}`);
      await pause(0.1);
    }
  }

  untilPrinted(pattern: RegExp): Promise<void> {
    return this.until(() => pattern.test(this.output));
  }

  untilServed(url: string): Promise<void> {
    return this.until(async () => (await read(url)) !== undefined);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.#child.kill(signal);
    await this.#ended;
  }
}

/** The body of a response with a status of success. */
export async function read(url: string): Promise<string | undefined> {
  const response = await fetch(url).catch(() => null);
  const text = await response?.text();
  return response?.ok === true ? text : undefined;
}

/** User and system time of a process with all its threads, in ms, in steps of 10. proc(5). */
export function cpuMsOf(pid: number | string): number {
  const fields = statOf(pid);
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND) * 1000;
}

/** The same of those below it that have ended. */
export function endedCpuMsOf(pid: number): number {
  const fields = statOf(pid);
  return ((Number(fields[13]) + Number(fields[14])) / TICKS_A_SECOND) * 1000;
}

export const parentOf = (pid: string): string | undefined => statOf(pid)[1];

/** The fields from the third one, the state, on. The second one, the name, is in parentheses and may contain anything. */
const statOf = (pid: number | string): readonly string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];

/** The largest resident size that a process has had, in MiB. */
export const peakMiBOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
