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
import { addDrill, addExample, addMaintenance, addMonitor } from './monitor-commands.ts';
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

/** What the commands hand back. */
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
  'Watch sites:': {
    monitor: addMonitor,
    status: addStatus,
    incidents: addIncidents,
    history: addHistory,
    maintenance: addMaintenance,
    alert: addAlert,
    drill: addDrill,
    example: addExample,
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
 * @param first the first argument, where only what it asks for is to be told apart: making all commands takes longer
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
  if (lines.length > 0) command?.addHelpText('after', `\nExamples:\n${lines.join('')}`);
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
    .description('Lists the checks, one line each: id, title, what is requested, --full for those of the whole site.')
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
    .addOption(new Option('--format <format>', 'what to print').choices(['text', 'json']).default('text'))
    .action(async (subject: string, flags: ProjectFlags & { readonly color: boolean }) =>
      done(await (await import('./explain.ts')).explain(subject, flags, env)),
    );
}

function addHosting(program: Command, _env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('hosting')
    .summary("print a host's configuration")
    .description(
      'Prints or writes what a host needs to serve a site so that `check --full --strict` passes: an nginx server block, a platform configuration, a worker.',
    )
    .argument('<kind>', `kind of host: ${HOST_NAMES_HELP}`)
    .option('--url <base-url>', 'where the site will be: gives the path, the server name and TLS')
    .addOption(baseOption())
    .option('--documented', 'print the documented rules unchanged, with what checks report')
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
    .description('Serves a folder on this machine by the rules of a kind of host, until Ctrl-C.')
    .argument('<dir>', 'the folder that holds the site')
    .addOption(new Option('--host <kind>', `kind of host: ${HOST_NAMES_HELP}`).argParser(hostOf).default('server'))
    .option('--port <port>', 'port, 0 for any that is free', countOf('--port', 0, 65_535), 4173)
    .addOption(baseOption().default('/'))
    .option('--documented', 'serve by the documented rules unchanged')
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
      'Prints the hashes of what a folder would deploy, for `check --source manifest.json` where there is no checkout.',
    )
    .argument('<folder>', 'what the site is deployed from')
    .option('--out <file>', 'write it there', fileOf('--out'))
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
    .argument('[base-url]', 'where the site is, e.g. https://docs.example.com/ (default: url of the configuration)')
    .option('--site <id>', 'check this site of the configuration, as the monitor does', fileOf('--site'))
    .option('--full', 'run all checks: core checks and those of the whole site')
    .option('--only <ids>', 'run only these checks (comma-separated, repeatable)', idList('--only'))
    .option('--skip <ids>', 'skip these checks', idList('--skip'))
    .option('--format <format>', `what to print: ${FORMAT_NAMES.join(', ')}`, formatOf('--format'), 'pretty')
    .option('--report <format=file>', 'also write a report to a file (repeatable)', reportTargets);
  addSiteOptions(command);
  addFreshnessOptions(command)
    .addOption(languageOption())
    .option('--timeout <duration>', 'longest time for one request (default: 10s)', durationOf('--timeout'))
    .option(
      '--deadline <duration>',
      'longest time for one run (default: 60s; 5m for the whole site or --source)',
      durationOf('--deadline'),
    )
    .option(
      '--retries <count>',
      'retries after network failures, 408, 429 and 5xx (default: 2)',
      countOf('--retries', 0, 10),
    )
    .option('--header <name: value>', "sent to the site's own origin only, never printed (repeatable)", headersOf)
    .option('--resolve <host:port:address>', 'connect to this address instead, as curl does (repeatable)', resolveRules)
    .addOption(new Option('--ipv4', 'use IPv4 only').conflicts('ipv6'))
    .addOption(new Option('--ipv6', 'use IPv6 only').conflicts('ipv4'))
    .addOption(configOption())
    .option('--strict', 'warnings fail too')
    .addOption(new Option('--verbose', 'show timings and documented actions').conflicts('quiet'))
    .addOption(new Option('--quiet', 'show only what needs attention').conflicts('verbose'));
  command.action(async (url: string | undefined, flags: CheckFlags) =>
    done(await (await import('./check.ts')).check(url, flags, env)),
  );
}

