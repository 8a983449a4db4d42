/** The command that shows how all sites stand. */
import type { Command } from 'commander';
import { configOption, databaseOption, formatOption, languageOption } from './shared-options.ts';
import type { StatusFlags } from './status.ts';

/** Receives a command's exit status. */
type Done = (status: number) => void;

const STATUS_EXAMPLES = `
Examples:
  docvitals status
  docvitals status --format json
  docvitals status export public
  docvitals status export /srv/www/status --database /var/lib/docvitals/docvitals.db
`;

/** `docvitals status`. */
export function addStatus(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
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
    .option('--no-color', 'no colours (also: NO_COLOR=1)')
    .addHelpText('after', STATUS_EXAMPLES)
    .action(async (action: string | undefined, dir: string | undefined, flags: StatusFlags) => {
      const { status } = await import('./status.ts');
      done(await status(action, dir, flags, env));
    });
}
