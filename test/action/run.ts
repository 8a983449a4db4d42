/**
 * Runs the Action with the environment that the runner of GitHub Actions gives it: the inputs of action.yml, and the files
 * that the runner reads afterwards (actions/runner: NodeScriptActionHandler, FileCommandManager). `startAction` starts
 * what is built in another process, as the runner does; `runAction` calls the main function in the process of the test,
 * which takes a tenth of the time.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { vi } from 'vitest';
import { parse } from 'yaml';
import { main } from '../../src/action/run.ts';
import { reporting } from '../../src/options/arguments.ts';
import { inSurroundings } from '../cli/run-here.ts';
import { readRunnerOutput, type RunnerCommand } from '../reports/runner.ts';
import { temporary } from './workspace.ts';

export const ROOT = path.join(import.meta.dirname, '../..');

interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string }>>;
  readonly runs: { readonly using: string; readonly main: string };
}

/** What action.yml of a folder says. */
export function manifestOf(folder: string = ROOT): Manifest {
  return parse(readFileSync(path.join(folder, 'action.yml'), 'utf8')) as Manifest;
}

export const TOKEN = 'ghs_0123456789abcdefghijklmnopqrstuvwxyz';

export interface ActionOptions {
  readonly inputs?: Readonly<Record<string, string>>;
  /** The payload of the event. */
  readonly event?: unknown;
  /** Added to what the runner sets. */
  readonly env?: Readonly<Record<string, string>>;
  /** What the job has checked out. Default: an empty folder. */
  readonly workspace?: string;
  /** What the job summary of the step holds already. */
  readonly summary?: string;
}

export interface StartOptions extends ActionOptions {
  /** The folder that the Action is in. Default: this repository. */
  readonly action?: string;
  /** How long it may take. Default: a minute. */
  readonly limitMs?: number;
  /** Called as soon as it runs. */
  readonly onStart?: (child: ChildProcess) => void;
  /** Called with the output so far whenever there is more of it. */
  readonly onOutput?: (output: string, child: ChildProcess) => void;
}

export interface ActionResult {
  readonly status: number | null;
  /** Standard output and standard error: the runner reads both, and makes one log of them. */
  readonly output: string;
  readonly stderr: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly commands: readonly RunnerCommand[];
  /** The lines of the log that are no commands. */
  readonly log: readonly string[];
  /** Commands `error` and `warning`. */
  readonly errors: readonly RunnerCommand[];
  readonly warnings: readonly RunnerCommand[];
  /** What the variables for later steps, their `PATH` and the state of the step hold: nothing is to. */
  readonly leftBehind: string;
  readonly report: () => Readonly<Record<string, unknown>>;
  readonly durationMs: number;
}

/** Calls the Action's main function, one call at a time. */
export async function runAction(options: ActionOptions = {}): Promise<ActionResult> {
  const folder = temporary('runner');
  const env = environment(folder, manifestOf(), options);
  const began = performance.now();
  // It enters the workspace itself.
  const { result: status, ...printed } = await inSurroundings({ cwd: folder, env }, statusOfMain);
  return resultOf({ folder, status, ...printed, durationMs: performance.now() - began });
}

/** It ends its process with the status, and leaves the language that it used behind. */
async function statusOfMain(): Promise<number> {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  try {
    delete reporting.language;
    await main();
    return Number(exit.mock.calls[0]?.[0]);
  } finally {
    exit.mockRestore();
  }
}

/** Starts the built Action and waits for its end. */
export async function startAction(options: StartOptions = {}): Promise<ActionResult> {
  const folder = temporary('runner');
  const action = options.action ?? ROOT;
  const manifest = manifestOf(action);
  const env = environment(folder, manifest, options);
  const began = performance.now();
  const child = spawn(process.execPath, [path.join(action, manifest.runs.main)], {
    cwd: env['GITHUB_WORKSPACE'],
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    options.onOutput?.(output, child);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    stderr += text;
  });
  options.onStart?.(child);
  const killer = setTimeout(() => child.kill('SIGKILL'), options.limitMs ?? 60_000);
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(killer);
  return resultOf({ folder, status, output, stderr, durationMs: performance.now() - began });
}

