import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { env } from 'node:process';
import { loadConfig } from '../config/load.ts';
import { renderProblem } from '../config/messages.ts';
import { ConfigError } from '../config/problem.ts';
import { answersOfFlags, answersWithoutTerminal, propose } from '../init/answers.ts';
import { detectProject, type DetectedUrl, type Project } from '../init/detect.ts';
import { llmsTxtOf } from '../init/llms-txt.ts';
import type { InitFlags } from '../init/options.ts';
import { compareFiles, CONFIG, isWritten, makePlan, writeFiles, type ComparedFile, type Plan } from '../init/plan.ts';
import type { Terminal } from '../init/questions.ts';
import { writeErr, writeShown } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { table } from '../text/width.ts';
import { reporting, UsageError } from '../options/arguments.ts';
import { knownChecks } from '../options/settings.ts';
import { shellPath } from '../text/shell-word.ts';
import { LANGUAGES, languageIn, pickLanguage, type Language } from '../locales/language.ts';
import { demandFolder } from './files.ts';
import { listenForInterrupts, wantsProgress } from '../options/process.ts';
import { initWords, type InitWords } from '../generated/locales/init.ts';

/** As for Ctrl-C, which the questions read as a key. */
const CANCELLED = 130;

/** Runs `docvitals init`; resolves with the exit status. Writes nothing before all answers are known. */
export async function init(given: string | undefined, flags: InitFlags): Promise<number> {
  const prepared = await prepare(given, flags);
  if (flags.llmsTxt === true) return writeLlmsTxt(prepared);
  const interrupts = listenForInterrupts();
  const terminal = terminalOf(flags, interrupts.signal);
  // Without a terminal, no questions are asked, and what asks them is not loaded.
  const asking = terminal === null ? null : { terminal, ...(await import('../init/questions.ts')) };
  try {
    return await decide(prepared, asking);
  } catch (error) {
    if (asking === null || !(error instanceof asking.Cancelled)) throw error;
    await writeShown(`${initWords(prepared.language).cancelled}\n`);
    return interrupts.status() ?? CANCELLED;
  }
}

type Preparation = Awaited<ReturnType<typeof prepare>>;

async function prepare(given: string | undefined, flags: InitFlags) {
  await demandFolder(given ?? '.');
  const folder = await realpath(given ?? '.');
  const loaded = await loadConfig({ cwd: folder, env, known: knownChecks() }).catch((error: unknown) => {
    if (!(error instanceof ConfigError)) throw error;
    return { config: undefined, file: error.problems[0]?.file ?? null, error };
  });
  const { config, file } = loaded;
  const language = pickLanguage({ flag: flags.lang, config: config?.language ?? undefined, env });
  reporting.language = language;
  if ('error' in loaded) await reportProblems(loaded.error, file, flags, language);
  const known = await answersOfFlags(flags, folder);
  const project = await detectProject(folder);
  // `own`: the user's language, if the environment names it.
  return { flags, project, file, config, known, language, own: languageIn(env) };
}

async function writeLlmsTxt({ flags, project, known, language }: Preparation): Promise<number> {
  const words = initWords(language);
  const folder = known.source ?? project.site?.folder ?? null;
  if (folder === null) throw new UsageError((messages) => messages.noSiteFolder('--llms-txt'));
  const made = await llmsTxtOf(path.join(project.folder, folder));
  if (made === null) throw new UsageError((messages) => messages.noPages('--llms-txt', printable(folder)));
  const file = { file: path.posix.join(folder, 'llms.txt'), text: made.text };
  const { outcome } = await writePlan({ root: project.folder, files: [file], notes: [] }, flags, words);
  if (outcome === 'written') {
    await writeShown(`\n${words.listed(made.pages)}\n`);
  }
  return 0;
}

/** The questions and where they are asked; `null`: no questions can be asked. */
type Asking = (typeof import('../init/questions.ts') & { readonly terminal: Terminal }) | null;

async function decide({ flags, project, file, config, known, language, own }: Preparation, asking: Asking) {
  let spoken = language;
  if (asking !== null && known.language === undefined) {
    // In the user's language, or in all of them if it is not known.
    const question = (own === undefined ? LANGUAGES : [own]).map((one) => initWords(one).askLanguage).join(' · ');
    spoken = await asking.askLanguage(asking.terminal, question, language);
    reporting.language = spoken;
  }
  const words = initWords(spoken);
  await writeShown(detectedText(project, words));
  const proposal = propose(project, config, file, spoken);
  const answers =
    asking === null
      ? answersWithoutTerminal(known, proposal, project, flags)
      : await asking.ask(asking.terminal, spoken, known, proposal, project);
  const plan = makePlan(answers, project, file, words);
  const isGiven = asking !== null || known.url !== undefined;
  await writeShown(addressText(answers.url, isGiven ? null : proposal.detected, words));
  const confirm = asking === null ? undefined : () => asking.askYes(asking.terminal, words, words.askWrite, true);
  const { files, outcome } = await writePlan(plan, flags, words, confirm);
  if (outcome !== 'cancelled') {
    await writeShown(notesText(plan, files, checkCommand(project), words));
  }
  return 0;
}

