import { env } from 'node:process';
import type { Flags } from './commands.ts';
import { baseHref } from '../core/base-url.ts';
import { printable, shown } from '../text/printable.ts';
import { detectProject } from '../init/detect.ts';
import { Drill, findSource } from '../monitor/drill/drill.ts';
import type { DrillOptions, DrillResult, DrillSource, Failure, StepId, Target } from '../monitor/drill/drill.ts';
import type { MonitoredSite } from '../monitor/settings.ts';
import { writeErr, writeOut } from '../text/output.ts';
import { jsonText, toDocument } from '../report/document.ts';
import { echoed, UsageError } from '../options/arguments.ts';
import { reportUnapplied } from './unapplied.ts';
import { demandAddress, loadRunSettings } from '../options/run-options.ts';
import type { ReportOptions } from '../report/formats.ts';
import { LOCATE_NOTHING } from '../report/location.ts';
import { prettyReport } from '../report/pretty.ts';
import { layoutOf } from '../report/terminal.ts';
import { padded, textWidth } from '../text/width.ts';
import type { Language } from '../locales/language.ts';
import { withHost, type Texts } from '../report/texts.ts';
import { textsFor, type ProjectSettings } from '../options/settings.ts';
import { VERSION } from '../core/version.ts';
import { SourceError } from '../source/content.ts';
import type { WaitState } from '../wait/wait.ts';
import { columnsOf, listenForInterrupts, wantsColour, wantsProgress } from '../options/process.ts';
import { runLog, statusLine, waitingText, type RunState, type StatusLine } from '../options/progress.ts';
import { messagesIn } from '../locales/messages.ts';
import { numberIn, seconds } from '../locales/format.ts';
import { drillWords } from '../generated/locales/drill.ts';

type DrillFlags = Flags<'drill'>;

const DEFAULT_RTO_MS = 60_000;
/** Where nothing else is said, and the objective is not longer. */
const DEFAULT_DEADLINE_MS = 300_000;

export async function drill(flags: DrillFlags): Promise<number> {
  // With `source`, the limits are not those of the monitor's quick runs: a drill has its own deadline.
  const settings = await loadRunSettings(flags, env, '--url', flags.url);
  const plan = await planOf(flags, settings);
  await reportUnapplied(settings);
  const interrupts = listenForInterrupts();
  const result = await rehearse({ ...plan, interrupt: interrupts.signal }, flags.verbose === true);
  await writeOut(await reportText(result, flags, settings));
  return interrupts.status() ?? drillStatus(result);
}

async function planOf(flags: DrillFlags, settings: ProjectSettings) {
  const { source, branch = null, folder = null, keep = false, full = false } = flags;
  if (source === undefined) throw new UsageError((messages) => messages.missingOption('--source'));
  const target = targetOf(flags, settings);
  const found = await sourceOf(source);
  if (branch !== null && found.kind === 'folder')
    throw new UsageError((messages) => messages.badRepository('--branch', echoed(source)));
  const rtoMs = flags.rto ?? configuredRto(flags, settings) ?? DEFAULT_RTO_MS;
  const deadlineMs = flags.deadline ?? Math.max(DEFAULT_DEADLINE_MS, rtoMs);
  return {
    source: found,
    branch,
    folder,
    target,
    recoveryTimeObjectiveMs: rtoMs,
    deadlineMs,
    keep,
    full,
    settings,
    env,
  };
}

function targetOf({ deploy, url, compare, host, base }: DrillFlags, settings: ProjectSettings): Target {
  if (deploy === undefined) {
    if (url !== undefined) throw new UsageError((messages) => messages.needsOption('--url', '--deploy'));
    return { kind: 'serve', rules: { kind: host, base, improved: false } };
  }
  const address = url ?? settings.config.url;
  if (address === null) throw new UsageError((messages) => messages.needsOption('--deploy', '--url'));
  demandAddress(url, settings.config);
  const isCompared =
    compare && !settings.checks.some(({ id, role }) => role === 'source' && settings.config.skip.includes(id));
  return { kind: 'deploy', command: deploy, url: address, compare: isCompared };
}

