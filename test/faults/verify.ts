/** Runs one row through the real command and reads what it said. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../cli/run.ts';
import type { RunResult } from '../cli/run.ts';
import { CHECKS } from './fault.ts';
import type { Fault, Outcome } from './fault.ts';

/** The part of the JSON report that rows speak of. */
interface ReportJson {
  readonly checks: readonly {
    readonly id: string;
    readonly status: Outcome['status'];
    readonly findings: readonly { readonly code: string }[];
    readonly skipped?: { readonly code: string };
  }[];
}

/** A code that was given several times (three keys are there twice) counts once. */
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
export function told({ status: exit, stdout, stderr }: RunResult): Told {
  try {
    const { checks } = JSON.parse(stdout) as ReportJson;
    const outcomes = checks.map(({ id, status, findings, skipped }) => {
      const all = skipped === undefined ? findings : [...findings, skipped];
      return [id, inWords({ status, codes: all.map(({ code }) => code) })];
    });
    return { exit, checks: Object.fromEntries(outcomes) as Record<string, string> };
  } catch {
    return { exit, checks: { stdout, stderr } };
  }
}

/** Runs the command on an address as the row says: its arguments, environment, configuration and limits. */
export async function runRow(row: Fault, url: string, env: Readonly<Record<string, string>> = {}): Promise<RunResult> {
  const cwd = mkdtempSync(join(tmpdir(), 'docvitals-row-'));
  if (row.config !== undefined) writeFileSync(join(cwd, 'docvitals.json'), JSON.stringify(row.config));
  try {
    return await runCli(['check', url, '--format', 'json', ...row.args], {
      cwd,
      env: { ...env, ...row.env },
      ...(row.descriptors === undefined ? {} : { descriptors: row.descriptors }),
      ...(row.preload === undefined ? {} : { preload: row.preload }),
      killAfterMs: row.mostMs + 10_000,
    });
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