/** What a run has printed, and what it has written into the runner's files in a folder. */
function resultOf({
  folder,
  ...printed
}: { readonly folder: string } & Pick<ActionResult, 'status' | 'output' | 'stderr' | 'durationMs'>): ActionResult {
  const { commands, log } = readRunnerOutput(printed.output);
  const file = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
  const outputs = readOutputs(file('output'));
  return {
    ...printed,
    outputs,
    summary: file('summary'),
    commands,
    log,
    errors: commands.filter(({ name }) => name === 'error'),
    warnings: commands.filter(({ name }) => name === 'warning'),
    leftBehind: file('env') + file('path') + file('state'),
    report: () => JSON.parse(readFileSync(outputs['report-json'] ?? '', 'utf8')) as Record<string, unknown>,
  };
}

function environment(folder: string, manifest: Manifest, options: ActionOptions): Record<string, string> {
  for (const name of ['output', 'summary', 'env', 'path', 'state']) writeFileSync(path.join(folder, name), '');
  writeFileSync(path.join(folder, 'summary'), options.summary ?? '');
  for (const name of ['temp', 'workspace']) mkdirSync(path.join(folder, name));
  writeFileSync(path.join(folder, 'event.json'), JSON.stringify(options.event ?? {}));
  const inputs = Object.entries(manifest.inputs).map(([name, input]) => {
    const value = options.inputs?.[name] ?? (input.default ?? '').replace('${{ github.token }}', TOKEN);
    return [`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`, value] as const;
  });
  const unknown = Object.keys(options.inputs ?? {}).filter((name) => !Object.hasOwn(manifest.inputs, name));
  if (unknown.length > 0) throw new Error(`action.yml has no input ${unknown.join(', ')}`);
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    LANG: 'C.UTF-8',
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION: '__self',
    GITHUB_ACTOR: 'octocat',
    GITHUB_API_URL: 'http://127.0.0.1:9',
    GITHUB_ENV: path.join(folder, 'env'),
    GITHUB_EVENT_NAME: 'push',
    GITHUB_EVENT_PATH: path.join(folder, 'event.json'),
    GITHUB_JOB: 'docs',
    GITHUB_OUTPUT: path.join(folder, 'output'),
    GITHUB_PATH: path.join(folder, 'path'),
    GITHUB_REF: 'refs/heads/main',
    GITHUB_REPOSITORY: 'octocat/handbook',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_RUN_ID: '1234567890',
    GITHUB_RUN_NUMBER: '7',
    GITHUB_SERVER_URL: 'https://github.test',
    GITHUB_SHA: 'ffac537e6cbbf934b08745a378932722df287a53',
    GITHUB_STATE: path.join(folder, 'state'),
    GITHUB_STEP_SUMMARY: path.join(folder, 'summary'),
    GITHUB_WORKFLOW: 'Docs',
    GITHUB_WORKFLOW_REF: 'octocat/handbook/.github/workflows/docs.yml@refs/heads/main',
    GITHUB_WORKSPACE: options.workspace ?? path.join(folder, 'workspace'),
    RUNNER_ARCH: 'X64',
    RUNNER_ENVIRONMENT: 'github-hosted',
    RUNNER_NAME: 'GitHub Actions 1',
    RUNNER_OS: 'Linux',
    RUNNER_TEMP: path.join(folder, 'temp'),
    ...Object.fromEntries(inputs),
    ...options.env,
  };
}

/** Reads a file of outputs by its documented format: `name=value`, or `name<<delimiter`, lines, the delimiter. */
export function readOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split('\n');
  if (lines.pop() !== '') throw new Error('the last line has no end');
  while (lines.length > 0) {
    const line = lines.shift() ?? '';
    const [, name, delimiter] = /^([^=]+?)<<(.+)$/.exec(line) ?? [];
    if (name === undefined || delimiter === undefined) {
      const [, plainName, value] = /^([^=]+)=(.*)$/.exec(line) ?? [];
      if (plainName === undefined) throw new Error(`no output: ${line}`);
      outputs[plainName] = value ?? '';
      continue;
    }
    const end = lines.indexOf(delimiter);
    if (end === -1) throw new Error(`the delimiter ${delimiter} is missing`);
    outputs[name] = lines.splice(0, end).join('\n');
    lines.shift();
  }
  return outputs;
}
