/** What `cli` and `exit-status` have of the commands, from the program that runs them. */
import { Help, type Argument, type Command, type Option } from 'commander';
import { translateHelp } from '../../../cli/help.ts';
import { examplesOf, makeProgram } from '../../../cli/commands.ts';
import type { Language } from '../../../locales/language.ts';
import { blocks } from '../../../report/texts.ts';
import { anchorOf, block, code, prose, table, withoutDefault, type Parts, type Words } from './markdown.ts';

export function programIn(language: Language): Command {
  const program = makeProgram({ done: () => {}, print: () => {} });
  if (language !== 'en') translateHelp(program, language);
  return program;
}

const nameOf = (command: Command): string => `docvitals ${command.name()}`;

export function cliParts(words: Words, language: Language): Parts {
  const program = programIn(language);
  const groups = Map.groupBy(program.commands, (command) => command.helpGroup());
  const overview = [...groups].map(([group, commands]) => {
    const items = commands.map((command) => {
      const name = nameOf(command);
      return `- [${code(name)}](#${anchorOf(name)}) – ${command.summary()}`;
    });
    return `**${words(group).replace(/\s*:$/, '')}**\n\n${items.join('\n')}`;
  });
  return {
    description: prose(program.description()),
    overview: overview.join('\n\n'),
    usage: `docvitals ${new Help().commandUsage(program).replace(/^\S+ /, '')}`,
    options: optionTable(program, words),
    examples: block('sh', examplesOf().join('\n')),
    commands: blocks(program.commands.map((command) => sectionOf(command, words))),
  };
}

function sectionOf(command: Command, words: Words): string {
  const examples = examplesOf(command.name());
  const ofArguments = command.registeredArguments.map((argument) => {
    const shown = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return rowOf(argument.required ? `<${shown}>` : `[${shown}]`, argument);
  });
  return blocks([
    `## ${nameOf(command)}`,
    prose(command.description()),
    block('text', new Help().commandUsage(command)),
    table([words('Argument'), words('Description'), words('Default')], ofArguments),
    optionTable(command, words),
    examples.length === 0 ? '' : `${words('Examples:')}\n\n${block('sh', examples.join('\n'))}`,
  ]);
}

function optionTable({ options }: Command, words: Words): string {
  const rows = options.map((option) => rowOf(option.flags, option));
  return table([words('Option'), words('Description'), words('Default')], rows);
}

function rowOf(shown: string, { description, argChoices = [], defaultValue: value }: Argument | Option) {
  const { text, preset } = withoutDefault(description);
  const choices = argChoices.map(code).join(', ');
  const isShown = typeof value === 'string' || typeof value === 'number';
  return [
    code(shown),
    [prose(text), choices].filter((part) => part !== '').join(': '),
    isShown ? code(String(value)) : prose(preset),
  ];
}

const MARK = /(?:Exit status|Cod de ieșire|Code de sortie)\s?: (?<list>.+)\.$/s;

/** The exit statuses that the description of a command names, with their meaning; empty: it names none. */
export function statusesIn(description: string): readonly (readonly [status: string, meaning: string])[] {
  const list = MARK.exec(description)?.groups?.['list'];
  if (list === undefined) return [];
  let mode = '';
  return list.split(/\s?; /).flatMap((part) => {
    // `with --once 0 …`: the statuses of another way to run the command.
    const [, before = '', rest = part] = /^(\D*?)\s*(\d .*)$/s.exec(part) ?? [];
    mode = before === '' ? mode : ` (${before})`;
    return rest.split(/, (?=\d )/).map((one) => {
      const [, status = '', meaning = one] = /^(\d) (.*)$/s.exec(one) ?? [];
      return [status, `${meaning}${mode}`] as const;
    });
  });
}

export function exitStatusParts(words: Words, language: Language): Parts {
  const commands = programIn(language).commands.map((command) => ({
    name: nameOf(command),
    statuses: statusesIn(command.description()),
  }));
  const rows = commands.flatMap(({ name, statuses }) =>
    statuses.map(([status, meaning], index) => [index === 0 ? code(name) : '', code(status), prose(meaning)]),
  );
  const others = commands.filter(({ statuses }) => statuses.length === 0);
  return {
    commands: table([words('Command'), words('Exit status'), words('Meaning')], rows),
    others: others.map(({ name }) => code(name)).join(', '),
  };
}
