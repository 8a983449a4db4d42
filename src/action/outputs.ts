/** The outputs of the Action: what later steps of a job can read. */
import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import type { Report } from '../check.ts';
import type { Messages } from '../locales/messages.ts';
import { writing } from '../output.ts';
import { printable } from '../printable.ts';
import { summaryOf } from '../report/groups.ts';
import { NOTHING_STALE } from '../report/stale.ts';
import { isFailed } from '../verdict.ts';
import type { Artifact } from './artifact.ts';

/** The outputs of a run that was skipped. Every one is always set, empty if there is nothing to say. */
export const NO_OUTPUTS = {
  verdict: '',
  /** The ids of the checks that failed, with commas between them; under `strict` also those with warnings. */
  failed: '',
  /**
   * The verdict and the number of checks by status, or that an old version is live, in one line. Nothing that a site
   * sends: workflows write it into commands.
   */
  summary: '',
  'report-dir': '',
  'report-json': '',
  'artifact-id': '',
  'artifact-url': '',
  fresh: '',
  /** How long after the waiting began everything was new and healthy, in milliseconds. */
  'live-after-ms': '',
};

type Outputs = Readonly<typeof NO_OUTPUTS>;

/** `files`: where the reports are; `null`: they could not be written. `artifact`: with them in it; `null`: none. */
export function outputsOf(
  report: Report,
  messages: Messages,
  files: { readonly folder: string; readonly json: string } | null,
  artifact: Artifact | null = null,
): Outputs {
  // Of a stale site that it is stale, but not what is old: the site names that.
  const summary = summaryOf(report, messages, ({ both }) => ({ ...NOTHING_STALE, both }));
  const failed = report.checks.filter((result) => isFailed(result, report));
  return {
    verdict: report.verdict,
    failed: failed.map(({ id }) => id).join(','),
    summary: verdictLine(report, messages, summary),
    'report-dir': files?.folder ?? '',
    'report-json': files?.json ?? '',
    'artifact-id': artifact?.id ?? '',
    'artifact-url': artifact?.url ?? '',
    fresh: report.fresh === null ? '' : String(report.fresh),
    'live-after-ms': String(report.waited?.allGreenMs ?? ''),
  };
}

/** `degraded: 2 of 5 checks failed (0.31 s)`; of a stale site what is old, named as the site names it. */
export function verdictLine(report: Report, messages: Messages, summary = summaryOf(report, messages)): string {
  return printable(messages.verdictLine(messages.verdicts[report.verdict], summary));
}

/** Outputs in the format of `GITHUB_OUTPUT`, each between lines with the delimiter, a random text that no value contains. */
export function outputFile(outputs: Outputs, delimiter: string): string {
  return Object.entries(outputs)
    .map(([name, value]) => `${name}<<${delimiter}\n${value}\n${delimiter}\n`)
    .join('');
}

export async function writeOutputs(env: NodeJS.ProcessEnv, outputs: Outputs): Promise<void> {
  const file = env['GITHUB_OUTPUT'];
  if (file === undefined || file === '') return;
  await writing(file, appendFile(file, outputFile(outputs, `docvitals_${randomUUID()}`)));
}