/** What to look at beyond the core checks, and how far. */
function addSiteOptions(command: Command): Command {
  return command
    .option(
      '--source <what>',
      'compare with what is deployed: a folder, a Git ref (HEAD:docs) or manifest.json',
      fileOf('--source'),
    )
    .option('--host <kind>', `kind of host: ${HOST_NAMES_HELP} (default: detected)`, hostOf)
    .option('--external', 'check links to other sites too')
    .option('--max-pages <count>', 'most pages to request (default: 10000)', countOf('--max-pages', 1, 1_000_000))
    .option(
      '--max-depth <count>',
      'most links from the navigation to a page (default: 50)',
      countOf('--max-depth', 0, 1000),
    )
    .option('--rate <count>', 'most requests a second to one host (default: as fast as it answers)', rateOf);
}

/** Adds the options that say which version is to be live, and how long to wait for it. */
function addFreshnessOptions(command: Command): Command {
  return command
    .option('--wait <duration>', 'wait until the site is healthy and fresh, up to 5m for example', durationOf('--wait'))
    .option(
      '--stable <count>',
      'healthy runs in a row that --wait needs (default: 2)',
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
    .summary('test an alert route, list waiting alerts')
    .description(
      'test: sends one alert through a route of the configuration now, marked as a test; its id and that of its incident begin with test-. list: the alerts that have not been sent yet. Exit status: 0 sent or listed, 1 it could not be sent, 2 usage or configuration error, 3 the database could not be used.',
    )
    .argument('<action>', 'test or list')
    .argument('[route]', 'id of the route; with test')
    .addOption(choiceOption('--event <event>', 'which alert to send', ['opened', 'reminder', 'recovered'], 'opened'))
    .option('--site <id>', 'site to send it about (default: the first of the route)', fileOf('--site'))
    .addOption(configOption())
    .addOption(databaseOption())
    .addOption(formatOption(['pretty', 'json']))
    .addOption(languageOption())
    .action(async (action: string, route: string | undefined, flags: AlertFlags) =>
      done(await (await import('./alert.ts')).alert(action, route, flags, env)),
    );
}

const WHEN = 'how long ago (24h, 7d) or a date';

function addHistory(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
  const command = program
    .command('history')
    .summary('show the history of a site')
    .description(
      'Prints what the monitor found at a site, from its database: how many runs were healthy, and how fast the site responded. Exit status: 0 printed, 2 usage or no database, 3 the database could not be used.',
    )
    .argument('<site>', 'id of the site')
    .option('--since <when>', `from then on: ${WHEN} (default: 1h of rounds, 6h of minutes, 24h of hours, 90d of days)`)
    .option('--until <when>', `until then: ${WHEN} (default: now)`)
    .addOption(
      choiceOption('--resolution <size>', 'what each line is about', ['round', 'minute', 'hour', 'day'], 'hour'),
    );
  addCommon(command);
  command.action(async (site: string, flags: HistoryFlags) =>
    done(await (await import('./history.ts')).history(site, flags, env)),
  );
}

function addIncidents(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
  const command = program
    .command('incidents')
    .summary('list the incidents of sites')
    .description(
      'Lists incidents, the newest first: what failed, when it began, was detected, notified and recovered, and whether the RTO was met. Exit status: 0 listed, 2 usage or no database, 3 the database could not be used.',
    )
    .option('--site <id>', 'of this site only', fileOf('--site'))
    .option('--open', 'only those that are open')
    .option('--since <when>', `detected since then: ${WHEN}`)
    .option('--limit <count>', 'most to list', countOf('--limit', 1, 100_000), 100);
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
      'Looks at a folder, asks a few questions, and writes docvitals.yaml, workflows for GitHub and the configuration of the host. Nothing that exists is overwritten without --force.',
    )
    .argument('[dir]', 'the folder of the project (default: here)')
    .option('--url <base-url>', 'where the site is')
    .option(
      '--source <dir>',
      'folder that the site is deployed from, relative to [dir] (default: detected)',
      fileOf('--source'),
    )
    .option('--host <kind>', `kind of host: ${HOST_NAMES_HELP} (default: detected)`, hostNameOf)
    .option('--workflow <kind>', `write it (repeatable): ${WORKFLOW_KINDS.join(', ')}, or none`, listed)
    .option('--hosting', 'write the configuration of the host too')
    .option('--no-hosting', 'leave the configuration of the host as it is')
    .option('--monitor', 'write the settings of the monitor too')
    .option('--no-monitor', 'write no settings of the monitor')
    .addOption(languageOption())
    .option('--yes', 'ask nothing: use what was detected')
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
      'Prints the state of all sites, as the monitor found them last, from its database. export: writes the status page into a folder, as files for any static host, whether or not the monitor runs. Exit status: 0 all sites are healthy (exported), 1 one is not, 2 usage or no database, 3 nothing is known of one, or what is needed could not be read or written.',
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
