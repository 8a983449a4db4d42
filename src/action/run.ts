import { checked } from '../project/run-options.ts';
import path from 'node:path';
import { mkdtemp, appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { randomUUID } from 'node:crypto';
import type { ConfigProblem } from '../config/problem.ts';
import { renderProblem } from '../config/messages.ts';
import { OutputError, unwritten, writeErr, writeOut, writeFileWhole } from '../output.ts';
import { ConfigError, UsageError } from '../project/usage-error.ts';
import { LANGUAGES, pickLanguage, withHost, type Language } from '../texts.ts';
import { InputError, inInputs, inputOf, type FailOn } from './inputs.ts';
import { createLog, type Log, type LogLocation } from './log.ts';
import { secretsOf } from '../secrets.ts';
import type { Report } from '../check.ts';
import { textsFor } from '../project/settings.ts';
import { locator } from '../report/location.ts';
import { exitStatus } from '../verdict.ts';
import { VERSION } from '../version.ts';
import { runLog } from '../wait/progress-text.ts';
import { planRun, type Plan } from './plan.ts';
import { createRest, type Rest } from '../github/rest.ts';
import { annotationsOf } from '../report/annotations.ts';
import { githubLog } from '../report/github.ts';
import { commentOn, trackIssue, writeSummary, type Publishing } from './publish.ts';
import { makeFolder } from '../make-folder.ts';
import type { FormatName } from '../report/format-names.ts';
import { loadFormat } from '../report/formats.ts';
import type { ReportOptions } from '../report/options.ts';
import { printable } from '../printable.ts';
import { countStatuses } from '../report/document.ts';
import { NOTHING_STALE, staleSentence } from '../report/stale.ts';
import { summaryOf } from '../report/groups.ts';
import { messagesIn, type Messages } from '../locales/messages.ts';
import { actionWords } from '../generated/locales/action.ts';

/** The Action: reads the inputs, checks the site, shows what came of it, sets the exit status. Never throws. */
export async function main(env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const errors = createLog(lastly);
  const onUncaught = (raised: unknown): void => void giveUp(raised, errors);
  process.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught);
  const status = await run(env, createLog(), errors);
  // Everything has been written by now; what still hangs (a name server that is silent) is waited for by nobody.
  process.exit(status);
}

/** What a configuration module leaves behind (a rejection, a timer that throws) must not pass for a failed check. */
async function giveUp(raised: unknown, errors: Log): Promise<void> {
  try {
    await errors.error(raised instanceof Error ? raised.message : String(raised));
  } finally {
    // Whatever has been raised: telling it must not raise anything that would be reported again.
    process.exit(3);
  }
}

/** Where the log cannot be written to, an error goes to standard error, which the runner shows as well. Never rejects. */
function lastly(text: string): Promise<void> {
  return writeOut(text).catch(() => writeOut(text, process.stderr).catch(() => {}));
}

/** `errors`: the log for what ends the run. */
async function run(env: NodeJS.ProcessEnv, log: Log, errors: Log): Promise<number> {
  if (env['GITHUB_ACTIONS'] !== 'true') {
    const words = actionWords(languageOf(undefined, env));
    await writeErr(`docvitals: ${words.notOnGitHub()}\n`);
    return 2;
  }
  try {
    return await act(env, log);
  } catch (error) {
    return reportError(error, env, errors);
  }
}

