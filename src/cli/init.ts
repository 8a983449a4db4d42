import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { loadConfig, type Loaded } from '../config/load.ts';
import { renderProblem } from '../config/messages.ts';
import {
  answersOfFlags,
  answersWithoutQuestion,
  answersWithoutTerminal,
  demandHosting,
  propose,
  type Known,
} from '../init/answers.ts';
import { detectProject, type Project } from '../init/detect.ts';
import { compareFiles, isWritten, writeFiles, type ComparedFile } from '../init/files.ts';
import { hostingOffer } from '../init/hosting.ts';
import { llmsTxtOf } from '../init/llms-txt.ts';
import type { InitFlags } from '../init/options.ts';
import { CONFIG, makePlan, type Plan } from '../init/plan.ts';
import { addressText, contentText, detectedText, notesText, planText } from '../init/print.ts';
import type { Terminal } from '../init/questions.ts';
import { writeErr, writeShown } from '../output.ts';
import { printable } from '../printable.ts';
import { ConfigError, reporting, UsageError } from '../project/usage-error.ts';
import { knownChecks } from '../project/settings.ts';
import { shellPath } from '../shell-word.ts';
import { LANGUAGES, languageIn, pickLanguage, type Language } from '../texts.ts';
import { demandFolder } from './files.ts';
import { listenForInterrupts } from '../project/interrupts.ts';
import { initWords, type InitWords } from '../generated/locales/init.ts';
import { messagesIn } from '../locales/messages.ts';

/** As for Ctrl-C, which the questions read as a key. */
const CANCELLED = 130;

/** Runs `docvitals init`; resolves with the exit status. Writes nothing before all answers are known. */
export async function init(given: string | undefined, flags: InitFlags, env: NodeJS.ProcessEnv): Promise<number> {
  await demandFolder(given ?? '.');
  const folder = await realpath(given ?? '.');
  const loaded = await loadConfig({ cwd: folder, env, known: knownChecks() });
  const language = pickLanguage({
    flag: flags.lang,
    config: loaded.ok ? (loaded.config.language ?? undefined) : undefined,
    env,
  });
  reporting.language = language;
  await reportProblems(loaded, flags, language);
  const known = await answersOfFlags(flags, folder);
  const project = await detectProject(folder);
  if (flags.llmsTxt === true) return writeLlmsTxt({ flags, project, known, language });
  const interrupts = listenForInterrupts();
  const terminal = terminalOf(flags, env, interrupts.signal);
  // Without a terminal, no questions are asked, and what asks them is not loaded.
  const asking = terminal === null ? null : { terminal, ...(await import('../init/questions.ts')) };
  try {
    return await decide({ flags, project, loaded, known, language, own: languageIn(env), asking });
  } catch (error) {
    if (asking === null || !(error instanceof asking.Cancelled)) throw error;
    await writeShown(`${initWords(language).cancelled}\n`);
    return interrupts.status() ?? CANCELLED;
  }
}

async function writeLlmsTxt(given: Pick<Preparation, 'flags' | 'project' | 'known' | 'language'>): Promise<number> {
  const { flags, project, known, language } = given;
  const words = initWords(language);
  const folder = known.source ?? project.site?.folder ?? null;
  if (folder === null) throw new UsageError((messages) => messages.noSiteFolder('--llms-txt'));
  const made = await llmsTxtOf(path.join(project.folder, folder));
  if (made === null) throw new UsageError((messages) => messages.noPages('--llms-txt', printable(folder)));
  const file = { file: path.posix.join(folder, 'llms.txt'), text: made.text };
  const plan = { root: project.folder, files: [file], notes: [] };
  const files = await compareFiles(plan, flags.force === true);
  await writeShown(planText(plan, files, words));
  if ((await writePlan(plan, files, flags, words)) === 'written') {
    await writeShown(`\n${words.listed(made.pages)}\n`);
  }
  return 0;
}

