/** The options that may be given before the command as well as after it. */
import type { Command } from 'commander';
import { colourOption, configOption, languageOption } from './project-options.ts';

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
