/** `docvitals example`. */
import type { Command } from 'commander';
import { fileOf } from '../project/arguments.ts';
import type { ExampleFlags } from './example.ts';
import { languageOption } from './project-options.ts';

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
    .option('--force', 'overwrite files that are there')
    .addOption(languageOption())
    .addHelpText('after', EXAMPLE_EXAMPLES)
    .action(async (name: string | undefined, flags: ExampleFlags) => {
      const { example } = await import('./example.ts');
      done(await example(name, flags, env));
    });
}
