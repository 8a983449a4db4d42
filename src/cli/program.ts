import { Command, Option } from 'commander';
import { CONFIG, SHARED, textOf, type Options } from '../project/arguments.ts';
import { VERSION } from '../version.ts';
import { OPTIONS, type CommandName } from './commands.ts';
import help from '../generated/commands.json' with { type: 'json' };

/** What the help says of a command, besides its options. */
interface CommandHelp {
  readonly summary: string;
  readonly description: string;
  readonly usage?: string;
  /** The names of arguments, each with its description. */
  readonly args?: Readonly<Record<string, string>>;
  readonly examples?: readonly string[];
}

const GROUPS = Object.entries<Readonly<Partial<Record<CommandName, CommandHelp>>>>(help.groups);

/** The examples of a command; without a name those of the command line as a whole. */
export const examplesOf = (name?: string): readonly string[] =>
  name === undefined
    ? help.examples
    : (GROUPS.map(([, commands]) => commands[name as CommandName]).find((one) => one !== undefined)?.examples ?? []);

export interface Handlers {
  readonly done: (status: number) => void;
  /** Receives the help and the version. */
  readonly print: (text: string) => void;
}

/** Runs a command with the arguments, the options and the program; resolves with the exit status, with nothing for 0. */
type Run<Given> = (...given: readonly Given[]) => Promise<number | void>;

/** Loads the code of a command, which is a function of its name. */
const CODE: { readonly [Name in CommandName]: () => Promise<Readonly<Record<Name, Run<never>>>> } = {
  check: () => import('./check.ts'),
  list: () => import('./explain.ts'),
  explain: () => import('./explain.ts'),
  manifest: () => import('./manifest.ts'),
  monitor: () => import('./monitor.ts'),
  status: () => import('./status.ts'),
  incidents: () => import('./history.ts'),
  history: () => import('./history.ts'),
  maintenance: () => import('./maintenance.ts'),
  alert: () => import('./alert.ts'),
  drill: () => import('./drill.ts'),
  example: () => import('./example.ts'),
  coordinator: () => import('./fleet.ts'),
  runner: () => import('./fleet.ts'),
  init: () => import('./init.ts'),
  config: () => import('./config.ts'),
  hosting: () => import('./hosting.ts'),
  serve: () => import('./serve.ts'),
  completion: () => import('./completion.ts'),
};

/**
 * The commands and their options. Each command's code is loaded when it runs.
 *
 * @param first the first argument, where only its command is needed: creating all commands takes longer
 *   than what some of them do
 */
export function makeProgram({ done, print }: Handlers, first?: string): Command {
  const program = new Command('docvitals')
    .description('Checks whether a static Markdown documentation site works, and reports how to fix it.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .commandsGroup('Set up:')
    .helpCommand('help [command]', 'print the help of a command')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: () => {} });
  addExamples(program, examplesOf());
  if (first === '--version' || first === '-V') return program;
  // The script of the completion names all of them.
  const alone = first !== undefined && first !== 'completion' && Object.hasOwn(OPTIONS, first);
  for (const [group, commands] of GROUPS) {
    program.commandsGroup(group);
    for (const [name, texts] of Object.entries(commands) as [CommandName, CommandHelp][]) {
      if (alone && name !== first) continue;
      addCommand(program, name, texts).action(async (...given: readonly unknown[]) => {
        const code = (await CODE[name]()) as Readonly<Record<CommandName, Run<unknown>>>;
        // The last one is the command itself.
        done((await code[name](...given.slice(0, -1), program)) ?? 0);
      });
    }
  }
  addOptions(program, { ...CONFIG, ...SHARED });
  return program;
}

function addCommand(program: Command, name: CommandName, { summary, description, ...texts }: CommandHelp): Command {
  const command = program.command(name).summary(summary).description(description);
  if (texts.usage !== undefined) command.usage(texts.usage);
  for (const [argument, about] of Object.entries(texts.args ?? {})) command.argument(argument, about);
  addOptions(command, { ...OPTIONS[name], ...SHARED });
  addExamples(command, texts.examples ?? []);
  return command;
}

function addOptions(command: Command, options: Options): void {
  for (const [flags, declared] of Object.entries(options)) {
    const { about, parse = textOf, ...more } = typeof declared === 'string' ? { about: declared } : declared;
    const option = new Option(flags, about);
    if (option.required) option.argParser((text, before: unknown) => parse(text, option.long ?? flags, before));
    if (more.initial !== undefined) option.default(more.initial);
    if (more.choices !== undefined) option.argChoices = [...more.choices];
    if (more.conflicts !== undefined) option.conflicts(more.conflicts);
    command.addOption(option.makeOptionMandatory(more.mandatory === true));
  }
}

function addExamples(command: Command, examples: readonly string[]): void {
  if (examples.length === 0) return;
  const lines = examples.map((example) => `  ${example}\n`).join('');
  command.addHelpText('after', ({ command: of }) => `\n${of.createHelp().styleTitle('Examples:')}\n${lines}`);
}
