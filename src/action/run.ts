import { echoed, reporting, UsageError, type CheckFlags } from '../project/arguments.ts';
import { randomUUID } from 'node:crypto';
import { appendFile, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeScreenshots } from '../browser/screenshots.ts';
import type { Report } from '../check.ts';
import type { Config } from '../config/config.ts';
import { CONFIG_FILES, isModule } from '../config/load.ts';
import { renderProblem } from '../config/messages.ts';
import { ConfigError, type ConfigProblem } from '../config/problem.ts';
import { createRest } from '../github/rest.ts';
import { makeFolder, OutputError, unwritten, writeErr, writeFileWhole, writeOut, writing } from '../output.ts';
import { messagesIn, type Messages } from '../locales/messages.ts';
import { printable } from '../printable.ts';
import { listenForInterrupts } from '../project/interrupts.ts';
import { checked, runOptions } from '../project/run-options.ts';
import { loadSettings, textsFor } from '../project/settings.ts';
import { loadFormat, type FormatName } from '../report/formats.ts';
import { annotationsOf, githubReport } from '../report/github.ts';
import { locator } from '../report/location.ts';
import { NOTHING_STALE, summaryOf } from '../report/summary.ts';
import { secretsOf } from '../secrets.ts';
import { LANGUAGES, pickLanguage, withHost, type Language } from '../texts.ts';
import { exitStatus, isFailed } from '../verdict.ts';
import { VERSION } from '../version.ts';
import { runLog } from '../wait/progress-text.ts';
import { filesWithin, MOST_MIB, uploadArtifact, UPLOAD_SECONDS, type Artifact } from './artifact.ts';
import { readEvent, type RunEvent } from './event.ts';
import {
  DEFAULT_ARTIFACT,
  InputError,
  inInputs,
  inputOf,
  NO_VERSION,
  readInputs,
  type FailOn,
  type Inputs,
} from './inputs.ts';
import { createLog, type Log, type LogLocation } from './log.ts';
import { commentOn, runUrlOf, trackIssue, writeSummary, type Publishing } from './publish.ts';
import { actionWords } from '../generated/locales/action.ts';

export async function main(env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const errors = createLog(lastly);
  const onUncaught = (raised: unknown): void => void giveUp(raised, errors);
  process.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught);
  const status = await runAction(env, createLog(), errors);
  // Everything has been written by now; there is no need to wait for what still hangs, such as a name server that is silent.
  process.exit(status);
}

/** What a configuration module leaves behind (a rejection, a timer that throws) must not count as a failed check. */
async function giveUp(raised: unknown, errors: Log): Promise<void> {
  try {
    await errors.error(raised instanceof Error ? raised.message : String(raised));
  } finally {
    // Reporting it must not raise anything that would be reported again.
    process.exit(3);
  }
}

/** If the log cannot be written, an error goes to standard error, which the runner shows as well. Never rejects. */
function lastly(text: string): Promise<void> {
  return writeOut(text).catch(() => writeOut(text, process.stderr).catch(() => {}));
}

