/** The commands that tell what a monitor has found. */
import { Option, type Command } from 'commander';
import { countOf, fileOf, oneAmong } from '../project/arguments.ts';
import type { HistoryFlags } from './history.ts';
import type { IncidentsFlags } from './incidents.ts';
import { configOption, databaseOption, formatOption, languageOption } from './shared-options.ts';

/** Receives a command's exit status. */
type Done = (status: number) => void;

const HISTORY_EXAMPLES = `
Examples:
  docvitals history docs
  docvitals history docs --since 90d --resolution day
  docvitals history docs --since 2026-11-20T18:00Z --until 2026-11-20T19:00Z --resolution round
  docvitals history docs --since 7d --format csv > docs.csv
`;

const INCIDENTS_EXAMPLES = `
Examples:
  docvitals incidents
  docvitals incidents --open
  docvitals incidents --site docs --since 30d --format json
`;

const SIZES = ['round', 'minute', 'hour', 'day'] as const;

const WHEN = 'how long ago (24h, 7d) or a date';

/** `docvitals history`. */
export function addHistory(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
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
      new Option('--resolution <size>', 'what each line is about')
        .choices(SIZES)
        .argParser(oneAmong('--resolution', SIZES))
        .default('hour'),
    );
  addCommon(command).addHelpText('after', HISTORY_EXAMPLES);
  command.action(async (site: string, flags: HistoryFlags) => {
    const { history } = await import('./history.ts');
    done(await history(site, flags, env));
  });
}

/** `docvitals incidents`. */
export function addIncidents(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
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
  addCommon(command).addHelpText('after', INCIDENTS_EXAMPLES);
  command.action(async (flags: IncidentsFlags) => {
    const { incidents } = await import('./incidents.ts');
    done(await incidents(flags, env));
  });
}

function addCommon(command: Command): Command {
  return command
    .addOption(formatOption(['pretty', 'json', 'csv']))
    .addOption(databaseOption())
    .addOption(configOption())
    .addOption(languageOption())
    .option('--no-color', 'no colours (also: NO_COLOR=1)');
}
