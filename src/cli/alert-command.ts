/** The command about the monitor's alerts. */
import { type Command, Option } from 'commander';
import { fileOf, oneAmong } from '../project/arguments.ts';
import type { AlertFlags } from './alert.ts';
import { configOption, databaseOption, formatOption, languageOption } from './shared-options.ts';

/** Receives a command's exit status. */
type Done = (status: number) => void;

const ALERT_EXAMPLES = `
Examples:
  docvitals alert test ops
  docvitals alert test ops --event recovered --site docs
  docvitals alert list
`;

const EVENTS = ['opened', 'reminder', 'recovered'] as const;

/** `docvitals alert`. */
export function addAlert(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('alert')
    .summary('test an alert route, list waiting alerts')
    .description(
      'test: sends one alert through a route of the configuration now, marked as a test; its id and that of its incident begin with test-. list: the alerts that have not been sent yet. Exit status: 0 sent or listed, 1 it could not be sent, 2 usage or configuration error, 3 the database could not be used.',
    )
    .argument('<action>', 'test or list')
    .argument('[route]', 'id of the route; with test')
    .addOption(
      new Option('--event <event>', 'which alert to send')
        .choices(EVENTS)
        .argParser(oneAmong('--event', EVENTS))
        .default('opened'),
    )
    .option('--site <id>', 'site to send it about (default: the first of the route)', fileOf('--site'))
    .addOption(configOption())
    .addOption(databaseOption())
    .addOption(formatOption(['pretty', 'json']))
    .addOption(languageOption())
    .addHelpText('after', ALERT_EXAMPLES)
    .action(async (action: string, route: string | undefined, flags: AlertFlags) => {
      const { alert } = await import('./alert.ts');
      done(await alert({ action, route }, flags, env));
    });
}
