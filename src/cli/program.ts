import { ENGINE_IDS } from '../engines/engine.ts';
import { Command, Option } from 'commander';
import { HOST_NAMES_HELP } from '../hosting/kinds.ts';
import type { InitFlags } from '../init/answers.ts';
import { WORKFLOW_KINDS } from '../init/workflow-kinds.ts';
import {
  baseOf,
  countOf,
  durationOf,
  fileOf,
  formatOf,
  headersOf,
  hostNameOf,
  engineOf,
  hostOf,
  idList,
  MOST_STABLE,
  rateOf,
  reportTargets,
  resolveRules,
  sinceOf,
  versionFromOf,
  versionOf,
} from '../project/arguments.ts';
import { browserAddressOf, routesOf } from '../project/browser.ts';
import type { CheckFlags } from '../project/run-options.ts';
import type { ProjectFlags } from '../project/settings.ts';
import { FORMAT_NAMES } from '../report/format-names.ts';
import { VERSION } from '../version.ts';
import type { AlertFlags } from './alert.ts';
import { EXAMPLES } from './examples.ts';
import type { HistoryFlags } from './history.ts';
import type { HostingFlags } from './hosting.ts';
import type { IncidentsFlags } from './incidents.ts';
import type { ManifestFlags } from './manifest.ts';
import { addCoordinator, addDrill, addExample, addMaintenance, addMonitor, addRunner } from './monitor-commands.ts';
import type { ServeFlags } from './serve.ts';
import {
  addSharedOptions,
  choiceOption,
  configOption,
  databaseOption,
  formatOption,
  languageOption,
} from './shared-options.ts';
import type { StatusFlags } from './status.ts';

/** The results of commands. */
export interface Handlers {
  readonly done: (status: number) => void;
  /** Receives the help and the version. */
  readonly print: (text: string) => void;
}

type Done = Handlers['done'];

type Add = (program: Command, env: NodeJS.ProcessEnv, done: Done) => void;

/** All commands, as the help groups them. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, Add>>>> = {
  'Check a site:': { check: addCheck, list: addList, explain: addExplain, manifest: addManifest },
  'Monitor sites:': {
    monitor: addMonitor,
    status: addStatus,
    incidents: addIncidents,
    history: addHistory,
    maintenance: addMaintenance,
    alert: addAlert,
    drill: addDrill,
    example: addExample,
    coordinator: addCoordinator,
    runner: addRunner,
  },
  'Set up:': {
    init: addInit,
    config: addConfig,
    hosting: addHosting,
    serve: addServe,
    completion: addCompletion,
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
  addExamples(program, EXAMPLES['']);
  if (first === '--version' || first === '-V') return program;
  const alone = isAlone(first);
  for (const [group, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(group);
    for (const [name, add] of Object.entries(commands)) {
      if (alone && name !== first) continue;
      add(program, env, done);
      addExamples(program.commands.at(-1), EXAMPLES[name]);
    }
  }
  addSharedOptions(program);
  return program;
}

function addExamples(command: Command | undefined, examples: readonly string[] | undefined): void {
  const lines = examples?.map((example) => `  ${example}\n`) ?? [];
  if (lines.length > 0) {
    command?.addHelpText(
      'after',
      ({ command: of }) => `\n${of.createHelp().styleTitle('Examples:')}\n${lines.join('')}`,
    );
  }
}

/** Whether an argument names a command that does not ask for the others. */
function isAlone(name: string | undefined): boolean {
  if (name === undefined || name === 'completion') return false;
  return Object.values(COMMANDS).some((commands) => Object.hasOwn(commands, name));
}

function addList(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('list')
    .summary('list the checks')
    .description(
      'Lists the checks, one per line: id, title, requested file, and the option that runs those that are not core checks.',
    )
    .addOption(languageOption())
    .addOption(configOption())
    .action(async (flags: ProjectFlags) => done(await (await import('./list.ts')).list(flags, env)));
}

function addExplain(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('explain')
    .summary('explain a check or a rule')
    .description('Prints the documentation of a check or of a rule.')
    .argument('<check[/rule]>', 'a check (navigation), a rule (navigation/no-links) or its bare name (no-links)')
    .addOption(languageOption())
    .addOption(configOption())
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
    .action(async (subject: string, flags: ProjectFlags & { readonly color: boolean }) =>
      done(await (await import('./explain.ts')).explain(subject, flags, env)),
    );
}

