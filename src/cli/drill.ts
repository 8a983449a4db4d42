import { env } from 'node:process';
import type { CheckFlags } from '../project/options.ts';
import type { Flags } from './commands.ts';
import { baseHref } from '../base-url.ts';
import type { Report } from '../check.ts';
import { printable, shown } from '../printable.ts';
import { detectProject } from '../init/detect.ts';
import {
  Drill,
  drillDocument,
  drillStatus,
  type CheckRequest,
  type DrillPlan,
  type DrillResult,
  type StepId,
  type Target,
} from '../monitor/drill/drill.ts';
import { prettyDrill } from '../monitor/drill/pretty.ts';
import { findSource, type DrillSource } from '../monitor/drill/source.ts';
import type { MonitoredSite } from '../monitor/settings.ts';
import { writeErr, writeOut } from '../output.ts';
import { jsonText } from '../report/document.ts';
import { echoed, UsageError } from '../project/usage-error.ts';
import { checked, demandAddress, runOptions, type RunPlan } from '../project/run-options.ts';
import { withHost } from '../texts.ts';
import { textsFor, type ProjectSettings } from '../project/settings.ts';
import { loadRunSettings } from '../project/sites.ts';
import { SourceError } from '../source/content.ts';
import { runLog } from '../wait/progress-text.ts';
import type { WaitState } from '../wait/wait.ts';
import { listenForInterrupts } from '../project/interrupts.ts';
import { columnsOf, wantsColour, wantsProgress } from './terminal.ts';
import { statusLine, waitingText, type RunState, type StatusLine } from './progress.ts';
import { messagesIn } from '../locales/messages.ts';
import { seconds } from '../locales/format.ts';
import { drillWords } from '../generated/locales/drill.ts';

type DrillFlags = Flags<'drill'>;

const DEFAULT_RTO_MS = 60_000;
/** Where nothing else is said, and the objective is not longer. */
const DEFAULT_DEADLINE_MS = 300_000;

export async function drill(flags: DrillFlags): Promise<number> {
  // With `source`, the limits are not those of the monitor's quick runs: a drill has its own deadline.
  const settings = await loadRunSettings(flags, env, '--url', flags.url);
  const plan = await planOf(flags, settings);
  const interrupts = listenForInterrupts();
  const run = { flags, settings, interrupt: interrupts.signal };
  const result = await rehearse(plan, run);
  await writeOut(await reportText(result, run));
  return interrupts.status() ?? drillStatus(result);
}

async function planOf(flags: DrillFlags, settings: ProjectSettings): Promise<DrillPlan> {
  const { source, branch = null, folder = null, keep = false } = flags;
  if (source === undefined) throw new UsageError((messages) => messages.missingOption('--source'));
  const target = targetOf(flags, settings);
  const found = await sourceOf(source);
  if (branch !== null && found.kind === 'folder')
    throw new UsageError((messages) => messages.badRepository('--branch', echoed(source)));
  const rtoMs = flags.objective ?? configuredRto(flags, settings) ?? DEFAULT_RTO_MS;
  const deadlineMs = flags.deadline ?? Math.max(DEFAULT_DEADLINE_MS, rtoMs);
  return { source: found, branch, folder, target, objectiveMs: rtoMs, deadlineMs, keep };
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
  return config.monitor.sites.find(isMeant)?.objectiveMs;
}

interface DrillRun {
  readonly flags: DrillFlags;
  readonly settings: ProjectSettings;
  readonly interrupt: AbortSignal;
}