async function sourceOf(given: string): Promise<DrillSource> {
  try {
    const source = await findSource(given, process.cwd());
    if (source !== null) return source;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new UsageError((messages) => messages.unreadable(echoed(given), printable(error.message)));
  }
  throw new UsageError((messages) => messages.badRepository('--source', echoed(given)));
}

/** The objective of the site that was chosen, or of the one that has the address. */
function configuredRto({ site, url }: DrillFlags, { config }: ProjectSettings): number | undefined {
  const wanted = baseHref(url ?? config.url);
  const isMeant = (one: MonitoredSite): boolean =>
    site === undefined ? baseHref(one.url) === wanted : one.id === site;
  return config.monitor.sites.find(isMeant)?.recoveryTimeObjectiveMs;
}

type Plan = Omit<DrillOptions, 'findSite' | 'onStep' | 'onRun' | 'onOutput'>;

async function rehearse(plan: Plan, isVerbose: boolean): Promise<DrillResult> {
  const { language } = plan.settings;
  const [messages, words] = [messagesIn(language), drillWords(language)];
  let step: { readonly id: StepId; readonly at: number } | null = null;
  let waiting: NonNullable<RunState['run']> | null = null;
  const textOf = (): string => {
    if (waiting !== null) return waitingText(waiting, messages);
    return step === null ? '' : `${words.progress[step.id]} (${seconds(language, performance.now() - step.at)})`;
  };
  const progress = wantsProgress(process.stderr, env) ? statusLine(process.stderr, textOf) : null;
  const onRun =
    progress === null
      ? runLog(messages, (line) => void writeErr(`${line}\n`))
      : (state: WaitState): void => void (waiting = { state, at: performance.now() });
  const rehearsal = new Drill({
    ...plan,
    findSite: async (top) => (await detectProject(top)).site?.folder ?? null,
    onStep: (id) => void (step = { id, at: performance.now() }),
    onRun,
    ...(isVerbose ? { onOutput: showOutput(progress) } : {}),
  });
  return rehearsal.run().finally(() => progress?.stop());
}

/** The output of the user's command goes to standard error, apart from the result. */
function showOutput(progress: StatusLine | null): (text: string) => void {
  return (text) => {
    progress?.wipe();
    const lines = text.split(/\r\n|[\r\n]/).map(printable);
    void writeErr(lines.join('\n'));
  };
}

async function reportText(result: DrillResult, flags: DrillFlags, settings: ProjectSettings): Promise<string> {
  const texts = withHost(await textsFor(settings), result.report?.site ?? {});
  if (flags.format === 'json') return `${jsonText(drillDocument(result, texts))}\n`;
  const text = prettyDrill(result, {
    texts,
    messages: messagesIn(settings.language),
    columns: columnsOf(process.stdout, env),
    colour: wantsColour(process.stdout, env, flags.color),
    detail: flags.verbose === true ? 'verbose' : 'normal',
    locate: LOCATE_NOTHING,
  });
  return shown(text, env);
}

/** 0: the objective was met; 1: it was missed, or the site did not become healthy; 3: not known. */
function drillStatus({ recoveryTimeObjectiveMet }: Pick<DrillResult, 'recoveryTimeObjectiveMet'>): 0 | 1 | 3 {
  if (recoveryTimeObjectiveMet === null) return 3;
  return recoveryTimeObjectiveMet ? 0 : 1;
}

export type DrillDocument = ReturnType<typeof drillDocument>;

function drillDocument({ report, ...facts }: DrillResult, texts: Texts) {
  return {
    schemaVersion: 1,
    tool: { name: 'docvitals', version: VERSION },
    language: texts.language,
    ...facts,
    report: report === null ? null : toDocument(report, texts, LOCATE_NOTHING),
  };
}