async function reportError(error: unknown, env: NodeJS.ProcessEnv, log: Log): Promise<number> {
  const language = languageOf(error instanceof UsageError ? error.language : undefined, env);
  if (error instanceof ConfigError) {
    await reportProblems(error.problems, language, log);
    return 2;
  }
  const messages = messagesIn(language);
  if (error instanceof UsageError) {
    await log.error(inInputs(error.report(messages)));
    return 2;
  }
  if (error instanceof InputError) {
    await log.error(error.report(actionWords(language)));
    return 2;
  }
  if (error instanceof OutputError) await log.error(unwritten(error, messages));
  else await log.error(messages.internalError(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  return 3;
}

/** GitHub shows so many errors of a step. */
const MOST_ERRORS = 10;

/** Each mistake at its line, and all together that GitHub would not show by themselves. */
async function reportProblems(problems: readonly ConfigProblem[], language: Language, log: Log): Promise<void> {
  // `config` may have been given an address with userinfo by mistake.
  const reported = problems.map((problem) => renderProblem(problem, language).replaceAll(/\/\/[^/\s]*@/g, '//'));
  const alone = problems.length > MOST_ERRORS ? MOST_ERRORS - 1 : problems.length;
  for (const [index, problem] of problems.slice(0, alone).entries()) {
    await log.error(reported[index] ?? '', locationOf(problem));
  }
  if (alone < problems.length) await log.error(reported.slice(alone).join('\n'));
}

/** `undefined` for what is no line of the workspace. */
function locationOf({ file, line, column }: ConfigProblem): LogLocation | undefined {
  const relative = path.relative(process.cwd(), path.resolve(file)).replaceAll(path.sep, '/');
  if (line === null || relative.startsWith('../') || path.isAbsolute(relative)) return undefined;
  return { file: relative, line, column };
}

/** The language of an error, which may have come before the language was known. */
function languageOf(config: Language | undefined, env: NodeJS.ProcessEnv): Language {
  const given = inputOf(env, 'lang');
  return pickLanguage({ flag: LANGUAGES.find((language) => language === given), config, env });
}

/** Runs the Action; resolves with the exit status. Rejects with usage and configuration errors before anything is sent. */
async function act(env: NodeJS.ProcessEnv, log: Log): Promise<number> {
  enterWorkspace(env);
  const plan = await planRun(env);
  const { inputs, settings } = plan;
  const messages = messagesIn(settings.language);
  const words = actionWords(settings.language);
  if (plan.run === null) {
    await writeOutputs(env, NO_OUTPUTS);
    await log.notice(words.notDeployed(plan.event.deployment?.state ?? ''));
    return 0;
  }
  for (const secret of secretsOf(plan.run)) await log.mask(secret);
  await log.text(`docvitals ${VERSION}`);
  const cancel = listenForCancel();
  // A line that cannot be written does not end the waiting: the report after it cannot be written either, and says so.
  const onRun = runLog(messages, (line) => void log.text(line).catch(() => {}));
  const running = checked({ ...plan.run, interrupt: cancel.signal }, settings.language, { onRun });
  // It is waited for below. The requests are on their way; what only the output needs is loaded while they are.
  running.catch(() => {});
  const texts = await textsFor(settings);
  const report = await running;
  const locate = await locator(plan.run.requested?.source ?? null, report);
  const options = {
    texts: withHost(texts, { host: report.site.host, kind: plan.run.requested?.host }),
    messages,
    locate,
    columns: 120,
    colour: false,
    detail: 'normal',
  } as const;
  const isReported = await reportRun({ report, options, words, log, env, plan, cancelled: cancel.signal });
  return cancel.status() ?? statusOf(report, inputs.failOn, isReported);
}

/** The folder that the repository is checked out into; the runner starts actions there. */
function enterWorkspace(env: NodeJS.ProcessEnv): void {
  try {
    process.chdir(env['GITHUB_WORKSPACE'] || '.');
  } catch {
    // Nothing has been checked out: what needs the folder says so.
  }
}

/** What the run does to the job: 0 it goes on, 1 a check failed, 3 it could not tell, or something could not be written. */
function statusOf(report: Report, failOn: FailOn, isReported: boolean): number {
  if (failOn === 'never') return 0;
  const status = exitStatus(report);
  return status === 0 && !isReported ? 3 : status;
}

/** The exit statuses of a process that a signal ended: 128 and the signal's number. */
const STATUSES = { SIGINT: 130, SIGTERM: 143 } as const;

/** A runner sends SIGINT to a job that is cancelled, SIGTERM after 7.5 s, and ends what is still there 2.5 s later. */
const LONGEST_MS = 6_000;

/** The cancelling of a job, as the process sees it. */
interface Cancel {
  /** Aborted when the job is cancelled. */
  readonly signal: AbortSignal;
  /** The exit status that goes with it; `null`: the job is not cancelled. */
  status(): number | null;
}

/** Listens for a job being cancelled. What is known may still be reported; it is over after six seconds, or by a second signal. */
function listenForCancel(): Cancel {
  const controller = new AbortController();
  let status: number | null = null;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (status !== null) process.exit(STATUSES[name]);
      status = STATUSES[name];
      setTimeout(() => process.exit(STATUSES[name]), LONGEST_MS).unref();
      controller.abort();
    });
  }
  return { signal: controller.signal, status: () => status };
}

