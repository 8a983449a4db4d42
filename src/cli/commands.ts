/** The commands: their options, their code, and the program that reads them. What else their help says is in `commands.yaml`. */
import { Command, Option } from 'commander';
import help from '../generated/commands.json' with { type: 'json' };
import { HOST_NAMES_HELP } from '../hosting/rules.ts';
import { INIT } from '../init/options.ts';
import {
  baseOf,
  CHECK,
  choice,
  CONFIG,
  countOf,
  durationOf,
  hostOf,
  listenOf,
  read,
  SHARED,
  textOf,
} from '../options/arguments.ts';
import type { FlagsOf, Options } from '../options/arguments.ts';
import { VERSION } from '../core/version.ts';

const STORED = {
  '--database <name>': 'database file or postgres:// address (default: monitor.database, then docvitals.db here)',
  ...CONFIG,
} satisfies Options;

const LOG = {
  '--log <format>': choice('log format (default: pretty on a terminal, else json)', ['pretty', 'json']),
  '--quiet': 'log only what needs attention',
} satisfies Options;

const SERVICE = { ...STORED, ...LOG } satisfies Options;

/** Locations share the database. */
const FLEET = {
  '--database <address>': 'postgres:// address of the database (default: monitor.database)',
  ...CONFIG,
  ...LOG,
} satisfies Options;

const FILES = {
  '--out <dir>': 'write the files into this folder',
  '--force': 'overwrite existing files',
} satisfies Options;

/** The first is the default. */
const format = <const V extends string>(formats: readonly [V, ...V[]], about = 'output format') => ({
  '--format <format>': { ...choice(about, formats), initial: formats[0] },
});
const base = read('path below which the site is served, e.g. /docs/', baseOf);
const listen = read('serve the status page, metrics and API at this address (default: monitor.listen)', listenOf);
const WHEN = 'an age (24h, 7d) or a date';

