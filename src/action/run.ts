import { renderProblem } from '../config/render.ts';
import { loadMessages } from '../messages/load.ts';
import { OutputError, unwritten, writeErr } from '../output.ts';
import { ConfigError } from '../project/config-error.ts';
import { UsageError } from '../project/usage-error.ts';
import { LANGUAGES, pickLanguage, type Language } from '../texts.ts';
import { act } from './act.ts';
import { InputError } from './input-error.ts';
import { inInputs, inputOf } from './inputs.ts';
import { createLog, type Log } from './log.ts';
import { loadActionWords } from './words/words.ts';

/** The Action: reads the inputs, checks the site, tells what came of it, sets the exit status. Never throws. */
export async function main(env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const log = createLog();
  const onUncaught = (raised: unknown): void => void giveUp(raised, log);
  process.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught);
  const status = await run(env, log);
  // Everything has been written by now; what still hangs (a name server that is silent) is waited for by nobody.
  process.exit(status);
}

/** What a configuration module leaves behind (a rejection, a timer that throws) must not pass for a failed check. */
async function giveUp(raised: unknown, log: Log): Promise<void> {
  await log.error(raised instanceof Error ? raised.message : String(raised));
  process.exit(3);
}

async function run(env: NodeJS.ProcessEnv, log: Log): Promise<number> {
  if (env['GITHUB_ACTIONS'] !== 'true') {
    const words = await loadActionWords(languageOf(undefined, env));
    await writeErr(`docvitals: ${words.notOnGitHub()}\n`);
    return 2;
  }
  try {
    return await act(env, log);
  } catch (error) {
    return tellError(error, env, log);
  }
}

async function tellError(error: unknown, env: NodeJS.ProcessEnv, log: Log): Promise<number> {
  const language = languageOf(error instanceof UsageError ? error.language : undefined, env);
  if (error instanceof ConfigError) {
    // `config` may have been given an address with userinfo by mistake.
    const lines = error.problems.map((problem) => renderProblem(problem, language).replaceAll(/\/\/[^/\s]*@/g, '//'));
    await log.error(lines.join('\n'));
    return 2;
  }
  const messages = await loadMessages(language);
  if (error instanceof UsageError) {
    await log.error(inInputs(error.tell(messages)));
    return 2;
  }
  if (error instanceof InputError) {
    await log.error(error.tell(await loadActionWords(language)));
    return 2;
  }
  if (error instanceof OutputError) await log.error(unwritten(error, messages));
  else await log.error(messages.internalError(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  return 3;
}

/** The language of an error, which may have come before the language was known. */
function languageOf(config: Language | undefined, env: NodeJS.ProcessEnv): Language {
  const given = inputOf(env, 'lang');
  return pickLanguage({ flag: LANGUAGES.find((language) => language === given), config, env });
}
