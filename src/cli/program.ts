import { Command, Option } from 'commander';
import { VERSION } from '../version.ts';
import { HOST_NAMES_HELP } from '../hosting/kinds.ts';
import { baseOf, countOf, fileOf, hostOf } from '../project/arguments.ts';
import {
  COMPLETION_EXAMPLES,
  EXPLAIN_EXAMPLES,
  GENERAL_EXAMPLES,
  HOSTING_EXAMPLES,
  MANIFEST_EXAMPLES,
  SERVE_EXAMPLES,
} from './examples.ts';
import { addAlert } from './alert-command.ts';
import { addCheck } from './check-command.ts';
import { addDrill, addMaintenance, addMonitor, addExample } from './monitor-commands.ts';
import { addHistory, addIncidents } from './history-commands.ts';
import type { HostingFlags } from './hosting.ts';
import type { ManifestFlags } from './manifest.ts';
import { configOption, languageOption, addSharedOptions } from './shared-options.ts';
import type { ServeFlags } from './serve.ts';
import { addConfig, addInit } from './setup-commands.ts';
import { addStatus } from './status-command.ts';
import type { ProjectFlags } from '../project/settings.ts';

/** What the commands hand back. */
export interface Handlers {
  /** Receives a command's exit status. */
  readonly done: (status: number) => void;
  /** Receives the help and the version. */
  readonly print: (text: string) => void;
}

type Done = Handlers['done'];

type Add = (program: Command, env: NodeJS.ProcessEnv, done: Done) => void;

/** All commands, as the help groups them. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, Add>>>> = {
  'Check a site:': { check: addCheck, list: addList, explain: addExplain, manifest: addManifest },
  'Watch sites:': {
    monitor: addMonitor,
    status: addStatus,
    incidents: addIncidents,
    history: addHistory,
    maintenance: addMaintenance,
    alert: addAlert,
    drill: addDrill,
    example: addExample,
  },
  'Set up:': {
    init: addInit,
    config: addConfig,
    hosting: addHosting,
    serve: addServe,
    completion: addCompletion,
  },
};

/**
 * The commands and their options. Each command's code is loaded when it runs.
 *
 * @param first the first argument, where only what it asks for is to be told apart: making all commands takes longer
 *   than what some of them do
 */
export function makeProgram(env: NodeJS.ProcessEnv, { done, print }: Handlers, first?: string): Command {
  const program = new Command('docvitals')
    .description('Checks whether a static Markdown documentation site works, and reports how to fix it.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .commandsGroup('Set up:')
    .helpCommand('help [command]', 'print the help of a command')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: () => {} })
    .addHelpText('after', GENERAL_EXAMPLES);
  if (first === '--version' || first === '-V') return program;
  const alone = isAlone(first);
  for (const [group, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(group);
    for (const [name, add] of Object.entries(commands)) {
      if (!alone || name === first) add(program, env, done);
    }
  }
  addSharedOptions(program);
  return program;
}

/** Whether an argument names a command that does not ask for the others. */
function isAlone(name: string | undefined): boolean {
  if (name === undefined || name === 'completion') return false;
  return Object.values(COMMANDS).some((commands) => Object.hasOwn(commands, name));
}

function addList(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('list')
    .summary('list the checks')
    .description('Lists the checks, one line each: id, title, what is requested, --full for those of the whole site.')
    .addOption(languageOption())
    .addOption(configOption())
    .action(async (flags: ProjectFlags) => {
      const { list } = await import('./list.ts');
      done(await list(flags, env));
    });
}

function addExplain(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('explain')
    .summary('explain a check or a rule')
    .description('Prints the documentation of a check or of a rule.')
    .argument('<check[/rule]>', 'a check (navigation), a rule (navigation/no-links) or its bare name (no-links)')
    .addOption(languageOption())
    .addOption(configOption())
    .addOption(new Option('--format <format>', 'what to print').choices(['text', 'json']).default('text'))
    .option('--no-color', 'no colours (also: NO_COLOR=1)')
    .addHelpText('after', EXPLAIN_EXAMPLES)
    .action(
      async (subject: string, flags: ProjectFlags & { readonly color: boolean; readonly format: 'text' | 'json' }) => {
        const { explain } = await import('./explain.ts');
        done(await explain(subject, flags, env));
      },
    );
}

function addHosting(program: Command, _env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('hosting')
    .summary("print a host's configuration")
    .description(
      'Prints or writes what a host needs to serve a site so that `check --full --strict` passes: an nginx server block, a platform configuration, a worker.',
    )
    .argument('<kind>', `kind of host: ${HOST_NAMES_HELP}`)
    .option('--url <base-url>', 'where the site will be: gives the path, the server name and TLS')
    .addOption(baseOption())
    .option('--documented', 'print the documented rules unchanged, with what checks report')
    .option('--out <dir>', 'write the files into this folder', fileOf('--out'))
    .option('--force', 'overwrite existing files')
    .addOption(languageOption())
    .addHelpText('after', HOSTING_EXAMPLES)
    .action(async (kind: string, flags: HostingFlags) => {
      const { hosting } = await import('./hosting.ts');
      done(await hosting(kind, flags));
    });
}

function addServe(program: Command, env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('serve')
    .summary('preview a folder as a host would serve it')
    .description('Serves a folder on this machine by the rules of a kind of host, until Ctrl-C.')
    .argument('<dir>', 'the folder that holds the site')
    .addOption(new Option('--host <kind>', `kind of host: ${HOST_NAMES_HELP}`).argParser(hostOf).default('server'))
    .option('--port <port>', 'port, 0 for any that is free', countOf('--port', 0, 65_535), 4173)
    .addOption(baseOption().default('/'))
    .option('--documented', 'serve by the documented rules unchanged')
    .addOption(languageOption())
    .addHelpText('after', SERVE_EXAMPLES)
    .action(async (dir: string, flags: ServeFlags) => {
      const { serve } = await import('./serve.ts');
      done(await serve(dir, flags, env));
    });
}

function baseOption(): Option {
  return new Option('--base <path>', 'path below which the site is served, e.g. /docs/').argParser(baseOf);
}

function addManifest(program: Command, _env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('manifest')
    .summary('write a hash manifest of a folder')
    .description(
      'Prints the hashes of what a folder would deploy, for `check --source manifest.json` where there is no checkout.',
    )
    .argument('<folder>', 'what the site is deployed from')
    .option('--out <file>', 'write it there', fileOf('--out'))
    .addHelpText('after', MANIFEST_EXAMPLES)
    .action(async (folder: string, flags: ManifestFlags) => {
      const { manifest } = await import('./manifest.ts');
      done(await manifest(folder, flags));
    });
}

function addCompletion(program: Command, _env: NodeJS.ProcessEnv, done: Done): void {
  program
    .command('completion')
    .summary('print a completion script for a shell')
    .description('Prints a script that completes commands, options and check ids.')
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText('after', COMPLETION_EXAMPLES)
    .action(async (shell: string) => {
      const { completion } = await import('./completion.ts');
      done(await completion(shell, program));
    });
}