function addHosting(program: Command, _env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('hosting')
    .summary("print a host's configuration")
    .description(
      'Prints or writes the configuration with which a host passes `check --full --strict`: an nginx server block, a platform configuration, a worker.',
    )
    .argument('<kind>', `kind of host: ${HOST_NAMES_HELP}`)
    .option('--url <base-url>', 'future address of the site: gives the path, the server name and TLS')
    .addOption(baseOption())
    .option('--documented', 'print the documented rules unchanged, with the findings that they cause')
    .option('--out <dir>', 'write the files into this folder', fileOf('--out'))
    .option('--force', 'overwrite existing files')
    .addOption(languageOption())
    .action(async (kind: string, flags: HostingFlags) =>
      done(await (await import('./hosting.ts')).hosting(kind, flags)),
    );
}

function addServe(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('serve')
    .summary('preview a folder as a host would serve it')
    .description('Serves a folder on this machine with the rules of a kind of host, until Ctrl-C.')
    .argument('<dir>', 'the folder of the site')
    .addOption(new Option('--host <kind>', `kind of host: ${HOST_NAMES_HELP}`).argParser(hostOf).default('server'))
    .option('--port <port>', 'port, or 0 for any free one', countOf('--port', 0, 65_535), 4173)
    .addOption(baseOption().default('/'))
    .option('--documented', 'serve with the documented rules unchanged')
    .addOption(languageOption())
    .action(async (dir: string, flags: ServeFlags) => done(await (await import('./serve.ts')).serve(dir, flags, env)));
}

function baseOption(): Option {
  return new Option('--base <path>', 'path below which the site is served, e.g. /docs/').argParser(baseOf);
}

function addManifest(program: Command, _env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('manifest')
    .summary('write a hash manifest of a folder')
    .description(
      "Prints the hashes of a folder's files, for `check --source manifest.json` on machines without a checkout.",
    )
    .argument('<folder>', 'the folder that is deployed')
    .option('--out <file>', 'write to this file', fileOf('--out'))
    .action(async (folder: string, flags: ManifestFlags) =>
      done(await (await import('./manifest.ts')).manifest(folder, flags)),
    );
}

function addCompletion(program: Command, _env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('completion')
    .summary('print a completion script for a shell')
    .description('Prints a script that completes commands, options and check ids.')
    .argument('<shell>', 'bash, zsh or fish')
    .action(async (shell: string) => done(await (await import('./completion.ts')).completion(shell, program)));
}

function addCheck(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
  const command = program
    .command('check')
    .summary('check a site')
    .description(
      'Checks a site, reports what is wrong and how to fix it. Exit status: 0 healthy, 1 a check failed, 2 usage or configuration error, 3 could not be determined.',
    )
    .argument('[base-url]', 'address of the site, e.g. https://docs.example.com/ (default: url of the configuration)')
    .option('--site <id>', 'check this site of the configuration, as the monitor does', fileOf('--site'))
    .option('--full', 'run all checks, not only the core checks')
    .option('--only <ids>', 'run only these checks (comma-separated, repeatable)', idList('--only'))
    .option('--skip <ids>', 'skip these checks', idList('--skip'))
    .option('--format <format>', `report format: ${FORMAT_NAMES.join(', ')}`, formatOf('--format'), 'pretty')
    .option('--report <format=file>', 'also write a report to a file (repeatable)', reportTargets);
  addSiteOptions(command);
  addFreshnessOptions(command)
    .addOption(languageOption())
    .option('--timeout <duration>', 'timeout of one request (default: 10s)', durationOf('--timeout'))
    .option(
      '--deadline <duration>',
      'timeout of the run (default: 60s; 5m with --full or --source)',
      durationOf('--deadline'),
    )
    .option(
      '--retries <count>',
      'retries after network failures, 408, 429 and 5xx (default: 2)',
      countOf('--retries', 0, 10),
    )
    .option('--header <name: value>', "request header for the site's own origin, never printed (repeatable)", headersOf)
    .option('--resolve <host:port:address>', 'connect to this address instead, like curl (repeatable)', resolveRules)
    .addOption(new Option('--ipv4', 'use IPv4 only').conflicts('ipv6'))
    .addOption(new Option('--ipv6', 'use IPv6 only').conflicts('ipv4'))
    .addOption(configOption())
    .option('--strict', 'warnings fail too')
    .addOption(new Option('--verbose', 'show timings and documented actions').conflicts('quiet'))
    .addOption(new Option('--quiet', 'show only what needs attention').conflicts('verbose'));
  command.action(async (url: string | undefined, flags: CheckFlags) =>
    done(await (await import('./check.ts')).check(...withBrowserAddress(url, flags), env)),
  );
}

