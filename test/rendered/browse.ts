/** Runs the built command with `--browser` and reads what it reports. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CheckDocument, ReportDocument } from '../../src/report/document.ts';
import { runCli, type RunOptions, type RunResult } from '../cli/run.ts';

export interface Browsed extends RunResult {
  readonly report: ReportDocument;
  readonly rendered: CheckDocument;
}

export async function browse(url: string, args: readonly string[] = [], options: RunOptions = {}): Promise<Browsed> {
  const result = await runCli(['check', url, '--browser', '--format', 'json', ...args], options);
  if (result.stdout === '') throw new Error(result.stderr);
  const report = JSON.parse(result.stdout) as ReportDocument;
  const rendered = report.checks.find(({ id }) => id === 'rendered');
  if (rendered === undefined) throw new Error('The check rendered is missing.');
  return { ...result, report, rendered };
}

/** Each finding's rule, by its name, with its cause, or `null`. */
export const causesOf = ({ id, findings }: CheckDocument): readonly (readonly [rule: string, cause: string | null])[] =>
  findings
    .map(({ rule, cause = null }) => [rule.slice(id.length + 1), cause] as const)
    .toSorted(([one], [other]) => one.localeCompare(other));

/** A folder for one test, with a configuration. */
export function folderWith(configuration: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'docvitals-rendered-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  if (configuration !== '') writeFileSync(join(folder, 'docvitals.yaml'), configuration);
  return folder;
}
