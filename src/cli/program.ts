import { Command, Option } from 'commander';
import { ENGINE_IDS } from '../engines/engine.ts';
import { HOST_NAMES_HELP } from '../hosting/kinds.ts';
import { WORKFLOW_KINDS } from '../init/workflow-kinds.ts';
import {
  baseOf,
  countOf,
  durationOf,
  engineOf,
  headersOf,
  hostNameOf,
  hostOf,
  idList,
  listenOf,
  MOST_STABLE,
  oneOf,
  rateOf,
  reportTargets,
  resolveRules,
  sinceOf,
  textOf,
  versionFromOf,
  versionOf,
  type Parse,
} from '../project/arguments.ts';
import { routesOf } from '../project/browser.ts';
import { FORMAT_NAMES } from '../report/options.ts';
import { LANGUAGES } from '../texts.ts';
import { VERSION } from '../version.ts';
import { EXAMPLES } from './examples.ts';

/** The results of commands. */
export interface Handlers {
  readonly done: (status: number) => void;
  /** Receives the help and the version. */
  readonly print: (text: string) => void;
}

/** A command as it is declared. It has `--lang` and `--no-color` in any case. */
interface Declaration {
  readonly summary: string;
  readonly description: string;
  readonly usage?: string;
  /** The names of arguments, each with its description. */
  readonly args?: Readonly<Record<string, string>>;
  readonly options?: readonly Option[];
  /**
   * Loads the code, which is called with the arguments, the options, the environment and the program, and resolves with the
   * exit status.
   */
  readonly load: () => Promise<(...given: never[]) => Promise<number>>;
}

/** An option. `parse` reads the value of one that needs a value; any text but an empty one by default. */
function option<T = string>(flags: string, about: string, parse?: Parse<T>, initial?: T): Option {
  const made = new Option(flags, about);
  const read: Parse<unknown> = (parse as Parse<unknown> | undefined) ?? textOf;
  if (made.required) made.argParser((text, before: unknown) => read(text, made.long ?? flags, before));
  return initial === undefined ? made : made.default(initial);
}

/** An option with one of a few values, which the help lists. */
function choice<V extends string>(flags: string, about: string, values: readonly V[], initial?: V): Option {
  const made = option(flags, about, oneOf(values), initial);
  made.argChoices = [...values];
  return made;
}

const language = (): Option =>
  option(
    '--lang <language>',
    'language of the texts: en, ro, fr (default: configuration, then locale)',
    oneOf(LANGUAGES),
  );
const colour = (): Option => option('--no-color', 'no colours (also: NO_COLOR=1)');
const config = (): Option =>
  option('--config <file>', 'configuration file (default: docvitals.yaml, .yml, .json or .config.ts here)');
const database = (): Option =>
  option(
    '--database <name>',
    'database file or postgres:// address (default: monitor.database, then docvitals.db here)',
  );
/** The first is the default. */
const format = (formats: readonly [string, ...string[]], about = 'output format'): Option =>
  choice('--format <format>', about, formats, formats[0]);
const base = (): Option => option('--base <path>', 'path below which the site is served, e.g. /docs/', baseOf);
const anything = (text: string): string => text;
const repeated = (text: string, name: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  textOf(text, name),
];

const logFormat = (): Option =>
  choice('--log <format>', 'log format (default: pretty on a terminal, else json)', ['pretty', 'json']);
const listen = (): Option =>
  option(
    '--listen <host:port>',
    'serve the status page, metrics and API at this address (default: monitor.listen)',
    listenOf,
  );

const WHEN = 'an age (24h, 7d) or a date';