/** What to check beyond the core checks, and how far. */
function addSiteOptions(command: Command): Command {
  return command
    .option(
      '--source <what>',
      'compare with the source: a folder, a Git ref (HEAD:docs) or manifest.json',
      fileOf('--source'),
    )
    .option('--host <kind>', `kind of host: ${HOST_NAMES_HELP} (default: detected)`, hostOf)
    .option('--engine <name>', `documentation engine: ${ENGINE_IDS.join(', ')} (default: detected)`, engineOf)
    .option('--browser [address]', 'open pages in a browser too (a running one: ws:// or CDP address)')
    .option(
      '--browser-path <file>',
      'file of the browser (default: Chrome, Chromium or Edge)',
      fileOf('--browser-path'),
    )
    .option(
      '--routes <count>',
      'pages to open besides the home page: a number or all (default: 5)',
      routesOf('--routes'),
    )
    .option('--screenshots <folder>', 'also write a screenshot of each page opened', fileOf('--screenshots'))
    .option('--external', 'check links to other sites too')
    .option('--max-pages <count>', 'maximum number of pages (default: 10000)', countOf('--max-pages', 1, 1_000_000))
    .option(
      '--max-depth <count>',
      'maximum number of links from the navigation to a page (default: 50)',
      countOf('--max-depth', 0, 1000),
    )
    .option('--rate <count>', 'maximum requests per second to one host (default: as fast as it responds)', rateOf);
}

/** Adds the options that say which version is to be live, and how long to wait for it. */
function addFreshnessOptions(command: Command): Command {
  return command
    .option('--wait <duration>', 'wait until the new version is live and healthy, e.g. up to 5m', durationOf('--wait'))
    .option(
      '--stable <count>',
      'consecutive healthy runs that --wait needs (default: 2)',
      countOf('--stable', 1, MOST_STABLE),
    )
    .option(
      '--expect-version <version>',
      'version that should be live, such as the deployed commit',
      versionOf('--expect-version'),
    )
    .option(
      '--version-from <place>',
      'where the site publishes it: <path>#<JSON pointer or regular expression> (default: version.json, <meta>, headers)',
      versionFromOf('--version-from'),
    )
    .option('--since <what>', 'ETag or date of the bundle before the deployment, or now', sinceOf('--since'));
}

function addAlert(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('alert')
    .summary('test a notification route, list pending notifications')
    .description(
      'test: sends one notification through a route of the configuration, marked as a test; its id and that of its incident begin with test-. list: lists the notifications that are not sent yet. Exit status: 0 sent or listed, 1 could not be sent, 2 usage or configuration error, 3 the database could not be used.',
    )
    .argument('<action>', 'test or list')
    .argument('[route]', 'id of the route; with test')
    .addOption(
      choiceOption('--event <event>', 'which notification to send', ['opened', 'reminder', 'recovered'], 'opened'),
    )
    .option('--site <id>', 'site of the notification (default: the first of the route)', fileOf('--site'))
    .addOption(configOption())
    .addOption(databaseOption())
    .addOption(formatOption(['pretty', 'json']))
    .addOption(languageOption())
    .action(async (action: string, route: string | undefined, flags: AlertFlags) =>
      done(await (await import('./alert.ts')).alert(action, route, flags, env)),
    );
}

const WHEN = 'an age (24h, 7d) or a date';

function addHistory(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
  const command = program
    .command('history')
    .summary('show the history of a site')
    .description(
      "Prints the history of a site from the monitor's database: how many runs were healthy, and how fast the site responded. import: copies an SQLite database into the configured PostgreSQL database; what is already there stays. Exit status: 0 printed, 2 usage error or no database, 3 the database could not be used.",
    )
    .usage('<site> [options] | import <file>')
    .argument('<site>', 'id of the site, or import')
    .argument('[file]', 'the SQLite database to import')
    .option(
      '--since <when>',
      `start of the period: ${WHEN} (default: 1h of runs, 6h of minutes, 24h of hours, 90d of days)`,
    )
    .option('--until <when>', `end of the period: ${WHEN} (default: now)`)
    .addOption(
      choiceOption('--resolution <size>', 'what each line covers', ['round', 'minute', 'hour', 'day'], 'hour'),
    );
  addCommon(command);
  command.action(async (site: string, file: string | undefined, flags: HistoryFlags) => {
    const { history, importHistory } = await import('./history.ts');
    done(await (file === undefined ? history(site, flags, env) : importHistory(site, file, flags, env)));
  });
}