type Context = ReturnType<typeof contextOf>;

function contextOf(options: ReportOptions) {
  return { ...options, ...layoutOf(options), words: drillWords(options.texts.language) };
}

function prettyDrill(result: DrillResult, options: ReportOptions): string {
  const context = contextOf(options);
  const { words, style, prose, wrapped } = context;
  const { source, commit, folder, interrupted } = result;
  const blocks = [
    prose(words.title(printable(source), commit?.slice(0, 7) ?? null), 0).map((line) => style.strong(line)),
    stepLines(result, context),
    interrupted ? prose(words.stopped, 0) : [],
    result.failure === null ? [] : failureLines(result.failure, context),
    reportLines(result, options),
    result.notes.flatMap((note) => {
      const text = note.id === 'uncommitted' ? words.notes.uncommitted(note.count) : words.notes[note.id];
      return prose(`! ${text}`, 0).map((line) => style.doubtful(line));
    }),
    folder === null ? [] : wrapped(words.kept(printable(folder)), 0),
    prose(verdictLine(result, context), 0),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function stepLines({ steps, failure, totalMs, site, url }: DrillResult, context: Context): string[] {
  const { words, texts, style, quietly } = context;
  const rows = [
    ...steps.map(({ id, durationMs }) => ['✓', words.steps[id], durationMs, style.good] as const),
    ...(failure === null ? [] : [['✗', words.steps[failure.step], null, style.bad] as const]),
    [' ', words.total, totalMs, String] as const,
  ];
  const widest = Math.max(...rows.map(([, name]) => textWidth(name)));
  const lines = rows.map(([mark, name, ms, coloured]) => {
    const time = ms === null ? '' : seconds(texts.language, ms).padStart(9);
    return coloured(`${mark} ${padded(name, widest)} ${time}`.trimEnd());
  });
  const location = url === null ? null : words.location(site === null ? null : printable(site), printable(url));
  return location === null ? lines : [...quietly(location, 0), ...lines];
}

function failureLines({ reason, detail, output }: Failure, context: Context): string[] {
  const { words, prose, wrapped, quietly } = context;
  // With `--verbose` it was printed while the command ran.
  const printed = context.detail === 'verbose' ? [] : output.flatMap((line) => wrapped(printable(line), 4));
  const fix = words.fixes[reason];
  return [
    ...prose(words.failures[reason], 0),
    ...(detail === null ? [] : quietly(printable(detail), 2)),
    ...(printed.length === 0 ? [] : [...prose(words.output, 2), ...printed]),
    ...(fix === null ? [] : prose(fix, 0)),
  ];
}

/** The findings, if the site is not healthy or the user wants everything. */
function reportLines({ report, failure }: DrillResult, options: ReportOptions): string[] {
  const isVerbose = options.detail === 'verbose';
  if (report === null || (failure === null && !isVerbose)) return [];
  return [prettyReport(report, { ...options, detail: isVerbose ? 'verbose' : 'quiet' }).trimEnd()];
}

function verdictLine(
  { failure, totalMs, recoveryTimeObjectiveMs, recoveryTimeObjectiveMet }: DrillResult,
  context: Context,
): string {
  const { words, texts, style } = context;
  const total = seconds(texts.language, totalMs);
  if (recoveryTimeObjectiveMet === null) return words.unknown(total);
  const verdict = recoveryTimeObjectiveMet ? style.good(words.met) : style.bad(words.missed);
  const objective = wholeSeconds(recoveryTimeObjectiveMs, texts.language);
  return failure === null ? words.recovered(total, objective, verdict) : words.notRecovered(total, objective, verdict);
}

/** `60 s`, without the decimals that a measured time has. */
function wholeSeconds(ms: number, language: Language): string {
  return ms % 1000 === 0 ? `${numberIn(language, ms / 1000)}\u00a0s` : seconds(language, ms);
}