/** All commands, as the help groups them. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, () => Declaration>>>> = {
  'Check a site:': {
    check: () => ({
      summary: 'check a site',
      description:
        'Checks a site, reports what is wrong and how to fix it. Exit status: 0 healthy, 1 a check failed, 2 usage or configuration error, 3 could not be determined.',
      args: {
        '[base-url]': 'address of the site, e.g. https://docs.example.com/ (default: url of the configuration)',
      },
      options: [
        option('--site <id>', 'check this site of the configuration, as the monitor does'),
        option('--full', 'run all checks, not only the core checks'),
        option('--only <ids>', 'run only these checks (comma-separated, repeatable)', idList),
        option('--skip <ids>', 'skip these checks', idList),
        option('--format <format>', `report format: ${FORMAT_NAMES.join(', ')}`, oneOf(FORMAT_NAMES), 'pretty'),
        option('--report <format=file>', 'also write a report to a file (repeatable)', reportTargets),
        option('--source <what>', 'compare with the source: a folder, a Git ref (HEAD:docs) or manifest.json'),
        option('--host <kind>', `kind of host: ${HOST_NAMES_HELP} (default: detected)`, hostOf),
        option('--engine <name>', `documentation engine: ${ENGINE_IDS.join(', ')} (default: detected)`, engineOf),
        option('--browser [address]', 'open pages in a browser too (a running one: ws:// or CDP address)'),
        option('--browser-path <file>', 'file of the browser (default: Chrome, Chromium or Edge)'),
        option('--routes <count>', 'pages to open besides the home page: a number or all (default: 5)', routesOf),
        option('--screenshots <folder>', 'also write a screenshot of each page opened'),
        option('--external', 'check links to other sites too'),
        option('--max-pages <count>', 'maximum number of pages (default: 10000)', countOf(1, 1_000_000)),
        option(
          '--max-depth <count>',
          'maximum number of links from the navigation to a page (default: 50)',
          countOf(0, 1000),
        ),
        option('--rate <count>', 'maximum requests per second to one host (default: as fast as it responds)', rateOf),
        option('--wait <duration>', 'wait until the new version is live and healthy, e.g. up to 5m', durationOf()),
        option('--stable <count>', 'consecutive healthy runs that --wait needs (default: 2)', countOf(1, MOST_STABLE)),
        option('--expect-version <version>', 'version that should be live, such as the deployed commit', versionOf),
        option(
          '--version-from <place>',
          'where the site publishes it: <path>#<JSON pointer or regular expression> (default: version.json, <meta>, headers)',
          versionFromOf,
        ),
        option('--since <what>', 'ETag or date of the bundle before the deployment, or now', sinceOf),
        language(),
        option('--timeout <duration>', 'timeout of one request (default: 10s)', durationOf()),
        option('--deadline <duration>', 'timeout of the run (default: 60s; 5m with --full or --source)', durationOf()),
        option('--retries <count>', 'retries after network failures, 408, 429 and 5xx (default: 2)', countOf(0, 10)),
        option(
          '--header <name: value>',
          "request header for the site's own origin, never printed (repeatable)",
          headersOf,
        ),
        option(
          '--resolve <host:port:address>',
          'connect to this address instead, like curl (repeatable)',
          resolveRules,
        ),
        option('--ipv4', 'use IPv4 only').conflicts('ipv6'),
        option('--ipv6', 'use IPv6 only').conflicts('ipv4'),
        config(),
        option('--strict', 'warnings fail too'),
        option('--verbose', 'show timings and documented actions').conflicts('quiet'),
        option('--quiet', 'show only what needs attention').conflicts('verbose'),
      ],
      load: async () => (await import('./check.ts')).check,
    }),
    list: () => ({
      summary: 'list the checks',
      description:
        'Lists the checks, one per line: id, title, requested file, and the option that runs those that are not core checks.',
      options: [language(), config()],
      load: async () => (await import('./explain.ts')).list,
    }),
    explain: () => ({
      summary: 'explain a check or a rule',
      description: 'Prints the documentation of a check or of a rule.',
      args: { '<check[/rule]>': 'a check (navigation), a rule (navigation/no-links) or its bare name (no-links)' },
      options: [language(), config(), format(['text', 'json'])],
      load: async () => (await import('./explain.ts')).explain,
    }),
    manifest: () => ({
      summary: 'write a hash manifest of a folder',
      description:
        "Prints the hashes of a folder's files, for `check --source manifest.json` on machines without a checkout.",
      args: { '<folder>': 'the folder that is deployed' },
      options: [option('--out <file>', 'write to this file')],
      load: async () => (await import('./manifest.ts')).manifest,
    }),
  },
  'Monitor sites:': {
    monitor: () => ({
      summary: 'monitor sites around the clock',
      description:
        'Monitors the sites of the configuration until it is stopped: opens incidents, sends notifications, stores the history. SIGHUP reloads the configuration. Exit status: 0 stopped, 2 usage or configuration error, 3 the database or the listening address could not be used; with --once 0 all sites are healthy, 1 one is not, 3 could not be determined.',
      options: [
        config(),
        database(),
        listen().conflicts('once'),
        option(
          '--once',
          'check each site once, confirm failures, notify, and exit (for cron); set `every` to its interval',
        ),
        logFormat(),
        format(['pretty', 'json'], 'with --once: output format'),
        option('--quiet', 'log only what needs attention'),
      ],
      load: async () => (await import('./monitor.ts')).monitor,
    }),
    status: () => ({
      summary: 'show the state of sites, export the status page',
      description:
        "Prints the latest state of all sites from the monitor's database. export: writes the status page into a folder, as files for any static host, even while no monitor runs. Exit status: 0 all sites are healthy (or exported), 1 one is not, 2 usage error or no database, 3 a state is unknown, or a file could not be read or written.",
      args: { '[action]': 'export', '[dir]': 'folder to write to; with export' },
      options: [
        option('--force', 'overwrite files that no export wrote'),
        format(['pretty', 'json']),
        database(),
        config(),
      ],
      load: async () => (await import('./status.ts')).status,
    }),
    incidents: () => ({
      summary: 'list the incidents of sites',
      description:
        'Lists incidents, newest first: what failed, when it started, was detected, notified and recovered, and whether the RTO was met. Exit status: 0 listed, 2 usage error or no database, 3 the database could not be used.',
      options: [
        option('--site <id>', 'only this site'),
        option('--open', 'only open incidents'),
        option('--since <when>', `detected since: ${WHEN}`),
        option('--limit <count>', 'maximum number of results', countOf(1, 100_000), 100),
        format(['pretty', 'json', 'csv']),
        database(),
        config(),
      ],
      load: async () => (await import('./incidents.ts')).incidents,
    }),
    history: () => ({
      summary: 'show the history of a site',
      description:
        "Prints the history of a site from the monitor's database: how many runs were healthy, and how fast the site responded. import: copies an SQLite database into the configured PostgreSQL database; what is already there stays. Exit status: 0 printed, 2 usage error or no database, 3 the database could not be used.",
      usage: '<site> [options] | import <file>',
      args: { '<site>': 'id of the site, or import', '[file]': 'the SQLite database to import' },
      options: [
        option(
          '--since <when>',
          `start of the period: ${WHEN} (default: 1h of runs, 6h of minutes, 24h of hours, 90d of days)`,
        ),
        option('--until <when>', `end of the period: ${WHEN} (default: now)`),
        option('--location <id>', 'only what this location measured (default: all locations together)'),
        choice('--resolution <size>', 'what each line covers', ['round', 'minute', 'hour', 'day'], 'hour'),
        format(['pretty', 'json', 'csv']),
        database(),
        config(),
      ],
      load: async () => (await import('./history.ts')).history,
    }),
    maintenance: () => ({
      summary: 'start, end or list maintenance of a site',
      description:
        'start: the site opens no incidents for the given time. end: ends it. list: prints current and planned maintenance. A running monitor applies it within seconds.',
      usage: 'start <site> <duration> | end <site> | list [site]',
      args: { '<what...>': 'start, end or list; id of the site; how long, e.g. 30m' },
      options: [
        option('--reason <text>', 'shown on the status page', anything),
        config(),
        database(),
        format(['pretty', 'json']),
      ],
      load: async () => (await import('./maintenance.ts')).maintenance,
    }),
    alert: () => ({
      summary: 'test a notification route, list pending notifications',
      description:
        'test: sends one notification through a route of the configuration, marked as a test; its id and that of its incident begin with test-. list: lists the notifications that are not sent yet. Exit status: 0 sent or listed, 1 could not be sent, 2 usage or configuration error, 3 the database could not be used.',
      args: { '<action>': 'test or list', '[route]': 'id of the route; with test' },
      options: [
        choice('--event <event>', 'which notification to send', ['opened', 'reminder', 'recovered'], 'opened'),
        option('--site <id>', 'site of the notification (default: the first of the route)'),
        config(),
        database(),
        format(['pretty', 'json']),
      ],
      load: async () => (await import('./alert.ts')).alert,
    }),
    drill: () => ({
      summary: 'rehearse the recovery of a site',
      description:
        'Clones the repository into an empty folder, serves it or runs your deploy command, checks until the site is healthy, and reports the time of each step and whether the recovery time objective was met. Exit status: 0 met, 1 missed or not healthy, 2 usage error, 3 unknown.',
      options: [
        option('--source <what>', 'address of a Git repository, or a local folder'),
        option('--branch <name>', "branch or tag to clone (default: the repository's default branch)"),
        option('--folder <path>', 'folder of the site in the repository (default: detected)'),
        option('--serve', 'serve it on this machine (the default)').conflicts('deploy'),
        option(
          '--deploy <command>',
          'deploy with this shell command, run in the clone; DOCVITALS_FOLDER is the folder of the site',
        ),
        option('--url <base-url>', 'address that --deploy publishes to (default: url of the configuration)'),
        option('--site <id>', 'use address, RTO and checks of this site of the configuration'),
        option('--no-compare', 'after --deploy, do not compare files (for sites with a build step)'),
        option('--host <kind>', `kind of host to serve as: ${HOST_NAMES_HELP}`, hostOf, 'server'),
        option('--base <path>', 'serve below this path, e.g. /docs/', baseOf, '/'),
        option('--objective <duration>', 'recovery time objective (default: configuration, else 60s)', durationOf()),
        option('--deadline <duration>', 'timeout of the whole drill (default: 5m)', durationOf()),
        option('--full', 'run all checks, not only the core checks'),
        option('--keep', 'keep the cloned folder'),
        format(['pretty', 'json']),
        option('--verbose', 'show the output of the command, and all checks'),
        language(),
        config(),
      ],
      load: async () => (await import('./drill.ts')).drill,
    }),
    example: () => ({
      summary: 'print files for running a monitor',
      description:
        'Lists examples for the operation of a monitor, prints one, or writes its files: systemd, containers, Kubernetes, Prometheus and others.',
      args: { '[name]': 'name of the example (default: list them)' },
      options: [
        option('--out <dir>', 'write the files into this folder'),
        option('--force', 'overwrite existing files'),
      ],
      load: async () => (await import('./example.ts')).example,
    }),
    coordinator: () => ({
      summary: 'coordinate runners of many locations',
      description:
        'Schedules the runs of all locations, opens incidents, sends notifications and serves the status page, on a PostgreSQL database. Start as many as you like: one acts, the others take over within seconds. Exit status: 0 stopped, 2 usage or configuration error, 3 the database or the listening address could not be used.',
      options: [config(), database(), listen(), logFormat(), option('--quiet', 'log only what needs attention')],
      load: async () => (await import('./fleet.ts')).coordinator,
    }),
    runner: () => ({
      summary: 'run the checks of a location',
      description:
        'Runs the checks of one location and sends the results to the coordinator, through a PostgreSQL database. Start as many as you like in each location: they share its runs. Exit status: 0 stopped, 2 usage or configuration error, 3 the database could not be used.',
      options: [
        option('--location <id>', 'where this runner is, one of monitor.locations').makeOptionMandatory(),
        config(),
        database(),
        logFormat(),
        option('--quiet', 'log only what needs attention'),
      ],
      load: async () => (await import('./fleet.ts')).runner,
    }),
  },
  'Set up:': {
    init: () => ({
      summary: 'set up a project',
      description:
        "Inspects a folder, asks a few questions, and writes docvitals.yaml, GitHub workflows and the host's configuration. Existing files are only overwritten with --force.",
      args: { '[dir]': 'folder of the project (default: here)' },
      options: [
        option('--url <base-url>', 'address of the site'),
        option('--source <dir>', 'folder that the site is deployed from, relative to [dir] (default: detected)'),
        option('--host <kind>', `kind of host: ${HOST_NAMES_HELP} (default: detected)`, hostNameOf),
        option('--workflow <kind>', `workflow to write (repeatable): ${WORKFLOW_KINDS.join(', ')}, or none`, repeated),
        option('--hosting', "also write the host's configuration"),
        option('--no-hosting', "do not write the host's configuration"),
        option('--monitor', "also write the monitor's settings"),
        option('--no-monitor', "do not write the monitor's settings"),
        option('--llms-txt', 'only write llms.txt, from the navigation of the site'),
        language(),
        option('--yes', 'ask no questions: accept what was detected'),
        option('--dry-run', 'print what would be written, and write nothing'),
        option('--force', 'overwrite existing files'),
      ],
      load: async () => (await import('./init.ts')).init,
    }),
    config: () => ({
      summary: 'check the configuration',
      description: 'check: prints the settings, or what is wrong with them. schema: prints the JSON Schema.',
      args: { '<action>': 'check or schema' },
      options: [language(), config()],
      load: async () => (await import('./config.ts')).config,
    }),
    hosting: () => ({
      summary: "print a host's configuration",
      description:
        'Prints or writes the configuration with which a host passes `check --full --strict`: an nginx server block, a platform configuration, a worker.',
      args: { '<kind>': `kind of host: ${HOST_NAMES_HELP}` },
      options: [
        option('--url <base-url>', 'future address of the site: gives the path, the server name and TLS'),
        base(),
        option('--documented', 'print the documented rules unchanged, with the findings that they cause'),
        option('--out <dir>', 'write the files into this folder'),
        option('--force', 'overwrite existing files'),
      ],
      load: async () => (await import('./hosting.ts')).hosting,
    }),
    serve: () => ({
      summary: 'preview a folder as a host would serve it',
      description: 'Serves a folder on this machine with the rules of a kind of host, until Ctrl-C.',
      args: { '<dir>': 'the folder of the site' },
      options: [
        option('--host <kind>', `kind of host: ${HOST_NAMES_HELP}`, hostOf, 'server'),
        option('--port <port>', 'port, or 0 for any free one', countOf(0, 65_535), 4173),
        base().default('/'),
        option('--documented', 'serve with the documented rules unchanged'),
      ],
      load: async () => (await import('./serve.ts')).serve,
    }),
    completion: () => ({
      summary: 'print a completion script for a shell',
      description: 'Prints a script that completes commands, options and check ids.',
      args: { '<shell>': 'bash, zsh or fish' },
      load: async () => (await import('./completion.ts')).completion,
    }),
  },
};

/**
 * The commands and their options. Each command's code is loaded when it runs.
 *
 * @param first the first argument, where only its command is needed: creating all commands takes longer
 *   than what some of them do
 */