async function writePlan(plan: Plan, { dryRun, force }: InitFlags, words: InitWords, confirm?: () => Promise<boolean>) {
  const files = await compareFiles(plan, force === true);
  await writeShown(planText(plan, files, words));
  const count = files.filter(isWritten).length;
  if (count === 0 || dryRun) {
    await writeShown(count === 0 ? `${words.nothingToWrite}\n` : `${contentText(files)}\n${words.dryRun}\n`);
    return { files, outcome: 'nothing' } as const;
  }
  if (confirm !== undefined && !(await confirm())) {
    await writeShown(`${words.cancelled}\n`);
    return { files, outcome: 'cancelled' } as const;
  }
  await writeFiles(plan, files);
  await writeShown(`${words.written(count)}\n`);
  return { files, outcome: 'written' } as const;
}

/**
 * Rejects with a `ConfigError` for an invalid configuration, unless it is to be replaced. Variables that are not set are
 * reported only: they may be set on the machine that uses the configuration.
 */
async function reportProblems(mistakes: ConfigError, file: string | null, { force }: InitFlags, language: Language) {
  if (force === true && file === CONFIG) return;
  if (mistakes.problems.some(({ expected }) => expected.kind !== 'env-missing')) throw mistakes;
  await writeErr(mistakes.problems.map((problem) => `${renderProblem(problem, language)}\n`).join(''));
}

function terminalOf({ yes }: InitFlags, signal: AbortSignal): Terminal | null {
  const { stdin: input, stdout: output } = process;
  const canAsk = input.isTTY && wantsProgress(output, env);
  return yes === true || !canAsk ? null : { input, output, signal };
}

function checkCommand({ folder }: Project): string {
  const here = path.relative(process.cwd(), folder);
  return printable(here === '' ? 'docvitals check' : `cd ${shellPath(here)} && docvitals check`);
}

function detectedText({ site, hosts: [host], repository }: Project, words: InitWords): string {
  const remote = repository?.remote ?? null;
  const name = remote === null ? null : printable(`${remote.host}/${remote.owner}/${remote.name}`);
  const branch = repository?.branch ?? null;
  const lines = [
    ...siteLines(site, words),
    words.foundHost(host?.provider ?? null, printable(host?.file ?? '')),
    repository === null
      ? words.outsideRepository
      : words.foundRepository(name, branch === null ? null : printable(branch)),
  ];
  return `${lines.join('\n')}\n`;
}

function siteLines(site: Project['site'], words: InitWords): readonly string[] {
  if (site === null) return [words.foundSite(null, null)];
  const { folder, engine, otherVersions } = site;
  const others = otherVersions.map(printable).join(', ');
  return [words.foundSite(printable(folder), engine), ...(others === '' ? [] : [words.foundVersions(others)])];
}

function addressText(url: string, detected: DetectedUrl | null, words: InitWords): string {
  const origin = detected === null ? null : printable(detected.origin);
  const shown = origin !== null && detected?.isGuess === true ? words.guessed(origin) : origin;
  return `${words.address(printable(url), shown)}\n`;
}

function planText({ root }: Plan, files: readonly ComparedFile[], words: InitWords): string {
  const lines = table(files.map(({ file, state }) => [`  ${printable(file)}`, words.states[state]]));
  const hint = files.some(({ state, isRival }) => state === 'exists' && isRival !== true) ? `${words.leftAlone}\n` : '';
  return `\n${words.planned(printable(root))}\n${lines}${hint}`;
}

function contentText(files: readonly ComparedFile[]): string {
  return files
    .filter(isWritten)
    .map(({ file, text }) => `\n==> ${printable(file)} <==\n${text.split('\n').map(printable).join('\n')}`)
    .join('');
}

function notesText({ notes }: Plan, files: readonly ComparedFile[], command: string, words: InitWords): string {
  const explained = files.flatMap(({ file, state, explanation }) =>
    // Comments explain the other files.
    explanation !== undefined && (state === 'exists' || file.endsWith('.json'))
      ? [words.hosting(printable(file), printable(explanation))]
      : [],
  );
  return [...explained, ...notes, words.next(command)].map((text) => `\n${text}\n`).join('');
}
