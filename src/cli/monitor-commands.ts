/** The commands that watch sites. */
import { type Command, Option } from 'commander';
import { formatAmong, listenOf } from '../project/arguments.ts';
import type { MaintenanceFlags } from './maintenance.ts';
import type { MonitorFlags } from './monitor.ts';
import { configOption, databaseOption, formatOption, languageOption } from './project-options.ts';

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
    .summary('watch sites, round the clock')
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
    .option(
      '--once',
      'look at each site once, confirm, alert, and end: for cron and the like; say under every how often that is',
    )
    .addOption(
      new Option('--log <format>', 'how to log (default: pretty on a terminal, else json)')
        .choices(LOG_FORMATS)
        .argParser(formatAmong('--log', LOG_FORMATS)),
    )
    .addOption(formatOption(['pretty', 'json'], 'with --once: what to print in the end'))
    .option('--quiet', 'log only what is not well')
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
    .summary('tell the monitor that a site is worked on')
    .description(
      'start: from now on, for so long, a site opens no incident. end: it is over. list: what goes on and what is planned. A running monitor knows of it within seconds.',
    )
    .usage('start <site> <duration> | end <site> | list [site]')
    .argument('<what...>', 'start, end or list; id of the site; how long, e.g. 30m')
    .option('--reason <text>', 'told on the status page')
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
