/** The help in Romanian and French. The commands declare it in English; `src/locales/help.yaml` translates it. */
import { Help, type Command } from 'commander';
import { help } from '../generated/locales/help.ts';

/** Translates a command and all its subcommands, in place. A text without translation stays in English. */
export function translateHelp(command: Command, language: 'ro' | 'fr'): void {
  const words: Readonly<Record<string, string>> = help[language];
  const translated = (text: string): string => words[text] ?? text;
  const english = new Help();
  const marks = (text: string): string => text.replaceAll(/(?<=\(|, )(default|choices):(?= ")/g, translated);
  const translate = (one: Command): void => {
    one.summary(translated(one.summary())).description(translated(one.description()));
    for (const option of one.options) option.description = translated(option.description);
    for (const argument of one.registeredArguments) argument.description = translated(argument.description);
    one.configureHelp({
      styleTitle: translated,
      optionDescription: (option) => marks(english.optionDescription(option)),
      argumentDescription: (argument) => marks(english.argumentDescription(argument)),
    });
    one.helpOption('-h, --help', translated('print this help'));
    for (const subcommand of one.commands) translate(subcommand);
  };
  translate(command);
  if (command.parent === null) command.helpCommand('help [command]', translated('print the help of a command'));
}
