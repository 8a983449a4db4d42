/** Runs one row, through the built command or in this process, and reads its report. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeProgram } from '../../src/cli/commands.ts';
import type { CheckFlags } from '../../src/options/arguments.ts';
import { checked, runOptions } from '../../src/options/run-options.ts';
import { loadSettings, textsFor } from '../../src/options/settings.ts';
import { jsonReport } from '../../src/report/document.ts';
import { exitStatus } from '../../src/core/verdict.ts';
import { runCli } from '../cli/run.ts';
import type { RunResult } from '../cli/run.ts';
import { CHECKS } from './fault.ts';
import type { Fault, Outcome } from './fault.ts';

/** The part of the JSON report that rows speak of. */
interface ReportJson {
  readonly checks: readonly {
    readonly id: string;
    readonly status: Outcome['status'];
    readonly findings: readonly { readonly rule: string }[];
    readonly skipped?: { readonly rule: string };
  }[];
}

/** A rule that was given several times (three keys are there twice) counts once. */
const inWords = ({ status, codes }: Outcome): string => [`${status}:`, ...new Set(codes.toSorted())].join(' ');

/** What a report says, and the command's exit status. */
interface Told {
  readonly exit: number | null;
  /** By check, as `fail: not-found`. Output that is no report is kept as it is, for the test to show. */
  readonly checks: Readonly<Record<string, string>>;
}

/** What the row expects of each check, those that pass included. */
export function expected(row: Fault): Told {
  const own = row.config?.checks ?? [];
  const ids: readonly string[] = [...CHECKS, ...own.map(({ id }) => id)];
  const outcomes = ids.map((id) => [id, inWords(row.expected[id] ?? { status: 'pass', codes: [] })]);
  return { exit: row.exit, checks: Object.fromEntries(outcomes) as Record<string, string> };
}

/** What the command said of each check. */
export function told({ status: exit, stdout, stderr }: Pick<RunResult, 'status' | 'stdout' | 'stderr'>): Told {
  try {
    const { checks } = JSON.parse(stdout) as ReportJson;
    const outcomes = checks.map(({ id, status, findings, skipped }) => {
      const all = skipped === undefined ? findings : [...findings, skipped];
      return [id, inWords({ status, codes: all.map(({ rule }) => rule.slice(id.length + 1)) })];
    });
    return { exit, checks: Object.fromEntries(outcomes) as Record<string, string> };
  } catch {
    return { exit, checks: { stdout, stderr } };
  }
}

/** Runs the command on an address as the row says: its arguments, environment, configuration and limits. */
export async function runRow(row: Fault, url: string, env: Readonly<Record<string, string>> = {}): Promise<RunResult> {
  return inFolderOf(row, (cwd) =>
    runCli(['check', url, '--format', 'json', ...row.args], {
      cwd,
      env: { ...env, ...row.env },
      ...(row.descriptors === undefined ? {} : { descriptors: row.descriptors }),
      ...(row.preload === undefined ? {} : { preload: row.preload }),
      killAfterMs: row.mostMs + 10_000,
    }),
  );
}

/**
 * Checks an address in this process, as the command does with the row's arguments, configuration and environment. The
 * memory is unknown: the process also serves the site and runs other rows.
 */
export async function checkRow(
  row: Fault,
  url: string,
  served: Readonly<Record<string, string>> = {},
): Promise<RunResult> {
  return inFolderOf(row, async (cwd) => {
    const started = performance.now();
    const { NODE_EXTRA_CA_CERTS: trustFile, ...env } = { ...served, ...row.env };
    // Node reads the variable when it starts.
    if (trustFile !== undefined)
      setDefaultCACertificates([...getCACertificates('default'), readFileSync(trustFile, 'utf8')]);
    const settings = await loadSettings({}, env, { cwd });
    const report = await checked(await runOptions(url, flagsOf(row.args), settings, { env }), {});
    const stdout = jsonReport(report, { texts: await textsFor(settings), locate: () => null });
    const durationMs = performance.now() - started;
    return { status: exitStatus(report), signal: null, stdout, stderr: '', maxRssMiB: null, durationMs };
  });
}

/** The options of `docvitals check`, read by the parser of the command line. */
function flagsOf(args: readonly string[]): CheckFlags {
  const [command] = makeProgram({ done: () => {}, print: () => {} }, 'check').commands;
  if (command === undefined) throw new Error('the program has no command `check`');
  const { operands, unknown } = command.parseOptions([...args]);
  const unread = [...operands, ...unknown];
  if (unread.length > 0) throw new Error(`not an option of \`check\`: ${unread.join(' ')}`);
  return command.opts<CheckFlags>();
}

/** Calls `run` with a folder that has the row's configuration, and removes the folder. */
async function inFolderOf<T>({ config }: Fault, run: (cwd: string) => Promise<T>): Promise<T> {
  const cwd = mkdtempSync(join(tmpdir(), 'docvitals-row-'));
  if (config !== undefined) writeFileSync(join(cwd, 'docvitals.json'), JSON.stringify(config));
  try {
    return await run(cwd);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
