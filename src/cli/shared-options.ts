/** The options that may be given before the command as well as after it. */
import { type Command, Option, type CommanderError } from 'commander';
import { fileOf, formatAmong, languageOf, oneAmong } from '../project/arguments.ts';
import { nearest } from '../config/nearest.ts';
import { printable } from '../printable.ts';
import { echoed, UsageError } from '../project/usage-error.ts';

/** The options before the command, and whether each takes a value of its own. */
const SHARED: ReadonlyMap<string, boolean> = new Map([
  ['--lang', true],
  ['--config', true],
  ['--no-color', false],
]);

/** The same arguments with the command first: `--lang ro check <url>` becomes `check --lang ro <url>`. */
export function withCommandFirst(argv: readonly string[]): readonly string[] {
  // commander does not pass the name on to its help command where options are positional.
  if (argv[0] === 'help' && argv[1] !== undefined) return [...argv.slice(1), '--help'];
  let at = 0;
  for (;;) {
    const [name = '', value] = (argv[at] ?? '').split('=', 2);
    const takesValue = SHARED.get(name);
    if (takesValue === undefined) break;
    at += takesValue && value === undefined ? 2 : 1;
  }
  const command = argv[at];
  if (at === 0 || command === undefined || command.startsWith('-')) return argv;
  return [command, ...argv.slice(0, at), ...argv.slice(at + 1)];
}

/** Adds the language and colours to each command that lacks them, and the shared options to the help of the program. */
export function addSharedOptions(program: Command): void {
  for (const command of program.commands) {
    const known = new Set(command.options.map(({ long }) => long));
    if (!known.has('--lang')) command.addOption(languageOption());
    if (!known.has('--no-color')) command.addOption(colourOption());
  }
  program.addOption(languageOption()).addOption(configOption()).addOption(colourOption());
}

export function languageOption(): Option {
  return new Option(
    '--lang <language>',
    'language of the texts: en, ro, fr (default: configuration, then locale)',
  ).argParser(languageOf);
}

function colourOption(): Option {
  return new Option('--no-color', 'no colours (also: NO_COLOR=1)');
}

export function configOption(): Option {
  const option = new Option(
    '--config <file>',
    'configuration file (default: docvitals.yaml, .yml, .json or .config.ts here)',
  );
  return option.argParser(fileOf('--config'));
}

/** The formats of a command that has some of its own; the first is the default. */
export function formatOption(formats: readonly [string, ...string[]], about = 'output format'): Option {
  const option = new Option('--format <format>', about).choices(formats);
  return option.argParser(formatAmong('--format', formats)).default(formats[0]);
}

export function choiceOption<V extends string>(flags: string, about: string, values: readonly V[], initial: V): Option {
  const option = new Option(flags, about).choices(values);
  return option.argParser(oneAmong(flags.slice(0, flags.indexOf(' ')), values)).default(initial);
}

export function databaseOption(): Option {
  const option = new Option(
    '--database <name>',
    'database file or postgres:// address (default: monitor.database, then docvitals.db here)',
  );
  return option.argParser(fileOf('--database'));
}

/** commander's complaint as one of ours, so that it comes in the user's language and on one line. */
export function usageErrorOf(error: CommanderError, argv: readonly string[], program: Command): UsageError {
  const quoted = [...(error.message.split('\n')[0] ?? '').matchAll(/'([^']*)'/g)].map(([, text]) => text ?? '');
  const [first = '', second = ''] = quoted;
  // What follows `=` may be a secret, as in `--headers=Authorization: …`.
  const named = echoed(first.split('=')[0] ?? '');
  switch (error.code) {
    case 'commander.unknownOption':
      return unknownOption(named, nearestOption(first, argv, program));
    case 'commander.unknownCommand':
      return new UsageError((messages) => messages.unknownCommand(named, nearestCommand(first, program)));
    case 'commander.missingArgument':
      return new UsageError((messages) => messages.missingArgument(named));
    case 'commander.optionMissingArgument':
      return new UsageError((messages) => messages.missingValue(longFlag(first)));
    case 'commander.conflictingOption':
      return new UsageError((messages) => messages.exclusive(longFlag(first), longFlag(second)));
    case 'commander.excessArguments':
      return new UsageError((messages) => messages.excessArguments());
    default:
      return new UsageError(() => printable(error.message.replace(/^error: /, '')));
  }
}

/** An option that is known but was given a value that it does not take, as `--strict=yes`, comes here as well. */
function unknownOption(named: string, near: string | null): UsageError {
  if (named === near) return new UsageError((messages) => messages.noValue(named));
  return new UsageError((messages) => messages.unknownOption(named, near));
}

/** `-V, --version` → `--version`; `--timeout <duration>` → `--timeout`. */
function longFlag(flags: string): string {
  return printable(/--[a-z0-9-]+/.exec(flags)?.[0] ?? flags);
}

function nearestOption(given: string, argv: readonly string[], program: Command): string | null {
  const command = program.commands.find((known) => known.name() === argv[0]) ?? program;
  const known = [...command.options.map(({ long }) => long ?? ''), '--help'];
  return nearest(given.split('=')[0] ?? given, known) ?? null;
}

/** A command that is spelled almost so; or, for a web address, the command that was left out. */
function nearestCommand(given: string, program: Command): string | null {
  if (/^https?:\/\//i.test(given)) return 'docvitals check <base-url>';
  return (
    nearest(
      given,
      program.commands.map((command) => command.name()),
    ) ?? null
  );
}
