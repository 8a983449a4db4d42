import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { loadConfig, type Loaded } from '../config/load.ts';
import { renderProblem } from '../config/render.ts';
import { propose, type Answers, type Known } from '../init/answers.ts';
import type { Asked, Asking } from '../init/ask.ts';
import { hostingOffer } from '../init/hosting.ts';
import {
  configured,
  defined,
  knownAnswers,
  makeable,
  originOf,
  settle,
  unasked,
  type InitFlags,
} from '../init/known.ts';
import { lookAt, type Seen } from '../init/look.ts';
import { CONFIG, makePlan } from '../init/plan.ts';
import { shellPath } from '../shell-word.ts';
import { addressText, contentText, foundText, notesText, planText } from '../init/show.ts';
import { loadInitWords } from '../init/words/load.ts';
import { compareFiles, writeFiles } from '../init/write.ts';
import { loadMessages } from '../messages/load.ts';
import { writeErr, writeShown } from '../output.ts';
import { printable } from '../printable.ts';
import { ConfigError } from '../project/config-error.ts';
import { echoed } from '../project/echoed.ts';
import { knownChecks } from '../project/settings.ts';
import { inLanguage, UsageError } from '../project/usage-error.ts';
import { LANGUAGES, languageIn, pickLanguage, type Language } from '../texts.ts';
import { listenForInterrupts } from './signals.ts';

/** As for Ctrl-C, which the questions take for a key. */
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
  await reportProblems(loaded, flags, language);
  const known = await inLanguage(language, () => knownAnswers(flags, folder));
  const observed = await lookAt(folder);
  const interrupts = listenForInterrupts();
  const requester = askingOf(flags, env, interrupts.signal);
  const { Cancelled } = requester === null ? { Cancelled: null } : await import('../init/ask.ts');
  try {
    return await decide({ flags, observed, loaded, known, language, own: languageIn(env), requester });
  } catch (error) {
    if (Cancelled === null || !(error instanceof Cancelled)) throw error;
    await writeShown(`${(await loadInitWords(language)).cancelled}\n`);
    return interrupts.status() ?? CANCELLED;
  } finally {
    interrupts.dispose();
  }
}

interface Deciding {
  readonly flags: InitFlags;
  readonly observed: Seen;
  readonly loaded: Loaded;
  readonly known: Known;
  readonly language: Language;
  /** Of whoever runs the command, where the environment tells it. */
  readonly own: Language | undefined;
  /** `null`: there is nobody to ask. */
  readonly requester: Asking | null;
}

/** Finds the answers, shows what comes of them, and writes it. */
async function decide({ flags, observed, loaded, known, language, own, requester }: Deciding): Promise<number> {
  const spoken =
    requester === null || known.language !== undefined ? language : await spokenLanguage(requester, language, own);
  const words = await loadInitWords(spoken);
  await writeShown(foundText(observed, words));
  const proposal = propose(observed, configured(loaded), spoken);
  const answers =
    requester === null
      ? await inLanguage(spoken, () => settle(known, proposal, observed, flags))
      : await questions(requester, spoken, {
          given: { ...unasked(observed), ...defined(known), language: spoken },
          proposal,
          canHost: (host) => hostingOffer(host, observed.hosts, known.product)?.ok === true,
        });
  const plan = await inLanguage(spoken, () => makePlan(makeable(answers, observed), observed, existingFile(loaded)));
  const files = await compareFiles(plan, flags.force === true);
  const isReported = requester !== null || known.url !== undefined;
  await writeShown(
    addressText(answers.url, originOf(answers.url, { loaded, seen: observed, isTold: isReported }), words),
  );
  await writeShown(planText(plan, files, words));
  const count = files.filter(({ state }) => state === 'new' || state === 'replaced').length;
  if (count === 0) await writeShown(`${words.nothingToWrite}\n`);
  else if (flags.dryRun) await writeShown(`${contentText(files)}\n${words.dryRun}\n`);
  else {
    const { askWrite } = requester === null ? { askWrite: null } : await import('../init/ask.ts');
    if (requester !== null && askWrite !== null && !(await askWrite(requester, words))) {
      await writeShown(`${words.cancelled}\n`);
      return 0;
    }
    await writeFiles(plan, files);
    await writeShown(`${words.written(count)}\n`);
  }
  await writeShown(notesText(plan, files, checkCommand(observed), words));
  return 0;
}

/**
 * Rejects with a `ConfigError` for a configuration with mistakes: what is made must not pass over what it says. Not
 * where it is to be replaced. Variables that are not set here are told, and are no mistake: they may be where it runs.
 */
async function reportProblems(loaded: Loaded, { force }: InitFlags, language: Language): Promise<void> {
  if (loaded.ok || (force === true && existingFile(loaded) === CONFIG)) return;
  if (loaded.problems.some(({ expected }) => expected.kind !== 'env-missing')) throw new ConfigError(loaded.problems);
  await writeErr(loaded.problems.map((problem) => `${renderProblem(problem, language)}\n`).join(''));
}

/** Rejects with a `UsageError` for what is no folder. */
async function folderOf(given: string): Promise<string> {
  const found = await stat(given).catch(() => null);
  if (found?.isDirectory() !== true) throw new UsageError((messages) => messages.notAFolder(echoed(given)));
  return realpath(given);
}

function existingFile(loaded: Loaded): string | null {
  return loaded.ok ? loaded.file : (loaded.problems[0]?.file ?? null);
}

function askingOf({ yes }: InitFlags, env: NodeJS.ProcessEnv, signal: AbortSignal): Asking | null {
  const { stdin: input, stdout: output } = process;
  const canAsk = input.isTTY && output.isTTY && (env['CI'] ?? '') === '' && env['TERM'] !== 'dumb';
  return yes === true || !canAsk ? null : { input, output, signal };
}

/** The first question is in the language of whoever is asked; where the environment tells none, in all of them. */
async function spokenLanguage(requester: Asking, language: Language, own: Language | undefined): Promise<Language> {
  const { askLanguage } = await import('../init/ask.ts');
  const words = await Promise.all((own === undefined ? LANGUAGES : [own]).map(loadInitWords));
  return askLanguage(requester, words.map((one) => one.askLanguage).join(' · '), language);
}

async function questions(requester: Asking, language: Language, asked: Asked): Promise<Answers> {
  const [{ ask }, words, messages] = await Promise.all([
    import('../init/ask.ts'),
    loadInitWords(language),
    loadMessages(language),
  ]);
  return ask(requester, { words, messages }, asked);
}

function checkCommand({ folder }: Seen): string {
  const here = path.relative(process.cwd(), folder);
  return printable(here === '' ? 'docvitals check' : `cd ${shellPath(here)} && docvitals check`);
}