/** The options of each command, besides those that every command has. */
const OPTIONS = {
  check: CHECK,
  explain: { ...CONFIG, ...format(['text', 'json']) },
  manifest: { '--out <file>': 'write to this file' },
  monitor: {
    '--listen <host:port>': { ...listen, conflicts: 'once' },
    '--once': 'check each site once, confirm failures, notify, and exit (for cron); set `every` to its interval',
    ...format(['pretty', 'json'], 'with --once: output format'),
    ...SERVICE,
  },
  status: {
    '--force': 'overwrite files that no export wrote',
    ...format(['pretty', 'json']),
    ...STORED,
  },
  incidents: {
    '--site <id>': 'only this site',
    '--open': 'only open incidents',
    '--since <when>': `detected since: ${WHEN}`,
    '--limit <count>': { ...read('maximum number of results', countOf(1, 100_000)), initial: 100 },
    ...format(['pretty', 'json', 'csv']),
    ...STORED,
  },
  history: {
    '--since <when>': `start of the period: ${WHEN} (default: 1h of runs, 6h of minutes, 24h of hours, 90d of days)`,
    '--until <when>': `end of the period: ${WHEN} (default: now)`,
    '--location <id>': 'only what this location measured (default: all locations together)',
    '--resolution <size>': { ...choice('what each line covers', ['run', 'minute', 'hour', 'day']), initial: 'hour' },
    ...format(['pretty', 'json', 'csv']),
    ...STORED,
  },
  maintenance: {
    '--reason <text>': read('shown on the status page', (text: string) => text),
    ...format(['pretty', 'json']),
    ...STORED,
  },
  alert: {
    '--event <event>': {
      ...choice('which notification to send', ['opened', 'reminder', 'recovered']),
      initial: 'opened',
    },
    '--site <id>': 'site of the notification (default: the first of the route)',
    ...format(['pretty', 'json']),
    ...STORED,
  },
  drill: {
    '--source <what>': 'address of a Git repository, or a local folder',
    '--branch <name>': "branch or tag to clone (default: the repository's default branch)",
    '--folder <path>': 'folder of the site in the repository (default: detected)',
    '--serve': { about: 'serve it on this machine (the default)', conflicts: 'deploy' },
    '--deploy <command>':
      'deploy with this shell command, run in the clone; DOCVITALS_FOLDER is the folder of the site',
    '--url <base-url>': 'address that --deploy publishes to (default: url of the configuration)',
    '--site <id>': 'use address, RTO and checks of this site of the configuration',
    '--no-compare': 'after --deploy, do not compare files (for sites with a build step)',
    '--host <kind>': { ...read(`kind of host to serve as: ${HOST_NAMES_HELP}`, hostOf), initial: 'server' },
    '--base <path>': { ...read('serve below this path, e.g. /docs/', baseOf), initial: '/' },
    '--rto <duration>': read('recovery time objective (default: configuration, else 60s)', durationOf()),
    '--deadline <duration>': read('timeout of the whole drill (default: 5m)', durationOf()),
    '--full': 'run all checks, not only the core checks',
    '--keep': 'keep the cloned folder',
    ...format(['pretty', 'json']),
    '--verbose': 'show the output of the command, and all checks',
    ...CONFIG,
  },
  example: FILES,
  coordinator: { '--listen <host:port>': listen, ...FLEET },
  runner: {
    '--location <id>': { about: 'where this runner is, one of monitor.locations', mandatory: true },
    ...FLEET,
  },
  init: INIT,
  config: CONFIG,
  hosting: {
    '--url <base-url>': 'future address of the site: gives the path, the server name and TLS',
    '--base <path>': base,
    '--documented': 'print the documented rules unchanged, with the findings that they cause',
    '--snippet': {
      about: 'nginx: print only the locations of a site below a path, for an existing server block',
      conflicts: 'documented',
    },
    ...FILES,
  },
  serve: {
    '--host <kind>': { ...read(`kind of host: ${HOST_NAMES_HELP}`, hostOf), initial: 'server' },
    '--port <port>': { ...read('port, or 0 for any free one', countOf(0, 65_535)), initial: 4173 },
    '--base <path>': { ...base, initial: '/' },
    '--documented': 'serve with the documented rules unchanged',
  },
  completion: {},
} satisfies Readonly<Record<string, Options>>;

type CommandName = keyof typeof OPTIONS;

/** What a command receives for its options. Times are in milliseconds. */
export type Flags<Name extends CommandName> = FlagsOf<(typeof OPTIONS)[Name] & typeof SHARED>;

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

interface Handlers {
  readonly done: (status: number) => void;
  /** Receives the help and the version. */
  readonly print: (text: string) => void;
}

/** Runs a command with the arguments, the options and the program; resolves with the exit status, with nothing for 0. */
type Run<Given> = (...given: readonly Given[]) => Promise<number | void>;

/** Loads the code of a command, which is a function of its name. */
const CODE: { readonly [Name in CommandName]: () => Promise<Readonly<Record<Name, Run<never>>>> } = {
  check: () => import('./check.ts'),
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
 * The commands and their options. Each command's code is loaded when it runs. `first`: the first argument, where only its
 * command is needed: creating all commands takes longer than what some of them do.
 */
export function makeProgram({ done, print }: Handlers, first?: string): Command {
  const program = new Command('docvitals')
    .description('Checks whether a static Markdown documentation site works, and reports how to fix it.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .commandsGroup('Set up:')
    .helpCommand('help [command]', 'print the help of a command')
    .enablePositionalOptions()
    // Options before the command are those of the command: `--lang ro check <url>`.
    .hook('preSubcommand', (before, command) => {
      for (const option of before.options) {
        const name = option.attributeName();
        if (before.getOptionValueSource(name) !== 'cli') continue;
        if (command.options.every(({ long }) => long !== option.long))
          command.error(`error: unknown option '${option.long}'`, { code: 'commander.unknownOption' });
        command.setOptionValueWithSource(name, before.getOptionValue(name), 'cli');
      }
    })
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
