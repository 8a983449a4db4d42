/** Publishes the report of a run: in the log, as files, as outputs of the step, and on GitHub's own pages. */
import { randomUUID } from 'node:crypto';
import { appendFile, lstat, mkdtemp, stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { writeScreenshots } from '../browser/screenshots.ts';
import type { Report } from '../core/check.ts';
import { pullRequestOf, writeComment } from '../github/comment.ts';
import { trackIncident, type Condition } from '../github/incident.ts';
import { createRest, Refused, type Rest } from '../github/rest.ts';
import { makeFolder, OutputError, unwritten, writeFileWhole, writing } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { fitting } from '../report/cut.ts';
import { loadFormat, type FormatName, type ReportOptions } from '../report/formats.ts';
import { annotationsOf, githubReport } from '../report/github.ts';
import { codeSpan, prose } from '../report/markdown-text.ts';
import { markdownVerdict, markdownWithin } from '../report/markdown.ts';
import { NOTHING_STALE, summaryOf } from '../report/summary.ts';
import { exitStatus, isFailed } from '../core/verdict.ts';
import type { ArtifactAnswer, ArtifactRequest } from './artifact-worker.ts';
import type { RunEvent } from './event.ts';
import { DEFAULT_ARTIFACT } from './inputs.ts';
import type { Log } from './log.ts';
import type { Plan } from './run.ts';
import type { ActionWords } from '../generated/locales/action.ts';

interface Ended {
  readonly report: Report;
  readonly options: ReportOptions;
  readonly words: ActionWords;
  readonly log: Log;
  readonly env: NodeJS.ProcessEnv;
  readonly plan: Plan;
  /** Aborted when the job is cancelled: nothing more is sent. */
  readonly cancelled: AbortSignal;
}

export type Publishing = Omit<Ended, 'plan' | 'cancelled'>;

const PUBLISH_MS = 90_000;

export async function reportRun(ended: Ended): Promise<boolean> {
  const { report, options, words, log, env, plan, cancelled } = ended;
  const { inputs } = plan;
  let isReported = true;
  const attempt = async <T>(write: () => Promise<T>): Promise<T | null> => {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      isReported = false;
      await log.error(unwritten(error, options.messages));
      return null;
    }
  };
  const annotations = inputs.annotations ? annotationsOf(report, options) : [];
  await log.commands(githubReport(report, options, annotations));
  const files = await attempt(() => writeReports(ended, inputs.reportDir));
  if (files !== null) await log.text(words.reportsIn(files.folder));
  const artifact = files === null ? null : await uploadReports(ended, files);
  await attempt(() => writeOutputs(env, outputsOf(report, options, files, artifact)));
  const note = isVersionUntold(ended) ? words.versionUntold() : null;
  if (note !== null) await log.notice(note);
  if (inputs.summary) await attempt(() => writeSummary(ended, files, artifact, note));
  if (!cancelled.aborted) await publish(ended);
  if (!annotations.some(({ level }) => level === 'error')) await reportFailure(ended);
  return isReported;
}

/** The commit was waited for, and the site does not report its version: it may be the old one. It is healthy, so no warning. */
function isVersionUntold({ report, plan }: Ended): boolean {
  const isOptional = plan.run?.requested?.expected?.optional === true;
  return isOptional && report.waited?.by === 'health' && report.verdict === 'healthy';
}

async function reportFailure({ report, options, log, words, plan, cancelled }: Ended): Promise<void> {
  if (cancelled.aborted || plan.inputs.failOn === 'never' || exitStatus(report) === 0) return;
  const line = verdictLine(report, options);
  await log.error(report.verdict === 'unknown' ? `${words.couldNotTell()}\n${line}` : line);
}

/** Uploads the report files, if that is configured. `null`: not uploaded; a failure is reported as a warning. */
async function uploadReports({ report, plan, words, log, env, cancelled }: Ended, { folder, names }: Written) {
  const name = plan.inputs.artifact === undefined && hasScreenshots(report) ? DEFAULT_ARTIFACT : plan.inputs.artifact;
  if (name === undefined || name === null) return null;
  // Only what was written by this run: the folder may be that of the checkout.
  const { taken, left } = await filesWithin(folder, names);
  const upload = await uploadArtifact({ name, folder, files: taken }, runUrlOf(env) ?? '', env, cancelled);
  if (upload === null) return null;
  if (upload.problem !== undefined) {
    await log.warning(words.artifactRefused(upload.problem, name, UPLOAD_SECONDS, upload.detail));
    return null;
  }
  if (left.length > 0) await log.warning(words.artifactFull(MOST_MIB, left));
  await log.text(words.artifactAt(upload.url));
  return upload;
}