async function runAction(env: NodeJS.ProcessEnv, log: Log, errors: Log): Promise<number> {
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
  const language = languageOf(reporting.language, env);
  if (error instanceof ConfigError) {
    await reportProblems(error.problems, language, log);
    return 2;
  }
  const messages = messagesIn(language);
  if (error instanceof UsageError) {
    const isInput = error instanceof InputError;
    await log.error(isInput ? error.report(actionWords(language)) : inInputs(error.report(messages)));
    return 2;
  }
  if (error instanceof OutputError) await log.error(unwritten(error, messages));
  else await log.error(messages.internalError(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  return 3;
}

/** GitHub shows at most this many errors of a step. */
const MOST_ERRORS = 10;

/** Each mistake at its line; those that GitHub would not show, in one error. */
async function reportProblems(problems: readonly ConfigProblem[], language: Language, log: Log): Promise<void> {
  const reported = problems.map((problem) => renderProblem(problem, language));
  const alone = problems.length > MOST_ERRORS ? MOST_ERRORS - 1 : problems.length;
  for (const [index, problem] of problems.slice(0, alone).entries()) {
    await log.error(reported[index] ?? '', locationOf(problem));
  }
  if (alone < problems.length) await log.error(reported.slice(alone).join('\n'));
}

function locationOf({ file, line, column }: ConfigProblem): LogLocation | undefined {
  const relative = path.relative(process.cwd(), path.resolve(file)).replaceAll(path.sep, '/');
  if (line === null || relative.startsWith('../') || path.isAbsolute(relative)) return undefined;
  return { file: relative, line, column };
}

function languageOf(config: Language | undefined, env: NodeJS.ProcessEnv): Language {
  const given = inputOf(env, 'lang');
  return pickLanguage({ flag: LANGUAGES.find((language) => language === given), config, env });
}

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
  const cancel = listenForInterrupts(LONGEST_MS);
  // A line that cannot be written does not end the waiting: the report cannot be written either, which is reported.
  const onRun = runLog(messages, (line) => void log.text(line).catch(() => {}));
  const running = checked({ ...plan.run, interrupt: cancel.signal }, { onRun });
  running.catch(() => {});
  const texts = await textsFor(settings);
  const report = await running;
  const locate = await locator(plan.run.requested?.source ?? null, report);
  const options = {
    texts: withHost(texts, { ...report.site, kind: plan.run.requested?.host }),
    messages,
    locate,
    columns: 120,
    colour: false,
    detail: 'normal',
  } as const;
  const isReported = await reportRun({ report, options, words, log, env, plan, cancelled: cancel.signal });
  return cancel.status() ?? statusOf(report, inputs.failOn, isReported);
}

type Plan = Awaited<ReturnType<typeof planRun>>;

async function planRun(env: NodeJS.ProcessEnv) {
  const inputs = readInputs(env);
  const event = readEvent(env);
  const workspace = await readdir(process.cwd()).catch((): string[] => []);
  demandCheckout(inputs.flags, workspace);
  demandPlainConfiguration(inputs.flags, event, workspace);
  const settings = await loadSettings(inputs.flags, withoutTokens(env));
  const given = inputs.url ?? event.deployment?.url ?? undefined;
  const isDeployed = inputs.url !== undefined || event.deployment === null || event.deployment.state === 'success';
  if (!isDeployed) return { inputs, event, settings, run: null };
  if (given === undefined && settings.config.url === null)
    throw new InputError((words) => (event.deployment ? words.noEnvironmentUrl() : words.noUrl()));
  // Failing on warnings makes them count in the verdict, so that the job and the report agree.
  const strict = inputs.failOn === 'warn' ? { strict: true } : {};
  const flags = { ...versionFlags(inputs, event, settings.config), ...strict };
  // An address of the configuration is not passed on: a mistake in it is reported without it, because it may be secret.
  const run = await runOptions(given, flags, settings, env);
  return { inputs, event, settings, run };
}

/** A file in an empty workspace: the step that checks the repository out is missing. */
function demandCheckout(flags: CheckFlags, workspace: readonly string[]): void {
  if (workspace.length > 0) return;
  for (const input of ['config', 'source'] as const) {
    const given = flags[input];
    if (given === undefined || path.isAbsolute(given)) continue;
    throw new InputError((words) => words.notCheckedOut(input, echoed(given)));
  }
}

/** A configuration that is only proposed is read, but not run: it would have the secrets of the job. */
function demandPlainConfiguration({ config }: CheckFlags, event: RunEvent, workspace: readonly string[]): void {
  if (config !== undefined || !event.isProposed) return;
  const found = CONFIG_FILES.find((location) => workspace.includes(location));
  if (found !== undefined && isModule(found)) throw new InputError((words) => words.configIsProgram(found));
}

/** The environment without what the runner puts there for actions: no configuration may send it anywhere. */
function withoutTokens(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:ACTIONS|INPUT)_/i.test(name)));
}