/* Tells what came of a run, wherever somebody may look: log, outputs, files, job summary, pull request, issue. */

/** A run that has ended. */
interface Ended extends Publishing {
  readonly plan: Plan;
  /** Aborted when the job is cancelled: nothing is sent any more. */
  readonly cancelled: AbortSignal;
}

/** Longest time that GitHub is asked to take comment and issue. */
const PUBLISH_MS = 90_000;

/** Tells everything; `false` where something could not be written, which is then reported as an error. */
async function reportRun(ended: Ended): Promise<boolean> {
  const { report, options, log, env, plan } = ended;
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
  await log.commands(githubLog(report, options, annotations));
  const location = { folder: inputs.reportDir, temporary: env['RUNNER_TEMP'], workspace: process.cwd() };
  const files = await attempt(() => writeReports(report, options, location));
  if (files !== null) await log.text(ended.words.reportsIn(files.folder));
  const outputs = outputsOf(report, options.messages, plan.run?.strict ?? false, files?.json ?? '');
  await attempt(() => writeOutputs(env, outputs));
  const note = isVersionUntold(ended) ? ended.words.versionUntold() : null;
  if (note !== null) await log.notice(note);
  if (inputs.summary) await attempt(() => writeSummary(ended, files?.json ?? null, note));
  if (!ended.cancelled.aborted) await publish(ended);
  await reportFailure(
    ended,
    annotations.some(({ level }) => level === 'error'),
  );
  return isReported;
}

/**
 * The commit was waited for, and the site does not say which one is live: it may still be the old one. It is well, and
 * that was enough, so that this is no warning.
 */
function isVersionUntold({ report, plan }: Ended): boolean {
  const isOptional = plan.run?.requested?.expected?.optional === true;
  return isOptional && report.waited?.by === 'health' && report.verdict === 'healthy';
}

/** A job that fails has an error that says why; the runner itself gives none. */
async function reportFailure(
  { report, options, log, words, plan, cancelled }: Ended,
  isReported: boolean,
): Promise<void> {
  if (isReported || cancelled.aborted || plan.inputs.failOn === 'never' || exitStatus(report) === 0) return;
  const line = verdictLine(report, options.messages);
  await log.error(report.verdict === 'unknown' ? `${words.couldNotTell()}\n${line}` : line);
}

async function publish(ended: Ended): Promise<void> {
  const { plan, words, log } = ended;
  const { comment, issue, token } = plan.inputs;
  if (!comment && issue === null) return;
  if (token === undefined) return log.warning(words.noToken(comment ? 'comment' : 'issue'));
  const rest = restFor(ended, token);
  if (comment) await commentOn(rest, plan.event, ended);
  if (issue !== null) await trackIssue(rest, issue, plan.run?.strict ?? false, ended);
}

function restFor({ env, cancelled }: Ended, token: string): Rest {
  return createRest({
    apiUrl: env['GITHUB_API_URL'] || 'https://api.github.com',
    token,
    env,
    signal: AbortSignal.any([cancelled, AbortSignal.timeout(PUBLISH_MS)]),
    now: () => Date.now(),
  });
}

/** None of them is a name that a configuration could have. */
const FILES: Readonly<Partial<Record<FormatName, string>>> = {
  json: 'report.json',
  junit: 'report.junit.xml',
  sarif: 'report.sarif',
  html: 'report.html',
  markdown: 'report.md',
};

/** Where the report files are. */
interface ReportFiles {
  readonly folder: string;
  /** The path of the report as JSON. */
  readonly json: string;
}

/**
 * Writes one report in all formats of files into a folder; into a new one of the runner's where none is given, so that
 * two steps of a job do not overwrite each other's. What is checked out may hold links under the names of the files: they
 * are replaced, and lead nowhere. Rejects with an `OutputError`.
 */
