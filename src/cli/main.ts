import { CommanderError } from 'commander';
import { shown } from '../ci-log.ts';
import { printable } from '../printable.ts';
import { LANGUAGES, pickLanguage, type Language } from '../texts.ts';
import { usageErrorOf, withCommandFirst } from './shared-options.ts';
import { ConfigError, reporting, UsageError } from '../project/usage-error.ts';
import { makeProgram } from './program.ts';
import { OutputError, unwritten, writeErr, writeOut } from '../output.ts';
import { messagesIn, type Messages } from '../locales/messages.ts';

/** The command line: reads the arguments, runs the command, sets the exit status. Never throws. */
export async function main(argv: readonly string[] = process.argv.slice(2)): Promise<void> {
  // What a configuration module leaves behind (a rejection, a timer that throws) must not pass for a failed check.
  const onUncaught = (error: unknown): void => {
    const detail = error instanceof Error ? error.message : String(error);
    process.stderr.write(shown(`docvitals: ${printable(detail)}\n`), () => process.exit(3));
  };
  process.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught);
  // What waits for nothing that could still happen ends the process without an answer: that must not pass for success.
  process.exitCode = 3;
  const status = await run(argv, process.env);
  // Everything has been written by now; what still hangs (a name server that is silent) is not waited for.
  process.exit(status);
}

async function run(given: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const argv = withCommandFirst(given);
  let status = 0;
  let help = '';
  const handlers = {
    done: (result: number) => {
      status = result;
    },
    print: (text: string) => {
      help += text;
    },
  };
  const program = makeProgram(env, handlers, argv[0]);
  const language = pickLanguage({ flag: askedLanguage(argv), config: undefined, env });
  if (language !== 'en' && isHelp(argv)) (await import('./help.ts')).translateHelp(program, language);
  try {
    await program.parseAsync([...argv], { from: 'user' }).catch(async (error: unknown) => {
      if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error;
      await writeOut(help);
    });
    return status;
  } catch (error) {
    if (error instanceof CommanderError && error.code === 'commander.help') {
      await writeErr(program.helpInformation());
      return 2;
    }
    return reportError(error, argv, env, program);
  }
}

async function reportError(
  error: unknown,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  program: ReturnType<typeof makeProgram>,
): Promise<number> {
  const language = pickLanguage({ flag: askedLanguage(argv), config: reporting.language, env });
  const messages = messagesIn(language);
  if (error instanceof ConfigError) {
    const { renderProblem } = await import('../config/messages.ts');
    // `--config` may have been given an address with userinfo by mistake.
    const lines = error.problems.map(
      (problem) => `${renderProblem(problem, language).replaceAll(/\/\/[^/\s]*@/g, '//')}\n`,
    );
    await writeErr(lines.join(''));
    return 2;
  }
  const usage = error instanceof CommanderError ? usageErrorOf(error, argv, program) : error;
  if (usage instanceof UsageError) {
    await complain(`${usage.report(messages)} ${messages.seeHelp(commandOf(argv, program))}`);
    return 2;
  }
  if (error instanceof Error && error.name === 'StoreError') {
    const { StoreError, storeErrorText, storeErrorStatus } = await import('../monitor/store/store.ts');
    if (error instanceof StoreError) {
      await complain(storeErrorText(error, language));
      return storeErrorStatus(error);
    }
  }
  await complain(error instanceof OutputError ? unwritten(error, messages) : internal(error, messages));
  return 3;
}

function internal(error: unknown, messages: Messages): string {
  return messages.internalError(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

function complain(line: string): Promise<void> {
  return writeErr(`docvitals: ${line}\n`);
}

/** The command that was meant, for the hint at its help. */
function commandOf(argv: readonly string[], program: ReturnType<typeof makeProgram>): string {
  const command = program.commands.find((known) => known.name() === argv[0]);
  return command === undefined ? 'docvitals' : `docvitals ${command.name()}`;
}

/** Whether the help is printed: it was requested, or no command was given. */
function isHelp(argv: readonly string[]): boolean {
  return (
    argv.length === 0 ||
    argv[0] === 'help' ||
    argv[0] === '--lang' ||
    argv.some((one) => one === '--help' || one === '-h')
  );
}

/** `--lang` as far as it can be read out of a command line that has a mistake in it. */
function askedLanguage(argv: readonly string[]): Language | undefined {
  const index = argv.findIndex((argument) => argument === '--lang' || argument.startsWith('--lang='));
  const value = argv[index]?.split('=')[1] ?? argv[index + 1];
  return index === -1 ? undefined : LANGUAGES.find((language) => language === value);
}