/**
 * The version that is waited for: the commit that the event brings, unless something else shows what is new. The site need
 * not report its version if none was requested.
 */
function versionFlags({ expectVersion, flags }: Inputs, event: RunEvent, { source }: Config): CheckFlags {
  if (expectVersion === NO_VERSION) return flags;
  if (expectVersion !== undefined) return { ...flags, expectVersion };
  const { versionFrom, ...others } = flags;
  const isKnown = (flags.source ?? source) !== null || flags.since !== undefined;
  const isWanted = flags.wait !== undefined || versionFrom !== undefined;
  if (!isWanted || isKnown) return flags;
  // Every night, or by hand: without an expected version, where the site names its own says nothing.
  const { deployed, orDeployed } = event;
  if (deployed === null) return others;
  return {
    ...flags,
    expectVersion: deployed,
    versionAlternatives: orDeployed,
    ...(versionFrom === undefined ? { versionOptional: true } : {}),
  };
}

/** The folder that the repository is checked out into; the runner starts actions there. */
function enterWorkspace(env: NodeJS.ProcessEnv): void {
  try {
    process.chdir(env['GITHUB_WORKSPACE'] || '.');
  } catch {
    // Nothing has been checked out: whatever needs the folder reports it.
  }
}

/** 0: the job continues; 1: a check failed; 3: unknown, or something could not be written. */
function statusOf(report: Report, failOn: FailOn, isReported: boolean): number {
  if (failOn === 'never') return 0;
  const status = exitStatus(report);
  return status === 0 && !isReported ? 3 : status;
}

/**
 * A runner sends SIGINT to a job that is cancelled, SIGTERM after 7.5 s, and ends what is still there 2.5 s later. What is
 * known may still be reported for so long, or until a second signal.
 */
const LONGEST_MS = 6_000;

interface Ended extends Publishing {
  readonly plan: Plan;
  /** Aborted when the job is cancelled: nothing more is sent. */
  readonly cancelled: AbortSignal;
}

const PUBLISH_MS = 90_000;

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
  await log.commands(githubReport(report, options, annotations));
  const files = await attempt(() => writeReports(ended, inputs.reportDir));
  if (files !== null) await log.text(ended.words.reportsIn(files.folder));
  const artifact = files === null ? null : await uploadReports(ended, files);
  const outputs = outputsOf(report, options.messages, files, artifact);
  await attempt(() => writeOutputs(env, outputs));
  const note = isVersionUntold(ended) ? ended.words.versionUntold() : null;
  if (note !== null) await log.notice(note);
  if (inputs.summary) await attempt(() => writeSummary(ended, files?.json ?? null, note, artifact?.url ?? null));
  if (!ended.cancelled.aborted) await publish(ended);
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
  const line = verdictLine(report, options.messages);
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
  const screenshots = hasScreenshots(report)
    ? await writeScreenshots(report.checks, path.join(folder, SCREENSHOTS))
    : [];
  const names = [...FILES.map(([, name]) => name), ...screenshots.map((name) => `${SCREENSHOTS}/${name}`)];
  return { folder, json: path.join(folder, 'report.json'), names };
}

function hasScreenshots({ checks }: Report): boolean {
  return checks.some(({ rendered }) => rendered !== undefined);
}

/* What later steps of a job can read. */

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
  files: Pick<Written, 'folder' | 'json'> | null,
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

async function writeOutputs(env: NodeJS.ProcessEnv, outputs: Outputs): Promise<void> {
  const file = env['GITHUB_OUTPUT'];
  if (file === undefined || file === '') return;
  await writing(file, appendFile(file, outputFile(outputs, `docvitals_${randomUUID()}`)));
}