interface Preparation {
  readonly flags: InitFlags;
  readonly project: Project;
  readonly loaded: Loaded;
  readonly known: Known;
  readonly language: Language;
  /** The user's language, if the environment names it. */
  readonly own: Language | undefined;
  /** `null`: no questions can be asked. */
  readonly asking: (typeof import('../init/questions.ts') & { readonly terminal: Terminal }) | null;
}

async function decide({ flags, project, loaded, known, language, own, asking }: Preparation): Promise<number> {
  let spoken = language;
  if (asking !== null && known.language === undefined) {
    // In the user's language, or in all of them if it is not known.
    const question = (own === undefined ? LANGUAGES : [own]).map((one) => initWords(one).askLanguage).join(' · ');
    spoken = await asking.askLanguage(asking.terminal, question, language);
    reporting.language = spoken;
  }
  const words = initWords(spoken);
  await writeShown(detectedText(project, words));
  const proposal = propose(project, loaded, spoken);
  const answers =
    asking === null
      ? answersWithoutTerminal(known, proposal, project, flags)
      : await asking.ask(
          asking.terminal,
          { words, messages: messagesIn(spoken) },
          {
            given: { ...answersWithoutQuestion(project), ...known, language: spoken },
            proposal,
            canHost: (host) => hostingOffer(host, project.hosts, known.product)?.ok === true,
          },
        );
  demandHosting(answers, project);
  const plan = makePlan(answers, project, existingFile(loaded), words);
  const files = await compareFiles(plan, flags.force === true);
  const isGiven = asking !== null || known.url !== undefined;
  await writeShown(addressText(answers.url, isGiven ? null : proposal.detected, words));
  await writeShown(planText(plan, files, words));
  const confirm = asking === null ? undefined : () => asking.askWrite(asking.terminal, words);
  if ((await writePlan(plan, files, flags, words, confirm)) !== 'cancelled') {
    await writeShown(notesText(plan, files, checkCommand(project), words));
  }
  return 0;
}

async function writePlan(
  plan: Plan,
  files: readonly ComparedFile[],
  { dryRun }: InitFlags,
  words: InitWords,
  confirm?: () => Promise<boolean>,
): Promise<'nothing' | 'written' | 'cancelled'> {
  const count = files.filter(isWritten).length;
  if (count === 0 || dryRun) {
    await writeShown(count === 0 ? `${words.nothingToWrite}\n` : `${contentText(files)}\n${words.dryRun}\n`);
    return 'nothing';
  }
  if (confirm !== undefined && !(await confirm())) {
    await writeShown(`${words.cancelled}\n`);
    return 'cancelled';
  }
  await writeFiles(plan, files);
  await writeShown(`${words.written(count)}\n`);
  return 'written';
}

/**
 * Rejects with a `ConfigError` for an invalid configuration, unless it is to be replaced. Variables that are not set are
 * reported only: they may be set on the machine that uses the configuration.
 */
async function reportProblems(loaded: Loaded, { force }: InitFlags, language: Language): Promise<void> {
  if (loaded.ok || (force === true && existingFile(loaded) === CONFIG)) return;
  if (loaded.problems.some(({ expected }) => expected.kind !== 'env-missing')) throw new ConfigError(loaded.problems);
  await writeErr(loaded.problems.map((problem) => `${renderProblem(problem, language)}\n`).join(''));
}

function existingFile(loaded: Loaded): string | null {
  return loaded.ok ? loaded.file : (loaded.problems[0]?.file ?? null);
}

function terminalOf({ yes }: InitFlags, env: NodeJS.ProcessEnv, signal: AbortSignal): Terminal | null {
  const { stdin: input, stdout: output } = process;
  const canAsk = input.isTTY && output.isTTY && (env['CI'] ?? '') === '' && env['TERM'] !== 'dumb';
  return yes === true || !canAsk ? null : { input, output, signal };
}

function checkCommand({ folder }: Project): string {
  const here = path.relative(process.cwd(), folder);
  return printable(here === '' ? 'docvitals check' : `cd ${shellPath(here)} && docvitals check`);
}