export function makeProgram(env: NodeJS.ProcessEnv, { done, print }: Handlers, first?: string): Command {
  const program = new Command('docvitals')
    .description('Checks whether a static Markdown documentation site works, and reports how to fix it.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .commandsGroup('Set up:')
    .helpCommand('help [command]', 'print the help of a command')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: () => {} });
  addExamples(program, '');
  if (first === '--version' || first === '-V') return program;
  const alone = isAlone(first);
  for (const [group, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(group);
    for (const [name, declare] of Object.entries(commands)) {
      if (alone && name !== first) continue;
      const { load, ...declaration } = declare();
      addCommand(program, name, declaration).action(async (...given: readonly unknown[]) => {
        const run = (await load()) as (...given: readonly unknown[]) => Promise<number>;
        // The last one is the command itself.
        done(await run(...given.slice(0, -1), env, program));
      });
    }
  }
  return program.addOption(language()).addOption(config()).addOption(colour());
}

function addCommand(program: Command, name: string, declaration: Omit<Declaration, 'load'>): Command {
  const { summary, description, usage, args = {}, options = [] } = declaration;
  const command = program.command(name).summary(summary).description(description);
  if (usage !== undefined) command.usage(usage);
  for (const [argument, about] of Object.entries(args)) command.argument(argument, about);
  const own = new Set(options.map(({ long }) => long));
  const shared = [language(), colour()].filter(({ long }) => !own.has(long));
  for (const each of [...options, ...shared]) command.addOption(each);
  addExamples(command, name);
  return command;
}

function addExamples(command: Command, name: string): void {
  const lines = EXAMPLES[name]?.map((example) => `  ${example}\n`) ?? [];
  if (lines.length === 0) return;
  command.addHelpText('after', ({ command: of }) => `\n${of.createHelp().styleTitle('Examples:')}\n${lines.join('')}`);
}

/** Whether an argument names a command that does not ask for the others. */
function isAlone(name: string | undefined): boolean {
  if (name === undefined || name === 'completion') return false;
  return Object.values(COMMANDS).some((commands) => Object.hasOwn(commands, name));
}
