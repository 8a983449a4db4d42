/** The commands that watch sites. */
import { type Command, Option } from 'commander';
import { formatAmong, listenOf, baseOf, durationOf, fileOf, hostOf } from '../project/arguments.ts';
import type { CoordinatorFlags, RunnerFlags } from './fleet.ts';
import type { MaintenanceFlags } from './maintenance.ts';
import type { MonitorFlags } from './monitor.ts';
import { configOption, databaseOption, formatOption, languageOption } from './shared-options.ts';
import { HOST_NAMES_HELP } from '../hosting/kinds.ts';
import type { DrillFlags } from './drill.ts';
import type { ExampleFlags } from './example.ts';

const LOG_FORMATS = ['pretty', 'json'] as const;

/** Receives a command's exit status. */
type Done = (status: number) => void;

/** `docvitals monitor`. */
export function addMonitor(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('monitor')
    .summary('monitor sites around the clock')
    .description(
      'Monitors the sites of the configuration until it is stopped: opens incidents, sends notifications, stores the history. SIGHUP reloads the configuration. Exit status: 0 stopped, 2 usage or configuration error, 3 the database or the listening address could not be used; with --once 0 all sites are healthy, 1 one is not, 3 could not be determined.',
    )
    .addOption(configOption())
    .addOption(databaseOption())
    .addOption(
      new Option(
        '--listen <host:port>',
        'serve the status page, metrics and API at this address (default: monitor.listen)',
      )
        .argParser(listenOf('--listen'))
        .conflicts('once'),
    )
    .option(
      '--once',
      'check each site once, confirm failures, notify, and exit (for cron); set `every` to its interval',
    )
    .addOption(logOption())
    .addOption(formatOption(['pretty', 'json'], 'with --once: output format'))
    .option('--quiet', 'log only what needs attention')
    .addOption(languageOption())
    .option('--no-color', 'no colours (also: NO_COLOR=1)')
    .action(async (flags: MonitorFlags) => {
      const { monitor } = await import('./monitor.ts');
      done(await monitor(flags, env));
    });
}

function logOption(): Option {
  return new Option('--log <format>', 'log format (default: pretty on a terminal, else json)')
    .choices(LOG_FORMATS)
    .argParser(formatAmong('--log', LOG_FORMATS));
}

/** `docvitals coordinator`. */
export function addCoordinator(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('coordinator')
    .summary('coordinate runners of many locations')
    .description(
      'Schedules the runs of all locations, opens incidents, sends notifications and serves the status page, on a PostgreSQL database. Start as many as you like: one acts, the others take over within seconds. Exit status: 0 stopped, 2 usage or configuration error, 3 the database or the listening address could not be used.',
    )
    .addOption(configOption())
    .addOption(databaseOption())
    .addOption(
      new Option(
        '--listen <host:port>',
        'serve the status page, metrics and API at this address (default: monitor.listen)',
      ).argParser(listenOf('--listen')),
    )
    .addOption(logOption())
    .option('--quiet', 'log only what needs attention')
    .addOption(languageOption())
    .option('--no-color', 'no colours (also: NO_COLOR=1)')
    .action(async (flags: CoordinatorFlags) => {
      const { coordinator } = await import('./fleet.ts');
      done(await coordinator(flags, env));
    });
}

/** `docvitals runner`. */
export function addRunner(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('runner')
    .summary('run the checks of a location')
    .description(
      'Runs the checks of one location and sends the results to the coordinator, through a PostgreSQL database. Start as many as you like in each location: they share its runs. Exit status: 0 stopped, 2 usage or configuration error, 3 the database could not be used.',
    )
    .addOption(
      new Option('--location <id>', 'where this runner is, one of monitor.locations')
        .argParser(fileOf('--location'))
        .makeOptionMandatory(),
    )
    .addOption(configOption())
    .addOption(databaseOption())
    .addOption(logOption())
    .option('--quiet', 'log only what needs attention')
    .addOption(languageOption())
    .option('--no-color', 'no colours (also: NO_COLOR=1)')
    .action(async (flags: RunnerFlags) => {
      const { runner } = await import('./fleet.ts');
      done(await runner(flags, env));
    });
}