async function rehearse(plan: DrillPlan, run: DrillRun): Promise<DrillResult> {
  const { flags, settings, interrupt } = run;
  const [messages, words] = [messagesIn(settings.language), drillWords(settings.language)];
  let step: { readonly id: StepId; readonly at: number } | null = null;
  let waiting: NonNullable<RunState['run']> | null = null;
  const textOf = (): string => {
    if (waiting !== null) return waitingText(waiting, messages);
    return step === null
      ? ''
      : `${words.progress[step.id]} (${seconds(settings.language, performance.now() - step.at)})`;
  };
  const progress = wantsProgress(process.stderr, env) ? statusLine(process.stderr, textOf) : null;
  const onRun =
    progress === null
      ? runLog(messages, (line) => void writeErr(`${line}\n`))
      : (state: WaitState): void => void (waiting = { state, at: performance.now() });
  const rehearsal = new Drill(plan, {
    env,
    interrupt,
    check: (request) => checkRecovered(request, plan.target, run, onRun),
    hasBundle: (url) => hasBundle(url, plan.target, run),
    findSite: async (top) => (await detectProject(top)).site?.folder ?? null,
    onStep: (id) => void (step = { id, at: performance.now() }),
    ...(flags.verbose === true ? { onOutput: showOutput(progress) } : {}),
  });
  return rehearsal.run().finally(() => progress?.stop());
}

/** Checks the recovered site as `docvitals check` would. Rejects with a `UsageError`. */
async function checkRecovered(
  { url, source, wait, onAnswer }: CheckRequest,
  target: Target,
  { flags, settings, interrupt }: DrillRun,
  onRun: (state: WaitState) => void,
): Promise<Report> {
  const plan = await planFor(url, target, settings, {
    format: 'json',
    color: false,
    full: flags.full === true,
    ...(source === null ? {} : { source }),
    ...(wait === null ? {} : { wait: wait.forMs, stable: wait.stable }),
  });
  return checked({ ...plan, wait, interrupt, onAnswer }, { onRun });
}

const BUNDLE_REQUEST_MS = 3_000;

async function hasBundle(url: string, target: Target, { settings, interrupt }: DrillRun): Promise<boolean> {
  const plan = await planFor(url, target, settings, { format: 'json', color: false });
  const checks = settings.checks.filter(({ role }) => role === 'bundle');
  const limits = { ...plan.limits, retries: 0, timeoutMs: BUNDLE_REQUEST_MS, deadlineMs: BUNDLE_REQUEST_MS };
  const report = await checked({ ...plan, checks, limits, interrupt, wait: null }, {});
  return report.checks.some(({ httpStatus }) => httpStatus === 200);
}

async function planFor(url: string, target: Target, settings: ProjectSettings, flags: CheckFlags): Promise<RunPlan> {
  // A drill itself gives these what to compare with.
  const compared = settings.checks.filter(({ role }) => role === 'source' || role === 'version');
  const only = settings.config.only.filter((id) => !compared.some((check) => check.id === id));
  const plan = await runOptions(url, flags, { ...settings, config: { ...settings.config, only, source: null } }, env);
  if (target.kind === 'deploy') return plan;
  // The server is this process: no proxy leads to it, and it must not receive secrets.
  const requested = { ...plan.requested, host: target.rules.kind };
  return { ...plan, requested, environment: {}, headers: {}, resolve: [], family: 0 };
}

/** The output of the user's command goes to standard error, apart from the result. */
function showOutput(progress: StatusLine | null): (text: string) => void {
  return (text) => {
    progress?.wipe();
    const lines = text.split(/\r\n|[\r\n]/).map(printable);
    void writeErr(lines.join('\n'));
  };
}

async function reportText(result: DrillResult, { flags, settings }: DrillRun): Promise<string> {
  const texts = withHost(await textsFor(settings), result.report?.site ?? {});
  if (flags.format === 'json') return `${jsonText(drillDocument(result, texts))}\n`;
  const text = prettyDrill(result, {
    texts,
    messages: messagesIn(settings.language),
    words: drillWords(settings.language),
    columns: columnsOf(process.stdout, env),
    colour: wantsColour(process.stdout, env, flags.color),
    detail: flags.verbose === true ? 'verbose' : 'normal',
    outputShown: flags.verbose === true,
  });
  return shown(text, env);
}
