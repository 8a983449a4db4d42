import { parseBaseUrl } from '../base-url.ts';
import type { CheckResult, Report } from '../check.ts';
import { checkSite, type CheckSiteOptions } from '../check-site.ts';
import type { ResolveEntry } from '../config/resolve.ts';
import { loadMessages } from '../messages/load.ts';
import type { Messages } from '../messages/messages.ts';
import { loadFormat, type FormatName } from '../report/formats.ts';
import type { PrettyOptions } from '../report/pretty.ts';
import { printable } from '../printable.ts';
import { exitStatus } from '../verdict.ts';
import type { ReportTarget } from './arguments.ts';
import { OutputError, unwritten, writeErr, writeFileWhole, writeOut } from './output.ts';
import { selectChecks } from './select.ts';
import { loadSettings, textsFor, type ProjectFlags, type ProjectSettings } from './settings.ts';
import { listenForInterrupts } from './signals.ts';
import { columnsOf, wantsColour, wantsProgress } from './terminal.ts';
import { inLanguage, UsageError } from './usage-error.ts';

/** The options of `docvitals check`, read. Times are in milliseconds; what is absent is left to the configuration. */
export interface CheckFlags extends ProjectFlags {
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly format: FormatName;
  readonly report?: readonly ReportTarget[];
  readonly timeout?: number;
  readonly deadline?: number;
  readonly retries?: number;
  readonly header?: Readonly<Record<string, string>>;
  readonly resolve?: readonly ResolveEntry[];
  readonly ipv4?: true;
  readonly ipv6?: true;
  readonly strict?: true;
  readonly verbose?: true;
  readonly quiet?: true;
  readonly color: boolean;
}

/** Runs `docvitals check`; resolves with the exit status. Throws usage and configuration errors before anything is sent. */
export async function check(url: string | undefined, flags: CheckFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const settings = await loadSettings(flags, env, process.cwd());
  const options = inLanguage(settings.language, () => optionsOf(url, flags, settings, env));
  const interrupts = listenForInterrupts();
  const ended = new EventTarget();
  const onResult = ({ id }: CheckResult): void => void ended.dispatchEvent(new Event(id));
  const running = inLanguage(settings.language, () => startRun({ ...options, interrupt: interrupts.signal, onResult }));
  // The requests are on their way; what only the output needs is loaded while they are.
  const [messages, texts] = await Promise.all([loadMessages(settings.language), textsFor(settings)]);
  const ids = options.checks.map(({ id }) => id);
  const stopProgress =
    flags.quiet || !wantsProgress(process.stderr, env) ? null : await showProgress(messages, ids, ended);
  const report = await running.finally(() => stopProgress?.());
  const written = await tell(report, flags, { texts, messages, detail: detailOf(flags) }, env);
  interrupts.dispose();
  return written ? (interrupts.status() ?? exitStatus(report)) : 3;
}

function optionsOf(
  url: string | undefined,
  flags: CheckFlags,
  { config, checks }: ProjectSettings,
  env: NodeJS.ProcessEnv,
): CheckSiteOptions {
  const given = url ?? config.url;
  // An empty argument is a variable of a script that was not set.
  if (given === null || given.trim() === '') throw new UsageError((messages) => messages.noUrl());
  const site = parseBaseUrl(given);
  if (!site.ok) {
    // A URL of the configuration may hold what an environment variable held: it is named, not shown.
    const fromConfig = url === undefined;
    const problem = fromConfig && site.problem === 'no-scheme' ? 'invalid' : site.problem;
    throw new UsageError((messages) => messages.baseUrl(problem, fromConfig ? 'url' : printable(site.given)));
  }
  return {
    site,
    checks: selectChecks(checks, { only: flags.only ?? config.only, skip: flags.skip ?? config.skip }),
    limits: {
      ...config.limits,
      ...(flags.timeout === undefined ? {} : { timeoutMs: flags.timeout }),
      ...(flags.deadline === undefined ? {} : { deadlineMs: flags.deadline }),
      ...(flags.retries === undefined ? {} : { retries: flags.retries }),
    },
    headers: { ...config.headers, ...flags.header },
    resolve: [...(flags.resolve ?? []), ...config.resolve],
    family: familyOf(flags),
    rules: config.rules,
    strict: flags.strict ?? config.strict,
    environment: env,
  };
}

function familyOf({ ipv4, ipv6 }: CheckFlags): 0 | 4 | 6 {
  if (ipv4) return 4;
  return ipv6 ? 6 : 0;
}

function detailOf({ quiet, verbose }: CheckFlags): PrettyOptions['detail'] {
  if (quiet) return 'quiet';
  return verbose ? 'verbose' : 'normal';
}

function startRun(options: CheckSiteOptions): Promise<Report> {
  try {
    return checkSite(options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError((messages) => messages.badProxy(error.message));
  }
}

async function showProgress(messages: Messages, ids: readonly string[], ended: EventTarget): Promise<() => void> {
  const { Progress } = await import('./progress.ts');
  const progress = new Progress(process.stderr, messages, ids);
  for (const id of ids) ended.addEventListener(id, () => progress.ended(id));
  return () => progress.stop();
}

/** Prints the report and writes the files; `false` when one could not be written, which is then told on standard error. */
async function tell(
  report: Report,
  flags: CheckFlags,
  how: Pick<PrettyOptions, 'texts' | 'messages' | 'detail'>,
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  const outputs = [
    {
      format: flags.format,
      columns: columnsOf(process.stdout, env),
      colour: wantsColour(process.stdout, env, flags.color),
      write: (text: string) => writeOut(text),
    },
    ...(flags.report ?? []).map(({ format, file }) => ({
      format,
      columns: columnsOf({}, env),
      colour: false,
      write: (text: string) => writeFileWhole(file, text),
    })),
  ];
  let written = true;
  for (const { format, columns, colour, write } of outputs) {
    const make = await loadFormat(format);
    try {
      await write(make(report, { ...how, columns, colour }));
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      written = false;
      await writeErr(`docvitals: ${unwritten(error, how.messages)}\n`);
    }
  }
  return written;
}
