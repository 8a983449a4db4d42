import type { Command } from 'commander';
import { checks } from '../../checks/index.ts';
import { fill } from '../hosting/configuration.ts';
import { HOST_NAMES } from '../hosting/rules.ts';
import examples from '../monitor/examples/examples.json' with { type: 'json' };
import { CONFIG_ACTIONS } from './config.ts';
import { FORMAT_NAMES } from '../report/formats.ts';
import { writeOut } from '../text/output.ts';
import { knownWord } from '../options/arguments.ts';

type Words = ReturnType<typeof wordsOf>;

const SHELLS = { bash, zsh, fish };

export async function completion(shell: string, _flags: object, program: Command): Promise<void> {
  const known = knownWord(shell, ['bash', 'zsh', 'fish'], (messages, ...facts) => messages.unknownShell(...facts));
  const words = program.commands.map((command) => wordsOf(command));
  const help = { name: 'help', summary: 'print help', options: [], operands: words.map(({ name }) => name) };
  await writeOut(SHELLS[known]([...words, help]));
}

/** What can follow a command: its options, and the values of its argument or for an option's value. */
function wordsOf(command: Command) {
  const ids = checks.map(({ id }) => id);
  const values: Readonly<Record<string, readonly string[]>> = {
    '--only': ids,
    '--skip': ids,
    '--report': FORMAT_NAMES.map((format) => `${format}=`),
    '--host': HOST_NAMES,
    '--since': command.name() === 'check' ? ['now'] : [],
  };
  const operands: Readonly<Record<string, readonly string[]>> = {
    explain: checks.flatMap(({ id, rules }) => [id, ...Object.keys(rules).map((rule) => `${id}/${rule}`)]),
    completion: Object.keys(SHELLS),
    hosting: HOST_NAMES,
    config: CONFIG_ACTIONS,
    example: Object.keys(examples),
    status: ['export'],
    alert: ['test', 'list'],
    maintenance: ['start', 'end', 'list'],
  };
  return {
    name: command.name(),
    summary: command.summary(),
    options: [
      ...command.options.map(({ long, description, required, argChoices }) => ({
        flag: long ?? '',
        about: description,
        takesValue: required,
        values: argChoices ?? values[long ?? ''] ?? [],
      })),
      { flag: '--help', about: 'print help', takesValue: false, values: [] },
    ],
    operands: operands[command.name()] ?? [],
  };
}

function bash(commands: readonly Words[]): string {
  const cases = commands.map(({ name, options, operands }) => {
    // An option that wants a value of any kind: file names, which bash offers where we offer nothing.
    const valued = options
      .filter(({ takesValue }) => takesValue)
      .map(({ flag, values }) => `        ${flag}) words="${values.join(' ')}" ;;\n`);
    const words = [...options.map(({ flag }) => flag), ...operands].join(' ');
    return `    ${name})\n      case "$before" in\n${valued.join('')}        *) words="${words}" ;;\n      esac ;;\n`;
  });
  return fill('completion.bash', { cases: cases.join(''), names: commands.map(({ name }) => name).join(' ') });
}

function zsh(commands: readonly Words[]): string {
  const quoted = (text: string): string => text.replaceAll("'", "'\\''").replaceAll(/[[\]:]/g, (char) => `\\${char}`);
  const cases = commands.map(({ name, options, operands }) => {
    const specs = options.map(({ flag, about, values }) => {
      const value = values.length > 0 ? `:value:(${values.join(' ')})` : '';
      return `'${flag}[${quoted(about)}]${value}'`;
    });
    const files = ['serve', 'init'].includes(name) ? '_files -/' : '_urls';
    const argument = operands.length > 0 ? `'1:subject:(${operands.join(' ')})'` : `'1:: :${files}'`;
    return `    ${[`${name}) _arguments -s`, ...specs, argument].join(' \\\n      ')} ;;\n`;
  });
  const names = commands.map(({ name, summary }) => `    '${name}:${quoted(summary)}'\n`);
  return fill('completion.zsh', { cases: cases.join(''), commands: names.join('') });
}

function fish(commands: readonly Words[]): string {
  const quoted = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  const lines = commands.flatMap(({ name, summary, options, operands }) => {
    const here = `complete -c docvitals -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c docvitals -n __fish_use_subcommand -f -a ${name} -d '${quoted(summary)}'`,
      ...options.map(({ flag, about, values }) => {
        const value = values.length > 0 ? ` -x -a '${values.join(' ')}'` : '';
        return `${here} -l ${flag.slice(2)}${value} -d '${quoted(about)}'`;
      }),
      ...(operands.length > 0 ? [`${here} -f -a '${operands.join(' ')}'`] : []),
    ];
  });
  return `# fish completion of docvitals\n${lines.join('\n')}\n`;
}
