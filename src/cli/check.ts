import { env } from 'node:process';
import { browserAddressOf, type CheckFlags } from '../options/arguments.ts';
import type { CheckResult, Report } from '../core/check.ts';
import { loadFormat, SHOWN_AS_IS, type ReportOptions } from '../report/formats.ts';
import { locator } from '../report/location.ts';
import { shown } from '../text/printable.ts';
import type { Language } from '../locales/language.ts';
import { withHost } from '../report/texts.ts';
import { exitStatus } from '../core/verdict.ts';
import { OutputError, unwritten, writeErr, writeFileWhole, writeOut } from '../text/output.ts';
import type { RunState } from '../options/progress.ts';
import { reportUnapplied } from './unapplied.ts';
import { checked, loadRunSettings, runOptions, type RunPlan } from '../options/run-options.ts';
import { textsFor } from '../options/settings.ts';
import { columnsOf, listenForInterrupts, wantsColour, wantsProgress } from '../options/process.ts';
import type { WaitState } from '../wait/wait.ts';
import { messagesIn, type Messages } from '../locales/messages.ts';

/** Runs `docvitals check`; resolves with the exit status. Throws usage and configuration errors before anything is sent. */
export async function check(given: string | undefined, asked: CheckFlags): Promise<number> {
  const [url, flags] = withBrowserAddress(given, asked);
  const settings = await loadRunSettings(flags, env, '<base-url>', url);
  const interrupts = listenForInterrupts();
  const options = await runOptions(url, flags, settings, { env, interrupt: interrupts.signal });
  await reportUnapplied(settings);
  const log = options.wait === null ? null : await runLogFor(flags, settings.language);
  // A run may need every descriptor that there is: what its end is reported with is read before.
  const formats = [flags.format, ...(flags.report ?? []).map(({ format }) => format)];
  const loadingWords = Promise.all([textsFor(settings), ...formats.map(loadFormat)]);
  const state: RunState = { waiting: new Set(options.checks.map(({ id }) => id)), crawl: null, run: null };
  const running = startRun(options, interrupts.signal, state, log);
  running.catch(() => {});
  const [texts] = await loadingWords;
  const messages = messagesIn(settings.language);
  const showsProgress = !flags.quiet && wantsProgress(process.stderr, env);
  const { showProgress } = showsProgress ? await import('../options/progress.ts') : { showProgress: null };
  const progress = showProgress?.(process.stderr, messages, state);
  const report = await running.finally(() => progress?.stop());
  const locate = await locator(options.requested?.source ?? null, report);
  const reportedTexts = withHost(texts, { ...report.site, kind: options.requested?.host });
  const written = await printReport(report, flags, { texts: reportedTexts, messages, locate });
  const isDrawn = flags.screenshots === undefined || (await drawn(report, flags.screenshots, messages));
  return written && isDrawn ? (interrupts.status() ?? exitStatus(report)) : 3;
}

/** An address after `--browser` is the site's where no other is given: `docvitals check --browser https://docs.example.org/`. */
function withBrowserAddress(url: string | undefined, flags: CheckFlags): [string | undefined, CheckFlags] {
  const { browser } = flags;
  if (typeof browser !== 'string') return [url, flags];
  if (url === undefined && /^https?:/i.test(browser)) return [browser, { ...flags, browser: true }];
  return [url, { ...flags, browser: browserAddressOf(browser) }];
}

async function drawn({ checks }: Report, folder: string, messages: Messages): Promise<boolean> {
  const { writeScreenshots } = await import('../browser/screenshots.ts');
  return isWritten(() => writeScreenshots(checks, folder), messages);
}

/** Whether all was written; what could not be is reported on standard error. */
async function isWritten(write: () => Promise<unknown>, messages: Messages): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    await writeErr(`docvitals: ${unwritten(error, messages)}\n`);
    return false;
  }
}

type OnRun = (run: WaitState) => void;

function startRun(plan: RunPlan, interrupt: AbortSignal, state: RunState, log: OnRun | null): Promise<Report> {
  const onRun: OnRun = (run) => {
    state.crawl = null;
    state.run = { state: run, at: performance.now() };
    log?.(run);
  };
  const following = {
    ...plan,
    interrupt,
    onResult: ({ id }: CheckResult) => void state.waiting.delete(id),
    onProgress: (done: number, known: number) => {
      state.crawl = { done, known };
    },
  };
  return checked(following, { onRun });
}

/** Where no line can be rewritten, as in the log of a CI service: how far the waiting is, a line now and then. */
async function runLogFor({ quiet }: CheckFlags, language: Language): Promise<OnRun | null> {
  if (quiet || wantsProgress(process.stderr, env)) return null;
  const { runLog } = await import('../options/progress.ts');
  return runLog(messagesIn(language), (line) => void writeErr(`${line}\n`));
}

/** Prints the report and writes the files; `false` when one could not be written, which is then reported on standard error. */
async function printReport(
  report: Report,
  flags: CheckFlags,
  how: Pick<ReportOptions, 'texts' | 'messages' | 'locate'>,
): Promise<boolean> {
  // What is kept in a file is whole, however little is printed.
  const detail: ReportOptions['detail'] = flags.verbose ? 'verbose' : 'normal';
  const outputs = [
    {
      format: flags.format,
      detail: flags.quiet ? ('quiet' as const) : detail,
      columns: columnsOf(process.stdout, env),
      colour: wantsColour(process.stdout, env, flags.color),
      write: (text: string) => writeOut(SHOWN_AS_IS.has(flags.format) ? shown(text, env) : text),
    },
    ...(flags.report ?? []).map(({ format, file }) => ({
      format,
      detail,
      columns: columnsOf({}, env),
      colour: false,
      write: (text: string) => writeFileWhole(file, text),
    })),
  ];
  let isAll = true;
  for (const { format, write, ...options } of outputs) {
    const make = await loadFormat(format);
    isAll = (await isWritten(() => write(make(report, { ...how, ...options })), how.messages)) && isAll;
  }
  return isAll;
}
