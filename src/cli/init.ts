import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseBaseUrl } from '../base-url.ts';
import type { HostKind } from '../check.ts';
import { loadConfig, type Loaded } from '../config/load.ts';
import { parseBase } from '../hosting/rules.ts';
import { canHaveWorkflows, propose, unanswered, type Answers, type Known } from '../init/answers.ts';
import type { Asking } from '../init/ask.ts';
import { lookAt, type Seen } from '../init/look.ts';
import { makePlan } from '../init/plan.ts';
import { foundText, notesText, planText } from '../init/show.ts';
import { loadInitWords } from '../init/words/load.ts';
import { compareFiles, writeFiles } from '../init/write.ts';
import type { WorkflowKind } from '../init/workflows/kinds.ts';
import { loadMessages } from '../messages/load.ts';
import { writeOut } from '../output.ts';
import { echoed } from '../project/echoed.ts';
import { knownChecks } from '../project/settings.ts';
import { inLanguage, UsageError } from '../project/usage-error.ts';
import { pickLanguage, type Language } from '../texts.ts';
import { listenForInterrupts } from './signals.ts';

/** The options of `docvitals init`, read. */
export interface InitFlags {
  readonly url?: string;
  readonly source?: string;
  readonly host?: HostKind;
  readonly workflow?: readonly (WorkflowKind | 'none')[];
  readonly hosting?: boolean;
  readonly lang?: Language;
  readonly yes?: true;
  readonly dryRun?: true;
  readonly force?: true;
}

const CANCELLED = 130;

/** Runs `docvitals init`; resolves with the exit status. Nothing is written before everything is decided. */
export async function init(given: string | undefined, flags: InitFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const folder = await folderOf(given ?? '.');
  const loaded = await loadConfig({ cwd: folder, env, known: knownChecks() });
  const language = pickLanguage({
    flag: flags.lang,
    config: loaded.ok ? (loaded.config.language ?? undefined) : undefined,
    env,
  });
  const known = await inLanguage(language, () => knownAnswers(flags, folder));
  const seen = await lookAt(folder);
  const interrupts = listenForInterrupts();
  const asking = askingOf(flags, env, interrupts.signal);
  const { Cancelled } = asking === null ? { Cancelled: null } : await import('../init/ask.ts');
  try {
    return await decide({ flags, seen, loaded, known, language, asking });
  } catch (error) {
    if (Cancelled === null || !(error instanceof Cancelled)) throw error;
    await writeOut(`${(await loadInitWords(language)).cancelled}\n`);
    return CANCELLED;
  } finally {
    interrupts.dispose();
  }
}

interface Deciding {
  readonly flags: InitFlags;
  readonly seen: Seen;
  readonly loaded: Loaded;
  readonly known: Known;
  readonly language: Language;
  /** `null`: there is nobody to ask. */
  readonly asking: Asking | null;
}

/** Finds the answers, shows what comes of them, and writes it. */
async function decide({ flags, seen, loaded, known, language, asking }: Deciding): Promise<number> {
  const spoken = asking === null || known.language !== undefined ? language : await spokenLanguage(asking, language);
  const words = await loadInitWords(spoken);
  await writeOut(foundText(seen, words));
  const proposal = propose(seen, configured(loaded), spoken);
  const answers =
    asking === null
      ? await inLanguage(spoken, () => settle(known, proposal, flags))
      : await questions(asking, spoken, { given: { ...unasked(seen), ...defined(known), language: spoken }, proposal });
  const plan = await inLanguage(spoken, () => makePlan(mended(answers), seen, existingFile(loaded)));
  const files = await compareFiles(plan, flags.force === true);
  await writeOut(planText(plan, files, words));
  const count = files.filter(({ state }) => state === 'new' || state === 'replaced').length;
  if (count === 0) await writeOut(`${words.nothingToWrite}\n`);
  else if (flags.dryRun) await writeOut(`${words.dryRun}\n`);
  else {
    const { askWrite } = asking === null ? { askWrite: null } : await import('../init/ask.ts');
    if (asking !== null && askWrite !== null && !(await askWrite(asking, words))) {
      await writeOut(`${words.cancelled}\n`);
      return 0;
    }
    await writeFiles(plan, files);
    await writeOut(`${words.written(count)}\n`);
  }
  await writeOut(notesText(plan.notes, checkCommand(seen), words));
  return 0;
}

