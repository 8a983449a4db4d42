/** The commands that set a project up. */
import type { Command } from 'commander';
import { HOST_NAMES_HELP } from '../hosting/kinds.ts';
import type { InitFlags } from '../init/answers.ts';
import { WORKFLOW_KINDS } from '../init/workflow-kinds.ts';
import { fileOf, hostNameOf } from '../project/arguments.ts';
import type { ProjectFlags } from '../project/settings.ts';
import { CONFIG_EXAMPLES, INIT_EXAMPLES } from './examples.ts';
import { configOption, languageOption } from './shared-options.ts';

/** Receives a command's exit status. */
type Done = (status: number) => void;

/** `docvitals init`. */
export function addInit(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
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
    .addHelpText('after', INIT_EXAMPLES)
    .action(async (dir: string | undefined, flags: GivenInitFlags) => {
      const { init } = await import('./init.ts');
      done(await init(dir, await readInitFlags(flags), env));
    });
}

/** As they are given: what reads these two is loaded for this command only. */
type GivenInitFlags = Omit<InitFlags, 'url' | 'workflow'> & {
  readonly url?: string;
  readonly workflow?: readonly string[];
};

const listed = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

async function readInitFlags({ url, workflow, ...flags }: GivenInitFlags): Promise<InitFlags> {
  const { siteUrlOf, workflowsOf } = await import('../init/answers.ts');
  let kinds: InitFlags['workflow'];
  for (const kind of workflow ?? []) kinds = workflowsOf(kind, kinds);
  return {
    ...flags,
    ...(url === undefined ? {} : { url: siteUrlOf(url) }),
    ...(kinds === undefined ? {} : { workflow: kinds }),
  };
}

/** `docvitals config`. */
export function addConfig(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('config')
    .summary('check the configuration')
    .description('check: prints the settings, or what is wrong with them. schema: prints the JSON Schema.')
    .argument('<action>', 'check or schema')
    .addOption(languageOption())
    .addOption(configOption())
    .addHelpText('after', CONFIG_EXAMPLES)
    .action(async (action: string, flags: ProjectFlags) => {
      const { config } = await import('./config.ts');
      done(await config(action, flags, env));
    });
}
