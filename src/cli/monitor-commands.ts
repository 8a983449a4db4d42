/** The commands that watch sites. */
import { type Command, Option } from 'commander';
import { formatAmong, listenOf, baseOf, durationOf, fileOf, hostOf } from '../project/arguments.ts';
import type { MaintenanceFlags } from './maintenance.ts';
import type { MonitorFlags } from './monitor.ts';
import { configOption, databaseOption, formatOption, languageOption } from './shared-options.ts';
import { HOST_NAMES_HELP } from '../hosting/kinds.ts';
import type { DrillFlags } from './drill.ts';
import type { ExampleFlags } from './example.ts';

const LOG_FORMATS = ['pretty', 'json'] as const;

/** Receives a command's exit status. */
type Done = (status: number) => void;

const MONITOR_EXAMPLES = `
Examples:
  docvitals monitor
  docvitals monitor --config docvitals.yaml --listen 127.0.0.1:9464
  docvitals monitor --once --database /var/lib/docvitals/docvitals.db
`;

const MAINTENANCE_EXAMPLES = `
Examples:
  docvitals maintenance start docs 30m --reason "new host"
  docvitals maintenance end docs
  docvitals maintenance list
`;

/** `docvitals monitor`. */
export function addMonitor(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('monitor')
    .summary('watch sites around the clock')
    .description(
      'Watches the sites of the configuration until it is stopped: opens incidents, sends alerts, keeps their history. SIGHUP reads the configuration again. Exit status: 0 stopped, 2 usage or configuration error, 3 another monitor has the database, it cannot be used or not all could be written to it, or the address to listen at cannot be had; with --once 0 all sites are healthy, 1 one is not, 3 could not tell.',
    )
    .addOption(configOption())
    .addOption(databaseOption())
    .addOption(
      new Option(
        '--listen <host:port>',
        'serve the status page, metrics and API there (default: monitor.listen, else not)',
      )
        .argParser(listenOf('--listen'))
        .conflicts('once'),
    )
    .option('--once', 'check each site once, confirm, notify, and end (for cron); set every to how often it runs')
    .addOption(
      new Option('--log <format>', 'how to log (default: pretty on a terminal, else json)')
        .choices(LOG_FORMATS)
        .argParser(formatAmong('--log', LOG_FORMATS)),
    )
    .addOption(formatOption(['pretty', 'json'], 'with --once: what to print in the end'))
    .option('--quiet', 'log only what needs attention')
    .addOption(languageOption())
    .option('--no-color', 'no colours (also: NO_COLOR=1)')
    .addHelpText('after', MONITOR_EXAMPLES)
    .action(async (flags: MonitorFlags) => {
      const { monitor } = await import('./monitor.ts');
      done(await monitor(flags, env));
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
    .addHelpText('after', MAINTENANCE_EXAMPLES)
    .action(async (what: readonly string[], flags: MaintenanceFlags) => {
      const { maintenance } = await import('./maintenance.ts');
      done(await maintenance(what, flags, env));
    });
}

/* `docvitals drill`. */

const DRILL_EXAMPLES = `
Examples:
  docvitals drill --source .
  docvitals drill --source docs --format json
  docvitals drill --source https://github.com/acme/docs.git --objective 30s
  docvitals drill --source . --deploy 'rsync -a "$DOCVITALS_FOLDER/" www:/srv/docs/' --url https://docs.example.com/
`;

export function addDrill(program: Command, env: NodeJS.ProcessEnv, done: (status: number) => void): void {
  const command = program
    .command('drill')
    .summary('rehearse the recovery of a site')
    .description(
      'Clones the repository into an empty folder, serves it or runs your deploy command, checks until the site is healthy, and reports the time of each step and whether the recovery time objective was met. Exit status: 0 met, 1 missed or not healthy, 2 usage, 3 not known.',
    )
    .option('--source <what>', 'address of a Git repository, or a folder here', fileOf('--source'))
    .option('--branch <name>', 'branch or tag to clone (default: that of the repository)', fileOf('--branch'))
    .option('--folder <path>', "the site's folder in it (default: detected)", fileOf('--folder'))
    .addOption(new Option('--serve', 'serve it on this machine, the default').conflicts('deploy'))
    .option(
      '--deploy <command>',
      'run this in a shell in the clone; DOCVITALS_FOLDER names the folder of the site',
      fileOf('--deploy'),
    )
    .option('--url <base-url>', 'where --deploy publishes it (default: url of the configuration)', fileOf('--url'))
    .option('--site <id>', 'use address, RTO and checks of this site of the configuration', fileOf('--site'))
    .option('--no-compare', 'after --deploy, do not compare files: for sites that are built');
  addServing(command)
    .option(
      '--objective <duration>',
      'recovery time objective (default: configuration, else 60s)',
      durationOf('--objective'),
    )
    .option('--deadline <duration>', 'longest time for the whole drill (default: 5m)', durationOf('--deadline'))
    .option('--full', 'run all checks, not only the core checks')
    .option('--keep', 'keep the folder that was cloned into')
    .addOption(formatOption(['pretty', 'json']))
    .option('--verbose', 'show what the command prints, and all checks')
    .addOption(languageOption())
    .addOption(configOption())
    .option('--no-color', 'no colours (also: NO_COLOR=1)')
    .addHelpText('after', DRILL_EXAMPLES)
    .action(async (flags: DrillFlags) => {
      const { drill } = await import('./drill.ts');
      done(await drill(flags, env));
    });
}

/** How --serve serves. */
function addServing(command: Command): Command {
  return command
    .addOption(
      new Option('--host <kind>', `serve by the rules of: ${HOST_NAMES_HELP}`).argParser(hostOf).default('server'),
    )
    .addOption(new Option('--base <path>', 'serve below this path, e.g. /docs/').argParser(baseOf).default('/'));
}

/* `docvitals example`. */

const EXAMPLE_EXAMPLES = `
Examples:
  docvitals example
  docvitals example systemd-service
  docvitals example kubernetes-deployment --out deploy
`;

export function addExample(program: Command, env: NodeJS.ProcessEnv, done: (status: number) => void): void {
  program
    .command('example')
    .summary('print files for running a monitor')
    .description(
      'Lists examples for the operation of a monitor, prints one, or writes its files: systemd, containers, Kubernetes, Prometheus and others.',
    )
    .argument('[name]', 'which one (default: list them)')
    .option('--out <dir>', 'write the files into this folder', fileOf('--out'))
    .option('--force', 'overwrite existing files')
    .addOption(languageOption())
    .addHelpText('after', EXAMPLE_EXAMPLES)
    .action(async (name: string | undefined, flags: ExampleFlags) => {
      const { example } = await import('./example.ts');
      done(await example(name, flags, env));
    });
}