async function publish(ended: Ended): Promise<void> {
  const { plan, words, log, env, cancelled } = ended;
  const { comment, issue, token } = plan.inputs;
  if (!comment && issue === null) return;
  if (token === undefined) return log.warning(words.noToken(comment ? 'comment' : 'issue'));
  const rest = createRest({
    apiUrl: env['GITHUB_API_URL'] || 'https://api.github.com',
    token,
    env,
    signal: AbortSignal.any([cancelled, AbortSignal.timeout(PUBLISH_MS)]),
    now: () => Date.now(),
  });
  if (comment) await commentOn(rest, plan.event, ended);
  if (issue !== null) await trackIssue(rest, issue, ended);
}

/** The report files; none has a name that a configuration could have. */
const FILES: readonly (readonly [FormatName, string])[] = [
  ['json', 'report.json'],
  ['junit', 'report.junit.xml'],
  ['sarif', 'report.sarif'],
  ['html', 'report.html'],
  ['markdown', 'report.md'],
];
const SCREENSHOTS = 'screenshots';

type Written = Awaited<ReturnType<typeof writeReports>>;

/**
 * Writes one report in all formats of files into a folder: the given one, or a new one of the runner's, so that two steps
 * of a job do not overwrite each other's. What is checked out may contain links under the names of the files: they are
 * replaced, and not followed. Rejects with an `OutputError`.
 */
async function writeReports({ report, options, env }: Ended, given: string | undefined) {
  const parent = env['RUNNER_TEMP'] ?? tmpdir();
  const folder =
    given === undefined ? await writing(parent, mkdtemp(path.join(parent, 'docvitals-'))) : path.resolve(given);
  if (given !== undefined) await writing(folder, makeFolder(folder));
  for (const [format, name] of FILES) {
    const make = await loadFormat(format);
    await writeFileWhole(path.join(folder, name), make(report, options), { links: 'replace' });
  }
  const screenshots = hasScreenshots(report) ? await writePictures(report, path.join(folder, SCREENSHOTS)) : [];
  const names = [...FILES.map(([, name]) => name), ...screenshots.map((name) => `${SCREENSHOTS}/${name}`)];
  return { folder, json: path.join(folder, 'report.json'), names };
}

async function writePictures({ checks }: Report, folder: string): Promise<readonly string[]> {
  const there = await lstat(folder).catch(() => null);
  if (there?.isSymbolicLink() === true) await writing(folder, unlink(folder));
  return writeScreenshots(checks, folder);
}

function hasScreenshots({ checks }: Report): boolean {
  return checks.some(({ rendered }) => rendered !== undefined);
}

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
  options: ReportOptions,
  files: Pick<Written, 'folder' | 'json'> | null,
  artifact: Artifact | null = null,
): Outputs {
  // Of a stale site that it is stale, but not what is old: the site names that.
  const summary = summaryOf(report, options, ({ both }) => ({ ...NOTHING_STALE, both }));
  const failed = report.checks.filter((result) => isFailed(result, report));
  return {
    verdict: report.verdict,
    failed: failed.map(({ id }) => id).join(','),
    summary: verdictLine(report, options, summary),
    'report-dir': files?.folder ?? '',
    'report-json': files?.json ?? '',
    'artifact-id': artifact?.id ?? '',
    'artifact-url': artifact?.url ?? '',
    fresh: report.fresh === null ? '' : String(report.fresh),
    'live-after-ms': String(report.waited?.allPassedMs ?? ''),
  };
}

