/** `reference/cli.md`: the commands, from the program that runs them. */
import { Help, type Argument, type Command, type Option } from 'commander';
import { EXAMPLES } from '../../../cli/examples.ts';
import { translateHelp } from '../../../cli/help.ts';
import { makeProgram } from '../../../cli/program.ts';
import type { Language } from '../../../texts.ts';
import { anchors, block, code, compactTable, page, prose, table, withoutDefault } from './markdown.ts';
import type { Words } from './words.ts';

/** The program with its help in a language. */
export function programIn(language: Language): Command {
  const program = makeProgram({}, { done: () => {}, print: () => {} });
  if (language !== 'en') translateHelp(program, language);
  return program;
}

export function cliPage(language: Language, words: Words): string {
  const program = programIn(language);
  const anchorOf = anchors();
  const known = new Map(program.commands.map((command) => [command, anchorOf(headingOf(command))]));
  const groups = Map.groupBy(program.commands, (command) => command.helpGroup());
  const overview = [...groups].map(([group, commands]) =>
    [
      `**${words(group).replace(/\s*:$/, '')}**`,
      ...commands.map((command) => `- [${code(headingOf(command))}](#${known.get(command)}) – ${command.summary()}`),
    ].join('\n'),
  );
  return page(words('Command line'), [
    prose(program.description()),
    ...overview.map((part) => part.replace('\n', '\n\n')),
    words(
      'Exit statuses are listed in [Exit status](exit-status.md), the configuration file in [Configuration](configuration.md).',
    ),
    `## ${words('Options of the program')}`,
    prose(words('They may be given before or after the command.')),
    block('text', `docvitals ${new Help().commandUsage(program).replace(/^\S+ /, '')}`),
    optionTable(program, words),
    examplesOf('', words),
    ...program.commands.flatMap((command) => sectionOf(command, words)),
  ]);
}

const headingOf = (command: Command): string => `docvitals ${command.name()}`;

function sectionOf(command: Command, words: Words): readonly string[] {
  const name = command.name();
  const rows = command.registeredArguments.map((argument) => {
    const { text, preset } = withoutDefault(argument.description);
    return [code(nameOf(argument)), prose(text), prose(preset)];
  });
  return [
    `## ${headingOf(command)}`,
    prose(command.description()),
    block('text', new Help().commandUsage(command)),
    compactTable([words('Argument'), words('Description'), words('Default')], rows),
    optionTable(command, words),
    examplesOf(name, words),
  ];
}

function nameOf(argument: Argument): string {
  const shown = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${shown}>` : `[${shown}]`;
}

function optionTable(command: Command, words: Words): string {
  const rows = command.options.map((option) => {
    const { text, preset } = withoutDefault(option.description);
    return [code(option.flags), `${prose(text)}${choicesOf(option)}`, presetOf(option) || prose(preset)];
  });
  return table([words('Option'), words('Description'), words('Default')], rows);
}

function choicesOf({ argChoices, description }: Option): string {
  if (argChoices === undefined) return '';
  const listed = argChoices.map(code).join(', ');
  return description === '' ? listed : `: ${listed}`;
}

function presetOf({ defaultValue }: Option): string {
  const isShown = typeof defaultValue === 'string' || typeof defaultValue === 'number';
  return isShown ? code(String(defaultValue)) : '';
}

function examplesOf(name: string, words: Words): string {
  const examples = EXAMPLES[name] ?? [];
  if (examples.length === 0) return '';
  return `${words('Examples:')}\n\n${block('sh', examples.join('\n'))}`;
}