/** Rejects with a `UsageError` for what is no folder. */
async function folderOf(given: string): Promise<string> {
  const found = await stat(given).catch(() => null);
  if (found?.isDirectory() !== true) throw new UsageError((messages) => messages.notAFolder(echoed(given)));
  return realpath(given);
}

/** What the command line answers. Throws a `UsageError` for a source that is no folder below the one that is set up. */
async function knownAnswers(flags: InitFlags, folder: string): Promise<Known> {
  const workflows = flags.workflow?.filter((kind) => kind !== 'none');
  return {
    url: flags.url,
    source: flags.source === undefined ? undefined : await sourceOf(flags.source, folder),
    host: flags.host,
    language: flags.lang,
    workflows,
    hosting: flags.hosting,
  };
}

/** A folder as the configuration names it: relative to the one that it stands in. */
async function sourceOf(given: string, folder: string): Promise<string> {
  const place = path.resolve(folder, given);
  const found = await stat(place).catch(() => null);
  if (found?.isDirectory() !== true) throw new UsageError((messages) => messages.notAFolder(echoed(given)));
  const source = path.relative(folder, await realpath(place)).replaceAll(path.sep, '/') || '.';
  if (/^\.\.(?:\/|$)/.test(source) || path.isAbsolute(source)) {
    throw new UsageError((messages) => messages.outsideFolder('--source', echoed(given)));
  }
  return source;
}

/** What a configuration that is there already says, as far as it may be written down again. */
function configured(loaded: Loaded): Known {
  if (!loaded.ok) return {};
  const { url, source, host } = loaded.config;
  const site = parseBaseUrl(url ?? '');
  return {
    url: site.ok && site.site.href === site.base.href ? site.base.href : undefined,
    // A Git ref or a manifest is nothing that a workflow could deploy.
    source: source === null || /:|\.json$/.test(source) ? undefined : source,
    host: host ?? undefined,
  };
}

function existingFile(loaded: Loaded): string | null {
  return loaded.ok ? loaded.file : (loaded.problems[0]?.file ?? null);
}

/** The answers where nobody can be asked. Throws a `UsageError` that names what has to be given. */
function settle(known: Known, proposal: ReturnType<typeof propose>, { yes }: InitFlags): Answers {
  const missing = yes === true ? [] : unanswered(known);
  if (missing.length > 0) throw new UsageError((messages) => messages.nobodyToAsk(missing.join(', ')));
  const { url, ...rest } = { ...proposal, ...defined(known) };
  if (url === undefined) throw new UsageError((messages) => messages.noSiteUrl());
  return { ...rest, url } as Answers;
}

/** What need not be asked. */
const unasked = (seen: Seen): Known => (canHaveWorkflows(seen) ? {} : { workflows: [] });

function defined(known: Known): Known {
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

/** Throws a `UsageError` where the configuration of a host cannot be made. */
function mended(answers: Answers): Answers {
  if (!answers.hosting) return answers;
  if (answers.host === null) throw new UsageError((messages) => messages.hostingNeedsHost());
  const { pathname } = new URL(answers.url);
  if (parseBase(pathname) === null) throw new UsageError((messages) => messages.hostingBase(echoed(pathname)));
  return answers;
}

function askingOf({ yes }: InitFlags, env: NodeJS.ProcessEnv, signal: AbortSignal): Asking | null {
  const { stdin: input, stdout: output } = process;
  const canAsk = input.isTTY && output.isTTY && (env['CI'] ?? '') === '' && env['TERM'] !== 'dumb';
  return yes === true || !canAsk ? null : { input, output, signal };
}

async function spokenLanguage(asking: Asking, language: Language): Promise<Language> {
  const { askLanguage } = await import('../init/ask.ts');
  return askLanguage(asking, await loadInitWords(language), language);
}

async function questions(
  asking: Asking,
  language: Language,
  known: { readonly given: Known; readonly proposal: ReturnType<typeof propose> },
): Promise<Answers> {
  const [{ ask }, words, messages] = await Promise.all([
    import('../init/ask.ts'),
    loadInitWords(language),
    loadMessages(language),
  ]);
  return ask(asking, { words, messages }, known);
}

function checkCommand({ folder }: Seen): string {
  const here = path.relative(process.cwd(), folder);
  return here === '' ? 'docvitals check' : `cd ${echoed(here)} && docvitals check`;
}
