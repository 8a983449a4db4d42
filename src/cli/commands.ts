/** The options of each command, besides those that every command has; what else its help says is in `commands.yaml`. */
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
  type FlagsOf,
  type Options,
  type SHARED,
} from '../project/arguments.ts';

const STORED = {
  '--database <name>': 'database file or postgres:// address (default: monitor.database, then docvitals.db here)',
  ...CONFIG,
} satisfies Options;
const SERVICE = {
  ...STORED,
  '--log <format>': choice('log format (default: pretty on a terminal, else json)', ['pretty', 'json']),
  '--quiet': 'log only what needs attention',
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

export const OPTIONS = {
  check: CHECK,
  list: CONFIG,
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
    '--resolution <size>': { ...choice('what each line covers', ['round', 'minute', 'hour', 'day']), initial: 'hour' },
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
    '--objective <duration>': read('recovery time objective (default: configuration, else 60s)', durationOf()),
    '--deadline <duration>': read('timeout of the whole drill (default: 5m)', durationOf()),
    '--full': 'run all checks, not only the core checks',
    '--keep': 'keep the cloned folder',
    ...format(['pretty', 'json']),
    '--verbose': 'show the output of the command, and all checks',
    ...CONFIG,
  },
  example: FILES,
  coordinator: { '--listen <host:port>': listen, ...SERVICE },
  runner: {
    '--location <id>': { about: 'where this runner is, one of monitor.locations', mandatory: true },
    ...SERVICE,
  },
  init: INIT,
  config: CONFIG,
  hosting: {
    '--url <base-url>': 'future address of the site: gives the path, the server name and TLS',
    '--base <path>': base,
    '--documented': 'print the documented rules unchanged, with the findings that they cause',
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

export type CommandName = keyof typeof OPTIONS;

/** What a command receives for its options. Times are in milliseconds. */
export type Flags<Name extends CommandName> = FlagsOf<(typeof OPTIONS)[Name] & typeof SHARED>;