/** `degraded: 2 of 5 checks failed (0.31 s)`; of a stale site what is old, named as the site names it. */
export function verdictLine(report: Report, options: ReportOptions, summary = summaryOf(report, options)): string {
  const { messages } = options;
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

/** `problem`: why there is none; `detail`: in the words of the service, or empty. */
type Upload =
  | { readonly id: string; readonly url: string; readonly problem?: undefined }
  | { readonly problem: 'unavailable' | 'taken' | 'late' | 'failed'; readonly detail: string };

type Artifact = Extract<Upload, { readonly id: string }>;

const UPLOAD_SECONDS = 60;
const MOST_MIB = 50;
const LONGEST_DETAIL = 300;

/** The files that there is room for, in the given order, and those that are left out. Paths are relative to the folder. */
export async function filesWithin(folder: string, files: readonly string[], mostBytes: number = MOST_MIB * 2 ** 20) {
  const taken: string[] = [];
  const left: string[] = [];
  let room = mostBytes;
  for (const file of files) {
    const size = (await stat(path.join(folder, file)).catch(() => null))?.size ?? Infinity;
    const fits = size <= room;
    if (fits) room -= size;
    (fits ? taken : left).push(file);
  }
  return { taken, left };
}

/** Uploads files of a folder as an artifact of the workflow run. What goes wrong is a value, never a throw. `runUrl`: the page of the workflow run. `null`: cancelled. */
async function uploadArtifact(
  request: ArtifactRequest,
  runUrl: string,
  env: NodeJS.ProcessEnv,
  cancelled: AbortSignal,
): Promise<Upload | null> {
  // The runner sets them for actions only; other servers and emulators do not.
  if (!env['ACTIONS_RESULTS_URL'] || !env['ACTIONS_RUNTIME_TOKEN']) return { problem: 'unavailable', detail: '' };
  if (cancelled.aborted) return null;
  const late = AbortSignal.timeout(UPLOAD_SECONDS * 1000);
  const answer = await inThread(request, env, AbortSignal.any([cancelled, late]));
  if (answer === null) return cancelled.aborted ? null : { problem: 'late', detail: '' };
  if (answer.ok) return { id: String(answer.id), url: `${runUrl}/artifacts/${answer.id}` };
  if (answer.unsupported) return { problem: 'unavailable', detail: '' };
  // The first line; the query of an address may have a signature.
  const [line = ''] = answer.message.trim().split('\n');
  const detail = printable(line.replaceAll(/\?\S*/g, '')).slice(0, LONGEST_DETAIL);
  return { problem: answer.message.includes('(409)') ? 'taken' : 'failed', detail };
}

async function inThread(request: ArtifactRequest, env: NodeJS.ProcessEnv, signal: AbortSignal) {
  const worker = new Worker(new URL('./artifact.mjs', import.meta.url), {
    workerData: request,
    env,
    // The library writes its progress and, for debugging, signed addresses.
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  try {
    return await new Promise<ArtifactAnswer | null>((resolve) => {
      const fail = (message: string): void => resolve({ ok: false, unsupported: false, message });
      worker.once('message', resolve);
      worker.once('error', (error) => fail(error instanceof Error ? error.message : String(error)));
      worker.once('exit', (code) => fail(`exit ${code}`));
      signal.addEventListener('abort', () => resolve(null), { once: true });
    });
  } finally {
    await worker.terminate();
  }
}

/* GitHub's own pages: the job summary, the comment on a pull request, the issue of an incident. */

/** GitHub takes 1 MiB a step, after the runner has put `***` instead of secrets, which may make it longer. */
const SUMMARY_BYTES = 2 ** 20 - 2 ** 16;
/** GitHub takes 65,536 characters in a comment or an issue; a character has one byte or more. */
const BODY_BYTES = 60_000;

/** Appends the report, with the findings that there is room for, the note and the link. Rejects with an `OutputError`. */
async function writeSummary(
  { report, options, words, env }: Publishing,
  files: Written | null,
  artifact: Artifact | null,
  note: string | null,
): Promise<void> {
  const file = env['GITHUB_STEP_SUMMARY'];
  if (file === undefined || file === '') return;
  const taken = (await stat(file).catch(() => null))?.size ?? 0;
  const link = artifact === null ? '' : `[${words.artifactLink}](${artifact.url})\n\n`;
  const more = (note === null ? '' : `> ${prose(note)}\n\n`) + link;
  const room = Math.max(0, SUMMARY_BYTES - taken - Buffer.byteLength(more));
  const text = `${markdownWithin(report, { ...options, detail: 'verbose' }, room, files?.json)}\n${more}`;
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
  const line = markdownVerdict(report, options);
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

function runUrlOf(env: NodeJS.ProcessEnv): string | null {
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