async function writeReports(
  report: Report,
  options: ReportOptions,
  location: { readonly folder: string | undefined; readonly temporary: string | undefined; readonly workspace: string },
): Promise<ReportFiles> {
  const folder = await folderOf(location);
  for (const [format, name] of Object.entries(FILES)) {
    const make = await loadFormat(format as FormatName);
    await writeFileWhole(path.join(folder, name), make(report, options), { links: 'replace' });
  }
  return { folder, json: path.join(folder, 'report.json') };
}

async function folderOf({ folder, temporary, workspace }: Parameters<typeof writeReports>[2]): Promise<string> {
  const wanted = folder === undefined ? (temporary ?? tmpdir()) : path.resolve(workspace, folder);
  try {
    if (folder === undefined) return await mkdtemp(path.join(wanted, 'docvitals-'));
    await makeFolder(wanted);
    return wanted;
  } catch (error) {
    throw new OutputError(wanted, error);
  }
}

/* What later steps of a job can read. */

/** The outputs; every one is always set, empty where there is nothing to say. */
interface Outputs {
  /** `healthy`, `degraded`, `down`, `stale` or `unknown`. */
  readonly verdict: string;
  /** The ids of the checks that failed, with commas between them; under `strict` also those with warnings. */
  readonly failed: string;
  /** The verdict and how many checks ended how, or that an old version is live, in one line. Nothing that a site sends: workflows write it into commands. */
  readonly summary: string;
  /** The path of the report as JSON. */
  readonly 'report-json': string;
  /** `true` or `false`: whether the version that was expected is live. */
  readonly fresh: string;
  /** How long after the waiting began all was new and well, in milliseconds. */
  readonly 'live-after-ms': string;
}

/** Of a run that did not take place. */
export const NO_OUTPUTS: Outputs = {
  verdict: '',
  failed: '',
  summary: '',
  'report-json': '',
  fresh: '',
  'live-after-ms': '',
};

/** The outputs of a report. */
export function outputsOf(report: Report, messages: Messages, strict: boolean, reportJson: string): Outputs {
  return {
    verdict: report.verdict,
    failed: failedOf(report, strict).join(','),
    summary: lineOf(report, fixedSummary(report, messages), messages),
    'report-json': reportJson,
    fresh: report.fresh === null ? '' : String(report.fresh),
    'live-after-ms': String(report.waited?.allGreenMs ?? ''),
  };
}

/** `degraded: 2 of 5 checks failed (0.31 s)`; of a stale site what is old, by the names that the site sends. */
export function verdictLine(report: Report, messages: Messages): string {
  return lineOf(report, summaryOf(report, messages), messages);
}

/** Of an old site that it is old, but not what: that is named as the site names it. */
function fixedSummary(report: Report, messages: Messages): string {
  const { verdict, checks, durationMs } = report;
  const unnamed = staleSentence(report, messages, ({ both }) => ({ ...NOTHING_STALE, both }));
  return unnamed ?? messages.summary(verdict, countStatuses(checks), durationMs);
}

function lineOf({ verdict }: Report, summary: string, messages: Messages): string {
  return printable(messages.verdictLine(messages.verdicts[verdict], summary));
}

function failedOf({ checks }: Report, strict: boolean): readonly string[] {
  return checks.filter(({ status }) => status === 'fail' || (strict && status === 'warn')).map(({ id }) => id);
}

/**
 * Outputs in the format of `GITHUB_OUTPUT`, each between lines that hold the delimiter. That is drawn by chance, so that
 * no value can end its own.
 */
export function outputFile(outputs: Outputs, delimiter: string): string {
  return Object.entries(outputs)
    .map(([name, value]) => `${name}<<${delimiter}\n${value}\n${delimiter}\n`)
    .join('');
}

/** Hands the outputs to the runner. Rejects with an `OutputError`. */
async function writeOutputs(env: NodeJS.ProcessEnv, outputs: Outputs): Promise<void> {
  const file = env['GITHUB_OUTPUT'];
  if (file === undefined || file === '') return;
  try {
    await appendFile(file, outputFile(outputs, `docvitals_${randomUUID()}`));
  } catch (error) {
    throw new OutputError(file, error);
  }
}
