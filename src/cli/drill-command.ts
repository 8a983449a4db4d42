/** `docvitals drill`. */
import { Option, type Command } from 'commander';
import { HOST_NAMES_HELP } from '../hosting/kinds.ts';
import { baseOf, durationOf, fileOf, hostOf } from '../project/arguments.ts';
import type { DrillFlags } from './drill.ts';
import { configOption, formatOption, languageOption } from './project-options.ts';

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
    .option('--folder <path>', "the site's folder in it (default: found out)", fileOf('--folder'))
    .addOption(new Option('--serve', 'serve it on this machine, the default').conflicts('deploy'))
    .option(
      '--deploy <command>',
      'run this in a shell in the clone; DOCVITALS_FOLDER names the folder of the site',
      fileOf('--deploy'),
    )
    .option('--url <base-url>', 'where --deploy brings it (default: url of the configuration)', fileOf('--url'))
    .option('--site <id>', 'take address, objective and checks from this site of the configuration', fileOf('--site'))
    .option('--no-compare', 'after --deploy, check the health only: a build makes other files');
  addServing(command)
    .option('--objective <duration>', 'the time to meet (default: configuration, else 60s)', durationOf('--objective'))
    .option('--deadline <duration>', 'longest time for the whole drill (default: 5m)', durationOf('--deadline'))
    .option('--full', 'run all checks, not only the five')
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