function addIncidents(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
  const command = program
    .command('incidents')
    .summary('list the incidents of sites')
    .description(
      'Lists incidents, newest first: what failed, when it started, was detected, notified and recovered, and whether the RTO was met. Exit status: 0 listed, 2 usage error or no database, 3 the database could not be used.',
    )
    .option('--site <id>', 'only this site', fileOf('--site'))
    .option('--open', 'only open incidents')
    .option('--since <when>', `detected since: ${WHEN}`)
    .option('--limit <count>', 'maximum number of results', countOf('--limit', 1, 100_000), 100);
  addCommon(command);
  command.action(async (flags: IncidentsFlags) => done(await (await import('./incidents.ts')).incidents(flags, env)));
}

function addCommon(command: Command): Command {
  return command
    .addOption(formatOption(['pretty', 'json', 'csv']))
    .addOption(databaseOption())
    .addOption(configOption())
    .addOption(languageOption());
}

function addInit(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('init')
    .summary('set up a project')
    .description(
      "Inspects a folder, asks a few questions, and writes docvitals.yaml, GitHub workflows and the host's configuration. Existing files are only overwritten with --force.",
    )
    .argument('[dir]', 'folder of the project (default: here)')
    .option('--url <base-url>', 'address of the site')
    .option(
      '--source <dir>',
      'folder that the site is deployed from, relative to [dir] (default: detected)',
      fileOf('--source'),
    )
    .option('--host <kind>', `kind of host: ${HOST_NAMES_HELP} (default: detected)`, hostNameOf)
    .option('--workflow <kind>', `workflow to write (repeatable): ${WORKFLOW_KINDS.join(', ')}, or none`, listed)
    .option('--hosting', "also write the host's configuration")
    .option('--no-hosting', "do not write the host's configuration")
    .option('--monitor', "also write the monitor's settings")
    .option('--no-monitor', "do not write the monitor's settings")
    .option('--llms-txt', 'only write llms.txt, from the navigation of the site')
    .addOption(languageOption())
    .option('--yes', 'ask no questions: accept what was detected')
    .option('--dry-run', 'print what would be written, and write nothing')
    .option('--force', 'overwrite existing files')
    .action(async (dir: string | undefined, flags: InitFlags) =>
      done(await (await import('./init.ts')).init(dir, flags, env)),
    );
}

const listed = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

function addConfig(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('config')
    .summary('check the configuration')
    .description('check: prints the settings, or what is wrong with them. schema: prints the JSON Schema.')
    .argument('<action>', 'check or schema')
    .addOption(languageOption())
    .addOption(configOption())
    .action(async (action: string, flags: ProjectFlags) =>
      done(await (await import('./config.ts')).config(action, flags, env)),
    );
}

function addStatus(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('status')
    .summary('show the state of sites, export the status page')
    .description(
      "Prints the latest state of all sites from the monitor's database. export: writes the status page into a folder, as files for any static host, even while no monitor runs. Exit status: 0 all sites are healthy (or exported), 1 one is not, 2 usage error or no database, 3 a state is unknown, or a file could not be read or written.",
    )
    .argument('[action]', 'export')
    .argument('[dir]', 'folder to write to; with export')
    .option('--force', 'overwrite files that no export wrote')
    .addOption(formatOption(['pretty', 'json']))
    .addOption(databaseOption())
    .addOption(configOption())
    .addOption(languageOption())
    .action(async (action: string | undefined, dir: string | undefined, flags: StatusFlags) =>
      done(await (await import('./status.ts')).status(action, dir, flags, env)),
    );
}

/** An address after `--browser` is the site's where no other is given: `docvitals check --browser https://docs.example.org/`. */
function withBrowserAddress(url: string | undefined, flags: CheckFlags): [string | undefined, CheckFlags] {
  const { browser } = flags;
  if (typeof browser !== 'string') return [url, flags];
  if (url === undefined && /^https?:/i.test(browser)) return [browser, { ...flags, browser: true }];
  return [url, { ...flags, browser: browserAddressOf(browser) }];
}