/** `docvitals maintenance`. */
export function addMaintenance(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('maintenance')
    .summary('start, end or list maintenance of a site')
    .description(
      'start: the site opens no incidents for the given time. end: ends it. list: prints current and planned maintenance. A running monitor applies it within seconds.',
    )
    .usage('start <site> <duration> | end <site> | list [site]')
    .argument('<what...>', 'start, end or list; id of the site; how long, e.g. 30m')
    .option('--reason <text>', 'shown on the status page')
    .addOption(configOption())
    .addOption(databaseOption())
    .addOption(formatOption(['pretty', 'json']))
    .addOption(languageOption())
    .action(async (what: readonly string[], flags: MaintenanceFlags) => {
      const { maintenance } = await import('./maintenance.ts');
      done(await maintenance(what, flags, env));
    });
}

/* `docvitals drill`. */

export function addDrill(program: Command, env: NodeJS.ProcessEnv, done: (status: number) => void): void {
  const command = program
    .command('drill')
    .summary('rehearse the recovery of a site')
    .description(
      'Clones the repository into an empty folder, serves it or runs your deploy command, checks until the site is healthy, and reports the time of each step and whether the recovery time objective was met. Exit status: 0 met, 1 missed or not healthy, 2 usage error, 3 unknown.',
    )
    .option('--source <what>', 'address of a Git repository, or a local folder', fileOf('--source'))
    .option('--branch <name>', "branch or tag to clone (default: the repository's default branch)", fileOf('--branch'))
    .option('--folder <path>', 'folder of the site in the repository (default: detected)', fileOf('--folder'))
    .addOption(new Option('--serve', 'serve it on this machine (the default)').conflicts('deploy'))
    .option(
      '--deploy <command>',
      'deploy with this shell command, run in the clone; DOCVITALS_FOLDER is the folder of the site',
      fileOf('--deploy'),
    )
    .option(
      '--url <base-url>',
      'address that --deploy publishes to (default: url of the configuration)',
      fileOf('--url'),
    )
    .option('--site <id>', 'use address, RTO and checks of this site of the configuration', fileOf('--site'))
    .option('--no-compare', 'after --deploy, do not compare files (for sites with a build step)');
  addServing(command)
    .option(
      '--objective <duration>',
      'recovery time objective (default: configuration, else 60s)',
      durationOf('--objective'),
    )
    .option('--deadline <duration>', 'timeout of the whole drill (default: 5m)', durationOf('--deadline'))
    .option('--full', 'run all checks, not only the core checks')
    .option('--keep', 'keep the cloned folder')
    .addOption(formatOption(['pretty', 'json']))
    .option('--verbose', 'show the output of the command, and all checks')
    .addOption(languageOption())
    .addOption(configOption())
    .option('--no-color', 'no colours (also: NO_COLOR=1)')
    .action(async (flags: DrillFlags) => {
      const { drill } = await import('./drill.ts');
      done(await drill(flags, env));
    });
}

/** How --serve serves. */
function addServing(command: Command): Command {
  return command
    .addOption(
      new Option('--host <kind>', `kind of host to serve as: ${HOST_NAMES_HELP}`).argParser(hostOf).default('server'),
    )
    .addOption(new Option('--base <path>', 'serve below this path, e.g. /docs/').argParser(baseOf).default('/'));
}

/* `docvitals example`. */

export function addExample(program: Command, env: NodeJS.ProcessEnv, done: (status: number) => void): void {
  program
    .command('example')
    .summary('print files for running a monitor')
    .description(
      'Lists examples for the operation of a monitor, prints one, or writes its files: systemd, containers, Kubernetes, Prometheus and others.',
    )
    .argument('[name]', 'name of the example (default: list them)')
    .option('--out <dir>', 'write the files into this folder', fileOf('--out'))
    .option('--force', 'overwrite existing files')
    .addOption(languageOption())
    .action(async (name: string | undefined, flags: ExampleFlags) => {
      const { example } = await import('./example.ts');
      done(await example(name, flags, env));
    });
}
