import type { Report } from '../check.ts';
import { checkSite, type CheckSiteOptions } from '../check-site.ts';
import { loadMessages } from '../messages/load.ts';
import type { Messages } from '../messages/messages.ts';
import { loadFormat } from '../report/formats.ts';
import type { PrettyOptions } from '../report/pretty.ts';
import { exitStatus } from '../verdict.ts';
import { OutputError, unwritten, writeErr, writeFileWhole, writeOut } from './output.ts';
import type { RunState } from './progress.ts';
import { runOptions, type CheckFlags } from './run-options.ts';
import { loadSettings, textsFor } from './settings.ts';
import { listenForInterrupts } from './signals.ts';
import { columnsOf, wantsColour, wantsProgress } from './terminal.ts';
import { inLanguage, UsageError } from './usage-error.ts';

/** Runs `docvitals check`; resolves with the exit status. Throws usage and configuration errors before anything is sent. */
export async function check(url: string | undefined, flags: CheckFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const settings = await loadSettings(flags, env, process.cwd());
  const options = await inLanguage(settings.language, () => runOptions(url, flags, settings, env));
  const interrupts = listenForInterrupts();
  // A run may need every descriptor that there is.
  const loadingTexts = textsFor(settings);
  const state: RunState = { waiting: new Set(options.checks.map(({ id }) => id)), crawl: null };
  const running = inLanguage(settings.language, () =>
    startRun({
      ...options,
      interrupt: interrupts.signal,
      onResult: ({ id }) => void state.waiting.delete(id),
      onProgress: (done, known) => {
        state.crawl = { done, known };
      },
    }),
  );
  // It is waited for below.
  running.catch(() => {});
  // The requests are on their way; what only the output needs is loaded while they are.
  const [messages, texts] = await Promise.all([loadMessages(settings.language), loadingTexts]);
  const stopProgress = flags.quiet || !wantsProgress(process.stderr, env) ? null : await showProgress(messages, state);
  const report = await running.finally(() => stopProgress?.());
  const written = await tell(report, flags, { texts, messages, detail: detailOf(flags) }, env);
  interrupts.dispose();
  return written ? (interrupts.status() ?? exitStatus(report)) : 3;
}

function detailOf({ quiet, verbose }: CheckFlags): PrettyOptions['detail'] {
  if (quiet) return 'quiet';
  return verbose ? 'verbose' : 'normal';
}

async function startRun(options: CheckSiteOptions): Promise<Report> {
  try {
    return await checkSite(options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError((messages) => messages.badProxy(error.message));
  }
}

async function showProgress(messages: Messages, state: RunState): Promise<() => void> {
  const { Progress } = await import('./progress.ts');
  const progress = new Progress(process.stderr, messages, state);
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
