/** All commands with their texts, arguments and options, as the help groups them. */
import { HOST_NAMES_HELP } from '../hosting/kinds.ts';
import { WORKFLOW_KINDS } from '../init/workflow-kinds.ts';
import { baseOf, countOf, durationOf, hostNameOf, hostOf, listenOf, textOf } from '../project/arguments.ts';
import { CHECK, choice, CONFIG, read, readOr, SHARED, type FlagsOf, type Options } from '../project/options.ts';

export interface Command {
  readonly summary: string;
  readonly description: string;
  readonly usage?: string;
  /** The names of arguments, each with its description. */
  readonly args?: Readonly<Record<string, string>>;
  /** Those that every command has follow. */
  readonly options?: Options;
}

const DATABASE = {
  '--database <name>': 'database file or postgres:// address (default: monitor.database, then docvitals.db here)',
} satisfies Options;
const LOG = {
  '--log <format>': choice('log format (default: pretty on a terminal, else json)', ['pretty', 'json']),
} satisfies Options;

/** The first is the default. */
const format = <const V extends string>(formats: readonly [V, ...V[]], about = 'output format') => ({
  '--format <format>': { ...choice(about, formats), initial: formats[0] },
});
const base = read('path below which the site is served, e.g. /docs/', baseOf);
const listen = read('serve the status page, metrics and API at this address (default: monitor.listen)', listenOf);
const repeated = (text: string, name: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  textOf(text, name),
];

const WHEN = 'an age (24h, 7d) or a date';

