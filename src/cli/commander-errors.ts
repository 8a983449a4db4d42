import type { Command, CommanderError } from 'commander';
import { nearest } from '../config/nearest.ts';
import { printable } from '../printable.ts';
import { echoed } from '../project/echoed.ts';
import { UsageError } from '../project/usage-error.ts';

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
