import { echoed, reporting, UsageError, type CheckFlags } from '../options/arguments.ts';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Report } from '../core/check.ts';
import type { Config } from '../config/config.ts';
import { renderProblem } from '../config/messages.ts';
import { ConfigError, type ConfigProblem } from '../config/problem.ts';
import { OutputError, unwritten, writeErr, writeOut } from '../text/output.ts';
import { messagesIn } from '../locales/messages.ts';
import { listenForInterrupts } from '../options/process.ts';
import { checked, runOptions } from '../options/run-options.ts';
import { leadsOut } from '../options/proposed.ts';
import { settingsOfAddress, unappliedLine } from '../options/settings-of-address.ts';
import { loadSettings, textsFor } from '../options/settings.ts';
import { locator } from '../report/location.ts';
import { secretsOf } from '../core/secrets.ts';
import { LANGUAGES, pickLanguage, type Language } from '../locales/language.ts';
import { withHost } from '../report/texts.ts';
import { exitStatus } from '../core/verdict.ts';
import { VERSION } from '../core/version.ts';
import { runLog } from '../options/progress.ts';
import { readEvent, type RunEvent } from './event.ts';
import { InputError, inInputs, inputOf, NO_VERSION, readInputs, type FailOn, type Inputs } from './inputs.ts';
import { createLog, type Log, type LogLocation } from './log.ts';
import { NO_OUTPUTS, reportRun, writeOutputs } from './publish.ts';
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
  const text = (problem: ConfigProblem): string => renderProblem(problem, language);
  const alone = problems.length > MOST_ERRORS ? MOST_ERRORS - 1 : problems.length;
  for (const problem of problems.slice(0, alone)) await log.error(text(problem), locationOf(problem));
  if (alone < problems.length) await log.error(problems.slice(alone).map(text).join('\n'));
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
  const cancel = listenForInterrupts(LONGEST_MS);
  const plan = await planRun(env, cancel.signal);
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
  const unapplied = unappliedLine(settings, messages);
  if (unapplied !== null) await log.notice(inInputs(unapplied));
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

export type Plan = Awaited<ReturnType<typeof planRun>>;

async function planRun(env: NodeJS.ProcessEnv, cancelled: AbortSignal) {
  const inputs = readInputs(env);
  const event = readEvent(env);
  const workspace = await readdir(process.cwd()).catch((): string[] => []);
  demandCheckout(inputs.flags, workspace);
  demandReportFolder(inputs, env);
  const given = inputs.url ?? event.deployment?.url ?? undefined;
  const loading = { flags: inputs.flags, env: withoutTokens(env) };
  const settings = await settingsOfAddress(await loadSettings(loading.flags, loading.env), given, loading);
  const isDeployed = inputs.url !== undefined || event.deployment === null || event.deployment.state === 'success';
  if (!isDeployed) return { inputs, event, settings, run: null };
  if (given === undefined && settings.config.url === null)
    throw new InputError((words) => (event.deployment ? words.noEnvironmentUrl() : words.noUrl()));
  // Failing on warnings makes them count in the verdict, so that the job and the report agree.
  const strict = inputs.failOn === 'warn' ? { strict: true } : {};
  const flags = { ...versionFlags(inputs, event, settings.config), ...strict };
  // An address of the configuration is not passed on: a mistake in it is reported without it, because it may be secret.
  const run = await runOptions(given, flags, settings, { env, interrupt: cancelled });
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

/** The workflow may name a folder outside the workspace; what is checked out may not, by a link in the path. */
function demandReportFolder({ reportDir }: Inputs, env: NodeJS.ProcessEnv): void {
  if (reportDir === undefined || !leadsOut(reportDir, env)) return;
  throw new UsageError((messages) => messages.leadsOut('report-dir', echoed(reportDir)));
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