export const COMMANDS = {
  'Check a site:': {
    check: {
      summary: 'check a site',
      description:
        'Checks a site, reports what is wrong and how to fix it. Exit status: 0 healthy, 1 a check failed, 2 usage or configuration error, 3 could not be determined.',
      args: {
        '[base-url]': 'address of the site, e.g. https://docs.example.com/ (default: url of the configuration)',
      },
      options: CHECK,
    },
    list: {
      summary: 'list the checks',
      description:
        'Lists the checks, one per line: id, title, requested file, and the option that runs those that are not core checks.',
      options: {
        '--lang <language>': SHARED['--lang <language>'],
        ...CONFIG,
      },
    },
    explain: {
      summary: 'explain a check or a rule',
      description: 'Prints the documentation of a check or of a rule.',
      args: { '<check[/rule]>': 'a check (navigation), a rule (navigation/no-links) or its bare name (no-links)' },
      options: {
        '--lang <language>': SHARED['--lang <language>'],
        ...CONFIG,
        ...format(['text', 'json']),
      },
    },
    manifest: {
      summary: 'write a hash manifest of a folder',
      description:
        "Prints the hashes of a folder's files, for `check --source manifest.json` on machines without a checkout.",
      args: { '<folder>': 'the folder that is deployed' },
      options: {
        '--out <file>': 'write to this file',
      },
    },
  },
  'Monitor sites:': {
    monitor: {
      summary: 'monitor sites around the clock',
      description:
        'Monitors the sites of the configuration until it is stopped: opens incidents, sends notifications, stores the history. SIGHUP reloads the configuration. Exit status: 0 stopped, 2 usage or configuration error, 3 the database or the listening address could not be used; with --once 0 all sites are healthy, 1 one is not, 3 could not be determined.',
      options: {
        ...CONFIG,
        ...DATABASE,
        '--listen <host:port>': { ...listen, conflicts: 'once' },
        '--once': 'check each site once, confirm failures, notify, and exit (for cron); set `every` to its interval',
        ...LOG,
        ...format(['pretty', 'json'], 'with --once: output format'),
        '--quiet': 'log only what needs attention',
      },
    },
    status: {
      summary: 'show the state of sites, export the status page',
      description:
        "Prints the latest state of all sites from the monitor's database. export: writes the status page into a folder, as files for any static host, even while no monitor runs. Exit status: 0 all sites are healthy (or exported), 1 one is not, 2 usage error or no database, 3 a state is unknown, or a file could not be read or written.",
      args: { '[action]': 'export', '[dir]': 'folder to write to; with export' },
      options: {
        '--force': 'overwrite files that no export wrote',
        ...format(['pretty', 'json']),
        ...DATABASE,
        ...CONFIG,
      },
    },
    incidents: {
      summary: 'list the incidents of sites',
      description:
        'Lists incidents, newest first: what failed, when it started, was detected, notified and recovered, and whether the RTO was met. Exit status: 0 listed, 2 usage error or no database, 3 the database could not be used.',
      options: {
        '--site <id>': 'only this site',
        '--open': 'only open incidents',
        '--since <when>': `detected since: ${WHEN}`,
        '--limit <count>': readOr(100, 'maximum number of results', countOf(1, 100_000)),
        ...format(['pretty', 'json', 'csv']),
        ...DATABASE,
        ...CONFIG,
      },
    },
    history: {
      summary: 'show the history of a site',
      description:
        "Prints the history of a site from the monitor's database: how many runs were healthy, and how fast the site responded. import: copies an SQLite database into the configured PostgreSQL database; what is already there stays. Exit status: 0 printed, 2 usage error or no database, 3 the database could not be used.",
      usage: '<site> [options] | import <file>',
      args: { '<site>': 'id of the site, or import', '[file]': 'the SQLite database to import' },
      options: {
        '--since <when>': `start of the period: ${WHEN} (default: 1h of runs, 6h of minutes, 24h of hours, 90d of days)`,
        '--until <when>': `end of the period: ${WHEN} (default: now)`,
        '--location <id>': 'only what this location measured (default: all locations together)',
        '--resolution <size>': {
          ...choice('what each line covers', ['round', 'minute', 'hour', 'day']),
          initial: 'hour',
        },
        ...format(['pretty', 'json', 'csv']),
        ...DATABASE,
        ...CONFIG,
      },
    },
    maintenance: {
      summary: 'start, end or list maintenance of a site',
      description:
        'start: the site opens no incidents for the given time. end: ends it. list: prints current and planned maintenance. A running monitor applies it within seconds.',
      usage: 'start <site> <duration> | end <site> | list [site]',
      args: { '<what...>': 'start, end or list; id of the site; how long, e.g. 30m' },
      options: {
        '--reason <text>': read('shown on the status page', (text: string) => text),
        ...CONFIG,
        ...DATABASE,
        ...format(['pretty', 'json']),
      },
    },
    alert: {
      summary: 'test a notification route, list pending notifications',
      description:
        'test: sends one notification through a route of the configuration, marked as a test; its id and that of its incident begin with test-. list: lists the notifications that are not sent yet. Exit status: 0 sent or listed, 1 could not be sent, 2 usage or configuration error, 3 the database could not be used.',
      args: { '<action>': 'test or list', '[route]': 'id of the route; with test' },
      options: {
        '--event <event>': {
          ...choice('which notification to send', ['opened', 'reminder', 'recovered']),
          initial: 'opened',
        },
        '--site <id>': 'site of the notification (default: the first of the route)',
        ...CONFIG,
        ...DATABASE,
        ...format(['pretty', 'json']),
      },
    },
    drill: {
      summary: 'rehearse the recovery of a site',
      description:
        'Clones the repository into an empty folder, serves it or runs your deploy command, checks until the site is healthy, and reports the time of each step and whether the recovery time objective was met. Exit status: 0 met, 1 missed or not healthy, 2 usage error, 3 unknown.',
      options: {
        '--source <what>': 'address of a Git repository, or a local folder',
        '--branch <name>': "branch or tag to clone (default: the repository's default branch)",
        '--folder <path>': 'folder of the site in the repository (default: detected)',
        '--serve': { about: 'serve it on this machine (the default)', conflicts: 'deploy' },
        '--deploy <command>':
          'deploy with this shell command, run in the clone; DOCVITALS_FOLDER is the folder of the site',
        '--url <base-url>': 'address that --deploy publishes to (default: url of the configuration)',
        '--site <id>': 'use address, RTO and checks of this site of the configuration',
        '--no-compare': 'after --deploy, do not compare files (for sites with a build step)',
        '--host <kind>': readOr('server', `kind of host to serve as: ${HOST_NAMES_HELP}`, hostOf),
        '--base <path>': readOr('/', 'serve below this path, e.g. /docs/', baseOf),
        '--objective <duration>': read('recovery time objective (default: configuration, else 60s)', durationOf()),
        '--deadline <duration>': read('timeout of the whole drill (default: 5m)', durationOf()),
        '--full': 'run all checks, not only the core checks',
        '--keep': 'keep the cloned folder',
        ...format(['pretty', 'json']),
        '--verbose': 'show the output of the command, and all checks',
        '--lang <language>': SHARED['--lang <language>'],
        ...CONFIG,
      },
    },
    example: {
      summary: 'print files for running a monitor',
      description:
        'Lists examples for the operation of a monitor, prints one, or writes its files: systemd, containers, Kubernetes, Prometheus and others.',
      args: { '[name]': 'name of the example (default: list them)' },
      options: {
        '--out <dir>': 'write the files into this folder',
        '--force': 'overwrite existing files',
      },
    },
    coordinator: {
      summary: 'coordinate runners of many locations',
      description:
        'Schedules the runs of all locations, opens incidents, sends notifications and serves the status page, on a PostgreSQL database. Start as many as you like: one acts, the others take over within seconds. Exit status: 0 stopped, 2 usage or configuration error, 3 the database or the listening address could not be used.',
      options: {
        ...CONFIG,
        ...DATABASE,
        '--listen <host:port>': listen,
        ...LOG,
        '--quiet': 'log only what needs attention',
      },
    },
    runner: {
      summary: 'run the checks of a location',
      description:
        'Runs the checks of one location and sends the results to the coordinator, through a PostgreSQL database. Start as many as you like in each location: they share its runs. Exit status: 0 stopped, 2 usage or configuration error, 3 the database could not be used.',
      options: {
        '--location <id>': { about: 'where this runner is, one of monitor.locations', mandatory: true },
        ...CONFIG,
        ...DATABASE,
        ...LOG,
        '--quiet': 'log only what needs attention',
      },
    },
  },
  'Set up:': {
    init: {
      summary: 'set up a project',
      description:
        "Inspects a folder, asks a few questions, and writes docvitals.yaml, GitHub workflows and the host's configuration. Existing files are only overwritten with --force.",
      args: { '[dir]': 'folder of the project (default: here)' },
      options: {
        '--url <base-url>': 'address of the site',
        '--source <dir>': 'folder that the site is deployed from, relative to [dir] (default: detected)',
        '--host <kind>': read(`kind of host: ${HOST_NAMES_HELP} (default: detected)`, hostNameOf),
        '--workflow <kind>': read(`workflow to write (repeatable): ${WORKFLOW_KINDS.join(', ')}, or none`, repeated),
        '--hosting': "also write the host's configuration",
        '--no-hosting': "do not write the host's configuration",
        '--monitor': "also write the monitor's settings",
        '--no-monitor': "do not write the monitor's settings",
        '--llms-txt': 'only write llms.txt, from the navigation of the site',
        '--lang <language>': SHARED['--lang <language>'],
        '--yes': 'ask no questions: accept what was detected',
        '--dry-run': 'print what would be written, and write nothing',
        '--force': 'overwrite existing files',
      },
    },
    config: {
      summary: 'check the configuration',
      description: 'check: prints the settings, or what is wrong with them. schema: prints the JSON Schema.',
      args: { '<action>': 'check or schema' },
      options: {
        '--lang <language>': SHARED['--lang <language>'],
        ...CONFIG,
      },
    },
    hosting: {
      summary: "print a host's configuration",
      description:
        'Prints or writes the configuration with which a host passes `check --full --strict`: an nginx server block, a platform configuration, a worker.',
      args: { '<kind>': `kind of host: ${HOST_NAMES_HELP}` },
      options: {
        '--url <base-url>': 'future address of the site: gives the path, the server name and TLS',
        '--base <path>': base,
        '--documented': 'print the documented rules unchanged, with the findings that they cause',
        '--out <dir>': 'write the files into this folder',
        '--force': 'overwrite existing files',
      },
    },
    serve: {
      summary: 'preview a folder as a host would serve it',
      description: 'Serves a folder on this machine with the rules of a kind of host, until Ctrl-C.',
      args: { '<dir>': 'the folder of the site' },
      options: {
        '--host <kind>': readOr('server', `kind of host: ${HOST_NAMES_HELP}`, hostOf),
        '--port <port>': readOr(4173, 'port, or 0 for any free one', countOf(0, 65_535)),
        '--base <path>': { ...base, initial: '/' },
        '--documented': 'serve with the documented rules unchanged',
      },
    },
    completion: {
      summary: 'print a completion script for a shell',
      description: 'Prints a script that completes commands, options and check ids.',
      args: { '<shell>': 'bash, zsh or fish' },
    },
  },
} satisfies Readonly<Record<string, Readonly<Record<string, Command>>>>;

type Groups = (typeof COMMANDS)[keyof typeof COMMANDS];

export type CommandName = Groups extends infer Group ? (Group extends Group ? keyof Group & string : never) : never;

type OptionsOf<Name, Group = Groups> =
  Group extends Readonly<Record<Name & string, { readonly options: infer Table }>> ? Table : never;

/** What a command receives for its options. Times are in milliseconds. */
export type Flags<Name extends CommandName> = FlagsOf<OptionsOf<Name> & typeof SHARED>;
