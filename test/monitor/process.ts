/** `docvitals monitor` as a process of its own, over a folder with a configuration. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fitting } from '../contracts.ts';
import { runCli, type RunOptions, type RunResult } from '../cli/run.ts';

export interface Project {
  readonly folder: string;
  readonly database: string;
  readonly configure: (config: object) => void;
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<RunResult>;
  readonly remove: () => void;
}

/** A folder with `docvitals.json`. */
export function makeProject(config: object): Project {
  const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-monitor-'));
  const configure = (changed: object): void =>
    writeFileSync(path.join(folder, 'docvitals.json'), JSON.stringify(changed));
  configure(config);
  return {
    folder,
    database: path.join(folder, 'docvitals.db'),
    configure,
    run: (args, options = {}) => runCli(args, { cwd: folder, ...options }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A line of the log. */
export interface Line {
  readonly level: string;
  readonly event: string;
  readonly [name: string]: unknown;
}

export interface MonitorProcess {
  readonly child: ChildProcess;
  readonly lines: Line[];
  /** Resolves with the line of an event, the next one that comes or one that came already. */
  readonly told: (event: string) => Promise<Line>;
  readonly ended: Promise<RunResult>;
}

/** Starts a monitor that logs JSON; resolves once it runs. Rejects when it ends before. */
export async function startProcess(
  project: Project,
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<MonitorProcess> {
  const lines: Line[] = [];
  const waiting: { readonly event: string; readonly resolve: (line: Line) => void }[] = [];
  const take = (line: Line): void => {
    lines.push(line);
    for (const { resolve } of waiting.filter(({ event }) => event === line.event)) resolve(line);
  };
  const { promise: started, resolve: onStart } = Promise.withResolvers<ChildProcess>();
  const ended = project.run(['monitor', '--log', 'json', ...args], { ...options, onStart });
  const child = await started;
  let rest = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    const parts = `${rest}${chunk.toString()}`.split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) take(fitting('logLine', part) as Line);
  });
  const told = (event: string): Promise<Line> =>
    new Promise((resolve) => {
      const known = lines.find((line) => line.event === event);
      if (known === undefined) waiting.push({ event, resolve });
      else resolve(known);
    });
  const failed = ended.then(({ status, stderr }) => {
    throw new Error(`ended with ${status}: ${stderr}`);
  });
  // It is waited for by whoever started it.
  failed.catch(() => {});
  await Promise.race([told('monitor-started'), failed]);
  return { child, lines, told, ended };
}
