import { env } from 'node:process';
import type { Flags } from './commands.ts';
import { EXAMPLE_NAMES, readExample } from '../monitor/examples/examples.ts';
import { writeOut } from '../output.ts';
import { knownWord } from '../project/arguments.ts';
import { UsageError } from '../project/usage-error.ts';
import { table } from '../text-width.ts';
import { pickLanguage } from '../texts.ts';
import { printedFiles, writeNewFiles } from './files.ts';
import { examplesWords } from '../generated/locales/examples.ts';

export async function example(given: string | undefined, flags: Flags<'example'>): Promise<void> {
  const { out, force } = flags;
  if (given === undefined) {
    if (out !== undefined) throw new UsageError((messages) => messages.missingArgument('name'));
    const words = examplesWords(pickLanguage({ flag: flags.lang, config: undefined, env }));
    await writeOut(`${table(EXAMPLE_NAMES.map((one) => [one, words.about[one]]))}\n${words.hint}\n`);
    return;
  }
  const name = knownWord(given, EXAMPLE_NAMES, (messages, ...facts) => messages.unknownExample(...facts));
  const files = await readExample(name);
  if (out === undefined) await writeOut(printedFiles(files));
  else await writeNewFiles(files, out, force === true);
}
