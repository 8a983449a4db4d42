import { env } from 'node:process';
import { CommanderError, type Command } from 'commander';
import { printable, shown } from '../text/printable.ts';
import { nearest } from '../parse/edit-distance.ts';
import { ConfigError } from '../config/problem.ts';
import { LANGUAGES, pickLanguage, type Language } from '../locales/language.ts';
import { echoed, reporting, UsageError } from '../options/arguments.ts';
import { makeProgram } from './commands.ts';
import { OutputError, unwritten, writeErr, writeOut } from '../text/output.ts';
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
  const status = await run(argv);
  // Everything has been written by now; what still hangs (a name server that is silent) is not waited for.
  process.exit(status);
}

/** Runs the command, and returns the exit status. */
export async function run(given: readonly string[]): Promise<number> {
  // Tests run several commands in one process.
  delete reporting.language;
  delete reporting.hints;
  // commander does not pass the name on to its help command where options are positional.
  const argv = given[0] === 'help' && given[1] !== undefined ? [...given.slice(1), '--help'] : given;
  let status = 0;
  let help = '';
  const handlers = { done: (result: number) => void (status = result), print: (text: string) => void (help += text) };
  const program = makeProgram(handlers, argv[0]);
  const language = pickLanguage({ flag: askedLanguage(argv), config: undefined, env });
  if (language !== 'en' && isHelp(argv, program)) (await import('./help.ts')).translateHelp(program, language);
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
    return reportError(error, argv, program);
  }
}

async function reportError(error: unknown, argv: readonly string[], program: Command): Promise<number> {
  const language = pickLanguage({ flag: askedLanguage(argv), config: reporting.language, env });
  const messages = messagesIn(language);
  if (error instanceof ConfigError) {
    const { renderProblem } = await import('../config/messages.ts');
    await writeErr(error.problems.map((problem) => `${renderProblem(problem, language)}\n`).join(''));
    return 2;
  }
  const usage = error instanceof CommanderError ? usageErrorOf(error, program) : error;
  if (usage instanceof UsageError) {
    const command = commandOf(program);
    const named = command === program ? 'docvitals' : `docvitals ${command.name()}`;
    await complain(`${usage.report(messages)} ${messages.seeHelp(named)}`);
    return 2;
  }
  if (error instanceof Error && error.name === 'StoreError') {
    const { StoreError, storeErrorText, storeErrorStatus } = await import('../monitor/store/store.ts');
    if (error instanceof StoreError) {
      await complain(storeErrorText(error, language));
      return storeErrorStatus(error);
    }
  }
  if (error instanceof OutputError) await complain(unwritten(error, messages));
  else await complain(messages.internalError(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  return 3;
}

function complain(line: string): Promise<void> {
  return writeErr(`docvitals: ${line}\n`);
}

/** The command that was run, or the program where none was found. */
function commandOf(program: Command): Command {
  return program.commands.find((known) => known.name() === program.args[0]) ?? program;
}

/** Whether the help may be printed: it was requested, or no command is named. The program of `--version` has none. */
function isHelp(argv: readonly string[], { commands }: Command): boolean {
  const isNamed = commands.length === 0 || commands.some((command) => argv.includes(command.name()));
  return !isNamed || ['help', '--help', '-h'].some((word) => argv.includes(word));
}

/** `--lang` as far as it can be read out of a command line that has a mistake in it. */
function askedLanguage(argv: readonly string[]): Language | undefined {
  const index = argv.findIndex((argument) => argument === '--lang' || argument.startsWith('--lang='));
  const value = argv[index]?.split('=')[1] ?? argv[index + 1];
  return index === -1 ? undefined : LANGUAGES.find((language) => language === value);
}

/** commander's complaint as one of ours, so that it comes in the user's language and on one line. */
function usageErrorOf(error: CommanderError, program: Command): UsageError {
  const quoted = [...(error.message.split('\n')[0] ?? '').matchAll(/'([^']*)'/g)].map(([, text]) => text ?? '');
  const [first = '', second = ''] = quoted;
  // What follows `=` may be a secret, as in `--headers=Authorization: …`.
  const named = echoed(first.split('=')[0] ?? '');
  const options = [...commandOf(program).options.map(({ long }) => long ?? ''), '--help'];
  const near = nearest(first.split('=')[0] ?? first, options) ?? null;
  const [one, other] = [longFlag(first), longFlag(second)];
  const report: Readonly<Record<string, (messages: Messages) => string>> = {
    // An option that is known but was given a value that it does not take, as `--strict=yes`, comes here as well.
    'commander.unknownOption': (messages) =>
      named === near ? messages.noValue(named) : messages.unknownOption(named, near),
    'commander.unknownCommand': (messages) => messages.unknownCommand(named, nearestCommand(first, program)),
    'commander.missingArgument': (messages) => messages.missingArgument(named),
    'commander.missingMandatoryOptionValue': (messages) => messages.missingOption(one),
    'commander.optionMissingArgument': (messages) => messages.missingValue(one),
    'commander.conflictingOption': (messages) => messages.exclusive(one, other),
    'commander.excessArguments': (messages) => messages.excessArguments(),
  };
  return new UsageError(report[error.code] ?? (() => printable(error.message.replace(/^error: /, ''))));
}

/** `-V, --version` → `--version`; `--timeout <duration>` → `--timeout`. */
function longFlag(flags: string): string {
  return printable(/--[a-z0-9-]+/.exec(flags)?.[0] ?? flags);
}

/** A command that is spelled almost so; or, for a web address, the command that was left out. */
function nearestCommand(given: string, program: Command): string | null {
  if (/^https?:\/\//i.test(given)) return 'docvitals check <base-url>';
  const known = program.commands.map((command) => command.name());
  return nearest(given, known) ?? null;
}
