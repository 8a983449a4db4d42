import path from 'node:path';
import type { ConfigProblem } from '../config/problem.ts';
import { renderProblem } from '../config/render.ts';
import { loadMessages } from '../messages/load.ts';
import { OutputError, unwritten, writeErr, writeOut } from '../output.ts';
import { ConfigError } from '../project/config-error.ts';
import { UsageError } from '../project/usage-error.ts';
import { LANGUAGES, pickLanguage, type Language } from '../texts.ts';
import { act } from './act.ts';
import { InputError } from './input-error.ts';
import { inInputs, inputOf } from './inputs.ts';
import { createLog, type Log, type LogLocation } from './log.ts';
import { loadActionWords } from './words/words.ts';

/** The Action: reads the inputs, checks the site, tells what came of it, sets the exit status. Never throws. */
export async function main(env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const errors = createLog(lastly);
  const onUncaught = (raised: unknown): void => void giveUp(raised, errors);
  process.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught);
  const status = await run(env, createLog(), errors);
  // Everything has been written by now; what still hangs (a name server that is silent) is waited for by nobody.
  process.exit(status);
}

/** What a configuration module leaves behind (a rejection, a timer that throws) must not pass for a failed check. */
async function giveUp(raised: unknown, errors: Log): Promise<void> {
  try {
    await errors.error(raised instanceof Error ? raised.message : String(raised));
  } finally {
    // Whatever has been raised: telling it must not raise anything that would be told again.
    process.exit(3);
  }
}

/** Where the log cannot be written to, an error goes to standard error, which the runner shows as well. Never rejects. */
function lastly(text: string): Promise<void> {
  return writeOut(text).catch(() => writeOut(text, process.stderr).catch(() => {}));
}

/** `errors`: the log for what ends the run. */
async function run(env: NodeJS.ProcessEnv, log: Log, errors: Log): Promise<number> {
  if (env['GITHUB_ACTIONS'] !== 'true') {
    const words = await loadActionWords(languageOf(undefined, env));
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
  const language = languageOf(error instanceof UsageError ? error.language : undefined, env);
  if (error instanceof ConfigError) {
    await reportProblems(error.problems, language, log);
    return 2;
  }
  const messages = await loadMessages(language);
  if (error instanceof UsageError) {
    await log.error(inInputs(error.report(messages)));
    return 2;
  }
  if (error instanceof InputError) {
    await log.error(error.report(await loadActionWords(language)));
    return 2;
  }
  if (error instanceof OutputError) await log.error(unwritten(error, messages));
  else await log.error(messages.internalError(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  return 3;
}

/** GitHub shows so many errors of a step. */
const MOST_ERRORS = 10;

/** Each mistake at its line, and all together that GitHub would not show by themselves. */
async function reportProblems(problems: readonly ConfigProblem[], language: Language, log: Log): Promise<void> {
  // `config` may have been given an address with userinfo by mistake.
  const reported = problems.map((problem) => renderProblem(problem, language).replaceAll(/\/\/[^/\s]*@/g, '//'));
  const alone = problems.length > MOST_ERRORS ? MOST_ERRORS - 1 : problems.length;
  for (const [index, problem] of problems.slice(0, alone).entries()) {
    await log.error(reported[index] ?? '', locationOf(problem));
  }
  if (alone < problems.length) await log.error(reported.slice(alone).join('\n'));
}

/** `undefined` for what is no line of the workspace. */
function locationOf({ file, line, column }: ConfigProblem): LogLocation | undefined {
  const relative = path.relative(process.cwd(), path.resolve(file)).replaceAll(path.sep, '/');
  if (line === null || relative.startsWith('../') || path.isAbsolute(relative)) return undefined;
  return { file: relative, line, column };
}

/** The language of an error, which may have come before the language was known. */
function languageOf(config: Language | undefined, env: NodeJS.ProcessEnv): Language {
  const given = inputOf(env, 'lang');
  return pickLanguage({ flag: LANGUAGES.find((language) => language === given), config, env });
}
