/** Writes to GitHub's own pages: the job summary, the comment on a pull request, the issue of an incident. */
import { appendFile, stat } from 'node:fs/promises';
import type { Report } from '../check.ts';
import { pullRequestOf, writeComment } from '../github/comment.ts';
import { trackIncident, type Condition } from '../github/incident.ts';
import { Refused, type Rest } from '../github/rest.ts';
import { writing } from '../output.ts';
import { fitting } from '../report/cut.ts';
import { codeSpan, prose } from '../report/markdown-text.ts';
import { markdownVerdict, markdownWithin } from '../report/markdown.ts';
import type { ReportOptions } from '../report/formats.ts';
import type { RunEvent } from './event.ts';
import type { Log } from './log.ts';
import type { ActionWords } from '../generated/locales/action.ts';

/** GitHub takes 1 MiB a step, after the runner has put `***` instead of secrets, which may make it longer. */
const SUMMARY_BYTES = 2 ** 20 - 2 ** 16;
/** GitHub takes 65,536 characters in a comment or an issue; a character has one byte or more. */
const BODY_BYTES = 60_000;

export interface Publishing {
  readonly report: Report;
  readonly options: ReportOptions;
  readonly words: ActionWords;
  readonly log: Log;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Appends the report to the job summary, with every finding that there is room for. `whole`: the file that contains all
 * of them; `null`: none. Below it, `note` is a sentence, and `artifactUrl` where the report can be downloaded. Rejects with
 * an `OutputError`.
 */
export async function writeSummary(
  { report, options, words, env }: Publishing,
  whole: string | null,
  note: string | null,
  artifactUrl: string | null,
): Promise<void> {
  const file = env['GITHUB_STEP_SUMMARY'];
  if (file === undefined || file === '') return;
  const taken = (await stat(file).catch(() => null))?.size ?? 0;
  const link = artifactUrl === null ? '' : `[${words.artifactLink}](${artifactUrl})\n\n`;
  const more = (note === null ? '' : `> ${prose(note)}\n\n`) + link;
  const room = Math.max(0, SUMMARY_BYTES - taken - Buffer.byteLength(more));
  const text = `${markdownWithin(report, { ...options, detail: 'verbose' }, room, whole)}\n${more}`;
  await writing(file, appendFile(file, text));
}

export function commentOn(rest: Rest, event: RunEvent, publishing: Publishing): Promise<void> {
  const { report, options, words, log, env } = publishing;
  const repository = env['GITHUB_REPOSITORY'] ?? '';
  return warningOfRefusal('comment', publishing, async () => {
    const { pullRequest: named, commit } = event;
    const pullRequest = named ?? (commit === null ? null : await pullRequestOf(rest, repository, commit));
    if (pullRequest === null) return log.notice(words.noPullRequest());
    const target = {
      repository,
      pullRequest,
      step: stepOf(env, event),
      site: report.site.url,
      run: `${env['GITHUB_RUN_ID']}/${env['GITHUB_RUN_ATTEMPT']}`,
    };
    await writeComment(rest, target, `${markdownWithin(report, options, BODY_BYTES)}\n${runLink(env, words)}`);
  });
}

/** The workflow, job and step that run, and the environment that was deployed to: the same in every run of them. */
function stepOf(env: NodeJS.ProcessEnv, { deployment }: RunEvent): string {
  const [workflow = ''] = (env['GITHUB_WORKFLOW_REF'] ?? env['GITHUB_WORKFLOW'] ?? '').split('@');
  const parts = [workflow, env['GITHUB_JOB'], env['GITHUB_ACTION'], deployment?.environment];
  return JSON.stringify(parts);
}

export async function trackIssue(rest: Rest, label: string, publishing: Publishing): Promise<void> {
  const { report, words, log, env } = publishing;
  // What could not be determined is neither news of a fault nor of a recovery.
  if (report.verdict === 'unknown' || report.interrupted) return;
  const location = { repository: env['GITHUB_REPOSITORY'] ?? '', site: report.site.url, label };
  await warningOfRefusal('issue', publishing, async () => {
    const left = await trackIncident(rest, location, conditionOf(publishing));
    if (left !== null) await log.notice(words.issueLeft(left));
  });
}

function conditionOf({ report, options, words, env }: Publishing): Condition {
  const link = runLink(env, words);
  const line = markdownVerdict(report, options.messages);
  const rule = (rules: readonly string[]): readonly string[] => rules.map((one) => codeSpan(one));
  return {
    failing: failingOf(report),
    title: words.issueTitle(report.site.url, report.verdict).slice(0, 256),
    body: `${markdownWithin(report, options, BODY_BYTES)}\n${words.issueIntroduction}\n\n${link}`,
    changed: (added, gone) => {
      const news = added.length > 0 ? [words.issueNew(rule(added))] : [];
      const olds = gone.length > 0 ? [words.issueGone(rule(gone))] : [];
      return [line, ...news, ...olds, link].join('\n\n');
    },
    reopened: `${words.issueReopened}\n\n${line}\n\n${link}`,
    recovered: `${words.issueRecovered()}\n\n${line}\n\n${link}`,
  };
}

/** What fails needs room beside a body, and in a comment of its own; of more, the first are reported. */
const MOST_CHARACTERS = 2_000;
/** The user's own checks may have names and rules of any length. */
const LONGEST_NAME = 100;

/** `<check>/<rule>` of everything that fails the run, sorted; nothing if it does not fail. */
function failingOf({ checks, verdict, strict }: Report): readonly string[] {
  if (verdict === 'healthy') return [];
  const rules = checks.flatMap(({ id, findings }) =>
    findings
      .filter(({ severity }) => severity === 'error' || (strict && severity === 'warning'))
      .map(({ rule }) => `${id.slice(0, LONGEST_NAME)}/${rule.slice(0, LONGEST_NAME)}`),
  );
  return rules.length === 0 ? [verdict] : fitting([...new Set(rules)].toSorted(), MOST_CHARACTERS);
}

function runLink(env: NodeJS.ProcessEnv, { workflowRun }: ActionWords): string {
  const url = runUrlOf(env);
  return url === null ? '' : `[${workflowRun}](${url})`;
}

export function runUrlOf(env: NodeJS.ProcessEnv): string | null {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  return run === undefined ? null : `${server ?? 'https://github.com'}/${repository}/actions/runs/${run}`;
}

async function warningOfRefusal(what: 'comment' | 'issue', { words, log }: Publishing, write: () => Promise<void>) {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { problem, status, detail } = error;
    if (what === 'issue' && problem === 'gone') return log.warning(words.issuesOff());
    const permission = what === 'issue' ? 'issues: write' : 'pull-requests: write';
    await log.warning(words.refused(what, problem, permission, status === null ? detail : `${status} ${detail}`));
  }
}
